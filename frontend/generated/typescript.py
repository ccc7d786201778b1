"""Conversion of msgspec types to TypeScript declarations."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from msgspec import inspect

PLAIN = {
    inspect.AnyType: "unknown",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.StrType: "string",
}


class Types:
    """The declarations of one file. Literals and unions with a name are referenced by this name."""

    def __init__(self, literals: Mapping[str, Any], unions: Mapping[str, Iterable[type]]) -> None:
        self._literals = {_values(kind): name for name, kind in literals.items()}
        self._unions = {frozenset(kinds): name for name, kinds in unions.items()}
        self._said: dict[str, str] = {}

    def literals(self) -> str:
        """Return the declarations of the named literals."""
        return "".join(
            f"export type {name} = {_either(values)};\n" for values, name in self._literals.items()
        )

    def unions(self) -> str:
        """Return the declarations of the named unions."""
        return "\n".join(
            f"export type {name} = {' | '.join(sorted(kind.__name__ for kind in kinds))};\n"
            for kinds, name in self._unions.items()
        )

    def interfaces(self, kinds: Iterable[Any]) -> str:
        """Return TypeScript interfaces of these structs and typed dicts, each after those that it uses."""
        for kind in kinds:
            self._text(inspect.type_info(kind))
        return "\n".join(self._said.values())

    def _text(self, kind: inspect.Type) -> str:
        match kind:
            case inspect.Metadata():
                return self._text(kind.type)
            case inspect.LiteralType():
                return self._literals.get(tuple(sorted(kind.values, key=str)), _either(kind.values))
            case inspect.UnionType() if (classes := _classes(kind)) in self._unions:
                return self._unions[classes]
            case inspect.UnionType():
                return " | ".join(dict.fromkeys(self._text(one) for one in kind.types))
            case inspect.ListType() | inspect.CollectionType():
                item = self._text(kind.item_type)
                return f"({item})[]" if "|" in item else f"{item}[]"
            case inspect.DictType():
                return f"Record<{self._text(kind.key_type)}, {self._text(kind.value_type)}>"
            case inspect.StructType() | inspect.TypedDictType():
                return self._interface(kind)
        return PLAIN[type(kind)]

    def _interface(self, kind: inspect.StructType | inspect.TypedDictType) -> str:
        name = kind.cls.__name__
        if name not in self._said:
            members = [f"  {member};\n" for member in self._members(kind)]
            self._said[name] = f"export interface {name} {{\n{''.join(members)}}}\n"
        return name

    def _members(self, kind: inspect.StructType | inspect.TypedDictType) -> list[str]:
        tag = getattr(kind, "tag", None)
        members = [] if tag is None else [f"{cast('inspect.StructType', kind).tag_field}: {json.dumps(tag)}"]
        return members + [
            f"{field.encode_name}{'' if field.required else '?'}: {self._text(field.type)}"
            for field in kind.fields
        ]


def constant(name: str, kind: str, value: Any) -> str:
    """Return the declaration of a constant."""
    return f"export const {name}: {kind} = {json.dumps(value)};\n"


def _classes(kind: inspect.UnionType) -> frozenset[type]:
    return frozenset(one.cls for one in kind.types if isinstance(one, inspect.StructType))


def _values(kind: Any) -> tuple[Any, ...]:
    return tuple(sorted(cast("inspect.LiteralType", inspect.type_info(kind)).values, key=str))


def _either(values: Iterable[Any]) -> str:
    return " | ".join(json.dumps(value) for value in values)
