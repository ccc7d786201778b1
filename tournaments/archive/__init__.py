"""Export of a championship or series to one file, and import of a championship.

docs/developers/export-format.md describes the format; docs/verify/puur_verify.py reads it without the
platform.
"""

from tournaments.archive.errors import ArchiveError
from tournaments.archive.restoring import Accounts, import_championship, map_by_username, map_nobody
from tournaments.archive.writing import BACKUP, PUBLIC, export_championship

__all__ = [
    "BACKUP",
    "PUBLIC",
    "Accounts",
    "ArchiveError",
    "export_championship",
    "import_championship",
    "map_by_username",
    "map_nobody",
]
