"""The state of a game: an object with slots that `evolve` updates in place.

It contains facts and no rules; rules are in the phases and variants. It has fields for the facts of every
variant. Cards are numbers (-1: unknown) and hands are masks. A hand may be known in part; `sizes` is the
number of cards that a seat plays. Fields that play seldom changes are tuples or frozen structs, so that
copies can share them.
"""

from itertools import repeat
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from engine.commands import Rule
from engine.events import RulingMade

MaybePoints = tuple[int | None, ...]
ScoredMelds = tuple[tuple[int | None, int | None], ...]
"""(side, points) of the melds that count, at most one pair; None in it if it is open whose melds are best."""
Ties = tuple[tuple[int, ...], ...]
NextPlay = tuple[int | None, int]
"""A seat and the mask of its legal cards. The seat is None if no card is due, or if it is not known."""


class Trick(Struct, frozen=True, gc=False):
    """A completed trick: seats and cards in the order played, the taker (None: not known) and the points.
    `points` is None if they are not known.
    """

    seats: tuple[int, ...]
    cards: list[int]
    taker: int | None
    points: int | None
    seqs: tuple[int, ...] = ()
    """Seqs of the events of the cards, in the order played; only if the deal is `marked`."""


class DealRecord(Struct, frozen=True, gc=False):
    """A deal as recorded, for scores under rulings. The fields are named as in State."""

    deal: int
    size: int
    """Number of tricks in the whole deal; 0 on a sheet."""
    dealer: int | None
    contract: str | None
    chooser: int | None
    slot: str | None
    tricks: tuple[Trick, ...]
    stoeck: tuple[tuple[int, int, int], ...]
    melds: "ScoredMelds"
    variant_state: "VariantState"
    card_points: MaybePoints = ()
    scores: MaybePoints = ()
    ties: Ties = ()
    """Ties carried into the deal, as pairs of sides."""
    ties_after: Ties | None = None
    """Ties carried on after the deal; None in games without ties."""
    bid: int | None = None
    """The bid that won the auction of this deal."""
    place: int | None = None
    """Seat whose turn to deal it was, if another seat dealt."""
    declarer: int | None = None
    """Winner of the auction of this deal."""


class Ruling(Struct, frozen=True):
    """The fields of a ruling that later rulings need. They are named as in the event `RulingMade`."""

    number: int
    kind: str
    deal: int | None
    trick: int | None
    against: int | None
    replaces: int | None
    points: int | None
    choice: str | None
    scores: MaybePoints | None
    to: int | None = None
    stands: bool = False
    after: int | None = None
    """Number of the earlier ruling whose score this ruling modifies. None or 0 if it starts from the
    record.
    """

    @classmethod
    def of(cls, number: int, said: Rule | RulingMade) -> "Ruling":
        """Return a ruling, made from its number and its command or event."""
        fields = {name: getattr(said, name) for name in cls.__struct_fields__[1:]}
        fields["scores"] = None if said.scores is None else tuple(said.scores)
        return cls(number, **fields)


class SheetResult(Struct, frozen=True):
    """The entry of a sheet for one deal, or for `deals` deals together.

    `seq` is the event of the current entry. `seat` and `side` are None for the officials' desk. The other
    fields are named as in the event `ResultEntered`.
    """

    seq: int
    seat: int | None
    side: int | None
    card_points: tuple[int | None, ...]
    scores: tuple[int, ...] = ()
    contract: str | None = None
    slot: str | None = None
    chooser: int | None = None
    bid: int | None = None
    predictions: tuple[int, ...] | None = None
    took_trick: tuple[int, ...] = ()
    dealer: int | None = None
    sweep: int | None = None
    stoeck: int | None = None
    stoeck_points: int | None = None
    melds: tuple[int, ...] | None = None
    ties: Ties | None = None
    by_hand: bool = False
    deals: int | None = None
    sweeps: tuple[int, ...] | None = None
    stoecks: tuple[int, ...] | None = None
    confirmed: bool = False
    by: str | None = None
    """The witness (`paper`, `silence`, …) in place of a confirmation by another side; None without one."""
    conceded: bool | None = None
    changed_seq: int = 0
    """Seq of the last event that changed the deal's score: an entry, a correction or a ruling."""


class Infraction(Struct, frozen=True):
    """A proven infraction in a transcribed game: an act, a card, a meld or a Stöck against the rules."""

    deal: int
    seat: int
    trick: int
    code: str
    at_seq: int
    proof_seq: int | None


class Past(NamedTuple):
    """The state before the event `seq` of type `kind`. A transcribed game can return to it."""

    seq: int
    kind: type
    state: "State"


class Declaration(Struct, frozen=True):
    """Melds declared by a seat.

    `heard`: points and deciding card (-1: not announced) of each meld. `melds`: the masks of the melds in the
    same order; None or shorter if not all cards are known. `counts`: whether the declaration was in time.
    """

    seat: int
    heard: tuple[tuple[int, int], ...]
    melds: tuple[int, ...] | None
    counts: bool = True
    seq: int = 0


