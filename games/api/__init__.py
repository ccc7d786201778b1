"""The HTTP interface of games: everything a page can do, a program can."""
