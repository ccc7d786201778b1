"""Errors of archive files."""

from tournaments.errors import TournamentError


class ArchiveError(TournamentError):
    """Error of an invalid archive file.

    Codes: `archive/unreadable`, `archive/too_large`, `archive/unknown_file`, `archive/digest`,
    `archive/signature`, `archive/unsigned`, `archive/unknown_key`, `archive/not_complete`, `archive/exists`,
    `archive/corrupt`, `archive/rows`.
    """