class Pile(NamedTuple):
    """A pile on the table: its open card (-1: not known) and the closed card below it (-1: not known, None:
    no card).
    """

    open: int
    closed: int | None


class VariantState(Struct, frozen=True):
    """State that only some variants use. Tuples of four masks or numbers are indexed by seat. `stopper`: the
    seat that stopped the deal. `extra`, `extra_sizes`: extra cards beside the hands. `turned`: the card
    turned up for trumps, `turned_seat`: the seat it was dealt to, `taker_of_turned`: the seat that took it.
    """

    bids: tuple[tuple[int, int], ...] = ()
    passed: tuple[int, ...] = ()
    deferred: tuple[int, ...] = ()
    talon_open: int = 0
    talon_closed: int = 0
    talon_size: int = 0
    discards: tuple[int, ...] = (0, 0, 0, 0)
    discarded: int = 0
    """Number of cards that the declarer discarded."""
    discards_counted: tuple[int, int | None] | None = None
    """The seat whose discards were counted, and their points (None: not known)."""
    accepted: bool = False
    conceded: int | None = None
    """Points that the other side gets because the deal was conceded; None if it was not."""
    stopper: int | None = None
    predictions: tuple[int | None, ...] = (None, None, None, None)
    """Points that each seat predicted: None if it has made no prediction, -1 if its prediction is not
    known.
    """
    sealed: bool = False
    """Whether the predictions are still hidden from other seats."""
    extra: tuple[int, ...] = (0, 0, 0, 0)
    extra_sizes: tuple[int, ...] = (0, 0, 0, 0)
    exchanged: tuple[int, ...] = ()
    dealt_up: tuple[int, ...] = (0, 0, 0, 0)
    """Known cards that a seat had in hand or open on the table when closed cards were dealt to it."""
    dealt_closed: tuple[tuple[int, ...], ...] = ((), (), (), ())
    turned_up: tuple[tuple[int, int], ...] = ()
    """Turned table cards, each with the number of tricks that were completed before."""
    named: tuple[int, int] | None = None
    """Numbers of completed tricks and of cards on the table when the contract was set during play."""
    chosen_at: int | None = None
    """Seq of the event that set the contract; only if the deal is `marked`."""
    turned: int | None = None
    turned_seat: int | None = None
    taker_of_turned: int | None = None
    table: tuple[tuple["Pile", ...], ...] = ((), (), (), ())
    """Piles on the table from left to right, by seat. An open card is also in the mask of the hand until it
    is played.
    """


NOTHING = VariantState()
T = TypeVar("T")


