"""Clubs, their public pages, and their series."""
