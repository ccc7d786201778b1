"""The games in the words of the people who play them: one text a game and language, and what games are
called. Beside translations this is the only place of the pages that knows one game from another.
"""
