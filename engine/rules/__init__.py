"""Variant (a game as data), Rules (a variant compiled for one table) and GameContext (rules with a state)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast, final

import msgspec

from engine.card_points import DEAL_POINTS, VALUES, Values
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
Said = TypeVar("Said", bound=Command)
AfterTrick = Callable[["GameContext", Trick, int], list[Event]]
"""A function of (context, completed trick, seq of the next event). It returns events that follow the trick.
They depend only on the trick and on variant_state.
"""
AfterLast = Callable[["GameContext", int], list[Event]]
"""A function of (context, seq of the next event). It returns events that follow the last trick. They do not
depend on the tricks.
"""
Decider = Callable[["GameContext", Command], list[Event]]
"""A function of (context, command of the type for which it is registered). It returns the events that follow
from the command, or raises IllegalCommand.
"""
Deciders = Mapping[type[Command], Decider]
Chooser = Callable[[int, int], int]
"""A function of (seat, mask of its legal cards). It returns the number of the card to play."""
Sides = Sequence[int]
SlateKind = Literal["points", "strokes", "sacks", "apples", "slots", "predictions"]
"""How the score is written on the slate: points; strokes for game points, with sacks or apples for losses; a
table of slots; or predictions with the differences from them.
"""
NO_PLAY: Final[NextPlay] = (None, 0)
NO_BID: Final = 1_000_000_000
"""Target of a side whose target is its bid, as long as no bid is made. It is out of reach."""


def on(
    kind: type[Said], decider: Callable[["GameContext", Said], list[Event]]
) -> dict[type[Command], Decider]:
    """Return a mapping with one decider, by the type of its command. Mappings are joined with `|`."""
    return {kind: cast("Decider", decider)}  # it is looked up by this type only


class Turn(NamedTuple):
    """A turn: the seat (None: no particular seat), the kind of phase and the names of the open commands."""

    seat: int | None
    phase: str
    commands: tuple[str, ...]


class Bids(NamedTuple):
    """Legal bids in points: the first at least `least`, each further bid at least `raised_by` higher, all
    multiples of `step`.
    """

    least: int
    raised_by: int
    step: int

    def after(self, last: int | None) -> int:
        """Return the lowest legal bid after the bid `last`. None: the lowest first bid."""
        bound = self.least if last is None else last + self.raised_by
        return -(-bound // self.step) * self.step


class FromDeck(NamedTuple):
    """A slice of the deck, and the place where a deal puts these cards.

    `turn`: the receiving seat in the order of play, 0 for forehand, None for no seat. `at`: positions in the
    deck. Kinds: `extra` cards are dealt beyond the hand, `table` cards lie open, `closed` cards face down
    below them; `talon` are the talon's open cards, `turned` is the card turned up.
    """

    kind: Literal["hand", "extra", "table", "closed", "talon", "turned"]
    turn: int | None
    at: Sequence[int]


@dataclass(frozen=True, slots=True)
class Phase:
    """A section of a game, with its commands. The first open phase of a game has the turn."""

    kind: str
    is_open: Callable[["GameContext"], bool]
    turn: Callable[["GameContext"], Turn]
    deciders: Deciders
    offers: Callable[["GameContext"], list[Command]] = lambda context: []
    """Returns commands open to the seat in turn, for forms and random play: all if they are few, otherwise a
    sample. By default none.
    """
    next_legal: Callable[["GameContext"], NextPlay] = lambda context: NO_PLAY
    """In a phase of card play, computes the next seat and its legal cards, and caches both in the context."""
    audit_run: Callable[["GameContext", Sequence[Event], int], int] = lambda context, log, at: 0
    """Folds events of a log from an index on, as long as they are plainly what `decide` returns, and returns
    their number. For any other events it returns 0 and leaves the state unchanged.
    """
    play_fast: Callable[["GameContext", Chooser, list[Event]], None] = lambda context, choose, log: None
    """Plays whole tricks with cards of the chooser as long as only their cards can score, to the end of the
    deal. Folds the events into the state and appends them to the log.
    """
    cuts: bool = False
    """Whether a card is cut before the deal."""
    after_trick: AfterTrick | None = None
    """Called after every trick in a game with this phase. Its events never end the game."""
    after_last: AfterLast | None = None
    """Called after `after_trick` of the last trick. The points in its events may end the game."""
    contracts: tuple[str, ...] = ()
    """Contracts that may be named in this phase."""
    card_contracts: tuple[str, ...] = ()
    """Contracts that a turned or cut card may name in this phase."""
    places: Callable[[int, bool], list[FromDeck]] = lambda seats, declared: []
    """A function of (number of seats, whether an auction was won before). It returns the slices of the deck
    that this phase deals.
    """
    bids: Bids | None = None
    """Legal bids in this phase; None if it has no bids."""
    highest_prediction: int | None = None
    """Highest legal prediction in this phase; None if it has no predictions."""


def forehand(state: State) -> int:
    """Return the seat after the dealer."""
    return ((state.dealer or 0) + 1) % state.seats


IN_TURN: Final = tuple(
    tuple(tuple((first + turn) % seats for turn in range(seats)) for first in range(seats))
    for seats in range(5)
)
"""IN_TURN[seats][first seat]: the seats in the order of play."""


def from_forehand(state: State) -> Sequence[int]:
    """Return the seats in the order of play, forehand first."""
    return IN_TURN[state.seats][forehand(state)]


@dataclass(frozen=True, slots=True)
class TrickRules:
    """The rules of tricks, and of what scores in addition to card points.

    `following`: legal cards by mode. `values`: points of the cards by contract. `lead`: the seat that leads
    first. `low_quads`: fours of a kind below the nines are melds. `meld_tie`: see
    `engine.melds.comparison.rank`. `automatic`: a reached target ends the game without a claim.
    `stoeck_priority`: a Stöck that reaches the target counts before melds and tricks.
    """

    following: Following = FOLLOWING["only-trumps"]
    values: Mapping[str, Values] = field(default_factory=lambda: VALUES)
    lead: Callable[[State], int] = forehand
    multipliers: Mapping[str, int] = field(default_factory=dict)
    """Factor of everything scored in a deal, by slot, or by contract in games without slots. A missing factor
    is 1.
    """
    deal_points: int = DEAL_POINTS
    all_counted: bool = True
    """Whether every card of the deck counts for a side, so that the card points of a deal sum to
    `deal_points`.
    """
    melds: bool = False
    low_quads: bool = True
    meld_tie: str = "puur"
    stoeck: bool = False
    stoeck_signed: bool = False
    """Whether the holder of the Stöck chooses if it is added or subtracted."""
    sweep_bonus: int = 0
    targets: tuple[int | None, ...] | None = None
    """Points that end the game, by side; None for a side whose target is its bid. Without a tuple no target
    ends the game.
    """
    automatic: bool = True
    stoeck_priority: bool = False
    slots: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Contracts of each slot, in games in which a side plays each slot once."""
    names_trumps: bool = False
    """Whether no suit is trumps until a card does not follow suit; the suit of this card becomes trumps."""

    def goals(self, state: State) -> Sequence[int]:
        """Return the current targets by side; empty if the game has no targets."""
        targets = self.targets or ()
        if None not in targets:
            return targets  # type: ignore[return-value]  # no None, by the line above
        return [(state.bid or NO_BID) if points is None else points for points in targets]

    def multiplier(self, contract: str | None, slot: str | None) -> int:
        """Return the factor of everything scored in a deal."""
        return self.multipliers.get(slot or contract or "", 1)

    def contracts(self, contract: str | None, slot: str | None) -> Sequence[str]:
        """Return the possible contracts of a deal: the contract if it is known, otherwise those of the slot
        if that is known, otherwise all.
        """
        if contract is not None:
            return (contract,)
        return self.slots.get(slot or "", tuple(self.values))


