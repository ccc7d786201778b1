"""A championship from its creation to its end, and its officials."""
