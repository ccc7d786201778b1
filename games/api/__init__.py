"""The HTTP API of games: programs read games, send commands, and open tables by code."""
