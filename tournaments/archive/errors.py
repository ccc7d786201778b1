"""What can be wrong with a file that claims to be a championship."""

from tournaments.errors import TournamentError


class ArchiveError(TournamentError):
    """Codes: `archive/unreadable`, `archive/too_large`, `archive/unknown_file`, `archive/digest`,
    `archive/signature`, `archive/not_complete`, `archive/exists`, `archive/corrupt`, `archive/rows`.
    """
