"""Games with options drawn from the bounds that each Options struct declares, whatever the game."""

from typing import Any

import msgspec
from hypothesis import assume
from hypothesis import strategies as st
from msgspec import inspect

from engine import IllegalCommand, State, decide
from engine.commands import Start
from engine.registry import VARIANTS

SMALL = 16
"""Most numbers are drawn so near to their least value: games end sooner, and thresholds are met."""
LARGE = 400


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """JSON values of a type within its bounds."""
    match kind:
        case inspect.Metadata():
            return values(kind.type)
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=least, le=most) if least is not None and most is not None:
            near = st.integers(least, min(most, least + SMALL))
            return near | st.integers(least, min(most, least + LARGE))
        case inspect.LiteralType():
            return st.sampled_from(sorted(kind.values, key=str))
        case inspect.NoneType():
            return st.none()
        case inspect.UnionType():
            return st.one_of([values(each) for each in kind.types])
        case inspect.DictType(key_type=inspect.LiteralType() as keys):
            every = {key: values(kind.value_type) for key in sorted(keys.values, key=str)}
            return st.fixed_dictionaries(every) | st.fixed_dictionaries({}, optional=every)
        case inspect.ListType(min_length=least, max_length=most):
            return st.lists(values(kind.item_type), min_size=least or 0, max_size=most, unique=True)
    # An option of a new type needs a case above; skipping it would leave it untested.
    raise NotImplementedError(f"an option of a type that nobody draws yet: {kind}")


def options_of(variant: str) -> st.SearchStrategy[dict[str, Any]]:
    """Some options of a game, the others are left to preset and default."""
    info = inspect.type_info(VARIANTS[variant].options)
    assert isinstance(info, inspect.StructType)
    return st.fixed_dictionaries({}, optional={f.encode_name: values(f.type) for f in info.fields})


@st.composite
def starts(draw: st.DrawFn, variants: tuple[str, ...] = tuple(VARIANTS)) -> Start:
    """The start of a game that this engine accepts: any variant, seats, preset, and options above it."""
    variant = VARIANTS[draw(st.sampled_from(variants))]
    start = Start(
        variant=variant.key,
        seats=draw(st.sampled_from(variant.seats)),
        preset=draw(st.sampled_from([None, *variant.presets])),
        options=draw(st.just({}) | options_of(variant.key)),
    )
    try:
        decide(State(), start)
    except IllegalCommand:
        assume(False)
    return start


def as_json(start: Start) -> str:
    """What is needed to see a game again."""
    return msgspec.json.encode(start).decode()
