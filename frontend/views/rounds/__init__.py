"""Rounds, their results, and the queue of a session."""
