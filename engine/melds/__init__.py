"""Melds: combinations, declarations and comparison."""
