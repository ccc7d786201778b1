"""What is known of a game, as a slotted object that `evolve` updates in place.

It is a ledger of facts without rules: who leads what to whom is in the phases and variants. It has a neutral
place for the facts of every game of the registry. Cards are numbers (-1: unknown) and hands are masks; a hand
may be known in part, `sizes` says how many cards it began with. Whatever is not on the hot path of the fold
is a tuple or a frozen struct, so that copies may share it.
"""

from itertools import repeat
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from engine.commands import Rule
from engine.events import RulingMade

MaybePoints = tuple[int | None, ...]
ScoredMelds = tuple[tuple[int | None, int | None], ...]
"""Side and points of the melds that count, at most one; None where it is open whose are best."""
Ties = tuple[tuple[int, ...], ...]
NextPlay = tuple[int | None, int]
"""A seat (None: nobody, or not known) and the mask of the cards it may play."""


class Trick(Struct, frozen=True, gc=False):
    """A completed trick: who played which card in which order, who took it (None: not known) for how much."""

    seats: tuple[int, ...]
    cards: list[int]
    taker: int | None
    points: int | None
    seqs: tuple[int, ...] = ()
    """The events of the cards; kept in transcribed games only."""


class DealRecord(Struct, frozen=True, gc=False):
    """A deal that is over, as it was recorded: what rulings are computed from."""

    deal: int
    size: int
    """Tricks in the whole deal."""
    dealer: int | None
    contract: str | None
    chooser: int | None
    slot: str | None
    tricks: tuple[Trick, ...]
    stoeck: tuple[tuple[int, int, int], ...]
    melds: "ScoredMelds"
    extras: "Extras"
    card_points: MaybePoints = ()
    scores: MaybePoints = ()
    ties: Ties = ()
    """Ties that were remembered when the deal began."""
    ties_after: Ties | None = None
    """Ties that are remembered when it is over; None in games without any."""
    bid: int | None = None
    """What the declarer has bid for it."""
    place: int | None = None
    """Whose place in the order of dealing it was, where somebody else dealt."""
    declarer: int | None = None
    """Who won the auction of this deal."""


class Ruling(Struct, frozen=True):
    """A ruling as far as later ones have to know it."""

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
    """The ruling whose score this one moves on; None or 0: it begins from the record."""

    @classmethod
    def of(cls, number: int, said: Rule | RulingMade) -> "Ruling":
        """The ruling of this number, as the command or the event says it."""
        fields = {name: getattr(said, name) for name in cls.__struct_fields__[1:]}
        fields["scores"] = None if said.scores is None else tuple(said.scores)
        return cls(number, **fields)


class SheetResult(Struct, frozen=True):
    """What the sheet says of a deal, or of `deals` together; `seq` is the entry that counts. `seat` and
    `side` are None where the desk wrote it."""

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
    """What stood for a side when it was confirmed; None: a side did it."""
    conceded: bool | None = None
    changed_seq: int = 0
    """The last event that changed what the deal counts: an entry, a correction or a ruling."""


class Infraction(Struct, frozen=True):
    """A card, meld or Stöck of a transcribed game that was proven to be against the rules."""

    deal: int
    seat: int
    trick: int
    code: str
    at_seq: int
    proof_seq: int | None


class Past(NamedTuple):
    """The ledger as it was before an event by which somebody did something; kept in transcribed games."""

    seq: int
    kind: type
    state: "State"


class Declaration(Struct, frozen=True):
    """Melds declared by a seat: points and deciding card (-1: not said) of each, and the masks of the first
    ones, as far as they are known."""

    seat: int
    heard: tuple[tuple[int, int], ...]
    melds: tuple[int, ...] | None
    counts: bool = True
    seq: int = 0
    """The event that says so."""


class Pile(NamedTuple):
    """A place on the table: the open card (-1: not known), and the closed one below it (-1: not known, None:
    nothing lies there)."""

    open: int
    closed: int | None


