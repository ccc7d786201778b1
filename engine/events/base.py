"""Base class of events, and types shared by several of them."""

from typing import Annotated

from msgspec import Meta, Struct

from engine.commands import Points, Seat, Seq

Side = Seat
SidePoints = Annotated[list[Points], Meta(max_length=4)]
KnownPoints = Annotated[list[Points | None], Meta(max_length=4)]


class Event(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    gc=False,
):
    """Base class of events. `gc=False` is safe because an event cannot be part of a reference cycle."""

    seq: Seq
