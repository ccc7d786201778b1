"""Live games: each web process has one hub a watched game. The hub reads on from the store, redacts and
encodes once per view, and sends the same text to every socket. Messages over Redis are only hints.
"""
