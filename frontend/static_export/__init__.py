"""A finished championship as a folder of static pages."""
