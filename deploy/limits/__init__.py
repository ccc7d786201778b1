"""Limits of one process on requests, connections, bodies and hashes, and the responses when they are
exceeded.
"""
