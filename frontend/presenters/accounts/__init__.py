"""Accounts: roles of a person, their sessions and data."""
