"""Visibility of event fields. It is declared beside each field; a field without a declaration is hidden.

- `Public[...]`: visible to all.
- `OwnerOnly[...]`: visible to the event's own seat.
- `OwnerUnlessFaceDown[...]`: visible to the event's own seat unless the cards lie face down.
- `UnlessSealed[...]`: visible to the event's own seat, and to all unless the event is sealed.
- `Hidden[...]`, and a field without a declaration: visible to no seat.

An observer of the whole deal sees everything.
"""

from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar, cast

import msgspec
from msgspec import Meta

Visibility = Literal["all", "owner", "owner_unless_face_down", "all_unless_sealed", "nobody"]
T = TypeVar("T")

Public = Annotated[T, Meta(extra={"seen_by": "all"})]
OwnerOnly = Annotated[T, Meta(extra={"seen_by": "owner"})]
OwnerUnlessFaceDown = Annotated[T, Meta(extra={"seen_by": "owner_unless_face_down"})]
UnlessSealed = Annotated[T, Meta(extra={"seen_by": "all_unless_sealed"})]
Hidden = Annotated[T, Meta(extra={"seen_by": "nobody"})]

HEAD: Final = frozenset({"seq", "type"})


def _seen_by(annotation: Any) -> Visibility:
    extra = annotation.extra if isinstance(annotation, msgspec.inspect.Metadata) else None
    seen: Visibility = (extra or {}).get("seen_by", "nobody")
    return seen


@cache
def field_visibility(event_type: type[msgspec.Struct]) -> dict[str, Visibility]:
    """Return the visibility of each field of an event type by name, without `seq` and `type`."""
    info = cast("msgspec.inspect.StructType", msgspec.inspect.type_info(event_type))
    return {f.encode_name: _seen_by(f.type) for f in info.fields if f.encode_name not in HEAD}


@cache
def secret_fields(event_type: type[msgspec.Struct]) -> dict[str, Visibility]:
    """Return the visibility of each non-public field of an event type, by name."""
    return {name: seen for name, seen in field_visibility(event_type).items() if seen != "all"}
