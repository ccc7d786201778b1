"""Claiming out: at any moment of a game to a target a player may say that his side has reached it.

Source: the club manual ("Estamos afuera"). Right wins, wrong loses; only what is scored so far counts. With
the option `automatic` the game ends by itself and nobody claims.
"""

from engine.commands import ClaimOut
from engine.errors import IllegalCommand
from engine.events import Event, OutClaimed
from engine.rules import Draft, Table
from engine.scoring.counting import finish_deal, game_ended, running


def claim_out(table: Table, command: ClaimOut) -> list[Event]:
    """Claim, in a game to a target whose end must be claimed."""
    state = table.state
    play, seat = table.rules.play, command.seat
    if state.over or state.closed or state.deal == 0 or state.mode == "sheet":
        raise IllegalCommand(
            "claim_out/not_now", "a claim is made from the first deal to the end of the game"
        )
    if play.targets is None:
        raise IllegalCommand("claim_out/no_target", "this game is not played to a target")
    if play.automatic:
        raise IllegalCommand("claim_out/automatic", "the game ends by itself when the target is reached")
    sides = table.rules.sides_of(state)
    side = sides[seat]
    now = running(table) if state.dealing else list(state.totals)
    right = now[side] >= play.goals(state)[side]
    winners = [side] if right else sorted({other for other in sides if other != side})
    draft = Draft(table)
    draft.take(OutClaimed(seq=draft.seq, seat=seat, right=right))
    if state.dealing:
        finish_deal(draft, winners)
    else:
        draft.take(game_ended(table, draft.seq, winners, state.totals))
    return draft.events
