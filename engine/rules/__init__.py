"""Variant (a game as data), Rules (a variant compiled for one table) and GameContext (rules and state)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast, final

import msgspec

from engine.card_points import VALUES, Values
from engine.commands import Command
from engine.contracts import TOP_DOWN
from engine.errors import IllegalCommand
from engine.events import Event
from engine.ledger.evolve import evolve
from engine.ledger.state import DealRecord, NextPlay, State, Trick
from engine.rules.aims import FROM_DIRECTION, MOST_POINTS, Aim
from engine.rules.sheet_fields import SheetRules
from engine.rules.tally import Counted, Scored, Tally
from engine.tricks.following import FOLLOWING, Following
from engine.tricks.modes import mode_at
from engine.tricks.trick_tables import TablesBySuit, TrickTables

Options = TypeVar("Options", bound=msgspec.Struct)
"""Options of a variant."""
Said = TypeVar("Said", bound=Command)
AfterTrick = Callable[["GameContext", Trick, int], list[Event]]
"""(context, completed trick, seq of the next event) -> events after the trick in addition to its points.
Depends only on the trick and on variant_state.
"""
AfterLast = Callable[["GameContext", int], list[Event]]
"""(context, seq of the next event) -> events after the last trick. Depends only on the contract and on
variant_state.
"""
Decider = Callable[["GameContext", Command], list[Event]]
"""(context, command of the registered type) -> events; see `on`."""
Deciders = Mapping[type[Command], Decider]
Chooser = Callable[[int, int], int]
"""(seat, mask of its legal cards) -> number of the card to play."""
Sides = Sequence[int]
SlateKind = Literal["points", "strokes", "sacks", "apples", "slots", "predictions"]
"""How the score is written: points in chalk; strokes for game points, with sacks or apples for losses; a
board of slots; predictions with the differences from them.
"""
NO_PLAY: Final[NextPlay] = (None, 0)
NO_BID: Final = 1_000_000_000
"""Target of a side whose target is a bid before any bid is made; out of reach."""


def on(
    kind: type[Said], decider: Callable[["GameContext", Said], list[Event]]
) -> dict[type[Command], Decider]:
    """Return the decider mapping of one command type. Mappings are joined with `|`."""
    return {kind: cast("Decider", decider)}  # it is looked up by this type only


class Turn(NamedTuple):
    """A turn: the seat (None: the table), the kind of phase and the names of the seat's open commands."""

    seat: int | None
    phase: str
    commands: tuple[str, ...]


