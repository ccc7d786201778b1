"""Limits on requests, connections, bodies and hashes, and the responses when they are exceeded."""
