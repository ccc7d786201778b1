"""Entries of a championship, with their pairs, teams, waiting list, seat codes and links, and the import of
lists.
"""
