"""Backups of the whole database in one file, and their restoration into SQLite or PostgreSQL.

A backup never contains keys: with the sealing key, stolen backups could be changed and sealed again; with
the data key, they would reveal every hand. A backup lists the ids of the data keys that it needs.
"""

from deploy.backups.atomic_files import BackupError
from deploy.backups.backup_file import Footer, Header, check_file
from deploy.backups.loading import load
from deploy.backups.saving import Progress, copy_sqlite, save

__all__ = ["BackupError", "Footer", "Header", "Progress", "check_file", "copy_sqlite", "load", "save"]
