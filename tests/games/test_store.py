"""The contract of the store, the same on SQLite and on PostgreSQL, with real commits."""

import json
import threading
from collections.abc import Callable
from contextlib import nullcontext

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from games import store
from games.models import Event, Receipt, SecretPart, Stream
from games.store import Record
from tests.games.databases import in_threads

BODY_HASH = bytes(32)
HAND = Record("hand_dealt", {"seat": 1, "size": 2}, {"cards": ["D6", "S9"]})
PUSHED = Record("pushed", {"seat": 0})
BESIDE = ("INSERT INTO auth_group (name) VALUES (%s)", ["beside"])


@pytest.fixture
def stream(real_database: str) -> str:
    return store.create_stream("game").id


def add(
    stream: str, expected: store.Head | int, *records: Record, command: str, body_hash: bytes = BODY_HASH
) -> store.Appended:
    return store.append(stream, expected, records, actor="anna", command_id=command, body_hash=body_hash)


def prepared(stream: str, expected: store.Head, *records: Record, command: str) -> store.Batch:
    return store.prepare(stream, expected, records, actor="anna", command_id=command, body_hash=BODY_HASH)


def rows() -> tuple[int, int, int]:
    return Event.objects.count(), SecretPart.objects.count(), Receipt.objects.count()


@pytest.mark.slow
def test_what_is_committed_is_on_the_disk(real_database: str) -> None:
    """The settings of the platform's own connections."""
    promised: dict[str, dict[str, int | str]] = {
        "sqlite": {"synchronous": 2, "journal_mode": "wal", "foreign_keys": 1, "recursive_triggers": 1},
        "postgresql": {"synchronous_commit": "on", "fsync": "on", "full_page_writes": "on"},
    }
    verb = "PRAGMA" if real_database == "sqlite" else "SHOW"
    with connection.cursor() as cursor:
        for name, wanted in promised[real_database].items():
            cursor.execute(f"{verb} {name}")
            assert cursor.fetchone() == (wanted,), name
    if real_database == "sqlite":
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_a_new_stream_is_empty_and_sound(stream: str) -> None:
    assert len(stream) == 32
    assert store.read_head(stream).seq == -1
    assert store.read(stream) == []
    store.verify(stream)


def test_what_is_appended_is_read_back(stream: str) -> None:
    added = add(stream, -1, HAND, PUSHED, command="one")
    assert (added.first_seq, added.last_seq, added.repeated) == (0, 1, False)
    hand, pushed = store.read(stream)
    assert (hand.seq, hand.type, hand.body, hand.parts) == (
        0,
        "hand_dealt",
        {"seat": 1, "size": 2},
        {"cards": ["D6", "S9"]},
    )
    assert (pushed.seq, pushed.parts, pushed.actor, pushed.command_id) == (1, {}, "anna", "one")
    assert hand.recorded_at.endswith("Z")
    assert added.head == store.read_head(stream) == (1, pushed.hash)
    store.verify(stream)


def test_secret_values_never_stand_in_the_envelope(stream: str) -> None:
    add(stream, -1, HAND, command="one")
    event = Event.objects.get()
    assert b"S9" not in bytes(event.envelope)
    assert set(json.loads(bytes(event.envelope))) == {
        "seq", "type", "body", "actor", "command_id", "recorded_at", "commitments",
    }  # fmt: skip
    assert store.read(stream, parts=False)[0].parts == {}


def test_an_event_may_have_several_secret_parts(stream: str) -> None:
    add(stream, -1, Record("talon_dealt", {}, {"open": ["D6"], "closed": ["S9"]}), PUSHED, command="one")
    assert [event.parts for event in store.read(stream)] == [{"open": ["D6"], "closed": ["S9"]}, {}]
    store.verify(stream)


def test_a_part_without_its_event_is_nobodys(stream: str) -> None:
    """PostgreSQL, where other roles may write, does not take it at all."""
    add(stream, -1, PUSHED, command="one")
    refused = connection.vendor == "postgresql"
    with pytest.raises(IntegrityError) if refused else nullcontext():
        SecretPart.objects.create(stream_id=stream, seq=1, name="cards", key="k", closed=b"[]")
    assert [event.parts for event in store.read(stream)] == [{}]


def test_reading_may_begin_and_end_anywhere(stream: str) -> None:
    add(stream, -1, HAND, PUSHED, PUSHED, PUSHED, command="one")
    assert [event.seq for event in store.read(stream, since=0, upto=2)] == [1, 2]
    assert [event.seq for event in store.read(stream, since=3)] == []


def test_a_stale_seq_is_refused_and_changes_nothing(stream: str) -> None:
    add(stream, -1, HAND, command="one")
    for expected in (-1, 5):
        with pytest.raises(store.ConcurrencyError) as refused:
            add(stream, expected, PUSHED, command="two")
        assert refused.value.code == "games/stale_seq"
        assert refused.value.params == {"expected": expected, "head": 0}
    assert rows() == (1, 1, 1)


