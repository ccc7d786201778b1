"""Rollouts: guesses at the hidden cards, played to the end with a cheap policy."""
