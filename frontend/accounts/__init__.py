"""Accounts on top of django-allauth: attempts, proofs, second factors, sessions."""
