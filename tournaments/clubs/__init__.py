"""Clubs and their rolls of persons, kept across championships."""
