"""Tricks: legal cards, modes, and tables that decide who takes a trick."""
