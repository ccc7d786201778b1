"""Score sheets: their fields, checks and entries."""
