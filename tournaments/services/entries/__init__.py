"""Entries of a championship, seat codes and links, and importing."""