def test_a_head_of_a_rolled_back_past_is_refused(stream: str) -> None:
    """A cache may hold the head of a transaction that never happened: same seq, another hash."""
    with transaction.atomic():
        ghost = add(stream, -1, HAND, command="ghost").head
        transaction.set_rollback(True)
    add(stream, -1, PUSHED, command="one")
    with pytest.raises(store.ConcurrencyError):
        store.append(stream, ghost, [PUSHED], actor="anna", command_id="two", body_hash=BODY_HASH)
    store.verify(stream)


def test_the_same_command_again_gets_the_first_answer(stream: str) -> None:
    first = add(stream, -1, HAND, PUSHED, command="one")
    add(stream, 1, PUSHED, command="two")
    again = add(stream, 2, HAND, PUSHED, command="one")
    assert (again.first_seq, again.last_seq, again.repeated) == (first.first_seq, first.last_seq, True)
    assert again.head.seq == 2
    assert rows() == (3, 1, 2)


def test_a_command_id_serves_one_command_only(stream: str) -> None:
    add(stream, -1, HAND, command="one")
    with pytest.raises(store.CommandIdReused) as refused:
        add(stream, 0, PUSHED, command="one", body_hash=bytes(31) + b"x")
    assert refused.value.code == "games/command_id_reused"
    assert rows() == (1, 1, 1)


def test_the_same_command_id_is_free_in_another_stream(stream: str) -> None:
    add(stream, -1, HAND, command="one")
    other = store.create_stream("round").id
    assert not add(other, -1, PUSHED, command="one").repeated


def test_an_unknown_stream_is_refused(stream: str) -> None:
    with pytest.raises(store.UnknownStream):
        add("f" * 32, -1, PUSHED, command="one")
    with pytest.raises(store.UnknownStream):
        store.verify("f" * 32)


def in_the_way(stream: str, seq: int) -> None:
    """A part where that of the next event belongs. On PostgreSQL only the owner of the tables can do this."""
    asleep = "ALTER TABLE games_secretpart {} TRIGGER puur_games_secretpart_follows"
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(asleep.format("DISABLE"))
        SecretPart.objects.create(stream_id=stream, seq=seq, name="cards", key="k", closed=b"[]")
        if connection.vendor == "postgresql":
            cursor.execute(asleep.format("ENABLE ALWAYS"))


def test_a_crash_between_the_statements_leaves_nothing_half_done(stream: str) -> None:
    """The part of the second event is refused by the database after head, receipt and events are written."""
    add(stream, -1, PUSHED, command="one")
    in_the_way(stream, 1)
    before = store.read_head(stream)
    with pytest.raises(store.ConcurrencyError):
        add(stream, 0, HAND, command="two")
    assert store.read_head(stream) == before
    assert rows() == (1, 1, 1)


def test_such_a_crash_takes_the_transaction_around_it_along(stream: str) -> None:
    in_the_way(stream, 0)
    with transaction.atomic():
        other = store.create_stream("round").id
        with pytest.raises(store.ConcurrencyError):
            add(stream, -1, HAND, command="one")
        assert transaction.get_rollback()
    assert not Stream.objects.filter(pk=other).exists()
    assert store.read_head(stream).seq == -1


def test_a_transaction_that_fails_takes_its_events_along(stream: str) -> None:
    def interrupted() -> None:
        with transaction.atomic():
            add(stream, -1, HAND, command="one")
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        interrupted()
    assert rows() == (0, 0, 0)
    assert not add(stream, -1, HAND, command="one").repeated


def test_several_commands_and_what_lies_beside_them_are_written_together(stream: str) -> None:
    first = prepared(stream, store.read_head(stream), HAND, command="one")
    second = prepared(stream, first.head, PUSHED, command="two")
    store.write([first, second], BESIDE)
    assert store.read_head(stream) == second.head
    assert [event.command_id for event in store.read(stream)] == ["one", "two"]
    assert Group.objects.get().name == "beside"
    receipt = store.find_receipt(stream, "two")
    assert receipt == store.Receipt(BODY_HASH, 1, 1)


@pytest.mark.parametrize("known", ["moved on", "stored data"])
def test_nothing_is_written_together_where_one_part_cannot_be(stream: str, known: str) -> None:
    head = add(stream, -1, HAND, command="one").head
    genesis = store.Head(-1, bytes(32))
    fine = prepared(other := store.create_stream("game").id, store.read_head(other), HAND, command="fine")
    late = {
        "moved on": prepared(stream, genesis, PUSHED, command="two"),
        "stored data": prepared(stream, head, PUSHED, command="one"),
    }[known]
    before = rows()
    with pytest.raises(store.ConcurrencyError), transaction.atomic():
        store.write([fine, late], BESIDE)
    assert (rows(), store.read_head(stream), store.read_head(other).seq) == (before, head, -1)
    assert not Group.objects.exists()


