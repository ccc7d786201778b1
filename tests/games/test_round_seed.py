import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection, transaction

from engine import VARIANTS
from games import store
from games.errors import RoundRefused
from games.models import Game
from games.play import game_creation
from games.randomness import round_seed
from games.rights.delayed_hands import is_game_final
from tests.games.cast import PLAYERS, play

pytestmark = pytest.mark.both


@pytest.fixture
def stream(db: None) -> str:
    return store.create_stream("round").id


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(RoundRefused) as refusal:
        yield
    assert refusal.value.code == code


def table(stream: str, number: int = 1, **more: Any) -> Game:
    options = {"deals": 1}
    return game_creation.create_game(
        variant="schieber",
        preset="championship",
        options=options,
        players=PLAYERS,
        round_stream=stream,
        number=number,
        **more,
    )


def test_the_commitment_stands_in_the_log_and_the_seed_does_not(stream: str) -> None:
    round_seed.commit_seed(stream)
    [event] = store.read(stream, parts=False)
    assert (event.type, set(event.commitments)) == ("seed_committed", {"seed"})
    source = round_seed.source_of(stream)
    assert len(source.seed) == 32
    assert source.seed.hex().encode() not in event.envelope


def test_each_round_has_a_seed_of_its_own_and_only_one(stream: str) -> None:
    round_seed.commit_seed(stream)
    other = round_seed.new_round()
    assert round_seed.source_of(stream).seed != round_seed.source_of(other.id).seed
    with refused("rounds/seed_committed"):
        round_seed.commit_seed(stream)


def test_nothing_can_be_dealt_before_the_commitment(stream: str) -> None:
    with refused("rounds/no_seed"):
        table(stream)
    with refused("rounds/no_seed"):
        round_seed.add_entropy(stream, "17", actor="fredi", command_id="e1")
    with refused("rounds/no_seed"):
        round_seed.reveal_seed(stream)
    assert store.read(stream) == []


def test_entropy_comes_after_the_commitment_and_before_the_first_table(stream: str) -> None:
    round_seed.commit_seed(stream)
    round_seed.add_entropy(stream, "17", actor="fredi", command_id="e1")
    round_seed.add_entropy(stream, "23", actor="fredi", command_id="e2")
    assert round_seed.source_of(stream).entropy == (b"17", b"23")
    table(stream)
    with refused("rounds/too_late_for_entropy"):
        round_seed.add_entropy(stream, "42", actor="fredi", command_id="e3")
    round_seed.add_entropy(stream, "17", actor="fredi", command_id="e1")  # the first answer, again
    assert round_seed.source_of(stream).entropy == (b"17", b"23")


@pytest.mark.parametrize("text", ["", "x" * 1001])
def test_entropy_has_a_bounded_length(stream: str, text: str) -> None:
    round_seed.commit_seed(stream)
    with refused("rounds/entropy_length"):
        round_seed.add_entropy(stream, text, actor="fredi", command_id="e1")


def test_the_seed_stays_closed_while_a_table_plays_and_opens_the_commitment_then(stream: str) -> None:
    round_seed.commit_seed(stream)
    game = table(stream)
    with refused("rounds/still_playing"):
        round_seed.reveal_seed(stream)
    play(game)
    round_seed.reveal_seed(stream)
    round_seed.reveal_seed(stream)
    committed, *_, revealed = store.read(stream)
    opened = bytes.fromhex(revealed.body["nonce"]) + json.dumps(revealed.body["seed"]).encode()
    assert hashlib.sha256(opened).hexdigest() == committed.commitments["seed"]
    assert [event.type for event in store.read(stream)].count("seed_revealed") == 1
    store.verify(stream)


def test_a_game_outside_any_championship_takes_its_seed_along(db: None) -> None:
    game = game_creation.create_game(
        variant="schieber", preset="championship", options={"deals": 1}, players=PLAYERS
    )
    play(game)
    assert store.read(game.round_stream_id)[-1].type == "seed_revealed"


def test_who_drew_which_card_for_forehand_is_recorded(stream: str) -> None:
    round_seed.commit_seed(stream)
    game = table(stream, number=3)
    drawn = store.read(stream)[-1]
    assert (drawn.type, drawn.body["game"], drawn.body["number"]) == ("forehand_drawn", game.id, 3)
    dealt = next(event for event in store.read(game.id) if event.type == "deal_started")
    assert dealt.body["dealer"] == drawn.body["dealer"]


@pytest.mark.parametrize(("variant", "by_lot"), [("la-pomme", True), ("plus-minus", True), ("bieter", False)])
def test_the_first_dealer_is_drawn_where_the_rules_leave_him_to_chance(
    stream: str, variant: str, by_lot: bool
) -> None:
    round_seed.commit_seed(stream)
    seats = min(VARIANTS[variant].seats)
    dealers = []
    for number in range(1, 5):
        game = game_creation.create_game(
            variant=variant, players=PLAYERS[:seats], round_stream=stream, number=number
        )
        dealers.append(next(e.body["dealer"] for e in store.read(game.id) if e.type == "deal_started"))
    drawn = [event.body["dealer"] for event in store.read(stream) if event.type == "forehand_drawn"]
    assert dealers == (drawn if by_lot else [seats - 1] * 4)
    assert bool(drawn) == by_lot


def test_tables_with_the_same_number_play_the_same_cards(stream: str) -> None:
    round_seed.commit_seed(stream)

    def hands(game: Game) -> list[object]:
        return [event.parts for event in store.read(game.id) if event.type == "hand_dealt"]

    first, same, other = table(stream, 1), table(stream, 1), table(stream, 2)
    assert hands(first) == hands(same) != hands(other)


def test_no_seed_is_left_where_it_could_be_read(stream: str) -> None:
    """No column, no envelope: it is opened from the closed part alone."""
    round_seed.commit_seed(stream)
    table(stream, deal_pause=5)
    seed = round_seed.source_of(stream).seed.hex()
    found = []
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{name}"')
            values = [bytes(v) if isinstance(v, memoryview) else v for row in cursor for v in row]
            found += [name] if seed in str(values) else []
    assert found == []


def test_whether_a_game_is_over_for_good_reads_its_round_once_for_each_of_its_ends(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_seed.commit_seed(stream)
    game = table(stream)
    Game.objects.filter(pk=game.pk).update(status="closed")
    game.refresh_from_db()
    read = Mock(wraps=store.read)
    monkeypatch.setattr(store, "read", read)
    assert [is_game_final(game) for _ in range(2)] == [False, False]
    assert read.call_count == 1
    round_seed.reveal_seed(stream)
    read.reset_mock()
    assert [is_game_final(game) for _ in range(2)] == [True, True]
    assert read.call_count == 1


def test_a_reveal_that_is_undone_has_revealed_nothing(stream: str) -> None:
    round_seed.commit_seed(stream)
    with transaction.atomic():
        round_seed.reveal_seed(stream)
        assert round_seed.is_revealed(stream)
        transaction.set_rollback(True)
    assert not round_seed.is_revealed(stream)
    round_seed.add_entropy(stream, "1 2 3", actor="director", command_id="e")
    assert not round_seed.is_revealed(stream), "the stream is as long as it was then"
