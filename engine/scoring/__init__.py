"""What counts in a deal and in a game, and when."""
