"""Generated TypeScript: types of events, commands and frames, and shared tables. `python -m
frontend.generated` writes src/generated/; a test compares the files.
"""
