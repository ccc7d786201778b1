"""The table as one observer sees it, as JSON values, for pages and the command `replay`."""

from collections.abc import Sequence
from typing import Any, TypedDict

from msgspec import to_builtins
from msgspec.structs import replace

from engine.cards import DECK, codes
from engine.decider import legal_cards, to_act
from engine.ledger.state import State, Trick
from engine.queries.laid_out import closed_table, laid_out, open_table, visible_prediction
from engine.queries.sheet_form import list_sheet_fields
from engine.redaction import Observer
from engine.registry import build_game_context
from engine.rules import GameContext, Turn
from engine.rules.sheet_fields import SheetField
from engine.rules.tally import Scored
from engine.scoring.deal_standing import DealStanding, get_deal_standing
from engine.scoring.ruling_effects import is_annulled, score_deals


class CardShown(TypedDict):
    """A played card; null if not known."""

    seat: int
    card: str | None


class HandShown(TypedDict):
    """A hand. `cards`: the known cards, null if the hand is hidden. `unknown`: the number of cards not
    visible.
    """

    cards: list[str] | None
    size: int
    unknown: int
    face_down: bool


class TrickShown(TypedDict):
    """A completed trick. `trick` counts from 1. `cards` is null if looking back at it is not allowed."""

    trick: int
    taker: int | None
    points: int | None
    cards: list[CardShown] | None


class OpenTurn(TypedDict):
    """A turn: the seat (null: no particular seat), the kind of phase and its open commands."""

    seat: int | None
    phase: str
    commands: list[str]


class TurnedCard(TypedDict):
    """The turned card, the seat it was dealt to and the seat that took it."""

    card: str
    seat: int | None
    taken_by: int | None


class Talon(TypedDict):
    """The talon's open cards, and the number of its other cards."""

    open: list[str]
    size: int


class BidShown(TypedDict):
    """A seat's bid."""

    seat: int
    points: int | None


class PredictionShown(TypedDict):
    """A prediction; `points` is null if hidden."""

    points: int | None


class PileShown(TypedDict):
    """A pile on the table: its open card (null: none, or not known), and whether a closed card is below."""

    open: str | None
    closed: bool


class MeldHeard(TypedDict):
    """A meld as announced. `top`: its deciding card (bottom-up: the lowest); null if not announced."""

    points: int
    top: str | None


class Declared(TypedDict):
    """The melds that a seat declared in time."""

    seat: int
    melds: list[MeldHeard]


class MeldsScored(TypedDict):
    """The side that scores its melds; null if open."""

    side: int | None
    points: int | None


class StoeckShown(TypedDict):
    """A Stöck that counts."""

    seat: int
    points: int


class DealShown(TypedDict):
    """A finished deal. `scores` as played, `counts` after rulings, both per side."""

    deal: int
    dealer: int | None
    contract: str | None
    chooser: int | None
    slot: str | None
    card_points: list[int | None]
    scores: list[int | None]
    counts: list[int | None] | None
    annulled: bool


class Snapshot(TypedDict, total=False):
    """The table as one observer sees it.

    Before the start of the game it has only `seq`, `phase` and `turn`. `sheet` is present only where results
    are written. Indexed by seat: `sides`, `hands`, `predictions`, `extra`, `discards`, `table` and `barred`.
    Indexed by side: `taken`, `tricks_taken`, `totals` and `payments`.
    """

    seq: int
    variant: str
    mode: str
    seats: int
    sides: list[int]
    options: dict[str, Any]
    phase: str
    turn: OpenTurn | None
    legal: list[str] | None
    deal: int
    dealing: bool
    dealer: int | None
    forehand: int | None
    hands: list[HandShown]
    turned: TurnedCard | None
    talon: Talon
    bids: list[BidShown]
    passed: list[int]
    deferred: list[int]
    declarer: int | None
    bid: int | None
    accepted: bool
    conceded: int | None
    stopper: int | None
    predictions: list[PredictionShown | None]
    extra: list[int]
    exchanged: list[int]
    discards: list[list[str] | None]
    discards_counted: int | None
    table: list[list[PileShown]]
    ties: list[list[int]]
    payments: list[int]
    pushed: list[int]
    contract: str | None
    chooser: int | None
    slot: str | None
    multiplier: int
    leader: int | None
    trick: list[CardShown]
    tricks: list[TrickShown]
    taken: list[int]
    tricks_taken: list[int]
    declared: list[Declared]
    melds: list[MeldsScored]
    stoeck: list[StoeckShown]
    barred: list[list[str]]
    totals: list[int]
    standing: DealStanding | None
    deals: list[DealShown]
    results: list[dict[str, Any]]
    infractions: list[dict[str, Any]]
    rulings: list[dict[str, Any]]
    over: bool
    closed: bool
    winners: list[int]
    sheet: list[SheetField]


