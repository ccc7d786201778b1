"""Tables and columns of a database with any set of migrations applied, and the conversion of their cells.

Columns are taken from the migrations, so that a database of an older version is saved and restored as
completely as one of the present version.
"""

from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from deploy.backups.backup_file import NULLABLE, Row, Section

TYPES: Final = {
    "AutoField": "int",
    "BigAutoField": "int",
    "BigIntegerField": "int",
    "BinaryField": "bytes",
    "BooleanField": "bool",
    "CharField": "text",
    "DateField": "date",
    "DateTimeField": "timestamp",
    "DecimalField": "decimal",
    "DurationField": "duration",
    "FileField": "text",
    "FloatField": "float",
    "GenericIPAddressField": "text",
    "IntegerField": "int",
    "JSONField": "json",
    "PositiveBigIntegerField": "int",
    "PositiveIntegerField": "int",
    "PositiveSmallIntegerField": "int",
    "SlugField": "text",
    "SmallAutoField": "int",
    "SmallIntegerField": "int",
    "TextField": "text",
    "TimeField": "time",
    "UUIDField": "uuid",
}
"""Django's name for the type of a column → the word for it in a backup."""
STORED_AS_IS: Final = frozenset({"bool", "bytes", "float", "int", "json", "text"})
Node = tuple[str, str]
Convert = Callable[[Any], Any]


class TableState(NamedTuple):
    """A table of the database. auto: the column to which the database assigns numbers, if any."""

    name: str
    fields: list["models.Field[Any, Any]"]
    types: list[str]
    auto: str | None

    @property
    def section(self) -> Section:
        """The line that begins this table in a backup."""
        typed = zip(self.fields, self.types, strict=True)
        columns = [(str(field.column), kind + NULLABLE * field.null) for field, kind in typed]
        return Section(self.name, columns)


def choose_nodes(loader: MigrationLoader, applied: Collection[Node]) -> set[Node]:
    """Build the loader's graph for the applied migrations, and return its nodes that are applied.

    Squashed migrations replace those that they contain, unless a squashed one is applied only in part.
    """
    done = set(applied)
    squashed = {node: set(migration.replaces) for node, migration in loader.replacements.items()}
    whole = all(steps <= done or not steps & done for steps in squashed.values())
    loader.replace_migrations = whole  # type: ignore[attr-defined]  # the stubs misspell it
    loader.build_graph()
    if not whole:
        return {node for node in loader.graph.nodes if node in done and node not in squashed}
    return {node for node in loader.graph.nodes if node in done or squashed.get(node, {None}) <= done}


def load_tables(loader: MigrationLoader, nodes: Collection[Node]) -> list[TableState]:
    """Return the tables as they are after these migrations."""
    found = []
    for model in loader.project_state(list(nodes)).apps.get_models(include_auto_created=True):
        options = model._meta
        if not options.managed or options.proxy:
            continue
        fields = [field for field in options.local_concrete_fields if field.column is not None]
        auto = options.auto_field.column if options.auto_field in fields else None
        found.append(TableState(options.db_table, fields, [_find_type(field) for field in fields], auto))
    return sorted(found, key=lambda table: table.name)


def _find_type(field: "models.Field[Any, Any]") -> str:
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    return TYPES[field.get_internal_type()]


def make_select_sql(connection: BaseDatabaseWrapper, table: TableState) -> str:
    """Return the SQL query for all rows of a table. JSON is read as the stored text."""
    quote = connection.ops.quote_name
    cast = "::text" if connection.vendor == "postgresql" else ""
    named = zip(table.fields, table.types, strict=True)
    columns = [quote(str(field.column)) + (cast if kind == "json" else "") for field, kind in named]
    return f"SELECT {', '.join(columns)} FROM {quote(table.name)}"  # noqa: S608 - names from the migrations


def make_reader(connection: BaseDatabaseWrapper, table: TableState) -> Callable[[list[Row]], list[Row]]:
    """Return a function that converts rows from the types of the database to those of a backup."""
    steps: list[tuple[int, Convert]] = []
    for at, (field, kind) in enumerate(zip(table.fields, table.types, strict=True)):
        column = field.get_col(table.name)
        converters = [] if kind == "json" else connection.ops.get_db_converters(column)
        steps += [(at, _bind_converter(convert, column, connection)) for convert in converters]
    return _make_row_converter(steps)


def make_writer(connection: BaseDatabaseWrapper, table: TableState) -> Callable[[list[Row]], list[Row]]:
    """Return a function that converts rows from the types of a backup to those of the database."""
    steps: list[tuple[int, Convert]] = []
    for at, (field, kind) in enumerate(zip(table.fields, table.types, strict=True)):
        if kind not in STORED_AS_IS:
            steps.append((at, _make_field_converter(field, connection)))
    return _make_row_converter(steps)


def _bind_converter(convert: Any, column: Any, connection: BaseDatabaseWrapper) -> Convert:
    return lambda value: convert(value, column, connection)


def _make_field_converter(field: "models.Field[Any, Any]", connection: BaseDatabaseWrapper) -> Convert:
    return lambda value: field.get_db_prep_save(value, connection)


def _make_row_converter(steps: list[tuple[int, Convert]]) -> Callable[[list[Row]], list[Row]]:
    if not steps:
        return lambda rows: rows

    def convert_rows(rows: list[Row]) -> list[Row]:
        converted: list[Row] = []
        for row in rows:
            cells = list(row)
            for at, convert in steps:
                cells[at] = convert(cells[at])
            converted.append(cells)
        return converted

    return convert_rows
