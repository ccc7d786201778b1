"""Mails and push messages."""
