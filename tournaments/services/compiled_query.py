"""Queries that Django compiles once and the database runs many times.

Normally Django compiles a query each time it is run. For a query with many expressions, compiling takes
longer than running.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

Key = TypeVar("Key", bound=int | str)
M = TypeVar("M", bound=Model)


class CompiledQuery(Generic[Key]):
    """A query whose only parameter is a key."""

    def __init__(self, build: Callable[[Key], QuerySet[Any, Any]], unused_key: Key) -> None:
        """`build` returns the query for a key.

        `unused_key`: a key that no row has and that is not equal to any constant of the query.
        """
        self._build = build
        self._unused_key = unused_key
        self._compiled: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def compile(self, key: Key) -> tuple[str, list[Any]]:
        """Return the SQL for the database in use, and its parameters."""
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._build(self._unused_key).query.sql_with_params()
            self._compiled[connection.vendor] = compiled
        sql, parameters = compiled
        return sql, [key if value == self._unused_key else value for value in parameters]

    def fetch_rows(self, key: Key) -> list[tuple[Any, ...]]:
        """Return the rows with the values of the database driver: on SQLite times are text and truth values
        are 0 or 1.
        """
        with connection.cursor() as cursor:
            cursor.execute(*self.compile(key))
            return list(cursor.fetchall())


class CompiledModelQuery(CompiledQuery[Key], Generic[Key, M]):
    """A compiled query that fetches one instance of a model, with its annotations."""

    def __init__(self, build: Callable[[Key], QuerySet[M, M]], unused_key: Key) -> None:
        super().__init__(build, unused_key)
        self._query = build(unused_key)

    def fetch_first(self, key: Key) -> M | None:
        """Return the first instance, or None if the query has no rows."""
        found: M | None = next(iter(self._query.model._default_manager.raw(*self.compile(key))), None)
        if found is not None:
            for name, expression in self._query.query.annotation_select.items():
                value = getattr(found, name)
                converters = [
                    *connection.ops.get_db_converters(expression),
                    *expression.get_db_converters(connection),
                ]
                for convert in converters:
                    value = convert(value, expression, connection)
                setattr(found, name, value)
        return found
