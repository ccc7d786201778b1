"""The rules of the games for players: a text for each game and language, and the names of games.

Apart from these and translations, no part of the pages depends on a single game.
"""
