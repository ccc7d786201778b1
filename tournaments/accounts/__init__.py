"""Accounts: sessions, invitations, password resets, mails, own data, and the list for an owner."""
