"""Melds: their combinations, declaration and comparison."""
