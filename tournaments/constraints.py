"""Allowed values of a struct's fields, derived from its types: `Literal` and `Annotated[…, Meta(ge=…,
le=…)]`.

Validation and forms of the regulations use them.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec


class AllowedValues(NamedTuple):
    """Allowed values of a field: one of `choices`, or the numbers from `least` to `most`."""

    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def allows(self, value: Any) -> bool:
        """Return whether the value is allowed.

        Values of another type pass; the type check refuses them.
        """
        if self.choices:
            return not isinstance(value, str) or value in self.choices
        if not isinstance(value, int | float) or self.least is None or self.most is None:
            return True
        return self.least <= value <= self.most


def derive_constraints(kind: type[msgspec.Struct]) -> dict[str, AllowedValues]:
    """Return the allowed values by path. Paths are dotted, with `*` for any key.

    Raises TypeError if a number has one bound only.
    """
    return dict(_struct_constraints(kind, ""))


def find_violations(
    stated: Mapping[str, AllowedValues], data: object
) -> Iterator[tuple[str, Any, AllowedValues]]:
    """Yield (path, value, allowed values) of the forbidden values in JSON data.

    `stated`: allowed values by path, from `derive_constraints`.
    """
    for path, one in stated.items():
        for where, value in _values_at(data, path.split("."), ""):
            if not one.allows(value):
                yield where, value, one


def _struct_constraints(kind: type[msgspec.Struct], path: str) -> Iterator[tuple[str, AllowedValues]]:
    for name, hint in get_type_hints(kind, include_extras=True).items():
        yield from _hint_constraints(hint, f"{path}{name}")


def _hint_constraints(hint: Any, path: str) -> Iterator[tuple[str, AllowedValues]]:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        yield path, AllowedValues(choices=args)
    elif origin is Annotated:
        for meta in (one for one in args[1:] if isinstance(one, msgspec.Meta)):
            if (meta.ge is None) != (meta.le is None):
                raise TypeError(f"{path} has one bound; it needs both")
            if meta.ge is not None and meta.le is not None:
                yield path, AllowedValues(least=int(meta.ge), most=int(meta.le))
    elif origin in (Union, UnionType):
        for one in args:
            yield from _hint_constraints(one, path)
    elif origin is dict:
        yield from _hint_constraints(args[1], f"{path}.*")
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield from _struct_constraints(hint, f"{path}.")


def _values_at(data: object, steps: Sequence[str], path: str) -> Iterator[tuple[str, Any]]:
    if not steps:
        yield path, data
    elif isinstance(data, Mapping):
        for key in data if steps[0] == "*" else {steps[0]} & data.keys():
            yield from _values_at(data[key], steps[1:], f"{path}.{key}" if path else str(key))
