"""Deadlines are rows: finished once, in the transaction of their effects, for any trigger."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from engine import IllegalCommand, decode_command
from games import game_state, store, tasks
from games.bots import strategies
from games.messaging import task_queue
from games.messaging.outgoing import Outgoing
from games.models import Deadline, Game, Stream
from games.play import submit
from games.timers import deadlines, turn_deadlines
from tests.games.cast import ANNA, next_command, play, table, turn_of
from tests.games.databases import in_threads

pytestmark = pytest.mark.both

LATER = timedelta(hours=1)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A handler of kind `bell` that notes each call."""
    seen: list[int] = []
    monkeypatch.setattr(
        deadlines, "_handlers", {**deadlines._handlers, "bell": lambda row: seen.append(row.pk)}
    )
    return seen


def ring() -> Deadline:
    stream = store.create_stream("round").id
    deadlines.arm("bell", stream, timezone.now() - timedelta(seconds=1))
    return Deadline.objects.get(stream_id=stream, kind="bell")


@pytest.mark.django_db
def test_what_is_due_is_done_once_and_gone(calls: list[int]) -> None:
    row = ring()
    assert deadlines.due(timezone.now()) == [row.pk]
    assert [deadlines.run(row.pk), deadlines.run(row.pk)] == [True, False]
    assert calls == [row.pk]
    assert not Deadline.objects.exists()


@pytest.mark.django_db
def test_what_is_not_due_is_left(calls: list[int]) -> None:
    row = ring()
    assert not deadlines.run(row.pk, now=row.due_at - timedelta(seconds=1))
    assert deadlines.due(row.due_at - timedelta(seconds=1)) == []
    assert calls == []


@pytest.mark.django_db
def test_a_stream_has_one_deadline_of_a_kind_which_moves(calls: list[int]) -> None:
    row = ring()
    deadlines.arm("bell", row.stream_id, row.due_at + LATER)
    [moved] = Deadline.objects.all()
    assert (moved.pk, moved.due_at) == (row.pk, row.due_at + LATER)
    deadlines.disarm("bell", row.stream_id)
    assert not Deadline.objects.exists()


@pytest.mark.django_db
def test_a_handler_may_arm_its_own_row_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def again(row: Deadline) -> None:
        deadlines.arm("bell", row.stream_id, row.due_at + LATER)

    monkeypatch.setattr(deadlines, "_handlers", {"bell": again})
    row = ring()
    assert deadlines.run(row.pk)
    assert Deadline.objects.get().due_at == row.due_at + LATER


@pytest.mark.django_db
def test_a_refusal_undoes_the_work_and_ends_the_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(row: Deadline) -> None:
        store.create_stream("championship")
        raise IllegalCommand("play/not_now", "too late")

    monkeypatch.setattr(deadlines, "_handlers", {"bell": refuses})
    row = ring()
    assert deadlines.run(row.pk)
    assert not Deadline.objects.exists()
    assert not Stream.objects.filter(kind="championship").exists()


@pytest.mark.django_db
def test_a_failure_undoes_the_work_and_keeps_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(row: Deadline) -> None:
        store.create_stream("championship")
        raise RuntimeError("power cut")

    monkeypatch.setattr(deadlines, "_handlers", {"bell": fails})
    row = ring()
    with pytest.raises(RuntimeError, match="power cut"):
        deadlines.run(row.pk)
    assert Deadline.objects.get().pk == row.pk


@pytest.mark.django_db
def test_a_kind_nobody_handles_is_left_for_a_process_that_does() -> None:
    deadlines.arm("of a later version", store.create_stream("round").id, timezone.now() - LATER)
    assert not deadlines.run(Deadline.objects.get().pk)
    assert Deadline.objects.count() == 1


def test_a_kind_has_one_handler(calls: list[int]) -> None:
    with pytest.raises(ValueError, match="bell"):
        deadlines.register("bell", lambda row: None)


@pytest.mark.django_db
def test_the_sweep_runs_what_is_overdue_and_survives_doubling(calls: list[int]) -> None:
    rows = [ring().pk for _ in range(3)]
    assert tasks.sweep() == 3
    assert tasks.sweep() == 0
    assert calls == rows


