"""Backups of the whole database in one file, and how they are restored into SQLite or PostgreSQL.

A backup never contains keys. With the sealing key, a thief of backups could change and seal them again; with
the data key, they could read every hand. A backup lists the ids of the data keys that a restore needs.
"""

from deploy.backups.atomic_files import BackupError
from deploy.backups.backup_file import Footer, Header, check_file
from deploy.backups.loading import load
from deploy.backups.saving import Progress, copy_sqlite, save

__all__ = ["BackupError", "Footer", "Header", "Progress", "check_file", "copy_sqlite", "load", "save"]
