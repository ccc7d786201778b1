"""Rollouts: guesses at the hidden cards, played to the end of the deal with a cheap policy."""
