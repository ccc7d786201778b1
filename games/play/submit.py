"""Submitting a command: decided on the state at the end of the stream, stored with all that follows from it
in one transaction, announced after the commit.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec
from django.db import transaction
from django.utils import timezone

from engine import Command, Event, decide, decode_command, to_act
from engine.commands import EnterResult
from engine.sheets.sheet_checks import refuse_impossible_melds
from games import game_state, store
from games.appending import SERVER, Asked, by_command, prepare
from games.errors import Malformed, UnknownGame
from games.game_state import GameSnapshot
from games.messaging import game_pubsub
from games.models import Game
from games.play.gathering import everybody_is_here
from games.projections import delayed_broadcast, projection
from games.randomness import next_deal, round_seed
from games.randomness.dealing import Source
from games.rights.claims import SessionClaim, authorised
from games.store import queries
from games.timers import turn_deadlines


class CommandResult(msgspec.Struct, frozen=True):
    """What a command caused. `events` are complete: show them through a view. `repeated`: it came before.
    `now`: the game as it stands after it, true once the transaction is over."""

    first_seq: int
    last_seq: int
    events: tuple[Event, ...]
    repeated: bool = False
    now: GameSnapshot | None = None


def submit(
    game_id: str,
    command: dict[str, Any] | bytes | Command,
    *,
    actor: str | SessionClaim,
    command_id: str,
    expected_seq: int | None = None,
    wait: bool = True,
) -> CommandResult:
    """Store a command and what follows from it. `actor`: the reference of whoever sends it, where that is
    known; or a person, whose session, code and roles are asked when nobody else can store anything, so that a
    right that was taken away counts for what was on its way.

    `expected_seq`: refuse with ConcurrencyError unless the game ends there. The same command_id with the
    same command and actor returns the first answer. Raises IllegalCommand, ConcurrencyError,
    CommandIdReused, UnknownGame; Forbidden and Outdated where a person sends it; StreamBusy where it is not
    to `wait`.
    """
    if not isinstance(command, Command):
        command = decode_command(command)
    with transaction.atomic():
        claim = () if isinstance(actor, str) else (queries.select_claim(actor.key(game_id)),)
        locked = store.lock_game(
            game_id,
            queries.select_bot_seats(game_id),
            queries.select_receipt(game_id, command_id),
            *claim,
            wait=wait,
        )
        if locked is None:
            raise UnknownGame(f"there is no game {game_id}", game=game_id)
        head, game, (bots, stored, *claimed) = locked
        if isinstance(actor, str):
            ref = actor
        else:
            roles = actor.roles([store.ClaimRow._make(row) for row in claimed[0]])
            ref = authorised(game.mode, roles, command)
        asked_for = by_command(command, ref, command_id)
        before = game_state.at(game_id, head)
        if stored:
            return _first_answer(before, asked_for, stored[0])
        if expected_seq is not None and expected_seq != head.seq:
            _refuse_stale(expected_seq, head)
        if isinstance(command, EnterResult):
            refuse_impossible_melds(before.table, command)
        events = decide(before.table, command)
        batches = [prepare(game_id, events, asked_for, head=head)]
        after = before.extended(events, batches[0].head)
        if game.clock_waits and not isinstance(actor, str):
            game.clock_waits = not everybody_is_here(game_id, ref)
        if turn_deadlines.server_deals(game, after.table) and not game.deal_pause:
            after, dealt = deal(game, after, round_seed.source_of(game.round_stream_id))
            batches.append(dealt)
        commit_outcome(game, before, after, batches, bots)
    return CommandResult(head.seq + 1, batches[0].head.seq, tuple(events), now=after)


def preview(game: Game, command: Command) -> tuple[Event, ...]:
    """What a result would count if it were written now; nothing is stored. Only sheets have this: there is
    nothing hidden in them. Raises IllegalCommand, Malformed `games/no_preview`.
    """
    if game.mode != Game.Mode.SHEET or not isinstance(command, EnterResult):
        raise Malformed("only results of a sheet can be tried", code="games/no_preview")
    table = delayed_broadcast.fold_of(game).table
    refuse_impossible_melds(table, command)
    return tuple(decide(table, command))


def deal(game: Game, before: GameSnapshot, source: Source) -> tuple[GameSnapshot, store.Batch]:
    """The server's deal, from the round's chance, and what stores it."""
    command = next_deal.next_deal(game, before.state, source)
    events = decide(before.table, command)
    asked_for = by_command(command, SERVER, f"server:deal:{before.state.deal + 1}")
    batch = prepare(game.id, events, asked_for, head=before.head)
    return before.extended(events, batch.head), batch


def commit_outcome(
    game: Game,
    before: GameSnapshot,
    after: GameSnapshot,
    batches: Sequence[store.Batch],
    bots: store.Rows | None = None,
) -> None:
    """Store what leads from `before` to `after`, bring the tables beside the log up to date, arm what the
    turn calls for, and announce it after the commit; inside the transaction that holds the game. `bots`: the
    answer to `queries.select_bot_seats`, where it has been asked.
    """
    now = timezone.now()
    events = list(after.events[len(before.events) :])
    questions = []
    if turn_deadlines.begins_turn(to_act(before.table), to_act(after.table), events):
        game.turn_seq = after.head.seq
        questions = turn_deadlines.arm(game, after.table, now, bots)
    if game.delay_minutes:
        held_back = {"ahead_seq": after.head.seq, "ahead": delayed_broadcast.ahead_of(after, now)}
        shown = delayed_broadcast.showing(game.id, now, game.delay_minutes)
        store.write(batches, _written(game, held_back), *questions, shown)
    else:
        row = projection.columns(projection.summarise(after.table))
        game.head_seq, game.last_event_at = after.head.seq, now
        for name, value in row.items():
            setattr(game, name, value)
        beside = {"head_seq": after.head.seq, "last_event_at": now}
        store.write(batches, _written(game, row | beside), *questions)
        if projection.changed(events):
            projection.write_results(game.id, after.table, before.table)
        if after.state.over and not before.state.over:
            round_seed.reveal_single_game(game.round_stream_id)
    transaction.on_commit(lambda: game_state.keep_fold(after))
    transaction.on_commit(lambda: game_pubsub.publish_hint(game.id, after.head.seq), robust=True)


def _written(game: Game, row: dict[str, Any]) -> store.Question:
    """The row beside the log, as it stands now."""
    return queries.update_game(game.id, row | {"turn_seq": game.turn_seq})


def _first_answer(now: GameSnapshot, asked: Asked, row: tuple[Any, ...]) -> CommandResult:
    """What the command caused when it came first, by the row of its receipt."""
    receipt = store.open_receipt(now.game_id, asked.command_id, store.ReceiptRow._make(row))
    appended = store.first_answer(now.game_id, asked.command_id, receipt, asked.hash)
    events = now.events[appended.first_seq : appended.last_seq + 1]
    return CommandResult(appended.first_seq, appended.last_seq, events, repeated=True)


def _refuse_stale(expected: int, head: store.Head) -> NoReturn:
    raise store.ConcurrencyError(
        f"expected the game to end at {expected}, it ends at {head.seq}", expected=expected, head=head.seq
    )
