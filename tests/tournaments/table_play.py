"""Play tables in tests as people would: sheets, cards, and games to their end."""

from typing import Any

from engine import State, to_act
from engine.commands import ConfirmResult, EnterResult
from games import game_state
from games.models import Game
from games.play.submit import CommandResult, submit
from tests.games.cast import next_command
from tournaments import demo_record
from tournaments.models import Round, Table


def refs(table: Table) -> list[str]:
    """Return the players by seat."""
    return [s.entry.player_ref for s in table.seatings.select_related("entry").order_by("seat")]


def enter(
    table: Table, deal: int, points: int, *, sweep: int | None = None, other: int | None = None
) -> CommandResult:
    """Enter a deal by seat 0: points of side 0; side 1 gets the rest by default.

    A side without points has taken a worthless trick, unless the other has swept.
    """
    rest = 157 - points if other is None else other
    empty = [side for side, own in enumerate((points, rest)) if not own]
    command = {
        "cmd": "enter_result",
        "seat": 0,
        "deal": deal,
        "card_points": [points, rest],
        "sweep": sweep,
        "took_trick": empty if empty and sweep is None else None,
    }
    return submit(str(table.game_id), command, actor=refs(table)[0], command_id=f"enter:{deal}")


def confirm(table: Table, deal: int, *, seat: int = 1) -> CommandResult:
    """Sign for the other side."""
    command = {"cmd": "confirm_result", "seat": seat, "deal": deal}
    return submit(str(table.game_id), command, actor=refs(table)[seat], command_id=f"confirm:{deal}:{seat}")


def write_sheet(table: Table, points: list[int], sweeps: dict[int, int] | None = None) -> None:
    """Enter a whole sheet: points of side 0 deal by deal, every deal signed."""
    for deal, mine in enumerate(points, 1):
        enter(table, deal, mine, sweep=(sweeps or {}).get(deal))
        confirm(table, deal)


def write_strokes(table: Table, deals: int) -> None:
    """Enter this many deals of Lake Constance, all won by side 0 and signed on paper."""
    for deal in range(1, deals + 1):
        won = EnterResult(deal=deal, chooser=0, bid=60, card_points=[100, 57])
        submit(str(table.game_id), won, actor="d" * 32, command_id=f"won:{deal}")
        signed = ConfirmResult(deal=deal, by="paper")
        submit(str(table.game_id), signed, actor="d" * 32, command_id=f"won:{deal}:paper")


def write_revoke(table: Table) -> demo_record.ScribedGame:
    """Record a transcribed table: two deals and a half, with a proven revoke in the second."""
    record = demo_record.with_revoke()
    players = refs(table)
    for number, command in enumerate(record.commands):
        submit(
            str(table.game_id), command, actor=players[command.get("seat", 0)], command_id=f"card:{number}"
        )
    return record


def award(record: demo_record.ScribedGame) -> dict[str, Any]:
    """Return the regulations' ruling for that revoke."""
    return {
        "kind": "award_from_trick",
        "deal": record.deal,
        "trick": record.trick,
        "against": record.seat,
        "article": "manual, notes on play",
    }


def play_deal(table: Table) -> None:
    """Play the running deal at a dealt table to its end by first legal commands."""
    game, players = Game.objects.get(pk=table.game_id), refs(table)
    deal = game_state.load_snapshot(game.pk).state.deal
    while (now := game_state.load_snapshot(game.pk)).state.deal == deal and not _waits_for_the_server(
        now.state
    ):
        command = next_command(game)
        submit(game.pk, command, actor=players[command.seat], command_id=f"m{now.head.seq}")


def _waits_for_the_server(state: State) -> bool:
    turn = to_act(state)
    return turn is None or turn.seat is None


def game_of(table: Table) -> Game:
    """Return the game of a table whose round is open."""
    assert table.game is not None
    return table.game


def play_to_the_end(round_: Round) -> None:
    """Play dealt tables by bots, and enter sheets with 100 to 57 in every deal."""
    for table in Table.objects.filter(round=round_).select_related("game"):
        assert table.game is not None
        if table.mode == "dealt":
            demo_record.play_out_with_bots(table.game.pk)
        elif table.mode == "sheet":
            write_sheet(table, [100] * 8)
        assert to_act(game_state.load_snapshot(table.game.pk).state) is None
