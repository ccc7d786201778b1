"""Seats at tables: accounts and rights, changes during play, and rules for rounds with the same cards."""
