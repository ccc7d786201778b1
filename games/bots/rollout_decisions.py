"""A bot's decisions on cards, contracts and predictions. Rollouts guess the hidden cards and play the deal to
its end (`games.bots.playouts`). `early_ends` may end a game first; `choose` decides the rest.
"""

from collections.abc import Callable
from typing import Final

from engine import Command, IllegalCommand, State, legal_cards, list_offers, to_act
from engine.commands import Choose, Predict, Push
from engine.registry import get_rules
from games.bots import card_choice, early_ends, meld_declarations, target_play
from games.bots.playouts import card_rollouts, contract_rollouts
from games.bots.playouts.effort import EFFORT
from games.bots.playouts.end_values import BESIDE
from games.bots.quick_decisions import choose
from games.bots.reckoning import chance, knowledge

Thinker = Callable[[State, int, bytes, int], Command]
EQUAL: Final = 0.25
"""Difference in card points up to which two results count as equal."""


def think(state: State, seat: int, seed: bytes, effort: int = EFFORT) -> Command:
    """Return the bot's command: after rollouts for cards, contracts and predictions, else by `choose`. The
    same state, seat, seed and effort give the same command. `state` is folded from the seat's view. Raises
    IllegalCommand if it is not this seat's turn.
    """
    turn = to_act(state)
    if turn is None or turn.seat != seat:
        raise IllegalCommand("games/nothing_to_do", f"there is nothing seat {seat} can do", seat=seat)
    thinker = _THINKERS.get(turn.phase)
    if thinker is None:
        return choose(state, seat, seed)
    return early_ends.find_ending_command(state, seat) or thinker(state, seat, seed, effort)


def _play(state: State, seat: int, seed: bytes, effort: int) -> Command:
    legal = legal_cards(state, seat)
    look = knowledge.build_knowledge(state, seat)
    only_one = legal & (legal - 1) == 0
    card = legal.bit_length() - 1 if only_one else _card(state, look, legal, seed, effort)
    wanted = target_play.find_wanted_points(state, look)
    lacking = 0.0 if wanted is None else target_play.estimate_lacking_points(state, look, wanted)
    return meld_declarations.build_play(state, seat, card, lacking)


def _card(state: State, look: knowledge.Sight, legal: int, seed: bytes, effort: int) -> int:
    """Return the card with the best average in the rollouts; among equal cards the best by
    `card_choice.rate_cards`, if most points win.
    """
    aim = get_rules(state).variant.aim
    rated = card_rollouts.search_ending(state, look, legal, seed)
    if rated is None:
        by_chance = aim.points in ("either_end", "predicted")
        tried = (
            card_rollouts.rate_cards_by_random_rollouts if by_chance else card_rollouts.rate_cards_by_rollouts
        )
        rated = tried(state, look, legal, seed, effort)
    best = max(rated.values())
    if aim.points != "most":
        equals = [card for card, value in rated.items() if best - value < 1e-9]
        return chance.pick(seed, equals, "card", state.seq)
    near = EQUAL * (get_rules(state).play.multiplier(state.contract, state.slot) if aim.by_margin else BESIDE)
    equals = [card for card, value in rated.items() if best - value <= near]
    first_sight = card_choice.rate_cards(look, legal)
    likeliest = max(first_sight[card] for card in equals)
    return chance.pick(seed, [c for c in equals if first_sight[c] == likeliest], "card", state.seq)


def _name(state: State, seat: int, seed: bytes, effort: int) -> Command:
    offered = list_offers(state)
    chosen = [command for command in offered if isinstance(command, Choose)]
    push = next((command for command in offered if isinstance(command, Push)), None)
    if any(command.slot for command in chosen):
        return choose(state, seat, seed)
    return contract_rollouts.choose_contract_or_push(state, seat, chosen, push, seed, effort)


def _predict(state: State, seat: int, seed: bytes, effort: int) -> Command:
    """Return a prediction: the mean of the static estimate of `choose` and of random rollouts, because the
    errors of the two differ.
    """
    weighed = choose(state, seat, seed)
    if not isinstance(weighed, Predict) or weighed.points is None:
        return weighed
    look = knowledge.build_knowledge(state, seat)
    by_chance = card_rollouts.average_random_points(state, look, seed, effort)
    highest = max(offer.points or 0 for offer in list_offers(state) if isinstance(offer, Predict))
    return Predict(seat=seat, points=min(highest, round((weighed.points + by_chance) / 2)))


_THINKERS: Final[dict[str, Thinker]] = {
    "contract_choice": _name,
    "predictions": _predict,
    "trick_play": _play,
}
