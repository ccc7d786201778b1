"""What a bot does when it is its turn, by phase kind; in a phase it does not know, the first legal thing."""

from collections.abc import Callable
from typing import Final

from engine import Command, IllegalCommand, State, decide, legal_cards, offers, to_act
from engine.commands import NAMES, Choose, Push
from games.bots import chance, declaring, naming, playing, sight

Chooser = Callable[[State, int, bytes], Command]
QUIET: Final = (
    "pass",
    "accept",
    "keep",
    "push",
    "defer",
    "play",
    "choose",
    "predict",
    "discard",
    "exchange",
    "bid",
)
"""What is tried first in a phase that nobody taught: what binds least."""


def choose(state: State, seat: int, seed: bytes) -> Command:
    """The bot's command for a seat whose turn it is.

    `state` is folded from `view_for(events, Observer.seat(seat))`: nothing else is looked at, and it is not
    changed. The same state, seat and seed give the same command. Raises IllegalCommand where it is not this
    seat's turn.
    """
    turn = to_act(state)
    if turn is None or turn.seat != seat:
        raise IllegalCommand("games/nothing_to_do", f"there is nothing seat {seat} can do", seat=seat)
    return _CHOOSERS.get(turn.phase, anything)(state, seat, seed)


def _name(state: State, seat: int, seed: bytes) -> Command:
    offered = offers(state)
    by_contract = {str(c.contract): c for c in offered if isinstance(c, Choose) and c.slot is None}
    if not by_contract:
        return anything(state, seat, seed)
    hand, contracts = state.hands[seat], list(by_contract)
    worth, best = naming.ranking(state, hand, contracts, bool(state.pushed))[0]
    push = next((command for command in offered if isinstance(command, Push)), None)
    if push is not None and naming.after_push(state, hand, contracts, seed) > worth:
        return push
    return by_contract[best]


def _play(state: State, seat: int, seed: bytes) -> Command:
    legal = legal_cards(state, seat)
    if legal & (legal - 1) == 0:
        return declaring.play(state, seat, legal.bit_length() - 1)
    rated = playing.ratings(sight.look(state, seat), legal)
    best = max(rated.values())
    equals = [card for card, value in rated.items() if best - value < 1e-9]
    return declaring.play(state, seat, chance.pick(seed, equals, "card", state.seq))


def anything(state: State, seat: int, seed: bytes) -> Command:
    """The first command on offer that the rules accept, in the order of QUIET."""
    ranks = {name: rank for rank, name in enumerate(QUIET)}
    for command in sorted(offers(state), key=lambda c: ranks.get(NAMES[type(c)], len(QUIET))):
        try:
            decide(state, command)
        except IllegalCommand:
            continue
        return command
    raise IllegalCommand("games/nothing_to_do", f"seat {seat} finds nothing to do", seat=seat)


_CHOOSERS: Final[dict[str, Chooser]] = {"contract_choice": _name, "trick_play": _play}
