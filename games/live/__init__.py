"""Games live: one hub a watched game in each web process, which reads on from the store, redacts and encodes
once per view, and hands the same text to every socket. What comes over Redis is only a hint.
"""
