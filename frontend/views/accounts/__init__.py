"""Accounts, sign-in, invitations, and a person's own data."""