class Partnership(NamedTuple):
    """A division of seats into sides. `sides`: returns the side of each seat. `count`: returns the number of
    sides for a number of seats.
    """

    sides: Callable[[State], Sides]
    count: Callable[[int], int]


ALONE: Final = Partnership(lambda state: range(state.seats), lambda seats: seats)
PARTNERS: Final = Partnership(
    lambda state: (0, 1, 0, 1) if state.seats == 4 else range(state.seats),
    lambda seats: 2 if seats == 4 else seats,
)
"""Of four players, seats 0 and 2 form side 0, seats 1 and 3 side 1; fewer players play alone."""
DECLARER: Final = Partnership(
    lambda state: [0 if seat == state.declarer else 1 for seat in range(state.seats)], lambda seats: 2
)
"""Side 0 is the winner of the auction; all other seats are side 1."""


def highest(totals: Sequence[int]) -> list[int]:
    """Return the sides with the highest total; several if tied."""
    return [side for side, total in enumerate(totals) if total == max(totals)]


def score_as_counted(
    options: msgspec.Struct, context: "GameContext", record: DealRecord, tally: Tally
) -> Scored:
    """Return a score of exactly the points counted for each side."""
    return Scored(tally.cards, tally.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant(Generic[Options]):
    """One game of Jass, as data.

    - `complete(options, seats)` fills in options that depend on the seats, and refuses options that do not
      fit.
    - `score(options, context, record, tally)` returns the points of a deal, None if the tally does not
      decide them.
    - `ties`: ties are carried from deal to deal.
    - A game ends at a target of its `TrickRules`, after `deals(options, sides)` deals, or when
      `winner(options, totals, deals)` returns the winning sides.
    - `score_direction` is -1 if fewer points are better. `payments(options, totals)` returns the payment of
      each side at the end.
    - `marker(options)` is the card whose holder is forehand in the first deal. `draws_forehand(options)`:
      the first forehand is drawn by lot.
    - `anytime` contains the deciders of commands that belong to no phase.
    - `sheet(options, context, deal)` returns the rules of a score sheet. `recounted`: a sheet with a wrong
      sum must be recounted until it is right, whatever the regulations say.
    - `slate` is how the score is written on the slate; `aim` is the aim of play (by default it follows from
      `score_direction`).
    - `apart(options)` returns the bounds of one side's points in a deal, for variants in which each side's
      points are independent, so that no sum checks them. None: the sides' points depend on one another or
      have no bounds.
    """

    key: str
    label: str
    seats: tuple[int, ...]
    options: type[Options]
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rules_version: int
    partnership: Partnership = ALONE
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
    sheet: Callable[[Options, "GameContext", int], SheetRules] = lambda options, context, deal: SheetRules()
    anytime: Deciders = field(default_factory=dict)
    recounted: bool = False
    apart: Callable[[Options], tuple[int, int] | None] = lambda options: None
    slate: SlateKind = "points"
    aim: Aim = FROM_DIRECTION

    def __post_init__(self) -> None:
        """Set `aim` if it was not given. Raises ValueError if it contradicts the direction of counted
        points.
        """
        fewest = self.score_direction < 0
        if self.aim is FROM_DIRECTION:
            object.__setattr__(self, "aim", Aim("fewest") if fewest else MOST_POINTS)  # frozen
        if self.score is score_as_counted and fewest != (self.aim.points == "fewest"):
            raise ValueError(f"{self.key}: score_direction={self.score_direction} contradicts {self.aim}")

    def leaders(self, totals: Sequence[int]) -> list[int]:
        """Return the leading sides; several if they are tied."""
        return highest([self.score_direction * total for total in totals])


AnyVariant: TypeAlias = Variant[Any]
"""A variant whose options type does not matter to the caller."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A variant with its options, compiled for one table. `sides`: the number of sides. Other fields without
    a comment are named as in Variant and Phase.
    """

    variant: AnyVariant
    options: msgspec.Struct
    sides: int
    sides_of: Callable[[State], Sides]
    """Returns the side of each seat."""
    deals: int | None
    """Number of deals, or of lines of totals, after which the game ends; None if no number ends it."""
    phases: tuple[Phase, ...]
    play: TrickRules
    trick_tables: TrickTables
    marker: str | None
    draws_forehand: bool
    cuts: bool
    by_card: bool
    """Whether a card names the contract, and not a player."""
    after_trick: tuple[AfterTrick, ...]
    after_last: tuple[AfterLast, ...]
    span: int | None
    """Number of deals in one line of the sheet in entry mode totals; None in other games."""
    cards_only: bool
    """Whether no trick after the first scores anything but its cards, and none ends the game before the last
    trick.
    """

    def score(self, context: "GameContext", record: DealRecord, tally: Tally) -> Scored | None:
        """Return the points of a deal; None if the tally does not decide them."""
        return self.variant.score(self.options, context, record, tally)

    def bounds(self) -> tuple[int, int] | None:
        """Return the lowest and highest points of a side in a line of totals, if no sum checks the line; else
        None.
        """
        apart = None if self.span is None else self.variant.apart(self.options)
        return None if self.span is None or apart is None else (self.span * apart[0], self.span * apart[1])

    def asks_chooser_only(self) -> bool:
        """Return whether a sheet takes only the points of the chooser's side, because several others score
        nothing.
        """
        return self.variant.aim.chooser_only and self.sides > 2

    def sheet(self, context: "GameContext", deal: int) -> SheetRules:
        """Return the rules of the sheet for a deal."""
        return self.variant.sheet(self.options, context, deal)

    def mode_in(self, record: DealRecord, at: int) -> int:
        """Return the mode of trick `at` (from 0) of a recorded deal; top-down before a card names trumps."""
        named = record.variant_state.named if self.play.names_trumps else None
        return TOP_DOWN if named is not None and at < named[0] else mode_at(record.contract, record.size, at)

    def options_as_json(self) -> dict[str, Any]:
        """Return all options by name, as JSON values."""
        plain: dict[str, Any] = msgspec.to_builtins(self.options)
        return plain


_NO_PHASE: Final = Phase("", lambda context: False, lambda context: Turn(None, "", ()), {})


@final
class GameContext:
    """The rules and the state of a game, with cached results of queries.

    Results are cached by the state's `phase_version` or `seq`. A caller with several queries uses the same
    context for all.
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
        """The tables of each trick in the deal, valid while `trick_tables_at` equals the state's
        `phase_version`.
        """
        self.trick_tables_at = -1
        self.next_play: NextPlay = NO_PLAY
        """The next seat and its legal cards, valid while `play_at` equals the state's `seq`."""
        self.play_at = -1

    def copy(self) -> "GameContext":
        """Return a context with the same rules, an independent copy of the state, and the cached results."""
        new = GameContext(self.rules, self.state.copy())
        new.phase, new.phase_at = self.phase, self.phase_at
        new.trick_tables, new.trick_tables_at = self.trick_tables, self.trick_tables_at
        new.next_play, new.play_at = self.next_play, self.play_at
        return new

    def current_trick_tables(self) -> tuple[TablesBySuit, ...]:
        """Return the tables of each trick under the current contract."""
        state = self.state
        if self.trick_tables_at != state.phase_version:
            self.trick_tables = self.rules.trick_tables[state.contract, state.sizes[0]]
            self.trick_tables_at = state.phase_version
        return self.trick_tables


class Draft:
    """Collector of the events of one command. It leaves the context unchanged: it copies the state when
    `context` or `state` is first read.
    """

    __slots__ = ("_after", "_base", "events")

    def __init__(self, context: GameContext) -> None:
        self._base = context
        self._after: GameContext | None = None
        self.events: list[Event] = []

    @property
    def seq(self) -> int:
        """Seq of the next event."""
        return self._base.state.seq + len(self.events)

    @property
    def context(self) -> GameContext:
        """Context after the events so far; the same object at each access."""
        if self._after is None:
            self._after = self._base.copy()
            for event in self.events:
                evolve(self._after.state, event)
        return self._after

    @property
    def state(self) -> State:
        """State after the events so far."""
        return self.context.state

    def emit(self, event: Event) -> None:
        """Append the next event."""
        self.events.append(event)
        if self._after is not None:
            evolve(self._after.state, event)


def not_open(command: str, phase: str) -> IllegalCommand:
    """Return the refusal of a command that is not open in the phase."""
    return IllegalCommand(
        f"{command}/not_now", f"{command} is not open in phase {phase}", command=command, phase=phase
    )


def check_turn(name: str, seat: int, turn: int | None) -> None:
    """Raise IllegalCommand if it is not the seat's turn. The refusal does not depend on hidden cards."""
    if seat != turn:
        raise IllegalCommand(f"{name}/not_your_turn", f"it is not the turn of seat {seat}", seat=seat)
