"""Opening and closing rounds, breaking off tables, and changing the number of rounds."""
