"""Infractions in transcribed games: illegal acts, and cards that the record proves illegal."""
