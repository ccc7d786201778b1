"""A naive second implementation of the rules, kept apart from the engine on purpose.

It is written from the specification of the rules alone and shares no code with `engine/`, so that a
mistake would have to be made twice to go unseen. Nothing here is fast, and only `compare.py` imports the
project.
"""
