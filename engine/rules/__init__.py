"""What a variant is: data. What it compiles to: Rules. And the table that is played by them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast, final

import msgspec

from engine.commands import Command
from engine.contracts import TOP_DOWN, VALUES, Values
from engine.errors import IllegalCommand
from engine.events import Event
from engine.ledger.evolve import evolve
from engine.ledger.state import DealRecord, NextPlay, State, Trick
from engine.rules.aims import FROM_DIRECTION, MOST_POINTS, Aim
from engine.rules.sheet_fields import SheetRules
from engine.rules.tally import Counted, Scored, Tally
from engine.tricks.following import FOLLOWING, Following
from engine.tricks.modes import mode_at
from engine.tricks.trick_tables import BySuit, Ways

Options = TypeVar("Options", bound=msgspec.Struct)
"""The options of a variant."""
Said = TypeVar("Said", bound=Command)
AfterTrick = Callable[["GameContext", Trick, int], list[Event]]
"""(table, a trick that was taken, seq of the next event) -> what follows beside its points. It goes by that
trick and by extras."""
AfterLast = Callable[["GameContext", int], list[Event]]
"""(table, seq of the next event) -> what follows the last trick. It goes by contract and extras."""
Decider = Callable[["GameContext", Command], list[Event]]
"""(table, a command of the kind it stands for) -> the events that follow; see `on`."""
Deciders = Mapping[type[Command], Decider]
Chooser = Callable[[int, int], int]
"""(seat, mask of the cards it may play) -> the number of the one it plays. It looks at nothing else."""
Sides = Sequence[int]
SlateKind = Literal["points", "strokes", "sacks", "apples", "slots", "predictions"]
"""How the score is written: points in chalk; a stroke a game point, with sacks or with apples for what is
lost; a board of slots; what was said and by how much it was missed."""
NO_PLAY: Final[NextPlay] = (None, 0)
NO_BID: Final = 1_000_000_000
"""No side reaches what nobody has bid."""


def on(
    kind: type[Said], decider: Callable[["GameContext", Said], list[Event]]
) -> dict[type[Command], Decider]:
    """The decider of one kind of command; several are joined with `|`."""
    return {kind: cast("Decider", decider)}  # it is asked for this kind alone


class Turn(NamedTuple):
    """Who has to do what: seat (None: the table), phase kind, names of the commands open to that seat."""

    seat: int | None
    phase: str
    commands: tuple[str, ...]


class Bids(NamedTuple):
    """What may be bid, in points: the first bid at least `least`, each next at least `raised_by` more, all of
    them multiples of `step`."""

    least: int
    raised_by: int
    step: int

    def after(self, last: int | None) -> int:
        """The lowest bid when the highest so far is `last`."""
        bound = self.least if last is None else last + self.raised_by
        return -(-bound // self.step) * self.step


class FromDeck(NamedTuple):
    """Where in the deck something lies that a deal gives out. `turn`: whose it is, 0 is forehand; None:
    nobody's. The cards of `table` lie open, those of `closed` under them; `talon` are its open ones."""

    kind: Literal["hand", "extra", "table", "closed", "talon", "turned"]
    turn: int | None
    at: Sequence[int]


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of a game in which the same commands are open. The first open phase has the turn."""

    kind: str
    is_open: Callable[["GameContext"], bool]
    turn: Callable[["GameContext"], Turn]
    deciders: Deciders
    offers: Callable[["GameContext"], list[Command]] = lambda table: []
    """Commands the turn may choose from: all where they are few, else a fair sample, for forms and random
    play."""
    next_legal: Callable[["GameContext"], NextPlay] = lambda table: NO_PLAY
    """Finds who plays and which cards are legal, where cards are played, and keeps it in the table."""
    audit_run: Callable[["GameContext", Sequence[Event], int], int] = lambda table, log, at: 0
    """Writes what stands from a place of a log on into the state, if it is plainly what `decide` gives, and
    says how many events that were; 0, with the state as it was, for anything else."""
    play_fast: Callable[["GameContext", Chooser, list[Event]], None] = lambda table, choose, log: None
    """Plays cards as long as nothing else can happen with them, asking for each; writes the events into the
    state and adds them to a log."""
    cuts: bool = False
    """A card is cut before the deal."""
    after_trick: AfterTrick | None = None
    """What follows every trick of a game that has this phase; it ends no game."""
    after_last: AfterLast | None = None
    """What follows its last trick only, after that; what counts with it may end the game."""
    contracts: tuple[str, ...] = ()
    """What may be named in it."""
    card_contracts: tuple[str, ...] = ()
    """What a card that is turned or cut in it may name."""
    places: Callable[[int, bool], list[FromDeck]] = lambda seats, declared: []
    """(seats, whether somebody has won an auction before) -> from where in the deck it gives cards to
    where."""
    bids: Bids | None = None
    """What may be bid in it."""
    highest_prediction: int | None = None
    """The most that may be predicted in it."""


def forehand(state: State) -> int:
    """The seat after the dealer."""
    return ((state.dealer or 0) + 1) % state.seats


IN_TURN: Final = tuple(
    tuple(tuple((first + turn) % seats for turn in range(seats)) for first in range(seats))
    for seats in range(5)
)
"""IN_TURN[seats][who begins]: the seats in the order of play."""


def from_forehand(state: State) -> Sequence[int]:
    """The seats in the order of play, forehand first."""
    return IN_TURN[state.seats][forehand(state)]


@dataclass(frozen=True, slots=True)
class TrickRules:
    """How tricks are played and what counts beside their cards. A variant fills in where it differs."""

    following: Following = FOLLOWING["only-trumps"]
    values: Mapping[str, Values] = field(default_factory=lambda: VALUES)
    lead: Callable[[State], int] = forehand
    multipliers: Mapping[str, int] = field(default_factory=dict)
    """By slot, or by contract where there are none: the factor of everything scored in a deal; else 1."""
    deal_points: int = 157
    all_counted: bool = True
    """Every card of the deck counts for somebody, so that the card points of a deal sum to `deal_points`."""
    melds: bool = False
    low_quads: bool = True
    meld_tie: str = "puur"
    stoeck: bool = False
    stoeck_signed: bool = False
    """Its holder says whether the Stöck is added or taken off."""
    sweep_bonus: int = 0
    targets: tuple[int | None, ...] | None = None
    """Points that end the game, per side; None for a side: what it has bid."""
    automatic: bool = True
    stoeck_priority: bool = False
    slots: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The contracts of each slot, where a side plays each of them once."""
    names_trumps: bool = False
    """There is no trump suit until the first card that does not follow names one."""

    def goals(self, state: State) -> Sequence[int]:
        """The targets as they stand, per side; none where no target ends the game."""
        targets = self.targets or ()
        if None not in targets:
            return targets  # type: ignore[return-value]  # the line above
        return [(state.bid or NO_BID) if points is None else points for points in targets]

    def multiplier(self, contract: str | None, slot: str | None) -> int:
        """The factor of everything scored in a deal."""
        return self.multipliers.get(slot or contract or "", 1)

    def contracts(self, contract: str | None, slot: str | None) -> Sequence[str]:
        """What a deal may be played with of which the contract or the slot is known, or neither."""
        if contract is not None:
            return (contract,)
        return self.slots.get(slot or "", tuple(self.values))


