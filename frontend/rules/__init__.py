"""The rules of the games for players: one text a game and language, and the names of games.

Apart from translations, no other part of the pages depends on the game.
"""
