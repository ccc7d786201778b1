"""Entries: the registration desk, a place or the waiting list, and one person's championship."""
