"""Submit a command: decide it on the game at the end of its stream, store its events and all consequences in
one transaction, and announce them after the commit.
"""

from typing import Any, NoReturn

import msgspec
from django.db import transaction

from engine import Command, Event, decide, decode_command
from engine.commands import EnterResult
from engine.sheets.sheet_checks import refuse_impossible_melds
from games import store
from games.appending import AppendRequest, by_command
from games.errors import Malformed
from games.game_state import GameSnapshot
from games.models import Game
from games.play import game_change
from games.play.waiting_for_players import everybody_is_here
from games.projections import delayed_broadcast
from games.rights.claims import SessionClaim, require_permission
from games.store import queries


class CommandResult(msgspec.Struct, frozen=True):
    """The result of a command. `events`: those of the command, without a deal by the server that follows.
    They contain secrets: show them through a view only. `repeated`: the command had been stored before.
    `now`: the snapshot of the game after the change; None for a repeated command.
    """

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
    """Store a command and its consequences.

    `actor`: the reference of the sender, or a claim. Session, code and roles of a claim are read after the
    game is locked, so that a revoked right counts for commands already sent. `expected_seq`: refuse with
    ConcurrencyError unless the game ends at this seq.

    Idempotent: the same command_id with the same command and actor returns the original result. Raises
    IllegalCommand, ConcurrencyError, CommandIdReused, UnknownGame; Forbidden and Outdated for a claim;
    StreamBusy for a locked game if `wait` is False.
    """
    if not isinstance(command, Command):
        command = decode_command(command)
    with transaction.atomic():
        claim = () if isinstance(actor, str) else (queries.select_claim(actor.key(game_id)),)
        receipt = queries.select_receipt(game_id, command_id)
        locked = game_change.lock(game_id, receipt, *claim, wait=wait)
        _, stored, *claimed = locked.answers
        if isinstance(actor, str):
            ref = actor
        else:
            roles = actor.roles([store.ClaimRow._make(row) for row in claimed[0]])
            ref = require_permission(locked.game.mode, roles, command)
        request = by_command(command, ref, command_id)
        change = game_change.begin(locked)
        game, before = change.game, change.before
        if stored:
            return _original_result(before, request, store.ReceiptRow._make(stored[0]))
        if expected_seq is not None and expected_seq != before.head.seq:
            _refuse_stale(expected_seq, before.head)
        if isinstance(command, EnterResult):
            refuse_impossible_melds(before.table, command)
        events = change.append(command, request)
        last = change.after.head.seq
        if game.clock_waits and not isinstance(actor, str):
            game.clock_waits = not everybody_is_here(game_id, ref)
        if change.server_deals() and not game.deal_pause:
            change.deal()
        change.commit()
    return CommandResult(before.head.seq + 1, last, tuple(events), now=change.after)


def preview(game: Game, command: Command) -> tuple[Event, ...]:
    """Return the events that the entry of a result would cause now; nothing is stored. Raises IllegalCommand;
    Malformed `games/no_preview` for other commands, and in games that are not sheets: those could reveal
    secrets.
    """
    if game.mode != Game.Mode.SHEET or not isinstance(command, EnterResult):
        raise Malformed("only results of a sheet can be tried", code="games/no_preview")
    table = delayed_broadcast.load_visible_snapshot(game).table
    refuse_impossible_melds(table, command)
    return tuple(decide(table, command))


def _original_result(snapshot: GameSnapshot, request: AppendRequest, row: store.ReceiptRow) -> CommandResult:
    """Return the original result of a repeated command, by its receipt."""
    receipt = store.decrypt_receipt(snapshot.game_id, request.command_id, row)
    appended = store.restore_original_result(snapshot.game_id, request.command_id, receipt, request.hash)
    events = snapshot.events[appended.first_seq : appended.last_seq + 1]
    return CommandResult(appended.first_seq, appended.last_seq, events, repeated=True)


def _refuse_stale(expected: int, head: store.Head) -> NoReturn:
    raise store.ConcurrencyError(
        f"expected the game to end at {expected}, it ends at {head.seq}", expected=expected, head=head.seq
    )
