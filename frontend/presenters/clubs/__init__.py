"""Clubs, their series, and a person across championships."""