@pytest.mark.django_db
def test_one_that_fails_does_not_stop_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    bad, good = ring(), ring()

    def handler(row: Deadline) -> None:
        if row.pk == bad.pk:
            raise RuntimeError("broken table")
        done.append(row.pk)

    monkeypatch.setattr(deadlines, "_handlers", {"bell": handler})
    assert tasks.sweep() == 1
    assert done == [good.pk]
    assert Deadline.objects.count() == 1


@pytest.mark.django_db
def test_a_message_that_comes_twice_or_for_nothing_is_harmless(calls: list[int]) -> None:
    row = ring()
    assert tasks.wake(row.stream_id, "bell")
    assert not tasks.wake(row.stream_id, "bell")
    assert not tasks.wake("f" * 32, "bell")


def test_many_workers_run_a_deadline_once(real_database: str, calls: list[int]) -> None:
    row = ring()
    results = in_threads([lambda: deadlines.run(row.pk)] * 8)
    assert sorted(results) == [False] * 7 + [True]
    assert calls == [row.pk]


def test_workers_and_players_at_one_table_do_not_wait_in_a_circle(
    real_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deadline and a submit take stream and row in the same order: no deadlock, and the game goes on."""
    game = table(turn_seconds=1)

    def player() -> None:
        for _ in range(40):
            command = next_command(game)
            if command is None:
                return
            seq = game_state.load_snapshot(game.id).head.seq
            try:
                submit.submit(game.id, command, actor=ANNA, command_id=f"p{seq}", expected_seq=seq)
            except (IllegalCommand, store.ConcurrencyError):
                continue

    def worker() -> None:
        for _ in range(40):
            row = Deadline.objects.first()
            if row is not None:
                deadlines.run(row.pk, now=row.due_at)

    assert in_threads([player, player, worker, worker]) == [None] * 4
    store.verify(game.id)
    assert store.read_head(game.id).seq > 20


# --- what a turn calls for


@pytest.mark.django_db
def test_a_clock_that_ran_out_does_the_first_legal_thing() -> None:
    game = table(turn_seconds=30)
    row = Deadline.objects.get(stream_id=game.id)
    assert (row.kind, row.guard_seq) == ("clock", game.turn_seq)
    assert timedelta(seconds=29) < row.due_at - timezone.now() <= timedelta(seconds=30)
    seat, seq = game.turn_seat, game.head_seq
    assert not tasks.wake(game.id, "clock")
    assert deadlines.run(row.pk, now=row.due_at)
    game.refresh_from_db()
    done = store.read(game.id, since=seq)
    assert {event.actor for event in done} == {"clock"}
    assert done[0].body["seat"] == seat
    again = Deadline.objects.get(stream_id=game.id)
    assert (again.pk, again.guard_seq) == (row.pk, game.turn_seq)
    assert again.due_at > row.due_at


@pytest.mark.django_db
def test_a_clock_of_an_earlier_turn_moves_nobody() -> None:
    game = table(turn_seconds=30)
    row = Deadline.objects.get(stream_id=game.id)
    Deadline.objects.filter(pk=row.pk).update(guard_seq=game.turn_seq - 1)
    assert deadlines.run(row.pk, now=row.due_at)
    assert store.read_head(game.id).seq == game.head_seq
    assert not Deadline.objects.exists()


@pytest.mark.django_db
def test_a_ruling_beside_the_turn_does_not_move_the_clock() -> None:
    game = play(table(turn_seconds=30), 2)
    row = Deadline.objects.get(stream_id=game.id)
    ruling = {"cmd": "rule", "kind": "warning", "against": 1, "reason": "talked"}
    submit.submit(game.id, ruling, actor="gabi", command_id="r1")
    same = Deadline.objects.get(stream_id=game.id)
    assert (same.due_at, same.guard_seq) == (row.due_at, row.guard_seq)
    assert deadlines.run(row.pk, now=row.due_at)
    assert store.read(game.id)[-1].actor == "clock"


@pytest.mark.django_db
def test_the_server_pauses_between_deals_where_it_is_asked_to() -> None:
    game = play(table(deals=2, deal_pause=4))
    assert (game.deal, game.phase, game.turn_seat) == (1, "dealing", None)
    row = Deadline.objects.get(stream_id=game.id)
    assert row.kind == "deal"
    assert deadlines.run(row.pk, now=row.due_at)
    game.refresh_from_db()
    assert (game.deal, game.phase) == (2, "contract_choice")
    play(game)
    assert game.status == "ended"


@pytest.mark.django_db
def test_bots_play_a_whole_game_by_deadlines_alone() -> None:
    game = table(deals=2, bots=dict.fromkeys(range(4), strategies.FIRST_LEGAL), bot_pace=0.5)
    for _ in range(200):
        row = Deadline.objects.filter(stream_id=game.id).first()
        if row is None:
            break
        assert row.kind == "bot"
        assert deadlines.run(row.pk, now=row.due_at)
    game.refresh_from_db()
    assert game.status == "ended"
    actors = {event.actor for event in store.read(game.id)}
    assert actors == {"server", *(seat.player_ref for seat in game.seats.all())}
    store.verify(game.id)


@pytest.mark.django_db
def test_a_bot_without_a_legal_idea_plays_the_first_legal_card(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def cheat(view: Any, seat: int, chance: bytes) -> Any:
        return decode_command({"cmd": "claim_out", "seat": seat})

    monkeypatch.setitem(strategies._known, "cheat", cheat)
    game = table(bots=dict.fromkeys(range(4), "cheat"))
    row = Deadline.objects.get(stream_id=game.id)
    assert deadlines.run(row.pk, now=row.due_at)
    assert store.read_head(game.id).seq > game.head_seq
    assert "illegal move" in caplog.text


@pytest.mark.django_db
def test_a_strategy_has_one_name_and_an_unknown_one_plays_legally() -> None:
    with pytest.raises(ValueError, match="first_legal"):
        strategies.register("first_legal", lambda view, seat, chance: next_command(Game()))
    assert strategies.named("nobody wrote it") is strategies.first_legal
    game = table()
    events = game_state.load_snapshot(game.id).events
    with pytest.raises(IllegalCommand) as refused:
        strategies.first_legal(events, (turn_of(game) + 1) % 4, b"")
    assert refused.value.code == "games/nothing_to_do"


@pytest.mark.django_db
def test_a_deadline_whose_turn_is_over_does_nothing() -> None:
    game = play(table(turn_seconds=30))
    for kind in (turn_deadlines.DEAL, turn_deadlines.BOT, turn_deadlines.CLOCK):
        store.execute(deadlines.arm_statement(kind, game.id, timezone.now(), game.turn_seq))
        deadlines.arm(kind, store.create_stream("round").id, timezone.now())
    head = store.read_head(game.id)
    tasks.sweep()
    assert store.read_head(game.id) == head
    assert not Deadline.objects.exists()


def test_a_wake_up_is_sent_after_the_commit_with_ids_only(
    real_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[Any, dict[str, Any]]] = []
    due = timezone.now() + timedelta(seconds=20)
    monkeypatch.setattr(task_queue, "send", lambda task, *args, **more: sent.append((args, more)))
    stream = store.create_stream("round").id
    with transaction.atomic():
        deadlines.arm("bell", stream, due)
        deadlines.arm("late", stream, timezone.now() + LATER)
        assert sent == []
    assert sent == [((stream, "bell"), {"at": due})]


def test_a_clock_that_a_move_stops_in_time_costs_no_message(
    real_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[Any, dict[str, Any]]] = []
    monkeypatch.setattr(task_queue, "send", lambda task, *args, **more: sent.append((args, more)))
    game = play(table(turn_seconds=30), 5)
    row = Deadline.objects.get(stream_id=game.id)
    tasks.sweep()
    assert sent == []
    Deadline.objects.filter(pk=row.pk).update(due_at=timezone.now() + timedelta(seconds=0.9))
    row.refresh_from_db()
    tasks.sweep()
    assert sent == [((game.id, "clock"), {"at": row.due_at})]
    assert store.read_head(game.id).seq == game.head_seq


def test_no_broker_no_harm(real_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Redis is gone: the play is stored, and the sweep will find the row."""
    tried = threading.Event()

    def gone(*_: Any, **__: Any) -> None:
        tried.set()
        raise ConnectionError("no Redis")

    monkeypatch.setattr(task_queue, "_outgoing", Outgoing("errands", task_queue._send_all))
    monkeypatch.setattr(tasks.wake, "apply_async", gone)
    game = table(turn_seconds=1)
    assert Deadline.objects.filter(stream_id=game.id).exists()
    assert connection.vendor == real_database
    assert tried.wait(10)
