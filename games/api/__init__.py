"""The HTTP interface of games: programs can do everything that pages can do."""
