"""Tables: play, live, transcript, replay, codes, and the tables of a hall."""
