"""What-if lines: play other cards from a moment of a game. Nothing of a line is stored.

Every line is computed from the events that the requesting observer may see. A deal in which the observer does
not see every hand cannot be tried, so a line reveals no hidden card.
"""

import contextlib
import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, get_args

from msgspec.structs import replace

from engine import Event, IllegalCommand, Refused, State, cards, decide, legal_cards, replay, to_act
from engine.cards import BIT, codes
from engine.commands import Command, Play
from engine.events import (
    CardPlayed,
    DealAnnulled,
    DealScored,
    DealStarted,
    MeldsDeclared,
    StoeckDeclared,
    TableCardTurned,
)
from engine.ledger.evolve import evolve
from engine.ledger.table_cards import bare_places
from engine.queries.illegal_reasons import Reason, illegal_reasons
from engine.registry import get_rules
from engine.taking_back import drop_taken_back
from games.bots import choose

Finish = Literal["", "played", "bots"]
FINISHES: Final[tuple[Finish, ...]] = get_args(Finish)
MAX_CARDS: Final = 36


class NotOpen(Refused):
    """What-if play is impossible at this moment: a hand or the contract is unknown, or no card follows."""

    code = "what_if/not_open"


class LineStart(NamedTuple):
    """The start of a line. `state`: the table before the next card. `seq`: the event that played this card or
    declared its melds; the length of the log if the card has not been played.
    """

    state: State
    seq: int
    deal: int
    played: tuple[tuple[int, str], ...]
    """(seat, card) of the game, from the start of the line to the end of the deal."""
    melds: dict[int, list[list[str]]]
    """By seat: the melds that it declared in the game with its first card, if that card is still to come."""
    stoeck: dict[int, int]
    scores: tuple[int | None, ...] | None
    """The scores of the deal, if it was played to its end."""


class LineStep(NamedTuple):
    """One card of a line. `own`: the user chose the card; otherwise `play_line` added it (`finish`)."""

    seat: int
    card: str
    own: bool


class TriedLine(NamedTuple):
    """A line that was tried. `state`: the table after its cards. `seat`: whose turn it is then; None if the
    deal is over. `legal`: the cards that the seat may play. `forbidden`: the reason for each other card of
    the hand. `scores`: by side, the scores of the deal if the line ends it.
    """

    steps: tuple[LineStep, ...]
    state: State
    seat: int | None
    legal: tuple[str, ...]
    forbidden: dict[str, Reason]
    scores: tuple[int | None, ...] | None
    tricks: tuple[tuple[tuple[int, str], ...], ...]
    """The cards of the deal by trick, from its beginning."""


def start_line(events: Sequence[Event], at: int) -> LineStart:
    """Return the start of a line after event `at`, just before the next card of the deal. Raises NotOpen if
    the deal ends without a further card, or a hand or the contract is unknown.
    """
    counted = drop_taken_back(events)
    start = _next_card(counted, at, len(events))
    state = replay(events[:start])
    if not state.dealing:
        raise NotOpen("no deal is being played there", code="what_if/no_card")
    rest = _rest_of_deal(event for event in counted if event.seq >= start)
    turned = {event.card for event in rest if isinstance(event, TableCardTurned)}
    for event in rest:
        if isinstance(event, CardPlayed) and event.card is not None and event.card not in turned:
            state.hands[event.seat] |= BIT[event.card]
    _turn_bare(state)
    _require_open(state)
    scored = next((e for e in rest if isinstance(e, DealScored)), None)
    return LineStart(
        state=_enforcing(state),
        seq=start,
        deal=state.deal,
        played=tuple((e.seat, str(e.card)) for e in rest if isinstance(e, CardPlayed) and e.card),
        melds={e.seat: [list(m) for m in e.melds] for e in rest if isinstance(e, MeldsDeclared) and e.melds},
        stoeck={e.seat: e.points for e in rest if isinstance(e, StoeckDeclared)},
        scores=None if scored is None else tuple(scored.scores),
    )


def play_line(start: LineStart, chosen: Sequence[str], finish: Finish = "") -> TriedLine:
    """Play the `chosen` cards from the start of a line, each by the seat whose turn it is.

    `finish`: empty: no further cards. `played`: each seat plays the first card it played in the game that is
    legal now, else the first legal card. `bots`: bots play the rest. Raises IllegalCommand for an illegal
    card, and Refused `what_if/too_long`.
    """
    if len(chosen) > MAX_CARDS:
        raise Refused("a deal has no more cards", code="what_if/too_long")
    state = start.state.copy()
    steps: list[LineStep] = []
    for card in chosen:
        if card not in cards.DECK:
            raise IllegalCommand("command/malformed", f"no card is called {card!r}")
        steps.append(_play(start, state, card, own=True))
    while finish and _seat_to_play(state) is not None:
        steps.append(_play(start, state, _next(start, state, finish), own=False))
    seat = _seat_to_play(state)
    return TriedLine(
        steps=tuple(steps),
        state=state,
        seat=seat,
        legal=tuple(codes(legal_cards(state, seat))) if seat is not None else (),
        forbidden={str(c): why for c, why in illegal_reasons(state, seat).items()}
        if seat is not None
        else {},
        scores=None if state.dealing else _scores(state, start.deal),
        tricks=_tricks(start, steps),
    )


def estimate_scores(start: LineStart, chosen: Sequence[str]) -> dict[str, tuple[int | None, ...]]:
    """Return, for each card that is legal after the `chosen` ones, the scores of the deal by side if bots
    play on after it. The scores are estimates: bots see only their own hands, and other players would play
    differently.
    """
    scores_by_card = {
        card: play_line(start, [*chosen, card], "bots").scores for card in play_line(start, chosen).legal
    }
    return {card: scores for card, scores in scores_by_card.items() if scores is not None}


