"""Sessions of an open heat: starts, their queue, and the tables that are added from it."""
