"""Lists of people as files: how they are read, what their columns are, and how tables are written."""
