"""Append events to streams, with actor and command_id. All appends go through this module.

    append(stream, events, by_command(command, actor, command_id), head=head)       # a game
    append(stream, [event], by_chance(event, actor, command_id), parts={"seed": …}) # a round's chance
    record(stream, event, …, actor=ref)                                             # other events

The receipt keeps a hash of the request, which identifies a repeated request. Each of the functions `by_…`
computes this hash in a way of its own, which is fixed: stored receipts contain hashes of each, and under
another hash a request repeated after an upgrade would count as a different one.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from django.db import transaction

from engine import Command, Event, encode, public_body, secret_parts
from games import store
from games.ids import new_id

SERVER: Final = "server"
"""The actor of the server's own events, such as its deals."""


class AppendRequest(NamedTuple):
    """The request that causes events: its actor and id. `hash` tells a repetition of the request from a
    different request under the same id.
    """

    actor: str
    command_id: str
    hash: bytes


def by_command(command: Command, actor: str, command_id: str) -> AppendRequest:
    """Return the request of a game command, for `append`."""
    payload = len(actor).to_bytes(8, "big") + actor.encode() + encode(command)
    return AppendRequest(actor, command_id, hashlib.sha256(payload).digest())


def by_chance(event: msgspec.Struct, actor: str, command_id: str) -> AppendRequest:
    """Return the request to store one event of a round's randomness, for `append`.

    The hash omits the secret parts of the event, because a repeated request draws another seed.
    """
    type_, body = _split_type(event)
    return AppendRequest(
        actor, command_id, hashlib.sha256(msgspec.json.encode([type_, body, actor])).digest()
    )


def by_events(events: Sequence[msgspec.Struct], actor: str, command_id: str) -> AppendRequest:
    """Return the request to store events of a round, championship or series, for `append`."""
    return AppendRequest(actor, command_id, hashlib.sha256(msgspec.json.encode([actor, *events])).digest())


def append(
    stream_id: str,
    events: Sequence[msgspec.Struct],
    request: AppendRequest,
    *,
    head: store.Head | None = None,
    parts: Mapping[str, Any] | None = None,
) -> store.Appended:
    """Append events after `head`. With `head` None, lock the stream and append at its end, in a transaction.

    `parts`: more secret parts for each event. Raises the errors of `store.append`.
    """
    records, fields = _convert_request(events, request, parts or {})
    if head is not None:
        return store.append(stream_id, head, records, **fields)
    with transaction.atomic():
        return store.append(stream_id, store.read_head(stream_id, lock=True), records, **fields)


def prepare(
    stream_id: str, events: Sequence[msgspec.Struct], request: AppendRequest, *, head: store.Head
) -> store.Batch:
    """Return the batch that appends events of a game after `head`, for `store.write`. The caller has locked
    the stream, and can write the batch together with other rows.
    """
    records, fields = _convert_request(events, request, {})
    return store.prepare(stream_id, head, records, **fields)


def record(
    stream_id: str, *events: msgspec.Struct, actor: str = SERVER, command_id: str | None = None
) -> store.Appended:
    """Append events at the end of a stream of a round, championship or series. `command_id` None: a new
    id.
    """
    return append(stream_id, events, by_events(events, actor, command_id or new_id()))


def _convert_request(
    events: Sequence[msgspec.Struct], request: AppendRequest, parts: Mapping[str, Any]
) -> tuple[list[store.Record], dict[str, Any]]:
    fields = {"actor": request.actor, "command_id": request.command_id, "body_hash": request.hash}
    return [_record(event, parts) for event in events], fields


def _record(event: msgspec.Struct, parts: Mapping[str, Any]) -> store.Record:
    if isinstance(event, Event):
        tag = str(event.__struct_config__.tag)
        return store.Record(tag, public_body(event), {**secret_parts(event), **parts})
    return store.Record(*_split_type(event), parts)


def _split_type(event: msgspec.Struct) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = msgspec.to_builtins(event)
    return body.pop("type"), body
