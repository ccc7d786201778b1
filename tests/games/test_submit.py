"""Submitting commands to stored games: stored rows, and refusals without changes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from engine import IllegalCommand, cards, legal_cards, to_act, to_dict
from engine.events import ContractSet
from games import game_state, store
from games.audit import audit
from games.errors import UnknownGame
from games.models import Deadline, DealResult, Event, Game, Receipt
from games.play import game_creation, submit
from games.play.submit import CommandResult
from games.projections import projection
from tests.games.cast import ANNA, BEAT, PLAYERS, next_command, play, table, turn_of
from tests.games.databases import in_threads

pytestmark = pytest.mark.both


def send(
    game: Game, command: Any = None, command_id: str = "c1", actor: str = ANNA, **more: Any
) -> CommandResult:
    command = next_command(game) if command is None else command
    return submit.submit(game.id, command, actor=actor, command_id=command_id, **more)


def contents(game: Game) -> tuple[Any, ...]:
    """Everything the database knows of a game."""
    row = Game.objects.filter(pk=game.pk).values().get()
    return (
        row,
        list(DealResult.objects.filter(game=game).values()),
        list(Event.objects.values_list("stream_id", "seq", "type")),
        list(Receipt.objects.values_list("stream_id", "command_id")),
        list(Deadline.objects.values()),
        store.read_head(game.id),
    )


@pytest.mark.django_db
def test_a_game_is_dealt_played_and_counted() -> None:
    game = table(deals=2)
    assert (game.status, game.deal, game.phase, game.trick) == ("running", 1, "contract_choice", 0)
    play(game)
    assert (game.status, game.phase, game.turn_seat) == ("ended", "over", None)
    assert game.winners
    store.verify(game.id)
    results = list(DealResult.objects.filter(game=game))
    assert [result.deal for result in results] == [1, 2]
    assert all(result.confirmed for result in results)
    assert all(sum(result.card_points or ()) == 157 for result in results)
    counted = [result.counted or () for result in results]
    assert [sum(scores) for scores in zip(*counted, strict=True)] == game.totals


@pytest.mark.django_db
def test_a_command_is_stored_with_all_that_follows_from_it() -> None:
    game = table()
    before = store.read_head(game.id).seq
    stored = send(game)
    assert (stored.first_seq, stored.repeated) == (before + 1, False)
    assert stored.last_seq == store.read_head(game.id).seq
    found = store.read(game.id, since=before)
    assert [(event.actor, event.command_id) for event in found] == [(ANNA, "c1")] * len(stored.events)
    assert [to_dict(event) for event in game_state.restore_events(found)] == [
        to_dict(event) for event in stored.events
    ]


@pytest.mark.django_db
def test_a_command_may_come_as_json() -> None:
    game = table()
    stored = send(game, b'{"cmd":"choose","seat":%d,"contract":"hearts"}' % turn_of(game))
    chosen = stored.events[0]
    assert isinstance(chosen, ContractSet)
    assert chosen.contract == "hearts"
    with pytest.raises(IllegalCommand) as refused:
        send(game, {"cmd": "fly", "seat": 0}, "c2")
    assert refused.value.code == "command/malformed"


@pytest.mark.django_db
def test_the_same_command_again_gets_the_first_answer_also_when_it_would_be_illegal_now() -> None:
    game = table()
    command = next_command(game)
    first = send(game, command)
    play(game, 3)
    before = contents(game)
    again = send(game, command)
    assert again.repeated
    assert (again.first_seq, again.events) == (first.first_seq, first.events)
    stale = send(game, command, expected_seq=first.first_seq - 1)
    assert stale.repeated
    assert contents(game) == before


@pytest.mark.django_db
def test_a_repeated_ruling_is_made_once() -> None:
    """It would be legal again: only the receipt knows."""
    game = play(table())
    ruling = {"cmd": "rule", "kind": "penalty", "against": 1, "points": 10, "reason": "talked"}
    send(game, ruling, "r1")
    again = send(game, ruling, "r1")
    assert again.repeated
    assert [event.type for event in store.read(game.id)].count("ruling_made") == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "other", [{"actor": BEAT}, {"command": {"cmd": "push", "seat": 0}}], ids=["other sender", "other command"]
)
def test_a_command_id_is_not_used_for_something_else(other: dict[str, Any]) -> None:
    game = table()
    command = next_command(game)
    send(game, command)
    before = contents(game)
    with pytest.raises(store.CommandIdReused):
        send(game, **{"command": command} | other)
    assert contents(game) == before


@pytest.mark.django_db
def test_bad_commands_change_nothing() -> None:
    game = play(table(), 3)
    now = game_state.load_snapshot(game.id)
    seat = turn_of(game)
    legal = legal_cards(now.state, seat)
    illegal = cards.codes((2**36 - 1) & ~legal)[0]
    before = contents(game)
    bad: list[tuple[type[IllegalCommand] | type[store.ConcurrencyError], str, dict[str, Any]]] = [
        (IllegalCommand, "play/", {"command": {"cmd": "play", "seat": seat, "card": illegal}}),
        (
            IllegalCommand,
            "play/not_your_turn",
            {"command": {"cmd": "play", "seat": (seat + 1) % 4, "card": "S6"}},
        ),
        (IllegalCommand, "push/not_now", {"command": {"cmd": "push", "seat": seat}}),
        (IllegalCommand, "command/malformed", {"command": b"{"}),
        (IllegalCommand, "command/malformed", {"command": {"cmd": "play", "seat": "0"}}),
        (store.ConcurrencyError, "games/stale_seq", {"expected_seq": now.head.seq - 1}),
        (store.ConcurrencyError, "games/stale_seq", {"expected_seq": now.head.seq + 1}),
    ]
    for family, code, arguments in bad:
        with pytest.raises(family) as refused:
            send(game, **arguments)
        assert isinstance(refused.value, IllegalCommand | store.ConcurrencyError)
        assert refused.value.code.startswith(code)
        assert contents(game) == before


@pytest.mark.django_db
def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame):
        submit.submit("f" * 32, {"cmd": "push", "seat": 0}, actor=ANNA, command_id="c1")
    stream = store.create_stream("round")
    with pytest.raises(UnknownGame):
        submit.submit(stream.id, {"cmd": "push", "seat": 0}, actor=ANNA, command_id="c1")


@pytest.mark.django_db
def test_a_failure_after_the_append_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    game = table()
    before = contents(game)

    def breaks(*_: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(projection, "summarise", breaks)
    with pytest.raises(RuntimeError, match="power cut"):
        send(game)
    monkeypatch.undo()
    assert contents(game) == before
    assert not send(game).repeated


@pytest.mark.django_db
def test_a_table_that_cannot_be_opened_leaves_nothing() -> None:
    bad: list[tuple[dict[str, Any], str]] = [
        ({"variant": "poker"}, "start/unknown_variant"),
        ({"options": {"target": -1}}, "start/"),
        ({"mode": "telepathy"}, "command/malformed"),
    ]
    for arguments, code in bad:
        with pytest.raises(IllegalCommand) as refused:
            table(**arguments)
        assert refused.value.code.startswith(code)
    with pytest.raises(ValueError, match="3 players"):
        table(players=PLAYERS[:3], seats=4)
    assert Game.objects.count() == Event.objects.count() == 0


@pytest.mark.django_db
def test_the_projection_rebuilt_from_the_log_is_the_one_kept_on_the_way() -> None:
    game = play(table(deals=2))
    for number, ruling in enumerate(
        [
            {"kind": "score_change", "deal": 1, "scores": [1, 0]},  # what no deal brings
            {"kind": "annul_deal", "deal": 2},
            {"kind": "penalty", "against": 1, "points": 10},
        ]
    ):
        send(game, {"cmd": "rule", "reason": "house rules", **ruling}, f"r{number}")
    game_state.KEPT.clear()
    state = game_state.load_snapshot(game.id).state
    game.refresh_from_db()
    kept = {name: getattr(game, name) for name in projection.columns(projection.summarise(state))}
    assert kept == projection.columns(projection.summarise(state))
    rows = [projection.columns(row) for row in projection.results(state)]
    assert list(DealResult.objects.filter(game=game).values(*rows[0])) == rows
    first, second = rows[:2]
    assert first["counted"] == [1, 0] != first["scores"]
    assert (second["annulled"], second["counted"]) == (True, [0, 0])
    projection.write_results(game.id, game_state.load_snapshot(game.id).state)
    assert list(DealResult.objects.filter(game=game).values(*rows[0])) == rows


@pytest.mark.django_db
def test_a_director_closes_a_game_and_the_server_deals_no_more() -> None:
    game = table()
    send(game, {"cmd": "close", "reason": "the light went out"}, "x1")
    game.refresh_from_db()
    assert (game.status, game.turn_seat, next_command(game)) == ("closed", None, None)


@pytest.mark.django_db
def test_an_annulled_deal_is_dealt_again_at_once() -> None:
    game = table()
    send(game, {"cmd": "rule", "kind": "annul_deal", "deal": 1, "reason": "misdeal"}, "r1")
    game.refresh_from_db()
    assert (game.deal, game.phase) == (2, "contract_choice")
    assert DealResult.objects.get(game=game, deal=1).annulled


@pytest.mark.django_db
def test_a_sheet_is_entered_confirmed_and_counted() -> None:
    game = table(mode="sheet")
    assert (game.status, game.phase) == ("waiting", "sheet")
    entry = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [100, 57], "stoeck": 1}
    with pytest.raises(IllegalCommand) as refused:
        send(game, entry | {"card_points": [100, 58]}, "e0")
    assert refused.value.code == "sheet/wrong_sum"
    params = {"deal": 1, "sum": 158, "expected": 157, "difference": 1, "least": 157, "most": 157}
    assert refused.value.params == params
    send(game, entry, "e1")
    row = DealResult.objects.get(game=game)
    assert (row.scores, row.stoeck, row.confirmed) == ([100, 77], 1, False)
    with pytest.raises(IllegalCommand) as refused:
        send(game, {"cmd": "confirm_result", "seat": 2, "deal": 1}, "e2")
    assert refused.value.code == "sheet/own_side"
    send(game, {"cmd": "confirm_result", "seat": 1, "deal": 1}, "e3", actor=BEAT)
    assert DealResult.objects.get(game=game).confirmed
    game.refresh_from_db()
    assert (game.status, game.totals) == ("ended", [100, 77])


@pytest.mark.django_db
def test_a_transcribed_game_is_written_down_as_far_as_it_is_known() -> None:
    game = table(mode="transcribed")
    assert (game.status, game.phase, game.deal) == ("waiting", "dealing", 0)
    send(game, {"cmd": "deal"}, "d1")
    game.refresh_from_db()
    seat = game.turn_seat
    send(game, {"cmd": "choose", "seat": seat, "contract": "hearts"}, "d2")
    send(game, {"cmd": "play", "seat": seat, "card": None}, "d3")
    store.verify(game.id)
    assert game_state.load_snapshot(game.id).state.trick == [-1]


@pytest.mark.django_db
def test_a_sweep_and_its_side_stand_in_the_result() -> None:
    game = table(mode="sheet")
    send(game, {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [0, 157], "sweep": 1}, "e1")
    assert DealResult.objects.get(game=game).sweep == 1


@pytest.mark.django_db
def test_a_deal_that_another_phone_has_entered_is_refused_and_never_stored_as_the_next_one() -> None:
    game = table(mode="sheet")
    entry = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [100, 57]}
    first = send(game, entry, "of-anna")
    with pytest.raises(IllegalCommand) as refused:
        send(game, entry | {"seat": 1, "card_points": [60, 97]}, "of-beat", actor=BEAT)
    assert refused.value.code == "sheet/entered_already"
    again = send(game, entry, "of-anna")
    assert (again.repeated, again.first_seq) == (True, first.first_seq)
    assert [row.card_points for row in DealResult.objects.filter(game=game)] == [[100, 57]]


@pytest.mark.django_db
def test_melds_that_no_hands_hold_are_refused_with_what_is_possible() -> None:
    game = game_creation.create_game(variant="schieber", players=PLAYERS, mode="sheet")
    entry = {"cmd": "enter_result", "seat": 0, "deal": 1, "card_points": [100, 57], "contract": "hearts"}
    with pytest.raises(IllegalCommand) as refused:
        send(game, entry | {"melds": [30, 0]}, "e1")
    assert refused.value.code == "sheet/melds_impossible"
    assert (refused.value.params["below"], refused.value.params["above"]) == (20, 40)
    send(game, entry | {"melds": [40, 0]}, "e2")


# --- the fold that is kept


@pytest.mark.django_db
def test_a_fold_is_made_anew_where_it_is_not_of_this_chain() -> None:
    game = table()
    sound = game_state.load_snapshot(game.id)
    forged = game_state.GameSnapshot(
        game.id, sound.table.copy(), sound.events[:-1], store.Head(sound.head.seq, bytes(32))
    )
    ghost = game_state.GameSnapshot(game.id, sound.table.copy(), sound.events * 9, store.Head(999, bytes(32)))
    for kept in (forged, ghost):
        game_state.cache_snapshot(kept)
        again = game_state.load_snapshot(game.id)
        assert (again.head, again.events) == (sound.head, sound.events)
    play(game, 1)
    game_state.KEPT.clear()
    game_state.cache_snapshot(forged)
    assert game_state.load_snapshot(game.id).head == store.read_head(game.id)
    assert len(game_state.load_snapshot(game.id).events) == store.read_head(game.id).seq + 1
    store.verify(game.id)


@pytest.mark.django_db
def test_a_fold_of_a_transaction_that_never_happened_is_not_used() -> None:
    game = table()
    sound = game_state.load_snapshot(game.id)
    with transaction.atomic():
        send(game, command_id="ghost")
        game_state.cache_snapshot(game_state.load_snapshot(game.id))
        transaction.set_rollback(True)
    assert game_state.load_snapshot(game.id).events == sound.events


@pytest.mark.django_db
def test_an_older_fold_does_not_displace_a_newer_one() -> None:
    game = table()
    old = game_state.load_snapshot(game.id)
    play(game, 2)
    new = game_state.load_snapshot(game.id)
    game_state.cache_snapshot(old)
    assert game_state.load_snapshot(game.id) is new


@pytest.mark.django_db
def test_a_kept_fold_is_never_changed_by_who_goes_on_from_it() -> None:
    game = table()
    kept = game_state.load_snapshot(game.id)
    game_state.cache_snapshot(kept)
    facts, events = kept.state.copy(), kept.events
    play(game, 6)
    assert (kept.state, kept.events) == (facts, events)


@pytest.mark.django_db
def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_state.KEPT, "most", 2)
    games = [table() for _ in range(4)]
    folds = [game_state.load_snapshot(game.id) for game in games]
    newest_first = reversed(list(zip(games, folds, strict=True)))
    found_again = [game_state.load_snapshot(game.id) is held for game, held in newest_first]
    assert found_again == [True, True, False, False], "the others were read anew"


# --- many at once, and how much it costs


@pytest.mark.long(1)
def test_of_64_racers_exactly_one_wins_each_seq(real_database: str) -> None:
    game = table()
    for round_ in range(2):
        seq, command = store.read_head(game.id).seq, next_command(game)

        def racer(
            number: int, round_: int = round_, seq: int = seq, command: Any = command
        ) -> Callable[[], Any]:
            return lambda: send(game, command, f"r{round_}-{number}", expected_seq=seq)

        results = in_threads([racer(number) for number in range(64)])
        assert sum(isinstance(result, CommandResult) for result in results) == 1
        assert sum(isinstance(result, store.ConcurrencyError) for result in results) == 63
    store.verify(game.id)


def status_after(game: Game) -> str:
    return play(game).status


def test_eight_tables_at_once_all_get_through(real_database: str) -> None:
    games = [table() for _ in range(8)]
    assert in_threads([partial(status_after, game) for game in games]) == ["ended"] * 8
    for game in games:
        store.verify(game.id)


def test_one_command_sent_by_many_at_once_is_stored_once(real_database: str) -> None:
    game = table()
    command = next_command(game)
    results = in_threads([lambda: send(game, command, "same")] * 12)
    assert sorted(result.repeated for result in results) == [False] + [True] * 11
    assert len({(result.first_seq, result.last_seq) for result in results}) == 1


def statements_of(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> int:
    """How many statements reach the database, those beside Django included."""
    beside = 0
    execute = psycopg.Cursor.execute

    def counting(self: psycopg.Cursor, *args: Any, **more: Any) -> psycopg.Cursor:
        nonlocal beside
        beside += type(self) is psycopg.Cursor
        return execute(self, *args, **more)

    with monkeypatch.context() as patched, CaptureQueriesContext(connection) as seen:
        patched.setattr(psycopg.Cursor, "execute", counting)
        act()
    return len(seen) + beside


def test_the_cost_of_a_command_does_not_grow_with_the_game(
    real_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table(deals=6)
    counts: list[int] = []
    for moves in (2, 2, 4, 34, 36 + 33, 36):
        play(game, moves)
        command = next_command(game)
        while game_state.load_snapshot(game.id).state.trick:
            send(game, command, f"f{store.read_head(game.id).seq}")
            command = next_command(game)
        counts.append(statements_of(monkeypatch, partial(send, game, command, f"n{len(counts)}")))
    assert len(set(counts)) == 1
    assert counts[0] <= 10
    print(f"statements of a submit on {real_database}: {counts[0]}")


@pytest.mark.django_db
def test_the_end_of_a_deal_that_was_written_down_by_mistake_is_taken_back_with_its_result() -> None:
    game = table(deals=1, mode="transcribed")
    send(game, {"cmd": "deal", "dealer": 3}, "deal")
    send(game, {"cmd": "choose", "seat": 0, "contract": "hearts"}, "choose")
    while (state := game_state.load_snapshot(game.id).state).dealing:
        turn = to_act(state)
        assert turn is not None
        last = send(game, {"cmd": "play", "seat": turn.seat or 0, "card": None}, f"m{state.seq}")
    game.refresh_from_db()
    assert (game.status, DealResult.objects.filter(game=game).count()) == ("ended", 1)

    send(game, {"cmd": "take_back", "to": last.first_seq}, "back")

    game.refresh_from_db()
    assert (game.status, game.deal, DealResult.objects.filter(game=game).count()) == ("running", 1, 0)
    assert audit(game).clean
