"""The choices and bounds that stand in the types of a struct, as the regulations' do: `Literal` and
`Annotated[…, Meta(ge=…, le=…)]`. Whatever checks a value or makes a field of it asks here.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec


class Stated(NamedTuple):
    """What one value may be: one of the `choices`, in their order, or from `least` to `most`."""

    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def allows(self, value: Any) -> bool:
        """Whether it may be this; of another kind of value the types say enough."""
        if self.choices:
            return not isinstance(value, str) or value in self.choices
        if not isinstance(value, int | float) or self.least is None or self.most is None:
            return True
        return self.least <= value <= self.most


def stated_by(kind: type[msgspec.Struct]) -> dict[str, Stated]:
    """Path → what is stated there; a path has a dot for each step, and `*` for any key."""
    return dict(_of_struct(kind, ""))


def wrong_values(stated: Mapping[str, Stated], data: object) -> Iterator[tuple[str, Any, Stated]]:
    """(path, value, what it may be) of the JSON data's values that are not allowed."""
    for path, one in stated.items():
        for where, value in _values(data, path.split("."), ""):
            if not one.allows(value):
                yield where, value, one


def _of_struct(kind: type[msgspec.Struct], path: str) -> Iterator[tuple[str, Stated]]:
    for name, hint in get_type_hints(kind, include_extras=True).items():
        yield from _of(hint, f"{path}{name}")


def _of(hint: Any, path: str) -> Iterator[tuple[str, Stated]]:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        yield path, Stated(choices=args)
    elif origin is Annotated:
        bounds = [meta for meta in args[1:] if isinstance(meta, msgspec.Meta) and meta.ge is not None]
        yield from ((path, Stated(least=int(meta.ge or 0), most=int(meta.le or 0))) for meta in bounds)
    elif origin in (Union, UnionType):
        for one in args:
            yield from _of(one, path)
    elif origin is dict:
        yield from _of(args[1], f"{path}.*")
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield from _of_struct(hint, f"{path}.")


def _values(data: object, steps: Sequence[str], path: str) -> Iterator[tuple[str, Any]]:
    if not steps:
        yield path, data
    elif isinstance(data, Mapping):
        for key in data if steps[0] == "*" else {steps[0]} & data.keys():
            yield from _values(data[key], steps[1:], f"{path}.{key}" if path else str(key))
