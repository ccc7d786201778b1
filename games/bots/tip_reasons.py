"""Reasons for a bot's card, for tips: a code with a figure. They follow from the seat's view alone."""

from typing import Final, NamedTuple

from engine import State
from engine.cards import INDEX, SUIT_MASK, SUIT_OF
from engine.commands import Command, Play
from engine.contracts import STRENGTH
from engine.decider import legal_cards
from games.bots import card_choice, target_play
from games.bots.reckoning import knowledge
from games.bots.reckoning.knowledge import STRONGER, Sight

CODES: Final = (
    "only_card",
    "draws_trumps",
    "cashes_winner",
    "leads_safely",
    "takes_as_last",
    "takes_for_sure",
    "ruffs",
    "adds_to_partner",
    "loses_little",
    "avoids_points",
)


class Reason(NamedTuple):
    """A reason for a move. `code`: one of CODES. `figure`: by code, the number of trumps still out, the
    points of the trick or of the card, or 0.
    """

    code: str
    figure: int = 0


def find_reason(state: State, seat: int, command: Command) -> Reason | None:
    """Return the reason for the card of a command. `state`: as the seat sees it. None if the command plays no
    card, there is no contract yet or no clear reason.
    """
    if not isinstance(command, Play) or command.card is None or state.contract is None:
        return None
    legal = legal_cards(state, seat)
    if legal & (legal - 1) == 0:
        return Reason("only_card")
    sight, card = knowledge.build_knowledge(state, seat), INDEX[command.card]
    wanted = target_play.find_wanted_points(state, sight)
    wants = wanted is None or wanted > target_play.count_taken_points(state, sight)[seat]
    if not sight.lying:
        return _of_a_lead(sight, card, wants)
    return _of_a_follow(sight, card, wants)


def _of_a_lead(sight: Sight, card: int, wants: bool) -> Reason | None:
    suit = SUIT_OF[card]
    above = STRONGER[sight.mode][suit][card] & sight.unseen
    if not wants:
        return Reason("avoids_points") if above else None
    if suit == sight.trump:
        out = _trumps_out(sight)
        return Reason("draws_trumps", out) if out else None
    if not above:
        return Reason("cashes_winner")
    return Reason("leads_safely") if not sight.values[card] else None


def _trumps_out(sight: Sight) -> int:
    """Return the number of unseen trumps; 0 if no opponent may hold one."""
    if sight.trump is None:
        return 0
    out = SUIT_MASK[sight.trump] & sight.unseen
    foes = [seat for seat in range(sight.seats) if not sight.friends[seat]]
    return out.bit_count() if any(sight.chance(seat, out) for seat in foes) else 0


def _of_a_follow(sight: Sight, card: int, wants: bool) -> Reason | None:
    led = SUIT_OF[sight.lying[0]]
    strength = STRENGTH[sight.mode][led]
    best = max(sight.lying, key=strength.__getitem__)
    takes = strength[card] > strength[best]
    points = sum(sight.values[each] for each in (*sight.lying, card))
    if takes and wants:
        if not sight.later:
            return Reason("takes_as_last", points)
        if not STRONGER[sight.mode][led][card] & sight.unseen:
            return Reason("takes_for_sure", points)
        return Reason("ruffs", points) if SUIT_OF[card] == sight.trump != led else None
    if takes:
        return None
    if not wants:
        return Reason("avoids_points")
    first = (sight.seat - len(sight.lying)) % sight.seats
    holder = (first + sight.lying.index(best)) % sight.seats
    chance = card_choice.chance_to_take(sight, best, led, sight.friends[holder], points, card_choice.TASTE)
    if sight.friends[holder] and chance > 0.5 and sight.values[card]:
        return Reason("adds_to_partner", sight.values[card])
    return Reason("loses_little", sight.values[card]) if sight.values[card] <= 4 else None
