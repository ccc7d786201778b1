"""Draws, by lot or by hand, and their undoing; seat exchanges, decks, and the seeds."""
