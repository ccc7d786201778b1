"""The registry as JSON values: what forms, the docs page and `engine variants` are made
from."""

from typing import Any

import msgspec

from engine.commands import Start
from engine.decider import advance
from engine.ledger.state import State
from engine.queries.sheet_form import sheet_fields
from engine.registry import VARIANTS
from engine.rules import AnyVariant
from engine.rules.sheet_fields import SheetField


def describe(variant: AnyVariant) -> dict[str, Any]:
    """{key, label, seats, rules_version, presets, options: [{name, label, default, bounds, schema}], sheet:
    by number of seats the fields of `engine.rules.sheet_fields.SheetField`}."""
    defaults = msgspec.to_builtins(variant.options())
    (schema,), parts = msgspec.json.schema_components([variant.options], ref_template="#/$defs/{name}")
    properties = parts[variant.options.__name__]["properties"] if "$ref" in schema else schema["properties"]
    return {
        "key": variant.key,
        "label": variant.label,
        "seats": list(variant.seats),
        "rules_version": variant.rules_version,
        "sheet": {
            str(seats): [msgspec.to_builtins(f) for f in sheet_of(variant, seats)] for seats in variant.seats
        },
        "presets": {name: dict(chosen) for name, chosen in variant.presets.items()},
        "options": [
            {
                "name": name,
                "label": properties[name].get("title", name),
                "default": default,
                "bounds": bounds_of(properties[name]),
                "schema": {k: v for k, v in properties[name].items() if k not in ("default", "title")},
            }
            for name, default in defaults.items()
        ],
    }


def sheet_of(variant: AnyVariant, seats: int) -> list[SheetField]:
    """The fields of the first deal on a score sheet, with the default options."""
    state = State()
    advance(state, Start(variant=variant.key, seats=seats, mode="sheet"))
    return sheet_fields(state)


def bounds_of(schema: dict[str, Any]) -> str:
    """The bounds of an option in one short line for people; empty where there are none."""
    if "anyOf" in schema:
        return " or ".join(filter(None, map(bounds_of, schema["anyOf"])))
    if schema.get("type") == "null":
        return "none"
    if schema.get("type") == "boolean":
        return "true, false"
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if "items" in schema:
        return f"some of {bounds_of(schema['items'])}"
    if "minimum" in schema:
        return f"{schema['minimum']}..{schema['maximum']}"
    return ""


def describe_all() -> list[dict[str, Any]]:
    """Every variant of the registry."""
    return [describe(variant) for variant in VARIANTS.values()]
