"""A copy of a finished championship as a folder of static pages."""
