"""What counts, and when: Stöck with its second card, melds with the first trick, tricks as they fall, then the sweep.

Points count at the moment their event falls; the side that reaches its target first in that order has won, also in the
middle of a trick, and nothing later counts.
"""

from collections.abc import Sequence

from . import melds as meldbook
from .cards import BIT, INDEX, SUIT_NAMES, codes
from .commands import Play
from .contracts import STOECK
from .draft import Draft
from .errors import IllegalCommand
from .events import DealScored, GameEnded, MeldsDeclared, MeldsScored, StoeckDeclared, TrickTaken
from .rules import Rules, Scored
from .state import State

STOECK_POINTS = 20


def _rules(state: State) -> Rules:
    assert state.rules is not None
    return state.rules


def running(state: State) -> list[int]:
    """Totals with what this deal has brought so far, per side; without the sweep."""
    rules = _rules(state)
    sides = rules.variant.sides(state)
    gained = [0] * rules.sides
    for seat, points in enumerate(state.taken):
        gained[sides[seat]] += points
    for side, points in state.melds:
        gained[side] += points
    for seat, points, _ in state.stoeck:
        gained[sides[seat]] += points
    factor = rules.play.multiplier(state)
    return [total + factor * points for total, points in zip(state.totals, gained, strict=True)]


def swept(state: State) -> int | None:
    """The side that took every trick of a complete deal, if one did."""
    sides = _rules(state).variant.sides(state)
    takers = {None if t.taker is None else sides[t.taker] for t in state.tricks}
    return takers.pop() if len(takers) == 1 and len(state.tricks) == state.sizes[0] else None


def target_near(state: State) -> bool:
    """Whether the trick lying could end the game, so that it must be counted with care."""
    play = _rules(state).play
    if play.targets is None or not play.automatic:
        return False
    most = 61 * play.multiplier(state)
    return any(
        now + most >= target or (now + 20 * most >= target and play.stoeck_priority)
        for now, target in zip(running(state), play.targets, strict=True)
    )


def count_deal(state: State) -> Scored:
    """Card points and scores of a deal between two sides, as far as it was played."""
    rules = _rules(state)
    sides = rules.variant.sides(state)
    cards = [0] * rules.sides
    for seat, points in enumerate(state.taken):
        cards[sides[seat]] += points
    scores = [now - total for now, total in zip(running(state), state.totals, strict=True)]
    sweeper = swept(state)
    if sweeper is not None:
        scores[sweeper] += rules.play.sweep_bonus * rules.play.multiplier(state)
    return Scored(tuple(cards), tuple(scores))


def finish_deal(draft: Draft, winners: list[int] | None = None) -> None:
    """Score the deal; end the game where it is over, or where `winners` are known already."""
    state = draft.state
    rules = _rules(state)
    scored = rules.variant.score(state)
    totals = [t + (s or 0) for t, s in zip(state.totals, scored.scores, strict=True)]
    draft.emit(
        DealScored,
        deal=state.deal,
        card_points=list(scored.card_points),
        scores=list(scored.scores),
        totals=totals,
        ties=None if scored.ties is None else [list(tie) for tie in scored.ties],
    )
    if winners is None:
        winners = rules.variant.winner(state)
    if winners is not None:
        draft.emit(GameEnded, winners=winners, totals=list(state.totals))


def reached(state: State) -> int | None:
    """The side that stands at its target, where that ends the game by itself."""
    play = _rules(state).play
    if play.targets is None or not play.automatic:
        return None
    for side, (now, target) in enumerate(zip(running(state), play.targets, strict=True)):
        if now >= target:
            return side
    return None


def has_ended(draft: Draft) -> bool:
    """End the game if a side has reached its target with what was just counted."""
    side = reached(draft.state)
    if side is None:
        return False
    finish_deal(draft, [side])
    return True


def trump_of(state: State) -> int | None:
    """The trump suit of the deal, if its contract has one."""
    return SUIT_NAMES.index(state.contract) if state.contract in SUIT_NAMES else None


def open_stoeck(state: State) -> int | None:
    """The seat that still can declare its Stöck: both cards in hand, or one played by it and the other in hand."""
    trump = trump_of(state)
    if trump is None or not _rules(state).play.stoeck or state.stoeck:
        return None
    pair = STOECK[trump]
    for seat in range(state.seats):
        held = state.hands[seat] & pair
        if held and held | _played_by(state, seat) & pair == pair:
            return seat
    return None


def _played_by(state: State, seat: int) -> int:
    bits = 0
    for trick in state.tricks:
        card = trick.cards[trick.seats.index(seat)]
        if card >= 0:
            bits |= 1 << card
    for who, card in zip(state.trick_seats, state.trick, strict=True):
        if who == seat and card >= 0:
            bits |= 1 << card
    return bits


