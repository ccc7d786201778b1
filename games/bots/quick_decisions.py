"""The command of a bot on its turn, by the kind of phase. In an unknown phase it is the first command that
the rules accept.
"""

from collections.abc import Callable
from typing import Final

from engine import Command, IllegalCommand, State, decide, legal_cards, list_offers, to_act
from engine.commands import NAMES, Choose, Predict, Push
from engine.registry import get_rules
from games.bots import (
    bidding,
    card_choice,
    contract_choice,
    discard_choice,
    early_ends,
    meld_declarations,
    slots,
    target_play,
)
from games.bots.reckoning import chance, expected_points, knowledge, quick_rollouts

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
"""Order in which commands are tried in a phase without a strategy: the least binding first."""


def choose(state: State, seat: int, seed: bytes) -> Command:
    """Return the bot's command for a seat whose turn it is.

    `state` is folded from `redact_events(events, Observer.seat(seat))`. The function reads nothing else and
    does not change `state`. The same state, seat and seed give the same command. Raises IllegalCommand if it
    is not this seat's turn.
    """
    turn = to_act(state)
    if turn is None or turn.seat != seat:
        raise IllegalCommand("games/nothing_to_do", f"there is nothing seat {seat} can do", seat=seat)
    return early_ends.find_ending_command(state, seat) or _CHOOSERS.get(turn.phase, anything)(
        state, seat, seed
    )


def _name(state: State, seat: int, seed: bytes) -> Command:
    offered = list_offers(state)
    push = next((command for command in offered if isinstance(command, Push)), None)
    chosen = [command for command in offered if isinstance(command, Choose)]
    if any(command.slot for command in chosen):
        return slots.choose_or_push(state, seat, chosen, push)
    by_contract = {str(command.contract): command for command in chosen}
    hand, contracts = state.hands[seat], list(by_contract)
    worth, best = contract_choice.rank_contracts(state, hand, contracts, bool(state.pushed))[0]
    if push is not None and contract_choice.estimate_push(state, hand, contracts, seed) > worth:
        return push
    return by_contract[best]


def _predict(state: State, seat: int, seed: bytes) -> Command:
    highest = max(offer.points or 0 for offer in list_offers(state) if isinstance(offer, Predict))
    look = knowledge.build_knowledge(state, seat)
    points = expected_points.estimate_points(
        look, look.hand, get_rules(state).play.deal_points, state.sizes[0]
    )
    return Predict(seat=seat, points=min(highest, round(points)))


def _play(state: State, seat: int, seed: bytes) -> Command:
    legal = legal_cards(state, seat)
    look = knowledge.build_knowledge(state, seat)
    wanted = target_play.find_wanted_points(state, look)
    if legal & (legal - 1) == 0:
        rated = {legal.bit_length() - 1: 0.0}
    elif target_play.is_rolled_out(state):
        rated = quick_rollouts.rate_by_quick_rollouts(state, look, legal, seed)
    elif wanted is None:
        rated = card_choice.rate_cards(look, legal)
    else:
        rated = target_play.rate_by_distance(state, look, legal, wanted)
    best = max(rated.values())
    equals = [card for card, value in rated.items() if best - value < 1e-9]
    lacking = 0.0 if wanted is None else target_play.estimate_lacking_points(state, look, wanted)
    return meld_declarations.build_play(state, seat, chance.pick(seed, equals, "card", state.seq), lacking)


def anything(state: State, seat: int, seed: bytes) -> Command:
    """Return the first command in the order of QUIET that the rules accept. After several deals without a
    result a pass is tried last, because otherwise a table of bots would pass for ever.
    """
    ranks = {name: rank for rank, name in enumerate(QUIET)}
    last_counted = state.records[-1].deal if state.records else 0
    if state.deal - 1 - last_counted >= bidding.MAX_DEALS_WITHOUT_BID:
        ranks["pass"] = len(QUIET) + 1
    for command in sorted(list_offers(state), key=lambda c: ranks.get(NAMES[type(c)], len(QUIET))):
        try:
            decide(state, command)
        except IllegalCommand:
            continue
        return command
    raise IllegalCommand("games/nothing_to_do", f"seat {seat} finds nothing to do", seat=seat)


_CHOOSERS: Final[dict[str, Chooser]] = {
    "auction": bidding.choose_bid,
    "concession": bidding.concede_or_play,
    "contract_choice": _name,
    "discards": discard_choice.choose_discards,
    "exchange": discard_choice.choose_exchange,
    "predictions": _predict,
    "trick_play": _play,
}
