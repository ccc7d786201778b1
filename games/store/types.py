"""Input and output types of the store."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec


class Record(NamedTuple):
    """One event to append. `parts`: name of a secret part → its JSON value. `body`: the public fields."""

    type: str
    body: Mapping[str, Any]
    parts: Mapping[str, Any] = {}


class Head(NamedTuple):
    """The end of a stream: number and hash (32 bytes) of its last event. `seq` is -1 in an empty stream."""

    seq: int
    hash: bytes


class Appended(msgspec.Struct, frozen=True):
    """The result of an append: `count` events from `first_seq` on. `head`: the head of the stream.
    `repeated`: the command had been stored before, and nothing was added now.
    """

    first_seq: int
    count: int
    head: Head
    repeated: bool = False

    @property
    def last_seq(self) -> int:
        return self.first_seq + self.count - 1


class Receipt(msgspec.Struct, frozen=True):
    """The events that a command caused: `count` from `first_seq` on. `body_hash`: identifies the command, so
    that a repeated command is recognised.
    """

    body_hash: bytes
    first_seq: int
    count: int


class StoredEvent(msgspec.Struct, frozen=True, gc=False):
    """One event as read. `parts`: the values of its secret parts, empty if they were not requested.
    `recorded_at`: UTC, ISO 8601. `envelope`, `hash`: the stored bytes.
    """

    seq: int
    type: str
    body: dict[str, Any]
    parts: dict[str, Any]
    actor: str
    command_id: str
    recorded_at: str
    commitments: dict[str, str]
    envelope: bytes
    hash: bytes
