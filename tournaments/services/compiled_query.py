"""Queries that Django compiles once and the database runs many times.

Django compiles a query at each run. For a query with many expressions that takes longer than its run.
"""

from collections.abc import Callable
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

_PLACEHOLDER: Final = -(2**31) + 1
"""Stands for the key while a query is compiled. No row has this key."""


class CompiledQuery:
    """A query whose only variable is a key. Its rows are as the driver returns them: SQLite has no dates."""

    def __init__(self, build: Callable[[int], QuerySet[Any, Any]]) -> None:
        """`build` returns the query for a key, with `values_list`."""
        self._build = build
        self._compiled: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def fetch_rows(self, key: int) -> list[tuple[Any, ...]]:
        """Run the query for this key."""
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._build(_PLACEHOLDER).query.sql_with_params()
            self._compiled[connection.vendor] = compiled
        sql, parameters = compiled
        with connection.cursor() as cursor:
            cursor.execute(sql, [key if value == _PLACEHOLDER else value for value in parameters])
            return cursor.fetchall()
