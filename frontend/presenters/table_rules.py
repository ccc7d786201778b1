"""What the scripts of a table need to know of its game beyond the options: learnt from the engine by dealing
a trial deal and listening to what is offered in each phase. So pages know phases and commands, no game.
"""

import json
from functools import lru_cache
from typing import Any, Final

from engine import IllegalCommand, State, cards, decide, decode_command, evolve, offers, to_act
from engine.commands import NAMES, Bid, Choose, Command, Deal, Pass, Predict
from engine.registry import compile_rules
from games.models import Game

LONGEST: Final = 40
BIDS_OF_THE_TRIAL: Final = 2


def rules_of(game: Game) -> dict[str, Any]:
    """The facts of a game as `_facts` lists them. Empty where this engine does not know the game any more."""
    try:
        return _facts(game.variant, game.seat_count, json.dumps(game.options, sort_keys=True))
    except IllegalCommand:
        return {}


@lru_cache(maxsize=256)
def _facts(variant: str, seats: int, options: str) -> dict[str, Any]:
    """{points, all_counted, melds, stoeck, stoeck_signed, sweep, claims, beside, derived, contracts, slots,
    bids, predictions, turned, talon}.

    `points` in the cards of a deal; `claims`: the end must be claimed; `beside`: commands bound to no turn;
    `derived`: scores follow from a sheet; `contracts`: [{contract, factor}]; `slots`: [{slot, factor,
    contracts}]; `bids`: {least, step, raise}; `predictions`: the highest; `turned`: where in
    the deck the turned card lies, `talon`: where its open cards do. These null where not played.
    """
    rules = compile_rules(variant, seats, "dealt", json.loads(options))
    play = rules.play
    turns, turned, talon = _trial(variant, seats, json.loads(options), rules.cuts)
    heard = [command for offered in turns for command in offered]
    chosen = [c for c in heard if isinstance(c, Choose)]
    slots: dict[str, list[str]] = {}
    for choice in chosen:
        if choice.slot is not None:
            slots.setdefault(choice.slot, []).append(choice.contract)
    predicted = [c.points for c in heard if isinstance(c, Predict)]
    return {
        "points": play.deal_points,
        "all_counted": play.all_counted,
        "melds": play.melds,
        "stoeck": play.stoeck,
        "stoeck_signed": play.stoeck_signed,
        "sweep": play.sweep_bonus > 0,
        "claims": play.targets is not None and not play.automatic,
        "beside": [NAMES[command] for command in rules.variant.anytime],
        "derived": rules.variant.sheet is not None,
        "contracts": [
            {"contract": name, "factor": play.multiplier(name, None)}
            for name in dict.fromkeys(c.contract for c in chosen)
        ],
        "slots": [
            {"slot": slot, "factor": play.multiplier(names[0], slot), "contracts": names}
            for slot, names in slots.items()
        ]
        or None,
        "bids": _bids(turns),
        "predictions": max(predicted) if predicted else None,
        "turned": turned,
        "talon": talon,
    }


def _bids(turns: list[list[Command]]) -> dict[str, int] | None:
    offered = [bids for turn in turns if (bids := [c.points for c in turn if isinstance(c, Bid)])]
    if len(offered) < BIDS_OF_THE_TRIAL:
        return None
    first, second = offered[:BIDS_OF_THE_TRIAL]
    return {"least": first[0], "step": first[1] - first[0], "raise": second[0] - first[0]}


def _trial(
    variant: str, seats: int, options: dict[str, Any], cuts: bool
) -> tuple[list[list[Command]], int | None, list[int]]:
    """What is offered turn by turn from the first deal to the first card, when the second bid wins; where in
    the deck the turned card lies, and where the open ones of a talon do."""
    state = State()
    _do(state, decode_command({"cmd": "start", "variant": variant, "seats": seats, "options": options}))
    _do(state, Deal(deck=[*cards.DECK], cut=cards.DECK[0] if cuts else None))
    talon = [cards.DECK.index(code) for code in cards.codes(state.extras.talon_open)]
    turns: list[list[Command]] = []
    for _ in range(LONGEST):
        turn = to_act(state)
        if turn is None or turn.seat is None or "play" in turn.commands:
            break
        offered = offers(state)
        turns.append(offered)
        bids = [c for c in offered if isinstance(c, Bid)]
        made = sum(any(isinstance(c, Bid) for c in before) for before in turns)
        passes = [c for c in offered if isinstance(c, Pass)]
        _do(state, bids[0] if bids and made <= BIDS_OF_THE_TRIAL else (passes or offered)[0])
    return turns, None if cuts else state.extras.turned, talon


def _do(state: State, command: Command) -> None:
    for event in decide(state, command):
        evolve(state, event)
