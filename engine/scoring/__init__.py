"""Points of a deal and of a game, and the moment at which they count."""
