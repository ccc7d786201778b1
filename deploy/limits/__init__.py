"""Limits of one process (requests, connections, bodies, hashes), and the responses beyond them."""
