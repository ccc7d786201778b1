"""Points of a deal and a game, and the moment at which they count."""
