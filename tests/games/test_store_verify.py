"""Verification finds any changed byte of the log and names the event."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games import store
from games.store import AlteredLog, Record, guard


@pytest.fixture
def stream(real_database: str) -> str:
    """Five events of three commands, the triggers gone: what somebody with the database's password has."""
    stream = store.create_stream("game").id
    hands = [Record("hand_dealt", {"seat": seat}, {"cards": ["D6", "S9"]}) for seat in range(3)]
    store.append(stream, -1, hands, actor="server", command_id="deal", body_hash=bytes(32))
    for seq, seat in ((2, 0), (3, 2)):
        pushed = Record("pushed", {"seat": seat})
        store.append(stream, seq, [pushed], actor="anna", command_id=f"c{seq}", body_hash=bytes(32))
    with connection.cursor() as cursor:
        for name in guard._names(connection):
            table = name.removeprefix("puur_").rsplit("_", 1)[0]
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")
    store.verify(stream)
    return stream


def run(statement: str, *values: str | int | bytes | None) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def fetch(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def first_bad(stream: str) -> int:
    with pytest.raises(AlteredLog) as found:
        store.verify(stream)
    assert found.value.code == "games/corrupt_log"
    assert found.value.stream_id == stream
    assert found.value.params["seq"] == found.value.seq
    return found.value.seq


@pytest.mark.long(4)
@pytest.mark.parametrize(
    ("table", "column", "key"),
    [
        ("games_event", "envelope", "seq"),
        ("games_event", "hash", "seq"),
        ("games_secretpart", "closed", "seq"),
        ("games_receipt", "closed", "first_seq"),
    ],
)
def test_every_changed_byte_is_found(stream: str, table: str, column: str, key: str) -> None:
    for seq, value in fetch(f"SELECT {key}, {column} FROM {table} ORDER BY {key}"):
        whole = bytes(value)
        for place in range(0, len(whole), 1 if len(whole) <= 40 else 7):
            forged = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
            run(f"UPDATE {table} SET {column} = %s WHERE {key} = %s", forged, seq)
            assert first_bad(stream) == seq
        run(f"UPDATE {table} SET {column} = %s WHERE {key} = %s", whole, seq)
    store.verify(stream)


@pytest.mark.parametrize(
    ("statement", "seq"),
    [
        ("UPDATE games_event SET type = 'passed' WHERE seq = 3", 3),
        ("DELETE FROM games_event WHERE seq = 2", 2),
        ("DELETE FROM games_event WHERE seq = 0", 0),
        ("DELETE FROM games_event WHERE seq = 4", 3),
        ("DELETE FROM games_secretpart WHERE seq = 1", 1),
        ("UPDATE games_secretpart SET name = 'card' WHERE seq = 1", 1),
        ("UPDATE games_secretpart SET seq = 9 WHERE seq = 2", 2),
        ("DELETE FROM games_receipt WHERE first_seq = 3", 3),
        ("UPDATE games_receipt SET command_id = 'x' WHERE first_seq = 4", 4),
        ("UPDATE games_receipt SET count = 2 WHERE first_seq = 0", 2),
        ("UPDATE games_receipt SET count = 3 WHERE first_seq = 4", 5),
        ("UPDATE games_stream SET head_seq = 3", 3),
        ("UPDATE games_stream SET head_hash = id", 4),
        ("UPDATE games_stream SET kind = 'round'", 0),
    ],
)
def test_removed_swapped_and_moved_rows_are_found(stream: str, statement: str, seq: int) -> None:
    if connection.vendor == "postgresql":
        statement = statement.replace("head_hash = id", "head_hash = id::bytea")
    assert run(statement) == 1
    assert first_bad(stream) == seq


def test_two_events_that_change_places_are_found(stream: str) -> None:
    run("UPDATE games_event SET seq = 99 WHERE seq = 1")
    run("UPDATE games_event SET seq = 1 WHERE seq = 2")
    run("UPDATE games_event SET seq = 2 WHERE seq = 99")
    assert first_bad(stream) == 1


def test_a_part_without_an_event_is_found(stream: str) -> None:
    run("INSERT INTO games_secretpart SELECT * FROM games_secretpart WHERE false")
    run("UPDATE games_secretpart SET seq = 4 WHERE seq = 2 AND name = 'cards'")
    assert first_bad(stream) == 2


def forge(stream: str, rewrite: Callable[[int, bytes], bytes]) -> None:
    """Writes the whole chain again from changed envelopes, as one who knows the format could."""
    from games.store import layout

    digest = layout.genesis(stream, "game")
    for seq, envelope in fetch("SELECT seq, envelope FROM games_event ORDER BY seq"):
        forged = rewrite(seq, bytes(envelope))
        digest = layout.chain(stream, seq, digest, forged)
        run("UPDATE games_event SET envelope = %s, hash = %s WHERE seq = %s", forged, digest, seq)
    run("UPDATE games_stream SET head_hash = %s", digest)


def test_an_envelope_that_contradicts_its_row_is_found_even_in_a_chain_that_holds(stream: str) -> None:
    forge(stream, lambda seq, envelope: envelope.replace(b'"pushed"', b'"passed"'))
    assert first_bad(stream) == 3


def test_an_envelope_that_is_no_json_is_found_even_in_a_chain_that_holds(stream: str) -> None:
    forge(stream, lambda seq, envelope: envelope[:-1] if seq == 2 else envelope)
    assert first_bad(stream) == 2


def test_a_part_of_no_event_is_found_even_where_all_events_are_right(stream: str) -> None:
    run(
        "INSERT INTO games_secretpart (stream_id, seq, name, key, closed) "
        "SELECT stream_id, 7, name, key, closed FROM games_secretpart WHERE seq = 0"
    )
    assert first_bad(stream) == 7
