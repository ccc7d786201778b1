"""What is against the rules in a transcribed game: acts, and cards that the record proves wrong."""
