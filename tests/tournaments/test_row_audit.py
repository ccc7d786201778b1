"""Rows changed by hand in the database: the audit finds and names each kind."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from games import audit as of_a_game
from games import store
from games.models import DealResult, Game, Seat, User
from games.play.submit import submit
from tests.games.cast import next_command, table
from tests.games.databases import in_threads
from tests.tournaments.table_play import play_to_the_end
from tournaments.models import (
    Audit,
    Bye,
    Championship,
    Entry,
    Regulations,
    Round,
    Seating,
    StandingsSnapshot,
    Table,
)
from tournaments.services.audit import auditing
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import tie_break_draws


def found(championship: Championship, fredi: User) -> list[str]:
    """What an audit finds, kind and words."""
    audit: Audit = auditing.start_audit(championship, actor=fredi)
    while auditing.check_next(audit):
        pass
    return [f"{finding.kind}: {finding.detail}" for finding in auditing.load_findings(audit)]


@pytest.fixture
def evening(
    championship: Championship, fredi: User, arrived: Callable[[int], list[Entry]], open_round: Any
) -> Championship:
    """Nine people: a round played and closed, one who has left, lots drawn, a round drawn anew and open."""
    arrived(9)
    first = open_round("dealt", "sheet")
    play_to_the_end(first)
    rounds.close_round(first, actor=fredi)
    gone = championship.entries.get(number=9)
    entries.withdraw_entry(gone, actor=fredi)
    entries.reinstate(gone, actor=fredi)
    entries.withdraw_entry(gone, actor=fredi)
    tie_break_draws.record_tie_break(championship, "lot", {1: 2, 2: 1}, actor=fredi)
    second = championship.rounds.get(number=2)
    draw_undoing.undo_draw(drawing.draw_round(second, actor=fredi), actor=fredi, reason="anew")
    drawing.draw_round(second, actor=fredi)
    rounds.open_round(second, actor=fredi)
    championship.refresh_from_db()
    return championship


pytestmark = [pytest.mark.both, pytest.mark.django_db]


def test_an_evening_as_it_was_is_accused_of_nothing(evening: Championship, fredi: User) -> None:
    assert found(evening, fredi) == []
    draw_undoing.undo_draw(evening.rounds.get(number=2), actor=fredi, reason="too late")
    assert found(evening, fredi) == []


FIRST = {"round__number": 1}
BY_HAND: list[tuple[str, Callable[[], int], str]] = [
    ("a round", lambda: Round.objects.filter(number=1).update(status="open"), "round 1: status is 'open'"),
    ("how often it was drawn", lambda: Round.objects.filter(number=2).update(draws=1), "round 2: draws is 1"),
    (
        "what the draw repeats",
        lambda: Round.objects.filter(number=2).update(drawn_cost={}),
        "round 2: drawn_cost is {}",
    ),
    (
        "a round too many",
        lambda: Round.objects.filter(number=3).update(number=30),
        "rounds: [3] are missing",
    ),
    ("a table's kind", lambda: Table.objects.filter(number=1, **FIRST).update(mode="sheet"), "table 1: mode"),
    (
        "a table's game",
        lambda: Table.objects.filter(number=2, **FIRST).update(game=None),
        "table 2: game_id is None",
    ),
    ("a table's number", lambda: Table.objects.filter(number=2, **FIRST).update(number=7), "tables: [2] are"),
    (
        "a chair",
        lambda: Seating.objects.filter(seat=3, table__number=1, **FIRST).delete()[0],
        "seating: at table 1, seat 3 sits None",
    ),
    (
        "who sat there",
        lambda: Seating.objects.filter(seat=3, table__number=1, **FIRST).update(entry=find_bye()),
        "seating: at table 1, seat 3 sits",
    ),
    (
        "who sat in the game",
        lambda: Seat.objects.filter(number=0, game__tournament_table__number=1).update(player_ref="f" * 32),
        f"game: at table 1, seat 0 sits {'f' * 32}",
    ),
    ("byes", lambda: Bye.objects.filter(**FIRST).delete()[0], "byes: "),
    (
        "totals",
        lambda: Game.objects.filter(tournament_table__number=2).update(totals=[9, 9]),
        "the game: totals is [9, 9]",
    ),
    (
        "winners",
        lambda: Game.objects.filter(status="ended").update(winners=[]),
        "the game: winners is []",
    ),
    (
        "the end of a game",
        lambda: Game.objects.filter(status="ended").update(status="closed"),
        "the game: st",
    ),
    ("where it stands", lambda: Game.objects.update(head_seq=F("head_seq") + 1), "the game: head_seq is"),
    ("options", lambda: Game.objects.update(options={}), "the game: options is {}"),
    (
        "a result",
        lambda: DealResult.objects.filter(deal=1).update(counted=[0, 0]),
        "deal 1: counted is [0, 0]",
    ),
    ("a sweep", lambda: DealResult.objects.filter(deal=1).update(sweep=F("deal")), "deal 1: sweep is 1"),
    ("a result that is gone", lambda: DealResult.objects.filter(deal=2).delete()[0], "deal 2: its result is"),
    (
        "a result from nowhere",
        lambda: DealResult.objects.filter(deal=2).update(deal=99),
        "deal 99: the stream has no such result",
    ),
    (
        "the championship",
        lambda: Championship.objects.update(status="finished"),
        "the championship: status is 'finished'",
    ),
    (
        "which regulations hold",
        lambda: Championship.objects.update(regulations_version=2),
        "the championship: regulations_version is 2",
    ),
    ("the regulations", lambda: regulations(rounds=5), "regulations 1: data is"),
    (
        "that they are fixed",
        lambda: Regulations.objects.update(frozen_at=None),
        "regulations 1: frozen is False",
    ),
    ("an entry's number", lambda: Entry.objects.filter(number=4).update(number=40), ": number is 40"),
    ("who has left", lambda: Entry.objects.filter(number=9).update(status="paid"), ": status is 'paid'"),
    ("since when", lambda: Entry.objects.filter(number=9).update(withdrawn_from=1), ": withdrawn_from is 1"),
    ("a lot", lambda: Entry.objects.filter(number=1).update(lot=1), ": lot is 1"),
    ("a card that was cut", lambda: Entry.objects.filter(number=1).update(cut=36), ": cut is 36"),
    ("an entry from nowhere", lambda: Entry.objects.filter(number=9).update(player_ref="e" * 32), "entry: "),
    ("a ranking", lambda: rank_upside_down(), "ranking 1: digest is"),
    (
        "after which round",
        lambda: StandingsSnapshot.objects.filter(version=1).update(after_round=2),
        "ranking 1: after_round is 2",
    ),
    (
        "a ranking that is gone",
        lambda: StandingsSnapshot.objects.filter(version=1).delete()[0],
        "ranking: [1]",
    ),
]


def find_bye() -> Entry:
    return Bye.objects.get(**FIRST).entry


def regulations(**changes: Any) -> int:
    row = Regulations.objects.get()
    return Regulations.objects.update(data={**row.data, **changes})


def rank_upside_down() -> int:
    row = StandingsSnapshot.objects.get(version=1)
    return StandingsSnapshot.objects.filter(pk=row.pk).update(rows=row.rows[::-1])


def test_a_row_changed_by_hand_is_found_and_named(evening: Championship, fredi: User) -> None:
    """One evening for all of them: each change is taken back before the next."""
    missed = []
    for what, change, words in BY_HAND:
        with transaction.atomic():
            assert change(), what
            told = found(evening, fredi)
            if not any(words in line for line in told if line.startswith("rows: ")):
                missed.append((what, told[:3]))
            transaction.set_rollback(True)
    assert missed == []
    assert found(evening, fredi) == []


def test_a_game_whose_seed_is_said_to_be_another_is_named(evening: Championship, fredi: User) -> None:
    Game.objects.filter(tournament_table__number=1, mode="dealt").update(seed_seq=5)
    assert "cards: the hands of deal 1 do not follow from the round's seed" in found(evening, fredi)


def test_a_round_is_read_once_for_all_its_games(
    evening: Championship, fredi: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified: list[str] = []
    verify = store.verify

    def noted(stream: str) -> Any:
        verified.append(stream)
        return verify(stream)

    monkeypatch.setattr(store, "verify", noted)
    monkeypatch.setattr(store, "read", lambda *a, **k: pytest.fail("a stream was read beside its verifying"))
    assert found(evening, fredi) == []
    assert len(verified) == len(set(verified)), "no stream twice"
    rounds_ = set(evening.rounds.values_list("stream_id", flat=True))
    games = set(Game.objects.values_list("pk", flat=True))
    assert set(verified) == rounds_ | games | {evening.stream_id}


def test_the_games_of_a_round_stay_with_its_stream_and_parts_stay_small(
    evening: Championship, fredi: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "GAMES_PER_PART", 2)
    audit = auditing.start_audit(evening, actor=fredi)
    parts = list(audit.parts.all())
    assert all(len(part.games) <= 2 for part in parts)
    asked = [stream for part in parts for stream in (*part.streams, *part.games)]
    assert sorted(asked) == sorted(set(asked)), "each once"
    for round_ in evening.rounds.filter(number__in=(1, 2)):
        [part] = [part for part in parts if round_.stream_id in part.streams]
        first = round_.tables.order_by("number").values_list("game_id", flat=True)
        assert set(part.games) & set(first)


def test_a_move_while_a_game_is_audited_accuses_nobody(
    real_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row was read before the move, its stream after it: both are as of one moment all the same."""
    game = table()
    verify = store.verify

    def after_a_move(stream: str) -> Any:
        if stream == game.pk:
            move = next_command(game)
            act = partial(submit, game.pk, move, actor="a" * 32, command_id=f"c{game.head_seq}")
            [stored] = in_threads([act])
            assert not stored.repeated
        return verify(stream)

    before = store.read_head(game.pk)
    monkeypatch.setattr(store, "verify", after_a_move)
    assert of_a_game.audit(game).clean
    assert store.read_head(game.pk) != before
    assert game.head_seq == before.seq
