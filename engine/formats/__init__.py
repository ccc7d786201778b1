"""Other formats of games: log files of our own, and what other programs write."""
