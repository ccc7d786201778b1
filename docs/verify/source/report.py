"""The report of a verification, and the exception for input that cannot be used."""

from __future__ import annotations


class Unusable(Exception):
    """An input (file, words or key) that cannot be read."""


UNREADABLE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)
"""Exceptions that malformed data raises."""
FAILING = (*UNREADABLE, Unusable)
"""Exceptions after which a figure cannot be derived."""


class Report:
    """The result of a verification: checks, differences, notes, and facts that no file can prove."""

    def __init__(self):
        self.checked = []
        self.differences = []
        self.notes = []
        self.unproven = []

    def add_difference(self, where, what):
        """Add a difference: a place, and its fault."""
        self.differences.append("%s: %s" % (where, what))
