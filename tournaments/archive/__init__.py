"""A whole championship as one file: out of this platform, and into an empty one.

docs/developers/export-format.md is the description; docs/verify/puur_verify.py reads it without the platform.
"""

from tournaments.archive.errors import ArchiveError
from tournaments.archive.restoring import Accounts, import_championship, nobody, of_the_same_name
from tournaments.archive.writing import BACKUP, PUBLIC, export_championship

__all__ = [
    "BACKUP",
    "PUBLIC",
    "Accounts",
    "ArchiveError",
    "export_championship",
    "import_championship",
    "nobody",
    "of_the_same_name",
]
