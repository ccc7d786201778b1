"""Clubs and their rolls: people who last beyond one evening, so that nobody is written down twice."""
