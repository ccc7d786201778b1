"""Live games. Each web process has a hub per watched game. The hub reads new events from the store, redacts
and encodes them once per view, and sends the same text to every socket with this view. Messages over Redis
are only hints.
"""
