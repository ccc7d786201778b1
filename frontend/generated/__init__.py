"""Generated TypeScript: the types of events, commands and frames, and tables that the server and scripts
share. `python -m frontend.generated` writes src/generated/; a test compares the files.
"""
