"""Lists of people as files: reading them, detecting their columns, and writing tables."""
