"""Who may see what, declared beside each field of an event, and closed by default.

`Open[...]` marks a public field. Any other field is secret; `Owned[...]` says that the event's own seat sees
it, `Hidden[...]` that nobody at the table does, `WhenUp[...]` that its seat does unless the cards lie face
down, `UnlessSealed[...]` that its seat does and everybody else unless the event says that it is sealed. A
field without any mark counts as hidden. A referee sees everything.
"""

from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar, cast

import msgspec
from msgspec import Meta

Seen = Literal["all", "owner", "owner_unless_face_down", "all_unless_sealed", "nobody"]
T = TypeVar("T")

Open = Annotated[T, Meta(extra={"seen_by": "all"})]
Owned = Annotated[T, Meta(extra={"seen_by": "owner"})]
WhenUp = Annotated[T, Meta(extra={"seen_by": "owner_unless_face_down"})]
UnlessSealed = Annotated[T, Meta(extra={"seen_by": "all_unless_sealed"})]
Hidden = Annotated[T, Meta(extra={"seen_by": "nobody"})]

HEAD: Final = frozenset({"seq", "type"})


def _seen_by(annotation: Any) -> Seen:
    extra = annotation.extra if isinstance(annotation, msgspec.inspect.Metadata) else None
    seen: Seen = (extra or {}).get("seen_by", "nobody")
    return seen


@cache
def fields_seen(event_type: type[msgspec.Struct]) -> dict[str, Seen]:
    """Field name -> who may see it, for every field of an event but `seq`."""
    info = cast("msgspec.inspect.StructType", msgspec.inspect.type_info(event_type))
    return {f.encode_name: _seen_by(f.type) for f in info.fields if f.encode_name not in HEAD}


@cache
def secret_fields(event_type: type[msgspec.Struct]) -> dict[str, Seen]:
    """The fields of an event that are not for everybody."""
    return {name: seen for name, seen in fields_seen(event_type).items() if seen != "all"}
