"""What the tables have given, the ranking that follows, and files of it."""
