"""A database with a row in every table, and its whole content in comparable form."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.apps import apps
from django.core.exceptions import ObjectDoesNotExist
from django.db import models

from tournaments.models import Entry, SeriesTicket
from tournaments.models.figure import FigureField

ODD = "Jürg\t\\N “Stöck” \\. 🂡\r\nℤ"
"""Text with everything that a format of lines, tabs and backslashes may break."""
NOW = dt.datetime(2026, 11, 28, 23, 59, 59, 123_456, tzinfo=dt.UTC)
JSON = {"ä": [1, -2.5, None, True, "\\u0000 is text", {"": []}], "big": 2**53, "nine": "9" * 400}
VALUES: "dict[type[models.Field[Any, Any]], Any]" = {
    models.BinaryField: bytes(range(256)),
    models.BooleanField: True,
    models.DateTimeField: NOW,
    models.DateField: NOW.date(),
    models.DecimalField: Decimal("1.25"),
    models.FloatField: 0.1 + 0.2,
    models.GenericIPAddressField: "2001:db8::1",
    models.JSONField: JSON,
    models.IntegerField: 1,
    models.CharField: ODD,
    models.TextField: ODD,
    FigureField: "157/2",
}
CHANGES: "dict[type[models.Model], dict[str, Any]]" = {SeriesTicket: {"entry_id": None}}
"""What a check of the database asks for."""


def fill() -> None:
    """Add a row to each table that has none, of values that are hard to carry."""
    left = [model for model in apps.get_models(include_auto_created=True) if not model._base_manager.exists()]
    while left:
        before = len(left)
        for model in list(left):
            try:
                row = model(**_values(model) | CHANGES.get(model, {}))
            except ObjectDoesNotExist:
                continue  # A parent has no row yet.
            rows = [row]
            if isinstance(row, Entry):
                rows.append(Entry(championship_id=row.championship_id, number=2))
            model._base_manager.bulk_create(rows)
            left.remove(model)
        assert len(left) < before, f"these wait for each other: {left}"


def content(alias: str) -> dict[str, list[Any]]:
    """Return the rows of each table of a database."""
    return {
        model._meta.db_table: sorted(_rows(model, alias), key=repr)
        for model in apps.get_models(include_auto_created=True)
    }


def _rows(model: type[models.Model], alias: str) -> Iterator[tuple[Any, ...]]:
    names = [field.attname for field in model._meta.concrete_fields if field.column]
    for row in model._base_manager.using(alias).values_list(*names):
        yield tuple(bytes(cell) if isinstance(cell, memoryview) else cell for cell in row)


def _values(model: type[models.Model]) -> dict[str, Any]:
    found = {}
    for field in model._meta.concrete_fields:
        if field.column is None or isinstance(field, models.AutoField) or field.has_default():
            continue
        if isinstance(field, models.ForeignKey):
            if field.related_model is model and field.null:
                continue
            parent = field.related_model._base_manager.values_list(field.target_field.attname, flat=True)
            found[field.attname] = parent.latest("pk") if field.name == "other" else parent.earliest("pk")
        elif isinstance(field, models.CharField) and field.choices:
            found[field.name] = field.flatchoices[0][0]
        else:
            value = next(value for kind, value in VALUES.items() if isinstance(field, kind))
            size = getattr(field, "max_length", None)
            found[field.name] = value[:size] if size and isinstance(value, str) else value
    return found