def _has_priority(draft: Draft, rivals: Sequence[int]) -> bool:
    """Stöck before melds and tricks: declare it at once where it reaches the target before `rivals` would."""
    state = draft.state
    play = _rules(state).play
    if not play.stoeck_priority or play.targets is None or not play.automatic:
        return False
    seat = open_stoeck(state)
    if seat is None:
        return False
    side = _rules(state).variant.sides(state)[seat]
    worth = STOECK_POINTS * play.multiplier(state)
    if side in rivals or running(state)[side] + worth < play.targets[side]:
        return False
    draft.emit(StoeckDeclared, seat=seat, points=STOECK_POINTS)
    finish_deal(draft, [side])
    return True


def declare_melds(draft: Draft, seat: int, lists: list[list[str]]) -> None:
    """Declare melds with the first card of the deal; refused where they are not held or not allowed."""
    state = draft.state
    play = _rules(state).play
    if not play.melds:
        raise IllegalCommand("melds/not_played", "melds do not count in this game")
    if state.tricks:
        raise IllegalCommand("melds/too_late", "melds are declared with the first card of the deal")
    hand = state.hands[seat]
    found = [meldbook.read(cards, play.low_quads) for cards in lists]
    for meld in found:
        if meld.cards & ~hand:
            raise IllegalCommand("melds/not_held", f"seat {seat} does not hold {' '.join(codes(meld.cards))}")
    meldbook.check_apart(found)
    contract = state.contract or "obenabe"
    draft.emit(
        MeldsDeclared,
        seat=seat,
        declared=[meldbook.announce(meld, contract) for meld in found],
        melds=[codes(meld.cards) for meld in found],
    )


def score_melds(draft: Draft) -> None:
    """Score all melds of the side whose best one is best, and the Stöck that they show, when trick 1 is complete."""
    state = draft.state
    if not state.declared:
        return
    rules = _rules(state)
    sides = rules.variant.sides(state)
    contract = state.contract or "obenabe"
    side = sides[meldbook.best(state.declared, contract, rules.play.meld_tie)]
    shown = [
        meldbook.show(seat, mask)
        for seat, _, masks in state.declared
        if sides[seat] == side
        for mask in masks or ()
    ]
    points = sum(meld.points for meld in shown)
    trump = trump_of(state)
    if trump is not None and rules.play.stoeck and not state.stoeck:
        for seat in range(state.seats):
            laid = 0
            for meld in shown:
                if meld.seat == seat:
                    laid |= sum(BIT[card] for card in meld.cards if card is not None) & STOECK[trump]
            if laid == STOECK[trump]:
                draft.emit(StoeckDeclared, seat=seat, points=STOECK_POINTS)
                if has_ended(draft):
                    return
    play = rules.play
    if play.targets is not None and play.automatic:
        would = running(state)[side] + points * play.multiplier(state)
        if would >= play.targets[side] and _has_priority(draft, [side]):
            return
    draft.emit(MeldsScored, side=side, points=points, shown=shown)
    has_ended(draft)


def declare_stoeck(draft: Draft, command: Play) -> None:
    """Declare the Stöck with the second of its cards, which has just been played."""
    state = draft.state
    trump = trump_of(state)
    if not _rules(state).play.stoeck:
        raise IllegalCommand("stoeck/not_played", "the Stöck does not count in this game")
    if command.stoeck is not True:
        raise IllegalCommand("stoeck/no_choice", "the Stöck is twenty points here", stoeck=command.stoeck)
    if state.stoeck:
        raise IllegalCommand("stoeck/declared_already", "the Stöck has been counted")
    card = INDEX[command.card]
    pair = 0 if trump is None else STOECK[trump]
    if not pair >> card & 1 or _played_by(state, command.seat) & pair != pair:
        raise IllegalCommand("stoeck/not_second_card", "declared with the second of king and queen of trumps")
    draft.emit(StoeckDeclared, seat=command.seat, points=STOECK_POINTS)


def take_trick(draft: Draft, seat: int, points: int, last: bool) -> None:
    """The trick lying goes to a seat, unless a Stöck of the other side comes before it."""
    state = draft.state
    rules = _rules(state)
    play = rules.play
    side = rules.variant.sides(state)[seat]
    if play.targets is not None and play.automatic:
        gain = points
        if last and all(
            t.taker is not None and rules.variant.sides(state)[t.taker] == side for t in state.tricks
        ):
            gain += play.sweep_bonus
        would = running(state)[side] + gain * play.multiplier(state)
        if would >= play.targets[side] and _has_priority(draft, [side]):
            return
        draft.emit(TrickTaken, seat=seat, points=points)
        if would >= play.targets[side]:
            finish_deal(draft, [side])
        return
    draft.emit(TrickTaken, seat=seat, points=points)
