"""The report of a verification, and the exception for input that cannot be used."""

from __future__ import annotations


class Unusable(Exception):
    """The file, the words or the key cannot be read as what they should be."""


UNREADABLE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)
FAILING = (*UNREADABLE, Unusable)


class Report:
    """What was checked, what differs, what else is worth knowing, and what no file can prove."""

    def __init__(self):
        self.checked = []
        self.differences = []
        self.notes = []
        self.unproven = []

    def add_difference(self, where, what):
        self.differences.append("%s: %s" % (where, what))