class Partnership(NamedTuple):
    """Who plays with whom: the side of each seat, and how many sides so many seats make."""

    sides: Callable[[State], Sides]
    count: Callable[[int], int]


ALONE: Final = Partnership(lambda state: range(state.seats), lambda seats: seats)
PARTNERS: Final = Partnership(
    lambda state: (0, 1, 0, 1) if state.seats == 4 else range(state.seats),
    lambda seats: 2 if seats == 4 else seats,
)
"""Four play in partners, seats 0 and 2 against 1 and 3; fewer play alone."""
DECLARER: Final = Partnership(
    lambda state: [0 if seat == state.declarer else 1 for seat in range(state.seats)], lambda seats: 2
)
"""Side 0 is who won the auction, side 1 are all others."""


def highest(totals: Sequence[int]) -> list[int]:
    """The sides with most points; all of them where they are equal."""
    return [side for side, total in enumerate(totals) if total == max(totals)]


def as_counted(options: msgspec.Struct, table: "GameContext", record: DealRecord, tally: Tally) -> Scored:
    """A side scores all that has counted for it."""
    return Scored(tally.cards, tally.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant(Generic[Options]):
    """One game of Jass.

    `complete(options, seats)` refuses options that do not fit and fills in those that depend on the seats;
    `score(options, table, record, tally)` gives the points of a deal from what counted in it, None where they
    are open; `ties` says that ties are remembered from deal to deal. A game ends with a target of its
    `TrickRules`, after `deals(options, sides)`, or when `winner(options, totals, deals)` names the sides that
    have won when these deals are counted; `score_direction` is -1 where fewer points are better,
    `payments(options, totals)` what each side pays at the end. `marker(options)` is the card whose first
    holder is forehand, `draws_forehand(options)` whether that of the first deal is drawn by lot; `anytime`
    the deciders of commands that are not tied to a phase; `sheet(options, table, deal)` says what a score
    sheet takes for a deal, `recounted` that one whose sum is wrong is counted again until it is right,
    whatever regulations say elsewhere, `slate` how the score is written on the slate, `aim` what is wanted
    (unless given, most points or, where fewer are better, fewest). `apart(options)` are the least and the
    most points of a side in a deal where each side's points are its own, so that no sum checks them; None: a
    deal's points follow from one another, or have no bounds.
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
    score: Callable[[Options, "GameContext", DealRecord, Tally], Scored | None] = as_counted
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
        """Fill in `aim`. Raises ValueError where it contradicts the direction of counted points."""
        fewest = self.score_direction < 0
        if self.aim is FROM_DIRECTION:
            object.__setattr__(self, "aim", Aim("fewest") if fewest else MOST_POINTS)  # frozen
        if self.score is as_counted and fewest != (self.aim.points == "fewest"):
            raise ValueError(f"{self.key}: score_direction={self.score_direction} contradicts {self.aim}")

    def leaders(self, totals: Sequence[int]) -> list[int]:
        """The sides that are ahead; all of them where they are equal."""
        return highest([self.score_direction * total for total in totals])


AnyVariant: TypeAlias = Variant[Any]
"""One whose options nobody but itself looks into."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A variant with its options, ready for one table."""

    variant: AnyVariant
    options: msgspec.Struct
    sides: int
    sides_of: Callable[[State], Sides]
    """The side of each seat."""
    deals: int | None
    """After so many the game is over."""
    phases: tuple[Phase, ...]
    play: TrickRules
    ways: Ways
    marker: str | None
    draws_forehand: bool
    cuts: bool
    by_card: bool
    """A card names the contract, and nobody chooses it."""
    after_trick: tuple[AfterTrick, ...]
    after_last: tuple[AfterLast, ...]
    span: int | None
    """How many deals a line of the sheet is of, where totals are handed in."""
    cards_only: bool
    """No trick but the first can count anything beside its cards or end the game in its middle."""

    def score(self, table: "GameContext", record: DealRecord, tally: Tally) -> Scored | None:
        """The points of a deal from what counted in it; None where they are open."""
        return self.variant.score(self.options, table, record, tally)

    def bounds(self) -> tuple[int, int] | None:
        """The least and the most points of a side in a line of totals that no sum checks."""
        apart = None if self.span is None else self.variant.apart(self.options)
        return None if self.span is None or apart is None else (self.span * apart[0], self.span * apart[1])

    def asks_chooser_only(self) -> bool:
        """Whether a sheet takes the points of who chose alone: of several others nobody counts."""
        return self.variant.aim.chooser_only and self.sides > 2

    def sheet(self, table: "GameContext", deal: int) -> SheetRules:
        """What a score sheet takes for a deal."""
        return self.variant.sheet(self.options, table, deal)

    def mode_in(self, record: DealRecord, at: int) -> int:
        """The mode of a trick of a deal that was played; top-down while no card had named trumps."""
        named = record.extras.named if self.play.names_trumps else None
        return TOP_DOWN if named is not None and at < named[0] else mode_at(record.contract, record.size, at)

    def options_as_json(self) -> dict[str, Any]:
        """All options with their values."""
        plain: dict[str, Any] = msgspec.to_builtins(self.options)
        return plain


_NO_PHASE: Final = Phase("", lambda table: False, lambda table: Turn(None, "", ()), {})


@final
class GameContext:
    """A game as it stands: its rules, what events made of it, and what was found out about that.

    What was found out holds for a `stage` or a `seq` of the state and is looked up again after it, so whoever
    asks several questions about a state keeps the table.
    """

    __slots__ = ("next_play", "phase", "phase_at", "play_at", "rules", "state", "ways", "ways_at")

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.phase: Phase = _NO_PHASE
        """The first open phase, as long as `phase_at` is the state's stage."""
        self.phase_at = -1
        self.ways: tuple[BySuit, ...] = ()
        """How each trick of the deal is played, as long as `ways_at` is the state's stage."""
        self.ways_at = -1
        self.next_play: NextPlay = NO_PLAY
        """Whose card comes next and what may be played, as long as `play_at` is the state's seq."""
        self.play_at = -1

    def copy(self) -> "GameContext":
        """The same rules with an independent copy of the state, and what was found out about it."""
        new = GameContext(self.rules, self.state.copy())
        new.phase, new.phase_at = self.phase, self.phase_at
        new.ways, new.ways_at = self.ways, self.ways_at
        new.next_play, new.play_at = self.next_play, self.play_at
        return new

    def ways_now(self) -> tuple[BySuit, ...]:
        """How each trick of the deal is played while its contract stands."""
        state = self.state
        if self.ways_at != state.stage:
            self.ways = self.rules.ways[state.contract, state.sizes[0]]
            self.ways_at = state.stage
        return self.ways


class Draft:
    """Collects the consequences of one command, so that deciding leaves the table as it was. The copy that
    the events are written into is made when somebody first looks at it."""

    __slots__ = ("_after", "_base", "events")

    def __init__(self, table: GameContext) -> None:
        self._base = table
        self._after: GameContext | None = None
        self.events: list[Event] = []

    @property
    def seq(self) -> int:
        """The number of the next event."""
        return self._base.state.seq + len(self.events)

    @property
    def table(self) -> GameContext:
        """The table after the events so far; the same object from the first look on."""
        if self._after is None:
            self._after = self._base.copy()
            for event in self.events:
                evolve(self._after.state, event)
        return self._after

    @property
    def state(self) -> State:
        """The state after the events so far; the same object from the first look on."""
        return self.table.state

    def emit(self, event: Event) -> None:
        """Add the next event."""
        self.events.append(event)
        if self._after is not None:
            evolve(self._after.state, event)


def not_open(command: str, phase: str) -> IllegalCommand:
    """The refusal of a command that does not belong here."""
    return IllegalCommand(
        f"{command}/not_now", f"{command} is not open in phase {phase}", command=command, phase=phase
    )


def check_turn(name: str, seat: int, turn: int | None) -> None:
    """Refuse a seat whose turn it is not. The same for whatever others may hold."""
    if seat != turn:
        raise IllegalCommand(f"{name}/not_your_turn", f"it is not the turn of seat {seat}", seat=seat)
