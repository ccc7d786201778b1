"""Projections of the log: rows of games and of deal results, at once or with a delay."""
