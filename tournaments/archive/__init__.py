"""A whole championship as one file: out of this platform, and into an empty one.

docs/developers/export-format.md is the description; docs/verify/puur_verify.py reads it without the platform.
"""

from tournaments.archive.errors import ArchiveError
from tournaments.archive.restoring import import_championship
from tournaments.archive.storing import stored_export
from tournaments.archive.writing import BACKUP, PUBLIC, export_championship

__all__ = ["BACKUP", "PUBLIC", "ArchiveError", "export_championship", "import_championship", "stored_export"]
