"""Accounts on top of django-allauth: proofs, second factors, sessions, OpenID Connect."""
