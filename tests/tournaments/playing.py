"""Playing tables in tests, as the people at them would: sheets, cards, and games to their end."""

from typing import Any

from engine import State, to_act
from engine.commands import ConfirmResult, EnterResult
from games import game_state
from games.models import Game
from games.play.submit import Submitted, submit
from tests.games.cast import next_command
from tournaments import demo_record
from tournaments.models import Round, Table


def refs(table: Table) -> list[str]:
    """The players by seat."""
    return [s.entry.player_ref for s in table.seatings.select_related("entry").order_by("seat")]


def enter(
    table: Table, deal: int, points: int, *, sweep: int | None = None, other: int | None = None
) -> Submitted:
    """Seat 0 writes a deal down: points of side 0, of side 1 what is left unless told. A side without points
    has taken a trick that counts nothing, unless the other has swept."""
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


def confirm(table: Table, deal: int, *, seat: int = 1) -> Submitted:
    """The other side signs."""
    command = {"cmd": "confirm_result", "seat": seat, "deal": deal}
    return submit(str(table.game_id), command, actor=refs(table)[seat], command_id=f"confirm:{deal}:{seat}")


def write_sheet(table: Table, points: list[int], sweeps: dict[int, int] | None = None) -> None:
    """A whole sheet: points of side 0 deal by deal, every deal signed."""
    for deal, mine in enumerate(points, 1):
        enter(table, deal, mine, sweep=(sweeps or {}).get(deal))
        confirm(table, deal)


def write_strokes(table: Table, deals: int) -> None:
    """So many deals of Lake Constance, all won by side 0 and signed on paper."""
    for deal in range(1, deals + 1):
        won = EnterResult(deal=deal, chooser=0, bid=60, card_points=[100, 57])
        submit(str(table.game_id), won, actor="d" * 32, command_id=f"won:{deal}")
        signed = ConfirmResult(deal=deal, by="paper")
        submit(str(table.game_id), signed, actor="d" * 32, command_id=f"won:{deal}:paper")


def write_revoke(table: Table) -> demo_record.ScribedGame:
    """A transcribed table: two deals and a half, with a proven revoke in the second."""
    record = demo_record.with_revoke()
    players = refs(table)
    for number, command in enumerate(record.commands):
        submit(
            str(table.game_id), command, actor=players[command.get("seat", 0)], command_id=f"card:{number}"
        )
    return record


def award(record: demo_record.ScribedGame) -> dict[str, Any]:
    """The ruling that the regulations foresee for that revoke."""
    return {
        "kind": "award_from_trick",
        "deal": record.deal,
        "trick": record.trick,
        "against": record.seat,
        "article": "manual, notes on play",
    }


def play_deal(table: Table) -> None:
    """Play the deal that runs at a dealt table to its end; everybody does the first legal thing."""
    game, players = Game.objects.get(pk=table.game_id), refs(table)
    deal = game_state.at(game.pk).state.deal
    while (now := game_state.at(game.pk)).state.deal == deal and not _waits_for_the_server(now.state):
        command = next_command(game)
        submit(game.pk, command, actor=players[command.seat], command_id=f"m{now.head.seq}")


def _waits_for_the_server(state: State) -> bool:
    turn = to_act(state)
    return turn is None or turn.seat is None


def game_of(table: Table) -> Game:
    """Of a table whose round has been opened."""
    assert table.game is not None
    return table.game


def play_to_the_end(round_: Round) -> None:
    """Dealt tables by bots, sheets with 100 to 57 in every deal."""
    for table in Table.objects.filter(round=round_).select_related("game"):
        assert table.game is not None
        if table.mode == "dealt":
            demo_record.play_out_with_bots(table.game.pk)
        elif table.mode == "sheet":
            write_sheet(table, [100] * 8)
        assert to_act(game_state.at(table.game.pk).state) is None
