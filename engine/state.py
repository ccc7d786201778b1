"""What is known of a game, as a slotted object that `evolve` updates in place.

It is a ledger of facts without rules: who leads what to whom is in the phases and variants. It has a neutral
place for the facts of every game of the registry. Cards are numbers (-1: unknown) and hands are masks; a hand
may be known in part, `sizes` says how many cards it began with. Whatever is not on the hot path of the fold
is a tuple or a frozen struct, so that copies may share it.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from msgspec import Struct

if TYPE_CHECKING:
    from .rules import Phase, Rules
    from .ways import Way

MaybePoints = tuple[int | None, ...]
NextPlay = tuple[int | None, int]
"""A seat (None: nobody, or not known) and the mask of the cards it may play."""


class Trick(Struct, frozen=True, gc=False):
    """A completed trick: who played which card in which order, who took it (None: not known) for how much."""

    seats: list[int]
    cards: list[int]
    taker: int | None
    points: int | None
    seqs: list[int]
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
    melds: tuple[tuple[int, int], ...]
    extras: "Extras"
    card_points: MaybePoints = ()
    scores: MaybePoints = ()
    ties: tuple[tuple[int, ...], ...] = ()
    """Ties that were remembered when the deal began."""


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


class SheetResult(Struct, frozen=True):
    """What the sheet says of a deal; `seq` is the entry that counts."""

    seq: int
    side: int
    card_points: tuple[int, ...]
    scores: tuple[int, ...]
    contract: str | None
    sweep: int | None
    stoeck: int | None
    melds: tuple[int, ...] | None
    confirmed: bool


class Infraction(Struct, frozen=True):
    """A card, meld or Stöck of a transcribed game that was proven to be against the rules."""

    deal: int
    seat: int
    trick: int
    code: str
    at_seq: int
    proof_seq: int | None


class Declaration(Struct, frozen=True):
    """Melds declared by a seat: points and deciding card of each, and the masks where they are known."""

    seat: int
    heard: tuple[tuple[int, int], ...]
    melds: tuple[int, ...] | None


class Pile(NamedTuple):
    """A place on the table: the open card, and the closed one below it (-1: not known, None: nothing lies
    there)."""

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
    turned: int | None = None
    turned_seat: int | None = None
    taker_of_turned: int | None = None
    table: tuple[tuple["Pile", ...], ...] = ((), (), (), ())
    """Places on the table from left to right. A card that lies open is in the hand's mask too, until it is
    played."""


NOTHING = Extras()

_SHARED = (
    "seq", "variant", "seats", "options", "mode", "rules_version", "won_before", "over", "closed",
    "deal", "dealer", "dealing", "annulled", "totals", "records", "rulings", "results", "winners",
    "payments", "infractions", "ties", "declarer", "bid", "won_in", "contract", "chooser",
    "slot", "leader", "sizes", "face_down", "pushed", "declared", "melds", "stoeck", "barred", "marked",
    "extras",
)  # fmt: skip
_OWN = ("hands", "trick", "trick_seats", "trick_seqs", "tricks", "taken")
_CACHES = ("rules", "phase", "ways", "next_play")
_ZEROS = tuple((0,) * n for n in range(5))


class State:
    """The empty ledger; `evolve(state, event)` fills it."""

    __slots__ = _SHARED + _OWN + _CACHES

    def __init__(self) -> None:
        self.seq: int = 0
        """The number the next event gets."""
        self.variant: str = ""
        self.seats: int = 0
        self.options: dict[str, Any] = {}
        self.mode: str = "dealt"
        self.rules_version: int = 0
        self.won_before: int | None = None
        self.over: bool = False
        self.closed: bool = False
        self.deal: int = 0
        self.dealer: int | None = None
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
        self.ties: tuple[tuple[int, ...], ...] = ()
        self.declarer: int | None = None
        self.bid: int | None = None
        self.won_in: int = 0
        """The deal in which the last auction was won; declarer and bid stay until the next one."""
        self.rules: Rules = cast("Rules", None)
        """What variant, seats and options compile to, set before any decider runs. A cache, like all
        below."""
        self.phase: Phase | None = None
        """The first open phase."""
        self.ways: tuple[Way, ...] | None = None
        """How each trick of the deal is played; None when that has to be looked up again."""
        self.next_play: NextPlay | None = None
        """Whose card comes next and what may be played; None from each event on, until somebody asks."""
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
        self.sizes: tuple[int, ...] = zeros
        """Cards a seat has to play in this deal, hand and table together: as many as there are tricks."""
        self.face_down: tuple[int, ...] = ()
        """The seats that may not look at their hand yet."""
        self.trick: list[int] = []
        self.trick_seats: list[int] = []
        self.trick_seqs: list[int] = []
        self.tricks: list[Trick] = []
        self.taken: list[int] = list(zeros)
        """Points in tricks by seat."""
        self.pushed: tuple[int, ...] = ()
        self.declared: tuple[Declaration, ...] = ()
        self.melds: tuple[tuple[int, int], ...] = ()
        """Melds scored: side, points."""
        self.stoeck: tuple[tuple[int, int, int], ...] = ()
        """Stöck declared: seat, points, tricks completed before."""
        self.barred: tuple[int, ...] = zeros
        """Mask of cards a seat may not lead with its next lead."""
        self.marked: bool = self.mode == "transcribed"
        """A card played has more to be written down than usual."""
        self.extras: Extras = NOTHING

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
        )

    def copy(self) -> "State":
        """An independent copy for what-if; whatever is immutable is shared."""
        new = State.__new__(State)
        for name in _COPIED:
            setattr(new, name, getattr(self, name))
        for name in _OWN:
            setattr(new, name, getattr(self, name)[:])
        return new

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

    def facts(self) -> dict[str, Any]:
        """Every fact by name, without the caches: what two ledgers are compared by."""
        return {name: getattr(self, name) for name in _SHARED + _OWN}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.facts() == other.facts()

    __hash__ = None  # type: ignore[assignment]


_COPIED = _SHARED + _CACHES
