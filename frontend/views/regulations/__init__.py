"""The regulations of a championship, and the rules of the games."""
