"""Tills, fees, bills and prizes."""
