"""Randomness of dealing: the seed of a round, and every deck and draw that follow from it."""
