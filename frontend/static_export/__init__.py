"""A finished championship as a folder of pages that needs no server."""
