"""What both sides have in common, written for the scripts: types of events, commands and frames, and the
tables that go with them. `python -m frontend.generated` writes src/generated/; a test holds the files to it.
"""
