"""Where cards come from: the seed of a round, and every deck and draw that follows from it."""