def _next_card(counted: Sequence[Event], at: int, end: int) -> int:
    """Return the seq of the event that plays the next card of the deal, or declares melds with this card."""
    for event in counted:
        if event.seq <= max(at, 0):
            continue
        if isinstance(event, MeldsDeclared | CardPlayed):
            return event.seq
        if isinstance(event, DealScored | DealAnnulled | DealStarted):
            raise NotOpen("no card of that deal follows", code="what_if/no_card")
    return end


def _rest_of_deal(events: Iterable[Event]) -> list[Event]:
    rest: list[Event] = []
    for event in events:
        if isinstance(event, DealStarted):
            break
        rest.append(event)
        if isinstance(event, DealScored | DealAnnulled):
            break
    return rest


def _turn_bare(state: State) -> None:
    """Turn a face-down table card whose turn may be missing in the record. Its player still holds the card in
    the state's hand, so the closed card no longer counts as closed.
    """
    table = [list(piles) for piles in state.variant_state.table]
    for seat in range(state.seats):
        for at in bare_places(state, seat):
            if table[seat][at].closed == -1:
                table[seat][at] = table[seat][at]._replace(closed=None)
    state.variant_state = replace(state.variant_state, table=tuple(map(tuple, table)))


def _require_open(state: State) -> None:
    piles = [[pile.closed for pile in place] for place in state.variant_state.table]
    hands = all(
        state.unknown(seat) == sum(closed is not None for closed in piles[seat])
        for seat in range(state.seats)
    )
    played = all(-1 not in trick.cards for trick in state.tricks) and -1 not in state.trick
    if not hands or not played or any(-1 in place for place in piles):
        raise NotOpen("not every hand of this deal is to be seen", code="what_if/hands_unknown")
    # A trick taken before the contract was written down has no points either.
    counted = state.contract is not None and all(trick.points is not None for trick in state.tricks)
    if not counted and not get_rules(state).play.names_trumps:
        raise NotOpen("it is not known what was trumps there", code="what_if/contract_unknown")


def _enforcing(state: State) -> State:
    """Return the same table in mode `dealt`, in which the server enforces the rules; a recorded game has
    another mode.
    """
    enforcing = state.copy()
    if enforcing.mode != "dealt":
        enforcing.mode, enforcing.marked = "dealt", any(enforcing.barred)
    turn = to_act(enforcing)
    if turn is None or turn.phase != "trick_play":
        raise NotOpen("no card is to be played there", code="what_if/no_card")
    return enforcing


def _seat_to_play(state: State) -> int | None:
    turn = to_act(state) if state.dealing else None
    return turn.seat if turn is not None and turn.phase == "trick_play" else None


def _play(start: LineStart, state: State, card: str, *, own: bool) -> LineStep:
    seat = _seat_to_play(state)
    if seat is None:
        raise IllegalCommand("play/not_now", "the deal is over")
    for event in _decided(start, state, seat, card):
        if isinstance(event, DealStarted):
            break
        evolve(state, event)
    return LineStep(seat, card, own)


def _decided(start: LineStart, state: State, seat: int, card: str) -> list[Event]:
    """Decide a card with its declarations. Melds are declared as in the game. The Stöck is declared as in the
    game, or, if the deal was not played to its end, as soon as the rules allow it.
    """
    melds = None if state.played_by(seat) else start.melds.get(seat)
    stoeck: bool | int | None = None
    if seat in start.stoeck or start.scores is None:
        stoeck = start.stoeck.get(seat, 20) if get_rules(state).play.stoeck_signed else True
    for said in ((melds, stoeck), (melds, None), (None, stoeck)):
        if said == (None, None):
            continue
        with contextlib.suppress(IllegalCommand):
            return decide(state, Play(seat=seat, card=card, melds=said[0], stoeck=said[1]))  # type: ignore[arg-type]  # cards are plain strings here
    return decide(state, Play(seat=seat, card=card))  # type: ignore[arg-type]  # cards are plain strings here


def _next(start: LineStart, state: State, finish: Finish) -> str:
    seat = _seat_to_play(state)
    if seat is None:
        raise IllegalCommand("play/not_now", "the deal is over")
    legal = legal_cards(state, seat)
    if finish == "bots":
        wish: Command = choose(_seen_by(state, seat), seat, hashlib.sha256(str(start.seq).encode()).digest())
        if isinstance(wish, Play) and wish.card is not None and legal & BIT[wish.card]:
            return wish.card
    for who, card in start.played:
        if who == seat and legal & BIT[card]:
            return card
    return codes(legal)[0]


def _seen_by(state: State, seat: int) -> State:
    """Return the state restricted to the hand of this seat, for the bot of this seat."""
    view = state.copy()
    view.hands = [hand if who == seat else 0 for who, hand in enumerate(view.hands)]
    return view


def _scores(state: State, deal: int) -> tuple[int | None, ...] | None:
    record = next((r for r in state.records if r.deal == deal), None)
    return None if record is None else record.scores


def _tricks(start: LineStart, steps: Sequence[LineStep]) -> tuple[tuple[tuple[int, str], ...], ...]:
    before = start.state
    fallen: list[tuple[int, str]] = [
        (seat, cards.DECK[card])
        for trick in before.tricks
        for seat, card in zip(trick.seats, trick.cards, strict=True)
    ]
    fallen += [(s, cards.DECK[c]) for s, c in zip(before.trick_seats, before.trick, strict=True)]
    fallen += [(step.seat, step.card) for step in steps]
    return tuple(tuple(fallen[at : at + before.seats]) for at in range(0, len(fallen), before.seats))
