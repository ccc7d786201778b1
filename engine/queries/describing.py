"""The registry of variants as JSON values, for forms, the docs page and the command `variants`."""

from typing import Any

import msgspec

from engine.commands import Start
from engine.decider import advance
from engine.ledger.state import State
from engine.queries.sheet_form import list_sheet_fields
from engine.registry import VARIANTS
from engine.rules import AnyVariant
from engine.rules.sheet_fields import SheetField


def describe(variant: AnyVariant) -> dict[str, Any]:
    """Return the description of a variant as JSON values.

    Keys: `key`, `label`, `seats`, `rules_version`, `presets`; `options`, with `name`, `label`, `default`,
    `bounds` and `schema` of each; `sheet`, the fields of `engine.rules.sheet_fields.SheetField` by number of
    seats.
    """
    defaults = msgspec.to_builtins(variant.options())
    (schema,), parts = msgspec.json.schema_components([variant.options], ref_template="#/$defs/{name}")
    properties = parts[variant.options.__name__]["properties"] if "$ref" in schema else schema["properties"]
    return {
        "key": variant.key,
        "label": variant.label,
        "seats": list(variant.seats),
        "rules_version": variant.rules_version,
        "sheet": {
            str(seats): [msgspec.to_builtins(f) for f in list_default_sheet_fields(variant, seats)]
            for seats in variant.seats
        },
        "presets": {name: dict(chosen) for name, chosen in variant.presets.items()},
        "options": [
            {
                "name": name,
                "label": properties[name].get("title", name),
                "default": default,
                "bounds": format_bounds(properties[name]),
                "schema": {k: v for k, v in properties[name].items() if k not in ("default", "title")},
            }
            for name, default in defaults.items()
        ],
    }


def list_default_sheet_fields(variant: AnyVariant, seats: int) -> list[SheetField]:
    """Return the sheet fields of the first deal in a game with default options."""
    state = State()
    advance(state, Start(variant=variant.key, seats=seats, mode="sheet"))
    return list_sheet_fields(state)


def format_bounds(schema: dict[str, Any]) -> str:
    """Return the bounds of an option as one short line; empty if it has none. `schema`: its JSON Schema."""
    if "anyOf" in schema:
        return " or ".join(filter(None, map(format_bounds, schema["anyOf"])))
    if schema.get("type") == "null":
        return "none"
    if schema.get("type") == "boolean":
        return "true, false"
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if "items" in schema:
        return f"some of {format_bounds(schema['items'])}"
    if "minimum" in schema:
        return f"{schema['minimum']}..{schema['maximum']}"
    return ""


def describe_all() -> list[dict[str, Any]]:
    """Return the description of every variant of the registry."""
    return [describe(variant) for variant in VARIANTS.values()]
