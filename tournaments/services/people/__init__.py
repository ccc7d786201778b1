"""The person behind an entry, the members of teams, and who may see which name."""
