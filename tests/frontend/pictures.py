"""The engine's ledger of a table in the format of scripts/pictures.ts."""

import json
from collections.abc import Container, Iterable, Sequence
from typing import Any, Final

from engine import Event, Observer, State, evolve, snapshot
from engine.cards import DECK
from engine.events import EVENTS, DealStarted, HandDealt, HandTakenUp
from engine.ledger.state import DealRecord, Past
from engine.registry import build_game_context, get_rules
from engine.scoring.ruling_effects import (
    is_annulled,
    is_final_result,
    list_active_rulings,
    list_deals,
    score_deals,
)

TAGS: Final[dict[type, str]] = {event: str(event.__struct_config__.tag) for event in EVENTS}


def pictures(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the states after each event of a view, as JSON values."""
    state, told, found = State(), set[int](), []
    for event in events:
        if isinstance(event, DealStarted):
            told = set()
        if isinstance(event, HandDealt | HandTakenUp) and event.cards is not None:
            told.add(event.seat)
        evolve(state, event)
        found.append(json.loads(json.dumps(picture(state, told))))
    return found


def picture(state: State, told: Container[int]) -> dict[str, Any]:
    """Return the picture of a state; of the hands only those of seats whose cards the view `told`."""
    shown, extras = snapshot(state, Observer.referee()), state.variant_state
    talon = shown["talon"]
    turned = shown["turned"]
    return {
        "seq": state.seq - 1,
        "seats": state.seats,
        "sides": len(state.totals),
        "mode": state.mode,
        "deal": state.deal,
        "dealer": state.dealer,
        "contract": state.contract,
        "chooser": state.chooser,
        "slot": state.slot,
        "pushed": state.pushed,
        "auction": (state.declarer, state.bid, state.won_in),
        "hands": [
            (_known(hand["cards"]) if seat in told else None, _size(state, seat, hand), hand["face_down"])
            for seat, hand in enumerate(shown["hands"])
        ],
        "piles": [[(pile["open"], pile["closed"]) for pile in piles] for piles in shown["table"]],
        "talon": (_known(talon["open"]), talon["size"]) if talon["open"] or talon["size"] else None,
        "turned": turned and (turned["card"], None if turned["taken_by"] is not None else turned["seat"]),
        "away": (extras.discarded, shown["discards_counted"]) if extras.discarded else None,
        "extra": shown["extra"],
        "exchanged": shown["exchanged"],
        "bids": extras.bids,
        "passed": extras.passed,
        "deferred": extras.deferred,
        "conceded": extras.conceded,
        "predictions": [said and (said["points"],) for said in shown["predictions"]],
        "all_predicted": _predicted(extras.predictions[: state.seats]),
        "trick": _plays(state.trick_seats, state.trick),
        "tricks": [(trick.taker, trick.points, _plays(trick.seats, trick.cards)) for trick in state.tricks],
        "taken": _taken(state, shown["taken"]),
        "declared": [
            (said.seat, [(points, DECK[top] if top >= 0 else None) for points, top in said.heard])
            for said in state.declared
            if said.counts
        ],
        "melds": [meld for meld in state.melds if None not in meld],
        "stoeck": [(seat, points) for seat, points, _ in state.stoeck],
        "deals": [_deal(state, record, scored.scores) for record, scored in _deals(state)],
        "predicted": [
            _predicted(record.variant_state.predictions[: state.seats]) for record, _ in _deals(state)
        ],
        "results": [
            (
                result.seq,
                deal,
                result.side,
                result.confirmed,
                is_final_result(state, deal),
                result.changed_seq,
            )
            for deal, result in enumerate(state.results, 1)
        ],
        "sheet": _sheet(state),
        "totals": state.totals,
        "ties": state.ties,
        "payments": state.payments,
        "infractions": [(f.deal, f.seat, f.trick, f.code, f.at_seq) for f in state.infractions],
        "rulings": [ruling.number for ruling in state.rulings],
        "winners": state.winners,
        "closed": state.closed,
        "past": [(past.seq, _kind(past)) for past in state.past],
    }


def _sheet(state: State) -> tuple[Any, ...] | None:
    """Return the score of each deal of a sheet, and the penalties by side."""
    if state.mode != "sheet":
        return None
    table, penalties = build_game_context(state), [0] * len(state.totals)
    sides = table.rules.sides_of(state)
    for ruling in list_active_rulings(state):
        if ruling.kind == "penalty" and ruling.against is not None:
            penalties[sides[ruling.against]] -= table.rules.variant.score_direction * (ruling.points or 0)
    return [scored.scores for scored in score_deals(table)], penalties if any(penalties) else None


def _size(state: State, seat: int, hand: dict[str, Any]) -> int | None:
    """None if open cards before a seat are unknown: an unknown played card may be one of them."""
    return None if any(pile.open < 0 for pile in state.variant_state.table[seat]) else int(hand["size"])


def _known(cards: Sequence[str] | None) -> list[str] | None:
    return sorted(cards) if cards else None


def _plays(seats: Sequence[int], cards: Sequence[int]) -> list[tuple[int, str | None]]:
    return [(seat, DECK[card] if card >= 0 else None) for seat, card in zip(seats, cards, strict=True)]


def _predicted(said: Sequence[int | None]) -> list[int | None] | None:
    made = [None if points is None or points < 0 else points for points in said]
    return made if any(points is not None for points in said) else None


def _taken(state: State, sums: list[int]) -> list[int | None]:
    """The points are None for all once those of a trick are unknown."""
    if any(trick.points is None or trick.taker is None for trick in state.tricks):
        return [None] * len(sums)
    counted = state.variant_state.discards_counted
    if counted is not None and counted[1] is None:
        side = get_rules(state).sides_of(state)[counted[0]]
        return [None if at == side else points for at, points in enumerate(sums)]
    return list(sums)


def _deals(state: State) -> list[tuple[DealRecord, Any]]:
    return list(zip(list_deals(state), score_deals(build_game_context(state)), strict=True))


def _deal(state: State, record: DealRecord, scores: Sequence[int | None]) -> tuple[Any, ...]:
    named = record.contract, record.chooser, record.slot
    return (record.deal, *named, record.card_points, scores, is_annulled(state, record.deal))


def _kind(past: Past) -> str:
    return TAGS.get(past.kind, "")
