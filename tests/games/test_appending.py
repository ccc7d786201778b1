"""The only way into a stream: stored rows, and the hash that identifies a repeated command."""

import pytest

from engine import decode_command
from engine.events import HandDealt
from games import store
from games.appending import append, by_chance, by_command, by_events, record
from games.randomness.round_seed import EntropyAdded, SeedCommitted
from tests.games.databases import in_threads
from tournaments.events import EntryAdded, EntryReturned

pytestmark = pytest.mark.both

ANNA, BEAT, CHIARA = (letter * 32 for letter in "abc")
ADDED = EntryAdded(player=BEAT, number=1), EntryAdded(player=CHIARA, number=2)


def test_the_hashes_are_those_of_the_receipts_there_are() -> None:
    """Written down from the code that stored the first receipts: another one takes an old command for new."""
    play = decode_command({"cmd": "play", "seat": 2, "card": "S6"})
    made = (
        by_command(play, ANNA, "c"),
        by_chance(EntropyAdded("17"), "server", "c"),
        by_events(ADDED, ANNA, "c"),
    )
    assert [asked.hash.hex() for asked in made] == [
        "c8356e6c33d99afdd1e369746d18e473bbd21e57c728ff0087b352bdcc36df01",
        "7ff4202b6200a77985fb4f74f74aa71b047a0620c80b7708d20f6db2984e93a9",
        "9c8b0884e56218f7a5eba975e70bd09a44538d9896c0bb2113189d167b3ebeb8",
    ]


@pytest.mark.django_db
def test_secret_fields_and_secret_parts_stay_out_of_the_body() -> None:
    game, round_ = (store.create_stream(kind).id for kind in ("game", "round"))
    hand = HandDealt(seq=0, seat=1, size=2, cards=["S6", "S7"])
    append(game, [hand], by_command(decode_command({"cmd": "push", "seat": 0}), ANNA, "c"))
    seed = SeedCommitted("puur/draw/1")
    append(round_, [seed], by_chance(seed, "server", "seed"), parts={"seed": "00"})
    [dealt], [committed] = store.verify(game), store.verify(round_)
    assert (dealt.body, dealt.parts) == ({"seat": 1, "size": 2}, {"cards": ["S6", "S7"]})
    assert (committed.body, committed.parts) == (
        {"algorithm": "puur/draw/1", "single": False},
        {"seed": "00"},
    )
    assert (dealt.actor, committed.command_id) == (ANNA, "seed")


@pytest.mark.django_db
def test_the_same_again_is_known_and_something_else_under_its_id_is_refused() -> None:
    stream = store.create_stream("championship").id
    first = record(stream, *ADDED, actor=ANNA, command_id="one")
    again = record(stream, *ADDED, actor=ANNA, command_id="one")
    assert (first.repeated, again.repeated, again.last_seq) == (False, True, 1)
    for actor, events in ((BEAT, ADDED), (ANNA, ADDED[:1])):
        with pytest.raises(store.CommandIdReused):
            record(stream, *events, actor=actor, command_id="one")
    assert store.read_head(stream).seq == 1


@pytest.mark.django_db
def test_who_names_a_head_that_has_moved_is_refused() -> None:
    stream = store.create_stream("championship").id
    head = store.read_head(stream)
    record(stream, *ADDED)
    with pytest.raises(store.ConcurrencyError):
        append(stream, ADDED, by_events(ADDED, ANNA, "late"), head=head)


def test_many_who_name_no_head_all_find_a_place(real_database: str) -> None:
    stream = store.create_stream("championship").id
    jobs = [lambda n=n: record(stream, EntryReturned(player=f"{n:032}"), actor=ANNA) for n in range(8)]
    assert {stored.last_seq for stored in in_threads(jobs)} == set(range(8))
    assert len(store.verify(stream)) == 8
