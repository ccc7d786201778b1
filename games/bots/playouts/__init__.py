"""Thinking ahead: guesses at the hidden cards, played to the end by a cheap way of playing."""