def test_of_64_racers_exactly_one_wins_each_seq(stream: str) -> None:
    def racer(number: int) -> Callable[[], store.Appended]:
        return lambda: add(stream, -1, Record("raced", {"racer": number}), command=f"racer-{number}")

    results = in_threads([racer(number) for number in range(64)])
    won = [result for result in results if isinstance(result, store.Appended)]
    assert len(won) == 1
    assert sum(isinstance(result, store.ConcurrencyError) for result in results) == 63
    assert rows() == (1, 0, 1)
    store.verify(stream)


def test_one_command_sent_by_many_at_once_is_stored_once(stream: str) -> None:
    results = in_threads([lambda: add(stream, -1, HAND, command="one")] * 16)
    assert sorted(result.repeated for result in results) == [False] + [True] * 15
    assert {(result.first_seq, result.last_seq) for result in results} == {(0, 0)}
    assert rows() == (1, 1, 1)


def test_eight_writers_on_eight_streams_lose_nothing(real_database: str) -> None:
    streams = [store.create_stream("game").id for _ in range(8)]

    def writer(stream: str) -> Callable[[], None]:
        def write() -> None:
            for seq in range(20):
                add(stream, seq - 1, PUSHED, command=f"c{seq}")

        return write

    assert in_threads([writer(stream) for stream in streams]) == [None] * 8
    for stream in streams:
        store.verify(stream)
        assert [event.seq for event in store.read(stream)] == list(range(20))


@pytest.mark.long(1)
@pytest.mark.long(2)
@pytest.mark.parametrize("appends", [100, 500])
def test_a_reader_who_catches_up_misses_none_of_so_many_events(real_database: str, appends: int) -> None:
    """A reader of ids across streams would: they are taken at INSERT and become visible at COMMIT."""
    streams = [store.create_stream("game").id for _ in range(8)]
    batch = [PUSHED] * 25
    writing = threading.Semaphore(0)
    found = dict.fromkeys(streams, -1)

    def writer(stream: str) -> Callable[[], None]:
        def write() -> None:
            head = store.read_head(stream)
            for number in range(appends):
                head = add(stream, head, *batch, command=f"c{number}").head
            writing.release()

        return write

    def reader() -> int:
        reads = over = 0
        while over < len(streams):
            if writing.acquire(blocking=False):
                over += 1  # and once more round, for what came after the last look
            for stream in streams:
                seqs = [event.seq for event in store.read(stream, since=found[stream], parts=False)]
                assert seqs == list(range(found[stream] + 1, found[stream] + 1 + len(seqs)))
                found[stream] += len(seqs)
                reads += bool(seqs)
        return reads

    *written, reads = in_threads([*map(writer, streams), reader])
    assert written == [None] * 8
    assert list(found.values()) == [appends * len(batch) - 1] * 8
    assert reads > len(streams), "it read while they wrote"


def test_writers_of_one_stream_who_read_on_all_get_through_without_gaps(stream: str) -> None:
    def writer(name: str) -> Callable[[], None]:
        def write() -> None:
            for number in range(10):
                while True:
                    try:
                        head = store.read_head(stream)
                        store.append(
                            stream,
                            head,
                            [PUSHED],
                            actor=name,
                            command_id=f"{name}-{number}",
                            body_hash=BODY_HASH,
                        )
                        break
                    except store.ConcurrencyError:
                        continue

        return write

    assert in_threads([writer(name) for name in "abcdefgh"]) == [None] * 8
    events = store.read(stream)
    assert [event.seq for event in events] == list(range(80))
    assert len({event.command_id for event in events}) == 80
    store.verify(stream)


def test_an_append_is_one_statement_on_postgresql(
    stream: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    head = add(stream, -1, HAND, command="one").head
    # Django sees none: one prepared statement goes to the driver. SQLite: BEGIN, three statements, COMMIT.
    with django_assert_num_queries(0 if connection.vendor == "postgresql" else 5) as seen:
        store.append(stream, head, [PUSHED], actor="anna", command_id="two", body_hash=BODY_HASH)
    assert all("SELECT MAX" not in query["sql"] for query in seen.captured_queries)


def test_a_command_that_causes_nothing_is_not_stored(stream: str) -> None:
    with pytest.raises(ValueError, match="nothing"):
        add(stream, -1, command="one")
    assert rows() == (0, 0, 0)


def test_the_kind_of_a_stream_is_one_of_three(real_database: str) -> None:
    with pytest.raises(ValueError, match="poker"):
        store.create_stream("poker")
    assert Stream.objects.count() == 0
