"""Restore the database after a test with real commits: by copying pages, not by flushing tables.

Django would flush the tables, which the triggers of the append-only log refuse. SQLite: the backup API writes
the pages of the clean database over the used one, through its locks, so that connections of other threads see
it too. PostgreSQL: the used database is dropped and made from a template.
"""

import sqlite3

import psycopg
from django.db import connections
from django.test import TransactionTestCase
from psycopg import sql

from tests import servers

_clean_sqlite: dict[str, sqlite3.Connection] = {}
_templates: dict[str, str] = {}


def install() -> None:
    """Install the restoring in place of Django's flush."""
    set_up = TransactionTestCase.__dict__["_fixture_setup"].__func__

    def remember_then_set_up(cls: type[TransactionTestCase]) -> None:
        for alias in connections:
            if alias not in _clean_sqlite and alias not in _templates:
                _remember(alias)
        set_up(cls)

    def restore(case: TransactionTestCase) -> None:
        for alias in connections:
            _restore(alias)

    # Django has no public place for this, and django-stubs name none of its private ones.
    TransactionTestCase._fixture_setup = classmethod(remember_then_set_up)  # type: ignore[attr-defined]  # not in the stubs
    TransactionTestCase._fixture_teardown = restore  # type: ignore[attr-defined]  # not in the stubs


def forget() -> None:
    """Drop the templates at the end of the run."""
    for template in _templates.values():
        with psycopg.connect(servers.postgres_url(), autocommit=True) as admin:
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(template)))
    _templates.clear()


def _remember(alias: str) -> None:
    connection = connections[alias]
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        copy = sqlite3.connect(":memory:", check_same_thread=False)
        connection.connection.backup(copy)
        _clean_sqlite[alias] = copy
        return
    name = str(connection.settings_dict["NAME"])
    _templates[alias] = f"{name}_template"
    connection.close()
    _copy(name, _templates[alias])


def _restore(alias: str) -> None:
    connection = connections[alias]
    if connection.vendor == "sqlite":
        connection.close()
        connection.ensure_connection()
        _clean_sqlite[alias].backup(connection.connection)
        return
    connection.close()
    _copy(_templates[alias], str(connection.settings_dict["NAME"]))


def _copy(source: str, target: str) -> None:
    names = {"source": sql.Identifier(source), "target": sql.Identifier(target)}
    with psycopg.connect(servers.postgres_url(), autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {target} WITH (FORCE)").format(**names))
        admin.execute(sql.SQL("CREATE DATABASE {target} TEMPLATE {source}").format(**names))
