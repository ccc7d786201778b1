"""Inputs of a bot's decisions: knowledge of cards, expected points, randomness."""