class Extras(Struct, frozen=True):
    """What only some games have beside hands and tricks; by seat where it is a tuple of masks or numbers."""

    bids: tuple[tuple[int, int], ...] = ()
    passed: tuple[int, ...] = ()
    deferred: tuple[int, ...] = ()
    talon_open: int = 0
    talon_closed: int = 0
    talon_size: int = 0
    discards: tuple[int, ...] = (0, 0, 0, 0)
    discarded: int = 0
    """How many cards were put away."""
    discards_counted: tuple[int, int | None] | None = None
    """The seat whose discards were counted, and their points."""
    accepted: bool = False
    conceded: int | None = None
    """The points for which the deal was given away."""
    stopper: int | None = None
    predictions: tuple[int | None, ...] = (None, None, None, None)
    """-1: made, but not known."""
    sealed: bool = False
    """The predictions are still hidden from the others."""
    extra: tuple[int, ...] = (0, 0, 0, 0)
    extra_sizes: tuple[int, ...] = (0, 0, 0, 0)
    exchanged: tuple[int, ...] = ()
    dealt_up: tuple[int, ...] = (0, 0, 0, 0)
    """Cards that a seat with closed ones on the table had in its hand or open, as far as they are known."""
    dealt_closed: tuple[tuple[int, ...], ...] = ((), (), (), ())
    turned_up: tuple[tuple[int, int], ...] = ()
    """Closed cards that were turned: the card, and tricks completed then."""
    named: tuple[int, int] | None = None
    """Where a contract was set after play had begun: tricks completed, cards lying."""
    chosen_at: int | None = None
    """The event of the contract; kept in transcribed games only."""
    turned: int | None = None
    turned_seat: int | None = None
    taker_of_turned: int | None = None
    table: tuple[tuple["Pile", ...], ...] = ((), (), (), ())
    """Places on the table from left to right. A card that lies open is in the hand's mask too, until it is
    played."""


NOTHING = Extras()
T = TypeVar("T")


