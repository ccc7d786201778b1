"""Tables: the hall, codes, play, other tables, the projector, and the course of a game."""
