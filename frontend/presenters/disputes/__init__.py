"""Disputes, rulings, corrections, and acts of officials."""