def put_at(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return a copy of a tuple with one value replaced."""
    changed = list(values)
    changed[at] = value
    return tuple(changed)


_SHARED = (
    "seq", "variant", "seats", "options", "mode", "rules_version", "won_before", "written_scores", "hand_in",
    "confirmation", "counting", "sweeps", "first", "over", "closed",
    "deal", "dealer", "place", "dealing", "annulled", "totals", "records", "rulings", "results", "winners",
    "payments", "infractions", "ties", "declarer", "bid", "won_in", "contract", "chooser", "slot",
    "leader", "face_down", "pushed", "declared", "shown", "melds", "stoeck", "barred",
    "marked", "variant_state", "trick_seqs", "past",
)  # fmt: skip
_OWN = ("hands", "sizes", "trick", "trick_seats", "tricks", "taken")
_ZEROS = tuple((0,) * n for n in range(5))


class State:
    """The state of a game, initially empty; `evolve(state, event)` fills it."""

    __slots__ = (*_SHARED, *_OWN, "phase_version")

    def __init__(self) -> None:
        self.seq: int = 0
        """Seq of the next event."""
        self.variant: str = ""
        self.seats: int = 0
        self.options: dict[str, Any] = {}
        self.mode: str = "dealt"
        self.rules_version: int = 0
        self.won_before: int | None = None
        self.written_scores: bool = False
        """Whether the sheet accepts scores that do not follow from its points."""
        self.hand_in: str | None = None
        """Entry mode of the sheet: deals or totals. None in older games, which enter deals."""
        self.confirmation: str = "paper"
        """How a result is confirmed that no other side confirms."""
        self.counting: int = 1
        """Version of checks; see `Start`."""
        self.sweeps: bool = False
        """Whether the sheet records sweeps that score nothing."""
        self.first: tuple[int, int] | None = None
        """(deal, side): the side that is stated to have reached its target first, in this deal."""
        self.over: bool = False
        self.closed: bool = False
        self.deal: int = 0
        self.dealer: int | None = None
        self.place: int | None = None
        """Seat whose turn to deal the last deal was, if another seat dealt."""
        self.dealing: bool = False
        """Whether a deal is running."""
        self.annulled: bool = False
        """Whether the last deal was annulled."""
        self.totals: tuple[int, ...] = ()
        self.records: tuple[DealRecord, ...] = ()
        self.rulings: tuple[Ruling, ...] = ()
        self.results: tuple[SheetResult, ...] = ()
        self.winners: tuple[int, ...] = ()
        self.payments: tuple[int, ...] = ()
        self.infractions: tuple[Infraction, ...] = ()
        self.ties: Ties = ()
        self.declarer: int | None = None
        self.bid: int | None = None
        self.won_in: int = 0
        """Number of the deal in which an auction was last won. Declarer and bid stay until the next won
        auction.
        """
        self.past: tuple[Past, ...] = ()
        """States that can be restored by taking back, oldest first."""
        self.phase_version: int = 0
        """Version number of everything that opens phases or affects how tricks are played.

        It only grows. It is the key of caches, not a fact of the game.
        """
        self.clear_deal()

    def clear_deal(self) -> None:
        """Reset all fields of one deal."""
        zeros = _ZEROS[self.seats]
        self.contract: str | None = None
        self.chooser: int | None = None
        self.slot: str | None = None
        self.leader: int | None = None
        """The seat that took the last trick. None before the first trick, or if the seat is not known."""
        self.hands: list[int] = list(zeros)
        self.sizes: list[int] = list(zeros)
        """Number of cards that each seat plays in this deal, from hand and table: the number of tricks."""
        self.face_down: tuple[int, ...] = ()
        """Seats whose hand lies face down, so that they may not look at it yet."""
        self.trick: list[int] = []
        self.trick_seats: list[int] = []
        self.trick_seqs: tuple[int, ...] = ()
        self.tricks: list[Trick] = []
        self.taken: list[int] = list(zeros)
        """Points of tricks and counted discards, by seat."""
        self.pushed: tuple[int, ...] = ()
        self.declared: tuple[Declaration, ...] = ()
        self.shown: tuple[tuple[int, int], ...] = ()
        """Melds laid on the table in a transcript: (seat, mask)."""
        self.melds: ScoredMelds = ()
        self.stoeck: tuple[tuple[int, int, int], ...] = ()
        """Stöck that counts: (seat, points, number of tricks completed before)."""
        self.barred: tuple[int, ...] = zeros
        """Mask of the cards that each seat may not lead as its next card."""
        self.marked: bool = self.mode == "transcribed"
        """Whether a played card needs `_record_card_details`."""
        self.variant_state: VariantState = NOTHING

    @property
    def begun(self) -> bool:
        """Whether a card of the deal has been played."""
        return bool(self.tricks or self.trick)

    def record(self, *more: Trick, card_points: MaybePoints = (), scores: MaybePoints = ()) -> DealRecord:
        """Return the record of the running deal so far, with `more` tricks."""
        return DealRecord(
            self.deal,
            self.sizes[0],
            self.dealer,
            self.contract,
            self.chooser,
            self.slot,
            (*self.tricks, *more),
            self.stoeck,
            self.melds,
            self.variant_state,
            card_points,
            scores,
            self.ties,
            None,
            self.bid if self.won_in == self.deal else None,
            self.place,
            self.declarer if self.won_in == self.deal else None,
        )

    def copy(self) -> "State":
        """Return an independent copy. It shares immutable values with this state."""
        new = State.__new__(State)
        any(
            map(setattr, repeat(new), _COPIED, _facts_copied(self))
        )  # a loop in C, the fastest way to copy slots
        for name in _OWN:
            setattr(new, name, getattr(self, name)[:])
        return new

    def remember(self, seq: int, kind: type) -> None:
        """Save the state before the event `seq`, so that it can be restored."""
        before = self.copy()
        before.seq, before.past = seq, ()
        self.past += (Past(seq, kind, before),)

    def go_back(self, seq: int) -> type:
        """Restore the state before the event `seq`, and return the type of that event. Raises KeyError if
        that state is not saved.
        """
        at = {past.seq: place for place, past in enumerate(self.past)}[seq]
        _, kind, kept = self.past[at]
        before = kept.copy()
        before.past = self.past[:at]
        for name in _SHARED + _OWN:
            setattr(self, name, getattr(before, name))
        self.phase_version += 1
        return kind

    def played(self) -> int:
        """Return the mask of the known cards played in this deal."""
        bits = 0
        for cards in (*(trick.cards for trick in self.tricks), self.trick):
            for card in cards:
                if card >= 0:
                    bits |= 1 << card
        return bits

    def played_by(self, seat: int) -> int:
        """Return the mask of the known cards that a seat has played in this deal."""
        bits = 0
        for trick in self.tricks:
            card = trick.cards[trick.seats.index(seat)] if seat in trick.seats else -1
            if card >= 0:
                bits |= 1 << card
        for who, card in zip(self.trick_seats, self.trick, strict=True):
            if who == seat and card >= 0:
                bits |= 1 << card
        return bits

    def unknown(self, seat: int) -> int:
        """Return the number of unknown cards that a seat has in hand or closed on the table."""
        left = self.sizes[seat] - sum(seat in t.seats for t in self.tricks) - self.trick_seats.count(seat)
        return left - self.hands[seat].bit_count()

    def facts(self) -> dict[str, object]:
        """Return all facts by name, for the comparison of two states."""
        return {name: getattr(self, name) for name in _SHARED + _OWN}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.facts() == other.facts()


_COPIED = (*_SHARED, "phase_version")
_facts_copied = attrgetter(*_COPIED)
