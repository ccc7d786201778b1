"""Writing to the streams of championships and rounds, and reading them back."""

import hashlib

import msgspec
from django.db import transaction

from games import store
from games.ids import new_id
from tournaments.events import TournamentEvent

SERVER = "server"


def record(
    stream_id: str, *events: TournamentEvent, actor: str = SERVER, command_id: str | None = None
) -> store.Appended:
    """Add events at the end of the stream, inside the caller's transaction or one of their own."""
    records = []
    for event in events:
        body = msgspec.to_builtins(event)
        records.append(store.Record(body.pop("type"), body))
    digest = hashlib.sha256(msgspec.json.encode([actor, *events])).digest()
    with transaction.atomic():
        head = store.head_of(stream_id, lock=True)
        return store.append(
            stream_id, head, records, actor=actor, command_id=command_id or new_id(), body_hash=digest
        )
