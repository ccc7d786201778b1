"""Accounts: their sessions, invitations to offices, resets, and the list of the installation's owner."""
