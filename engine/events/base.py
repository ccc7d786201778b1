"""What all events have, and the kinds of values that several of them hold."""

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
    """The base of all events. They hold nothing that could lead back to them, so the collector may pass them
    by."""

    seq: Seq
