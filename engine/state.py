"""What is known of a game, as a slotted object that `evolve` updates in place.

It is a ledger of facts without rules: who leads what to whom is in the phases and variants. It has a neutral place
for the facts of every game of the registry. Cards are numbers (-1: unknown) and hands are masks; a hand may be known
in part, `sizes` says how many cards were dealt or held.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from .rules import Phase, Rules


class Trick(NamedTuple):
    """A completed trick: who played what in which order, who took it (None: not known) for how much."""

    seats: tuple[int, ...]
    cards: tuple[int, ...]
    taker: int | None
    points: int | None
    seqs: tuple[int, ...] = ()
    """The events of the cards; kept in transcribed games only."""


class DealRecord(NamedTuple):
    """A deal that is over, as it was recorded: what rulings are computed from."""

    deal: int
    size: int
    """Tricks in the whole deal."""
    dealer: int | None
    contract: str | None
    chooser: int | None
    slot: str | None
    tricks: tuple[Trick, ...]
    stoeck: tuple[tuple[int, int, int], ...]  # seat, points, tricks completed before
    melds: tuple[tuple[int, int], ...]  # side, points
    predictions: tuple[int | None, ...]
    discards: int
    card_points: tuple[int | None, ...]
    scores: tuple[int | None, ...]


class Ruling(NamedTuple):
    """A ruling as far as later ones have to know it."""

    number: int
    kind: str
    deal: int | None
    trick: int | None
    against: int | None
    replaces: int | None
    points: int | None
    choice: str | None
    scores: tuple[int | None, ...] | None


class SheetResult(NamedTuple):
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


_SCALARS = (
    "seq", "variant", "seats", "options", "mode", "rules_version", "won_before", "rules", "phase", "over", "closed",
    "deal", "dealer", "dealing", "annulled", "contract", "chooser", "slot", "leader", "played", "declarer", "bid",
    "accepted", "conceder", "turned", "talon_size", "taker_of_turned", "talon_closed", "talon_open",
    "legal", "legal_at", "marked",
)  # fmt: skip
_LISTS = (
    "hands", "sizes", "face_down", "trick", "trick_seats", "trick_seqs", "tricks", "taken", "pushed", "declared", "melds",
    "stoeck", "bids", "passed", "deferred", "predictions", "exchanged", "extra", "extra_sizes", "discards",
    "table_open", "table_closed", "table_sizes", "barred", "infractions", "totals", "records", "rulings", "results",
    "winners", "slots", "ties", "payments",
)  # fmt: skip

_CACHES = frozenset({"rules", "phase", "legal", "legal_at"})


class State:
    """The empty ledger; `evolve(state, event)` fills it."""

    __slots__ = _SCALARS + _LISTS

    def __init__(self) -> None:
        self.seq: int = 0
        """The number the next event gets."""
        self.variant: str = ""
        self.seats: int = 0
        self.options: dict[str, Any] = {}
        self.mode: str = "dealt"
        self.rules_version: int = 0
        self.won_before: int | None = None
        self.rules: Rules = cast("Rules", None)
        """Cache of what variant, seats and options compile to, set before any decider runs; no fact."""
        self.phase: Phase | None = None
        """Cache of the first open phase; no fact."""
        self.legal: int = 0
        self.legal_at: int = -1
        """Cache of the legal cards of the turn at that seq; no fact."""
        self.over: bool = False
        self.closed: bool = False
        self.deal: int = 0
        self.dealer: int | None = None
        self.dealing: bool = False
        """A deal has begun and is not over."""
        self.annulled: bool = False
        """The last deal was annulled."""
        self.totals: list[int] = []
        self.records: list[DealRecord] = []
        self.rulings: list[Ruling] = []
        self.results: list[SheetResult] = []
        self.winners: list[int] = []
        self.payments: list[int] = []
        self.infractions: list[tuple[int, int, int, str]] = []
        """Transcribed games: (deal, seat, trick, code)."""
        self.slots: list[tuple[int, str]] = []
        """Coupon games: (seat, slot) in the order played."""
        self.ties: list[tuple[int, ...]] = []
        self.clear_deal()

    def clear_deal(self) -> None:
        """Empty everything that belongs to one deal."""
        n = self.seats
        self.contract: str | None = None
        self.chooser: int | None = None
        self.slot: str | None = None
        self.leader: int | None = None
        """Who led the trick lying, or took the last one; None before the first card and where it is not known."""
        self.played: int = 0
        self.declarer: int | None = None
        self.bid: int | None = None
        self.accepted: bool = False
        self.conceder: int | None = None
        self.turned: int | None = None
        self.taker_of_turned: int | None = None
        self.talon_open: int = 0
        self.talon_closed: int = 0
        self.talon_size: int = 0
        self.hands: list[int] = [0] * n
        self.sizes: list[int] = [0] * n
        """Cards a seat has to play in this deal, hand and table together: as many as there are tricks."""
        self.face_down: list[bool] = [False] * n
        self.trick: list[int] = []
        self.trick_seats: list[int] = []
        self.trick_seqs: list[int] = []
        self.tricks: list[Trick] = []
        self.taken: list[int] = [0] * n
        """Points in tricks by seat."""
        self.pushed: list[int] = []
        self.declared: list[tuple[int, tuple[tuple[int, int], ...], tuple[int, ...] | None]] = []
        """Melds by declaration: seat, (points, deciding card) each, masks where known."""
        self.melds: list[tuple[int, int]] = []
        self.stoeck: list[tuple[int, int, int]] = []
        self.bids: list[tuple[int, int]] = []
        self.passed: list[int] = []
        self.deferred: list[int] = []
        self.predictions: list[int | None] = [None] * n
        self.exchanged: list[int] = []
        self.extra: list[int] = [0] * n
        self.extra_sizes: list[int] = [0] * n
        self.discards: list[int] = [0] * n
        self.table_open: list[int] = [0] * n
        self.table_closed: list[int] = [0] * n
        self.table_sizes: list[int] = [0] * n
        self.barred: list[int] = [0] * n
        """Mask of cards a seat may not lead with its next lead."""
        self.marked: bool = self.mode == "transcribed"
        """A card played has more to be written down than usual."""

    def record(self) -> DealRecord:
        """The deal now played, as far as it was played, without its scores."""
        return DealRecord(
            self.deal,
            self.sizes[0],
            self.dealer,
            self.contract,
            self.chooser,
            self.slot,
            tuple(self.tricks),
            tuple(self.stoeck),
            tuple(self.melds),
            tuple(self.predictions),
            sum(self.discards),
            (),
            (),
        )

    def copy(self) -> "State":
        """An independent copy for what-if; records inside are immutable and shared."""
        new = State.__new__(State)
        for name in _SCALARS:
            setattr(new, name, getattr(self, name))
        for name in _LISTS:
            setattr(new, name, getattr(self, name)[:])
        return new

    def unknown(self, seat: int) -> int:
        """How many cards of a hand nobody has told this ledger."""
        left = self.sizes[seat] - sum(seat in t.seats for t in self.tricks) - self.trick_seats.count(seat)
        return left - self.hands[seat].bit_count() - self.table_open[seat].bit_count()

    def facts(self) -> dict[str, Any]:
        """Every fact by name, without the caches: what two ledgers are compared by."""
        return {n: getattr(self, n) for n in _SCALARS + _LISTS if n not in _CACHES}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.facts() == other.facts()

    __hash__ = None  # type: ignore[assignment]