def snapshot(state: State, observer: Observer) -> dict[str, Any]:
    """Return the table as an observer sees it, with the keys of Snapshot.

    `state` may be the fold of a redacted view or of the whole log; secrets are hidden in both cases.
    """
    if not state.variant:
        return {"seq": state.seq, "phase": "start", "turn": _turn(to_act(state))}
    context = build_game_context(state)
    turn = to_act(context)
    sides = list(context.rules.sides_of(state))
    scored = score_deals(context)
    return {
        "seq": state.seq,
        "variant": state.variant,
        "mode": state.mode,
        "seats": state.seats,
        "sides": sides,
        "options": state.options,
        "phase": "over" if turn is None else turn.phase,
        "turn": _turn(turn),
        "legal": _legal(context, turn, observer),
        "deal": state.deal,
        "dealing": state.dealing,
        "dealer": state.dealer,
        "forehand": None if state.dealer is None else (state.dealer + 1) % state.seats,
        "hands": [_hand(state, observer, seat) for seat in range(state.seats)],
        **laid_out(state, observer),
        "pushed": state.pushed,
        "contract": state.contract,
        "chooser": state.chooser,
        "slot": state.slot,
        "multiplier": context.rules.play.multiplier(state.contract, state.slot),
        "leader": state.trick_seats[0] if state.trick_seats else state.leader,
        "trick": _cards(state.trick_seats, state.trick),
        "tricks": [_trick(state, observer, at, trick) for at, trick in enumerate(state.tricks)],
        "taken": _per_side(context, sides, state.taken),
        "tricks_taken": _per_side(context, sides, _count_tricks(state)),
        "declared": [
            {"seat": said.seat, "melds": [_heard(points, top) for points, top in said.heard]}
            for said in state.declared
            if said.counts
        ],
        "melds": [{"side": side, "points": points} for side, points in state.melds],
        "stoeck": [{"seat": seat, "points": points} for seat, points, _ in state.stoeck],
        "barred": [codes(bits) for bits in state.barred],
        "totals": state.totals,
        "standing": _standing(context, observer),
        "deals": _deals(state, scored),
        "results": [
            {"deal": at, **to_builtins(result), "counts": counted.scores}
            for at, (result, counted) in enumerate(zip(state.results, scored, strict=False), 1)
        ],
        "infractions": to_builtins(state.infractions),
        "rulings": to_builtins(state.rulings),
        "over": state.over,
        "closed": state.closed,
        "winners": state.winners,
        **_sheet(state),
    }


def _standing(context: GameContext, observer: Observer) -> dict[str, Any] | None:
    """Return the standing of the running deal, with the predictions that the observer may see."""
    standing = get_deal_standing(context)
    if standing is not None and standing.aimed == "predicted":
        seen = tuple(visible_prediction(context.state, observer, seat) for seat in range(context.state.seats))
        standing = replace(standing, goals=seen)
    found: dict[str, Any] | None = to_builtins(standing)
    return found


def _sheet(state: State) -> dict[str, Any]:
    """Return `sheet`, the fields of the next result, in a game with a sheet; otherwise an empty dict."""
    if state.mode != "sheet":
        return {}
    return {"sheet": [to_builtins(field) for field in list_sheet_fields(state)]}


def _turn(turn: Turn | None) -> dict[str, Any] | None:
    return None if turn is None else turn._asdict()


def may_see_hand(state: State, observer: Observer, seat: int) -> bool:
    """Return whether an observer may see a hand of the running deal."""
    if observer.sees_deal(state.deal):
        return True
    return observer.role == "seat" and observer.number == seat and seat not in state.face_down


def _legal(context: GameContext, turn: Turn | None, observer: Observer) -> list[str] | None:
    if turn is None or turn.seat is None or not may_see_hand(context.state, observer, turn.seat):
        return None
    return list(codes(legal_cards(context)))


def _hand(state: State, observer: Observer, seat: int) -> dict[str, Any]:
    seen = may_see_hand(state, observer, seat)
    hand = state.hands[seat] & ~open_table(state, seat)
    unknown = state.unknown(seat) - closed_table(state, seat)
    return {
        "cards": codes(hand) if seen else None,
        "size": max(0, hand.bit_count() + unknown),  # a record may contain more cards than were dealt
        "unknown": unknown if seen else hand.bit_count() + unknown,
        "face_down": seat in state.face_down,
    }


def _heard(points: int, top: int) -> dict[str, Any]:
    return {"points": points, "top": DECK[top] if top >= 0 else None}


def _cards(seats: list[int] | tuple[int, ...], cards: list[int] | tuple[int, ...]) -> list[dict[str, Any]]:
    return [
        {"seat": seat, "card": DECK[card] if card >= 0 else None}
        for seat, card in zip(seats, cards, strict=True)
    ]


def _may_look_back(state: State, observer: Observer, at: int) -> bool:
    if observer.role != "seat" or not state.dealing:
        return True
    kept = state.options.get("look_back", "all")
    return kept == "all" or at == (0 if kept == "first" else len(state.tricks) - 1)


def _trick(state: State, observer: Observer, at: int, trick: Trick) -> dict[str, Any]:
    shown = _cards(trick.seats, trick.cards) if _may_look_back(state, observer, at) else None
    return {"trick": at + 1, "taker": trick.taker, "points": trick.points, "cards": shown}


def _count_tricks(state: State) -> list[int]:
    return [sum(trick.taker == seat for trick in state.tricks) for seat in range(state.seats)]


def _per_side(context: GameContext, sides: list[int], by_seat: list[int]) -> list[int]:
    found = [0] * context.rules.sides
    for seat, points in enumerate(by_seat):
        found[sides[seat]] += points
    return found


def _deals(state: State, scored: Sequence[Scored]) -> list[dict[str, Any]]:
    return [
        {
            "deal": record.deal,
            "dealer": record.dealer,
            "contract": record.contract,
            "chooser": record.chooser,
            "slot": record.slot,
            "card_points": record.card_points,
            "scores": record.scores,
            "counts": counted.scores,
            "annulled": is_annulled(state, record.deal),
        }
        for record, counted in zip(state.records, scored, strict=False)
    ]