class Bids(NamedTuple):
    """Legal bids in points: the first at least `least`, each further one at least `raised_by` higher, all
    multiples of `step`.
    """

    least: int
    raised_by: int
    step: int

    def after(self, last: int | None) -> int:
        """Return the lowest legal bid after the highest bid so far."""
        bound = self.least if last is None else last + self.raised_by
        return -(-bound // self.step) * self.step


class FromDeck(NamedTuple):
    """A slice of the deck and its place in a deal.

    `turn`: the receiving place in the order of play, 0 for forehand, None for no seat. Cards of kind `table`
    lie open, those of `closed` face down below them; `talon` are the talon's open cards.
    """

    kind: Literal["hand", "extra", "table", "closed", "talon", "turned"]
    turn: int | None
    at: Sequence[int]


@dataclass(frozen=True, slots=True)
class Phase:
    """A section of a game in which the same commands are open. The first open phase has the turn."""

    kind: str
    is_open: Callable[["GameContext"], bool]
    turn: Callable[["GameContext"], Turn]
    deciders: Deciders
    offers: Callable[["GameContext"], list[Command]] = lambda table: []
    """Returns commands open to the seat in turn: all if few, else a fair sample, for forms and random play.
    """
    next_legal: Callable[["GameContext"], NextPlay] = lambda table: NO_PLAY
    """In a phase of card play, computes the next seat with its legal cards and caches both in the context."""
    audit_run: Callable[["GameContext", Sequence[Event], int], int] = lambda table, log, at: 0
    """Folds events of a log from a position on while they are plainly what `decide` gives, and returns their
    number. Returns 0 with the state unchanged for any other events.
    """
    play_fast: Callable[["GameContext", Chooser, list[Event]], None] = lambda table, choose, log: None
    """Plays cards from the chooser while no other event can occur with them. Folds the events into the state
    and appends them to the log.
    """
    cuts: bool = False
    """A card is cut before the deal."""
    after_trick: AfterTrick | None = None
    """Called after every trick of a game with this phase. It never ends the game."""
    after_last: AfterLast | None = None
    """Called after `after_trick` of the last trick. Its points may end the game."""
    contracts: tuple[str, ...] = ()
    """Contracts that may be named in this phase."""
    card_contracts: tuple[str, ...] = ()
    """Contracts that a turned or cut card may name in this phase."""
    places: Callable[[int, bool], list[FromDeck]] = lambda seats, declared: []
    """(number of seats, whether an auction was won before) -> slices of the deck that this phase deals."""
    bids: Bids | None = None
    """Legal bids of this phase."""
    highest_prediction: int | None = None
    """Highest legal prediction of this phase."""


def forehand(state: State) -> int:
    """Return the seat after the dealer."""
    return ((state.dealer or 0) + 1) % state.seats


IN_TURN: Final = tuple(
    tuple(tuple((first + turn) % seats for turn in range(seats)) for first in range(seats))
    for seats in range(5)
)
"""Indexed as IN_TURN[seats][first seat]: the seats in the order of play."""


def from_forehand(state: State) -> Sequence[int]:
    """Return the seats in the order of play, forehand first."""
    return IN_TURN[state.seats][forehand(state)]


@dataclass(frozen=True, slots=True)
class TrickRules:
    """The rules of tricks, and what scores in addition to card points. A variant overrides single fields."""

    following: Following = FOLLOWING["only-trumps"]
    values: Mapping[str, Values] = field(default_factory=lambda: VALUES)
    lead: Callable[[State], int] = forehand
    multipliers: Mapping[str, int] = field(default_factory=dict)
    """Factor of everything scored in a deal, by slot, or by contract in games without slots. Default 1."""
    deal_points: int = 157
    all_counted: bool = True
    """Every card of the deck counts for a side, so that the card points of a deal sum to `deal_points`."""
    melds: bool = False
    low_quads: bool = True
    meld_tie: str = "puur"
    stoeck: bool = False
    stoeck_signed: bool = False
    """The holder chooses whether the Stöck is added or subtracted."""
    sweep_bonus: int = 0
    targets: tuple[int | None, ...] | None = None
    """Points that end the game, per side. None for a side whose target is its bid."""
    automatic: bool = True
    stoeck_priority: bool = False
    slots: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Contracts of each slot, if a side plays each slot once."""
    names_trumps: bool = False
    """No suit is trumps until the first card that does not follow suit names it."""

    def goals(self, state: State) -> Sequence[int]:
        """Return the current targets per side, or an empty sequence without targets."""
        targets = self.targets or ()
        if None not in targets:
            return targets  # type: ignore[return-value]  # no None, by the line above
        return [(state.bid or NO_BID) if points is None else points for points in targets]

    def multiplier(self, contract: str | None, slot: str | None) -> int:
        """Return the factor of everything scored in a deal."""
        return self.multipliers.get(slot or contract or "", 1)

    def contracts(self, contract: str | None, slot: str | None) -> Sequence[str]:
        """Return the possible contracts of a deal whose contract or slot, or neither, is known."""
        if contract is not None:
            return (contract,)
        return self.slots.get(slot or "", tuple(self.values))


class Partnership(NamedTuple):
    """The assignment of seats to sides, and the number of sides by number of seats."""

    sides: Callable[[State], Sides]
    count: Callable[[int], int]


ALONE: Final = Partnership(lambda state: range(state.seats), lambda seats: seats)
PARTNERS: Final = Partnership(
    lambda state: (0, 1, 0, 1) if state.seats == 4 else range(state.seats),
    lambda seats: 2 if seats == 4 else seats,
)
"""Four players form the sides 0 and 2 against 1 and 3; fewer play alone."""
DECLARER: Final = Partnership(
    lambda state: [0 if seat == state.declarer else 1 for seat in range(state.seats)], lambda seats: 2
)
"""Side 0 is the winner of the auction, side 1 all others."""


def highest(totals: Sequence[int]) -> list[int]:
    """Return the sides with the highest total; several if tied."""
    return [side for side, total in enumerate(totals) if total == max(totals)]


def score_as_counted(
    options: msgspec.Struct, table: "GameContext", record: DealRecord, tally: Tally
) -> Scored:
    """Score exactly the points counted for each side."""
    return Scored(tally.cards, tally.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant(Generic[Options]):
    """One game of Jass, as data.

    - `complete(options, seats)` fills in options that depend on the seats and refuses options that do not
      fit.
    - `score(options, context, record, tally)` returns the points of a deal from its tally, None if they
      are open.
    - `ties`: ties are carried from deal to deal.
    - A game ends at a target of its `TrickRules`, after `deals(options, sides)` deals, or when
      `winner(options, totals, deals)` names the winning sides.
    - `score_direction` is -1 if fewer points are better. `payments(options, totals)` is the payment of each
      side at the end.
    - `marker(options)` is the card whose first holder is forehand; `draws_forehand(options)`: forehand of the
      first deal is drawn by lot.
    - `anytime` holds the deciders of commands that belong to no phase.
    - `sheet(options, context, deal)` returns the fields of a score sheet. `recounted`: a sheet with a wrong
      sum must be recounted until it is right, whatever the regulations say.
    - `slate` is the notation on the slate, `aim` the aim of play (by default from
      `score_direction`).
    - `apart(options)` bounds the points of one side in a deal where each side's points are independent, so
      that no sum checks them. None: the sides' points depend on one another or are unbounded.
    """

    key: str
    label: str
    seats: tuple[int, ...]
    options: type[Options]
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rules_version: int
    parties: Partnership = ALONE
    phases: Callable[[Options], tuple[Phase, ...]]
    play: Callable[[Options], TrickRules]
    score: Callable[[Options, "GameContext", DealRecord, Tally], Scored | None] = score_as_counted
    ties: bool = False
    deals: Callable[[Options, int], int | None] = lambda options, sides: None
    winner: Callable[[Options, Sequence[int], Sequence[Counted]], list[int] | None] | None = None
    score_direction: Literal[1, -1] = 1
    marker: Callable[[Options], str | None] = lambda options: None
    draws_forehand: Callable[[Options], bool] = lambda options: False
    complete: Callable[[Options, int], Options] = lambda options, seats: options
    payments: Callable[[Options, Sequence[int]], list[int] | None] = lambda options, totals: None
    sheet: Callable[[Options, "GameContext", int], SheetRules] = lambda options, table, deal: SheetRules()
    anytime: Deciders = field(default_factory=dict)
    recounted: bool = False
    apart: Callable[[Options], tuple[int, int] | None] = lambda options: None
    slate: SlateKind = "points"
    aim: Aim = FROM_DIRECTION

    def __post_init__(self) -> None:
        """Fill in `aim`. Raises ValueError if it contradicts the direction of counted points."""
        fewest = self.score_direction < 0
        if self.aim is FROM_DIRECTION:
            object.__setattr__(self, "aim", Aim("fewest") if fewest else MOST_POINTS)  # frozen
        if self.score is score_as_counted and fewest != (self.aim.points == "fewest"):
            raise ValueError(f"{self.key}: score_direction={self.score_direction} contradicts {self.aim}")

    def leaders(self, totals: Sequence[int]) -> list[int]:
        """Return the leading sides; several if tied."""
        return highest([self.score_direction * total for total in totals])


AnyVariant: TypeAlias = Variant[Any]
"""A variant whose options type does not matter to the caller."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A variant with its options, compiled for one table."""

    variant: AnyVariant
    options: msgspec.Struct
    sides: int
    sides_of: Callable[[State], Sides]
    """Returns the side of each seat."""
    deals: int | None
    """Number of deals that end the game."""
    phases: tuple[Phase, ...]
    play: TrickRules
    trick_tables: TrickTables
    marker: str | None
    draws_forehand: bool
    cuts: bool
    by_card: bool
    """A card names the contract instead of a player."""
    after_trick: tuple[AfterTrick, ...]
    after_last: tuple[AfterLast, ...]
    span: int | None
    """Number of deals in one line of the sheet, in entry mode totals."""
    cards_only: bool
    """No trick after the first scores anything but its cards or ends the game before its last trick."""

    def score(self, table: "GameContext", record: DealRecord, tally: Tally) -> Scored | None:
        """Return the points of a deal from its tally; None if they are open."""
        return self.variant.score(self.options, table, record, tally)

    def bounds(self) -> tuple[int, int] | None:
        """Return the lowest and highest points of a side in a line of totals that no sum checks."""
        apart = None if self.span is None else self.variant.apart(self.options)
        return None if self.span is None or apart is None else (self.span * apart[0], self.span * apart[1])

    def asks_chooser_only(self) -> bool:
        """Return whether a sheet takes only the chooser's points, because several other sides do not count
        theirs.
        """
        return self.variant.aim.chooser_only and self.sides > 2

    def sheet(self, table: "GameContext", deal: int) -> SheetRules:
        """Return the sheet rules of a deal."""
        return self.variant.sheet(self.options, table, deal)

    def mode_in(self, record: DealRecord, at: int) -> int:
        """Return the mode of a trick in a recorded deal; top-down before a card names trumps."""
        named = record.variant_state.named if self.play.names_trumps else None
        return TOP_DOWN if named is not None and at < named[0] else mode_at(record.contract, record.size, at)

    def options_as_json(self) -> dict[str, Any]:
        """Return all options with their values as JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self.options)
        return plain


_NO_PHASE: Final = Phase("", lambda table: False, lambda table: Turn(None, "", ()), {})


@final
class GameContext:
    """The rules and state of a game, with cached query results. Parameters call it `table`.

    Results are cached by the state's `phase_version` or `seq`. A caller with several queries keeps the
    context.
    """

    __slots__ = (
        "next_play",
        "phase",
        "phase_at",
        "play_at",
        "rules",
        "state",
        "trick_tables",
        "trick_tables_at",
    )

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.phase: Phase = _NO_PHASE
        """The first open phase, valid while `phase_at` equals the state's `phase_version`."""
        self.phase_at = -1
        self.trick_tables: tuple[TablesBySuit, ...] = ()
        """The trick table of each trick in the deal, valid while `trick_tables_at` equals the state's
        `phase_version`.
        """
        self.trick_tables_at = -1
        self.next_play: NextPlay = NO_PLAY
        """The next seat and its legal cards, valid while `play_at` equals the state's `seq`."""
        self.play_at = -1

    def copy(self) -> "GameContext":
        """Return a context with the same rules, an independent copy of the state, and the caches."""
        new = GameContext(self.rules, self.state.copy())
        new.phase, new.phase_at = self.phase, self.phase_at
        new.trick_tables, new.trick_tables_at = self.trick_tables, self.trick_tables_at
        new.next_play, new.play_at = self.next_play, self.play_at
        return new

    def current_trick_tables(self) -> tuple[TablesBySuit, ...]:
        """Return the trick table of each trick under the current contract."""
        state = self.state
        if self.trick_tables_at != state.phase_version:
            self.trick_tables = self.rules.trick_tables[state.contract, state.sizes[0]]
            self.trick_tables_at = state.phase_version
        return self.trick_tables


class Draft:
    """Collector of one command's events. Leaves the context unchanged: copies the state on first access."""

    __slots__ = ("_after", "_base", "events")

    def __init__(self, table: GameContext) -> None:
        self._base = table
        self._after: GameContext | None = None
        self.events: list[Event] = []

    @property
    def seq(self) -> int:
        """Number of the next event."""
        return self._base.state.seq + len(self.events)

    @property
    def table(self) -> GameContext:
        """Context after the events so far; the same object at each access."""
        if self._after is None:
            self._after = self._base.copy()
            for event in self.events:
                evolve(self._after.state, event)
        return self._after

    @property
    def state(self) -> State:
        """State after the events so far; the same object at each access."""
        return self.table.state

    def emit(self, event: Event) -> None:
        """Append the next event."""
        self.events.append(event)
        if self._after is not None:
            evolve(self._after.state, event)


def not_open(command: str, phase: str) -> IllegalCommand:
    """Return the refusal of a command that the phase does not accept."""
    return IllegalCommand(
        f"{command}/not_now", f"{command} is not open in phase {phase}", command=command, phase=phase
    )


def check_turn(name: str, seat: int, turn: int | None) -> None:
    """Refuse a seat that is not in turn. The refusal does not depend on hidden cards."""
    if seat != turn:
        raise IllegalCommand(f"{name}/not_your_turn", f"it is not the turn of seat {seat}", seat=seat)
