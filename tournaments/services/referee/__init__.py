"""Disputes, rulings, appeals, corrections and opened hands, and the effect of a ruling on the ranking."""
