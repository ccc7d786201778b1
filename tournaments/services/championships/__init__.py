"""Founding, editing, finishing, copying, archiving and deleting championships."""
