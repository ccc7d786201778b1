"""Disputes, rulings and appeals, and what a ruling would change."""
