"""Disputes, rulings and appeals, and the effect of a ruling."""
