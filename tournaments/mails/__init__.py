"""Mails: sending those that are due, for entries and for accounts."""
