"""Conversion between rows and JSON: columns by name, foreign keys by id in the file."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Field, JSONField, Model

from games.models import Game, User
from tournaments.archive.contents import (
    ELSEWHERE,
    FOLLOWS_FROM_THE_LOG,
    OF_THE_PLATFORM,
    PERSONAL_COLUMNS,
    PUBLIC_COLUMNS,
    PUBLIC_NAMES,
    account_keys_of,
    foreign_keys_of,
)

Row = dict[str, Any]
Ids = dict[type[Model], dict[Any, Any]]
"""Model → id in the file → id in this database."""


def columns_of(model: type[Model], *, public: bool) -> "list[Field[Any, Any]]":
    """List the columns of a table that the file of rows contains."""
    skipped = {
        *PERSONAL_COLUMNS.get(model, ()),
        *ELSEWHERE.get(model, ()),
        *(FOLLOWS_FROM_THE_LOG if model is Game else ()),
    }
    fields = [
        field
        for field in model._meta.concrete_fields
        if field.name not in skipped and getattr(field, "related_model", None) not in OF_THE_PLATFORM
    ]
    if public:
        return [field for field in fields if field.name in PUBLIC_COLUMNS.get(model, ())]
    return [field for field in fields if not field.primary_key or model is Game]


def encode_row(instance: Model, *, public: bool) -> Row:
    """Return a row with its `pk`, for JSON."""
    row: Row = {"pk": instance.pk}
    for field in columns_of(type(instance), public=public):
        value = getattr(instance, field.attname)
        row[field.name] = value.isoformat() if isinstance(value, datetime) else value
    return row


def encode_personal(instance: Model, *, public: bool) -> Row:
    """Return a row's exported personal columns; in a backup also the usernames of its accounts."""
    names = PERSONAL_COLUMNS.get(type(instance), ())
    row = {name: getattr(instance, name) for name in names if not public or name in PUBLIC_NAMES}
    if not public:
        for name in account_keys_of(type(instance)):
            person = getattr(instance, name)
            row[name] = person.get_username() if person is not None else None
    return row


def decode_row(
    model: type[Model],
    row: Mapping[str, Any],
    personal: Mapping[str, Any],
    ids: Ids,
    people: Mapping[str, User],
) -> Model:
    """Build the unsaved instance of a row, without foreign keys to its own table.

    Raises KeyError, TypeError, ValueError, ValidationError for invalid rows.
    """
    pointing = {field.name: field.related_model for field in foreign_keys_of(model)}
    columns = {field.name: field for field in model._meta.concrete_fields}
    accounts = account_keys_of(model)
    values: dict[str, Any] = {}
    for field in columns_of(model, public=False):
        if field.name not in row or pointing.get(field.name) is model:
            continue  # newer than the file, or set by the caller
        value = row[field.name]
        if field.name in pointing:
            values[field.attname] = None if value is None else ids[pointing[field.name]][value]
        else:
            values[field.name] = value if isinstance(field, JSONField) else field.to_python(value)
    for name, value in personal.items():
        if name in accounts:
            values[name] = people.get(value) if value is not None else None
        elif name in PERSONAL_COLUMNS.get(model, ()):
            values[name] = columns[name].to_python(value)
    instance = model(**values)
    unchecked = {f.name for f in model._meta.concrete_fields if f.is_relation or isinstance(f, JSONField)}
    instance.clean_fields(exclude={*unchecked, *PERSONAL_COLUMNS.get(model, ())})
    return instance