def put_at(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The same values with another one at a place."""
    changed = list(values)
    changed[at] = value
    return tuple(changed)


_SHARED = (
    "seq", "variant", "seats", "options", "mode", "rules_version", "won_before", "written_scores", "hand_in",
    "confirmation", "counting", "sweeps", "first", "over", "closed",
    "deal", "dealer", "place", "dealing", "annulled", "totals", "records", "rulings", "results", "winners",
    "payments", "infractions", "ties", "declarer", "bid", "won_in", "contract", "chooser", "slot",
    "leader", "face_down", "pushed", "declared", "shown", "melds", "stoeck", "barred",
    "marked", "extras", "trick_seqs", "past",
)  # fmt: skip
_OWN = ("hands", "sizes", "trick", "trick_seats", "tricks", "taken")
_ZEROS = tuple((0,) * n for n in range(5))


class State:
    """The empty ledger; `evolve(state, event)` fills it."""

    __slots__ = (*_SHARED, *_OWN, "stage")

    def __init__(self) -> None:
        self.seq: int = 0
        """The number the next event gets."""
        self.variant: str = ""
        self.seats: int = 0
        self.options: dict[str, Any] = {}
        self.mode: str = "dealt"
        self.rules_version: int = 0
        self.won_before: int | None = None
        self.written_scores: bool = False
        """On the sheet, scores may be written that do not follow from its points."""
        self.hand_in: str | None = None
        """What the sheet takes; None in games of before, which take deals."""
        self.confirmation: str = "paper"
        """What confirms a result of the sheet where no other side does."""
        self.counting: int = 1
        """By which checks a sheet is taken."""
        self.sweeps: bool = False
        """The sheet takes sweeps, also where nothing counts for them."""
        self.first: tuple[int, int] | None = None
        """A deal, and the side that was said to be the first at its target in it."""
        self.over: bool = False
        self.closed: bool = False
        self.deal: int = 0
        self.dealer: int | None = None
        self.place: int | None = None
        """Whose place in the order of dealing the last deal had, where somebody else dealt."""
        self.dealing: bool = False
        """A deal has begun and is not over."""
        self.annulled: bool = False
        """The last deal was annulled."""
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
        """The deal in which the last auction was won; declarer and bid stay until the next one."""
        self.past: tuple[Past, ...] = ()
        """What can be taken back, oldest first."""
        self.stage: int = 0
        """Counts the events that may open or close a phase or change how tricks are played; it never goes
        back, and is no fact."""
        self.clear_deal()

    def clear_deal(self) -> None:
        """Empty everything that belongs to one deal."""
        zeros = _ZEROS[self.seats]
        self.contract: str | None = None
        self.chooser: int | None = None
        self.slot: str | None = None
        self.leader: int | None = None
        """Who took the last trick; None before the first one and where it is not known."""
        self.hands: list[int] = list(zeros)
        self.sizes: list[int] = list(zeros)
        """Cards a seat has to play in this deal, hand and table together: as many as there are tricks."""
        self.face_down: tuple[int, ...] = ()
        """The seats that may not look at their hand yet."""
        self.trick: list[int] = []
        self.trick_seats: list[int] = []
        self.trick_seqs: tuple[int, ...] = ()
        self.tricks: list[Trick] = []
        self.taken: list[int] = list(zeros)
        """Points in tricks by seat."""
        self.pushed: tuple[int, ...] = ()
        self.declared: tuple[Declaration, ...] = ()
        self.shown: tuple[tuple[int, int], ...] = ()
        """Melds laid on the table in a transcript: seat, mask."""
        self.melds: ScoredMelds = ()
        self.stoeck: tuple[tuple[int, int, int], ...] = ()
        """Stöck declared: seat, points, tricks completed before."""
        self.barred: tuple[int, ...] = zeros
        """Mask of cards a seat may not lead with its next lead."""
        self.marked: bool = self.mode == "transcribed"
        """A card played has more to be written down than usual."""
        self.extras: Extras = NOTHING

    @property
    def begun(self) -> bool:
        """A card of the deal has been played."""
        return bool(self.tricks or self.trick)

    def record(self, *more: Trick, card_points: MaybePoints = (), scores: MaybePoints = ()) -> DealRecord:
        """The deal now played, as far as it was played, and `more` tricks."""
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
            self.extras,
            card_points,
            scores,
            self.ties,
            None,
            self.bid if self.won_in == self.deal else None,
            self.place,
            self.declarer if self.won_in == self.deal else None,
        )

    def copy(self) -> "State":
        """An independent copy for what-if; whatever is immutable is shared."""
        new = State.__new__(State)
        any(map(setattr, repeat(new), _COPIED, _facts_copied(self)))  # a loop that nothing stops, in C
        for name in _OWN:
            setattr(new, name, getattr(self, name)[:])
        return new

    def remember(self, seq: int, kind: type) -> None:
        """Keep the ledger as it is before the event `seq`, so that it can be taken back."""
        before = self.copy()
        before.seq, before.past = seq, ()
        self.past += (Past(seq, kind, before),)

    def go_back(self, seq: int) -> type:
        """Be again as before the event `seq`, of the kind given back. KeyError where that is not kept."""
        at = {past.seq: place for place, past in enumerate(self.past)}[seq]
        _, kind, kept = self.past[at]
        before = kept.copy()
        before.past = self.past[:at]
        for name in _SHARED + _OWN:
            setattr(self, name, getattr(before, name))
        self.stage += 1
        return kind

    def played(self) -> int:
        """The mask of the known cards played in this deal."""
        bits = 0
        for cards in (*(trick.cards for trick in self.tricks), self.trick):
            for card in cards:
                if card >= 0:
                    bits |= 1 << card
        return bits

    def played_by(self, seat: int) -> int:
        """The mask of the known cards a seat has played in this deal."""
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
        """How many cards of a hand nobody has told this ledger."""
        left = self.sizes[seat] - sum(seat in t.seats for t in self.tricks) - self.trick_seats.count(seat)
        return left - self.hands[seat].bit_count()

    def facts(self) -> dict[str, object]:
        """Every fact by name: what two ledgers are compared by."""
        return {name: getattr(self, name) for name in _SHARED + _OWN}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.facts() == other.facts()


_COPIED = (*_SHARED, "stage")
_facts_copied = attrgetter(*_COPIED)
