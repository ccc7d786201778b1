"""What the scripts of a table need to know of its game beyond the options: what its rules and phases state,
and where things lie in the deck, found by dealing it. So pages know phases and commands, no game.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from engine import Event, IllegalCommand, State, cards, decide, decode_command, evolve
from engine.commands import Command, Deal
from engine.contracts import CONTRACTS
from engine.events import ContractSet, ExtraDealt, HandDealt, TableDealt, TalonDealt, TrumpTurned
from engine.registry import compile_rules
from engine.rules import Bids, Rules, TrickRules
from games.models import Game


def rules_of(game: Game) -> dict[str, Any]:
    """The facts of a game as `_facts` lists them. Empty where this engine does not know the game any more."""
    try:
        return _facts(game.variant, game.seat_count, json.dumps(game.options, sort_keys=True))
    except IllegalCommand:
        return {}


def card_names_contract(variant: str, seats: int, options: dict[str, Any]) -> bool:
    """Whether a card names the contract in a game, and nobody does."""
    try:
        return bool(_facts(variant, seats, json.dumps(options, sort_keys=True))["by_card"])
    except IllegalCommand:
        return False


@lru_cache(maxsize=256)
def _facts(variant: str, seats: int, options: str) -> dict[str, Any]:
    """{slate, deals, targets, points, melds, stoeck, stoeck_signed, contracts, by_card, slots, bids,
    predictions, cuts, marked, places}.

    `slate`: how the score is written (engine.rules.SlateKind); `deals`: of a game, null where something else
    ends it; `targets`: points to win per side, null where
    a bid decides them; `points` in the cards of a deal; `contracts`: [{contract, factor}]; `by_card`: the
    contracts that a card names where nobody does; `slots`: [{slot, factor, contracts}]; `bids`: {least, step,
    raise}; `predictions`: the highest; these null where not played. `cuts`: a card is cut before a deal;
    `marked`: a card makes its holder forehand, so that the first deal begins with seat 0. `places`, of a deal
    `first` and `later`, when a declarer is found: [{kind, turn, at}], where in the deck lies what is dealt;
    `turn` 0 is forehand.
    """
    rules = compile_rules(variant, seats, "dealt", json.loads(options))
    play = rules.play
    known = json.loads(options)
    contracts = [name for phase in rules.phases for name in phase.contracts]
    return {
        "slate": rules.variant.slate,
        "deals": rules.deals,
        "targets": _targets(play),
        "points": play.deal_points,
        "melds": play.melds,
        "stoeck": play.stoeck,
        "stoeck_signed": play.stoeck_signed,
        "contracts": [{"contract": name, "factor": play.multiplier(name, None)} for name in contracts],
        "by_card": [] if contracts else _named_by_card(variant, seats, known, rules),
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
            when: _places(variant, seats, known, rules.cuts, declarer)
            for when, declarer in (("first", None), ("later", 0))
        },
    }


def _named_by_card(variant: str, seats: int, options: dict[str, Any], rules: Rules) -> list[str]:
    """What a card makes trumps: each in turn lies where the one is that is turned, or is cut."""
    if rules.play.names_trumps:
        return list(cards.SUIT_NAMES)
    named = []
    for at in range(len(cards.DECK)):
        deck: list[cards.Card | None] = [*cards.DECK[at:], *cards.DECK[:at]]
        cut = cards.DECK[at] if rules.cuts else None
        told = decide(_started(variant, seats, options), Deal(deck=deck, cut=cut))
        named += [event.contract for event in told if isinstance(event, ContractSet) and event.contract]
    return [name for name in CONTRACTS if name in named]


def _targets(play: TrickRules) -> list[int | None] | None:
    """What wins the game, per side, by trying two bids on."""
    if play.targets is None:
        return None
    low, high = State(), State()
    low.bid, high.bid = 1, 2
    pairs = zip(play.targets(low), play.targets(high), strict=True)
    return [one if one == other else None for one, other in pairs]


def _bids(bounds: Bids) -> dict[str, int]:
    least = bounds.after(None)
    return {"least": least, "step": bounds.step, "raise": bounds.after(least) - least}


def _places(
    variant: str, seats: int, options: dict[str, Any], cuts: bool, declarer: int | None
) -> list[dict[str, Any]]:
    """Where in the deck everything lies that a deal gives out, found by dealing the deck in its order."""
    state = _started(variant, seats, options)
    state.declarer = declarer
    found = []
    for event in decide(state, _whole_deck(cuts)):
        for kind, codes, seat in _laid(event, cuts):
            at = [cards.INDEX[code] for code in codes]
            found.append({"kind": kind, "turn": None if seat is None else seat % seats, "at": at})
    return found


def _laid(event: Event, cuts: bool) -> list[tuple[str, Sequence[cards.Card | None], int | None]]:
    if isinstance(event, HandDealt):
        return [("hand", event.cards or [], event.seat)]
    if isinstance(event, ExtraDealt):
        return [("extra", event.cards or [], event.seat)]
    if isinstance(event, TableDealt):
        return [("table", event.open, event.seat), ("closed", event.closed or [], event.seat)]
    if isinstance(event, TalonDealt):
        return [("talon", event.open, None)]
    return [("turned", [event.card], None)] if isinstance(event, TrumpTurned) and not cuts else []


def _started(variant: str, seats: int, options: dict[str, Any]) -> State:
    state = State()
    _do(state, decode_command({"cmd": "start", "variant": variant, "seats": seats, "options": options}))
    return state


def _whole_deck(cuts: bool) -> Deal:
    """Dealt by the last seat, so that seat 0 gets the first packet."""
    return Deal(deck=[*cards.DECK], cut=cards.DECK[0] if cuts else None)


def _do(state: State, command: Command) -> None:
    for event in decide(state, command):
        evolve(state, event)
