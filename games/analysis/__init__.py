"""Analysis of recorded deals: what-if lines and the estimated value of each card."""
