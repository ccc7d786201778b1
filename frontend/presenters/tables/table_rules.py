"""The facts of a game's rules that table scripts need. With these facts, a script contains no code for any
single game.
"""

import json
from functools import lru_cache
from typing import Any

from engine import IllegalCommand, cards
from engine.registry import compile_rules
from engine.rules import Bids, Rules
from games.models import Game


def load_table_rules(game: Game) -> dict[str, Any]:
    """Return the rules of a game as `build_rules` does; empty if the engine no longer supports it."""
    try:
        return build_rules(game.variant, game.seat_count, game.options)
    except IllegalCommand:
        return {}


def card_names_contract(variant: str, seats: int, options: dict[str, Any]) -> bool:
    """Return whether a card and not a player sets the contract; false for an unknown game."""
    try:
        return bool(build_rules(variant, seats, options)["by_card"])
    except IllegalCommand:
        return False


def build_rules(variant: str, seats: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return the rules of a game for scripts, see `_rules_as_json`. Raises IllegalCommand if the engine does
    not support the game, the number of seats or an option.
    """
    return _rules_as_json(variant, seats, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=256)
def _rules_as_json(variant: str, seats: int, options: str) -> dict[str, Any]:
    """Return {slate, deals, targets, points, chooser_only, names_trumps, sweep, melds, stoeck, stoeck_signed,
    contracts, by_card, slots, bids, predictions, cuts, marked, places}.

    `slate`: notation of the score (engine.rules.SlateKind). `deals`: number of deals, null if another
    condition ends the game. `targets`: points that each side needs to win, null if there is no target or a
    bid sets it. `points`: points of the cards in a deal. `chooser_only`: only the declarer scores.
    `names_trumps`: the first card that does not follow suit sets trumps. `sweep`: bonus for winning all
    tricks. `contracts`: [{contract, factor}]. `by_card`: contracts that a card sets instead of a player.
    `slots`: [{slot, factor, contracts}], `bids`: {least, step, raise}, and `predictions`: the highest
    prediction, are null in a game without them. `cuts`: a card is cut before each deal. `marked`: a certain
    card makes its holder forehand, so that the first deal begins with seat 0. `places`: for the `first` deal
    and `later` ones, [{kind, turn, at}], the positions in the deck of the cards dealt to each seat; `turn`
    counts from forehand, which is 0.
    """
    rules = compile_rules(variant, seats, "dealt", json.loads(options))
    play = rules.play
    contracts = [name for phase in rules.phases for name in phase.contracts]
    return {
        "slate": rules.variant.slate,
        "deals": rules.deals,
        "targets": None if play.targets is None else list(play.targets),
        "points": play.deal_points,
        "chooser_only": rules.variant.aim.chooser_only,
        "names_trumps": play.names_trumps,
        "sweep": play.sweep_bonus,
        "melds": play.melds,
        "stoeck": play.stoeck,
        "stoeck_signed": play.stoeck_signed,
        "contracts": [{"contract": name, "factor": play.multiplier(name, None)} for name in contracts],
        "by_card": [] if contracts else _named_by_card(rules),
        "slots": [
            {"slot": slot, "factor": play.multiplier(names[0], slot), "contracts": list(names)}
            for slot, names in play.slots.items()
        ]
        or None,
        "bids": next((_bids(phase.bids) for phase in rules.phases if phase.bids), None),
        "predictions": next((p.highest_prediction for p in rules.phases if p.highest_prediction), None),
        "cuts": rules.cuts,
        "marked": rules.marker is not None,
        "places": {
            when: _places(rules, seats, declared) for when, declared in (("first", False), ("later", True))
        },
    }


def _named_by_card(rules: Rules) -> list[str]:
    """Return the trumps that a card can set: the first card that does not follow suit, or a card that is
    turned or cut.
    """
    if rules.play.names_trumps:
        return list(cards.SUIT_NAMES)
    return [name for phase in rules.phases for name in phase.card_contracts]


def _bids(bounds: Bids) -> dict[str, int]:
    least = bounds.after(None)
    return {"least": least, "step": bounds.step, "raise": bounds.after(least) - least}


def _places(rules: Rules, seats: int, declared: bool) -> list[dict[str, Any]]:
    found = [place for phase in rules.phases for place in phase.places(seats, declared)]
    return [{"kind": place.kind, "turn": place.turn, "at": list(place.at)} for place in found]
