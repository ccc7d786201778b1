"""What a variant is: data. And what it compiles to for one table: Rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from .commands import Command, EnterResult
from .contracts import VALUES, Values
from .draft import Draft
from .errors import IllegalCommand
from .events import Event
from .following import FOLLOWING, Following
from .state import DealRecord, NextPlay, State
from .ways import Ways

Decider = Callable[[State, Any], list[Event]]
Sides = Sequence[int]
NO_PLAY: Final[NextPlay] = (None, 0)


class Turn(NamedTuple):
    """Who has to do what: seat (None: the table), phase kind, names of the commands open to that seat."""

    seat: int | None
    phase: str
    commands: tuple[str, ...]


class Scored(NamedTuple):
    """The points of a deal per side; None where an unknown card leaves them open."""

    card_points: tuple[int | None, ...]
    scores: tuple[int | None, ...]
    ties: tuple[tuple[int, ...], ...] | None = None


class Counted(Protocol):
    """The points of a deal that is over."""

    @property
    def card_points(self) -> Sequence[int | None]: ...

    @property
    def scores(self) -> Sequence[int | None]: ...


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of a game in which the same commands are open. The first open phase has the turn."""

    kind: str
    is_open: Callable[[State], bool]
    turn: Callable[[State], Turn]
    deciders: Mapping[type[Command], Decider]
    offers: Callable[[State], list[Command]] = lambda state: []
    """Commands the turn may choose from: all where they are few, else a fair sample, for forms and random
    play."""
    look: Callable[[State], NextPlay] = lambda state: NO_PLAY
    """Finds who plays and which cards are legal, where cards are played, and keeps it in the state."""
    follow: Callable[[State, Sequence[Event], int], int] = lambda state, log, at: 0
    """Writes what stands from a place of a log on into the state, if it is plainly what `decide` gives, and
    says how many events that were; 0, with the state as it was, for anything else."""


def no_multiplier(contract: str | None, slot: str | None) -> int:
    """Everything counts once."""
    return 1


def forehand(state: State) -> int:
    """The seat after the dealer."""
    return ((state.dealer or 0) + 1) % state.seats


@dataclass(frozen=True, slots=True)
class TrickRules:
    """How tricks are played and what counts beside their cards. A variant fills in where it differs."""

    following: Following = FOLLOWING["only-trumps"]
    values: Mapping[str, Values] = field(default_factory=lambda: VALUES)
    lead: Callable[[State], int] = forehand
    multiplier: Callable[[str | None, str | None], int] = no_multiplier
    """(contract, slot) -> factor of everything scored in the deal."""
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
    targets: Callable[[State], Sequence[int]] | None = None
    """Points that end the game, per side."""
    automatic: bool = True
    stoeck_priority: bool = False
    after_trick: Callable[[Draft, bool], None] | None = None
    """(draft, whether the trick was the last one) adds what follows a trick beside its points."""


def partners(state: State) -> Sides:
    """Seats 0 and 2 against 1 and 3."""
    return (0, 1, 0, 1)


def alone(state: State) -> Sides:
    """Everyone for himself."""
    return range(state.seats)


def highest(totals: Sequence[int]) -> list[int]:
    """The sides with most points; all of them where they are equal."""
    return [side for side, total in enumerate(totals) if total == max(totals)]


def lowest(totals: Sequence[int]) -> list[int]:
    """The sides with fewest points; all of them where they are equal."""
    return [side for side, total in enumerate(totals) if total == min(totals)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One game of Jass.

    `sides(state)` gives the side of each seat, `count_sides(seats)` how many there are; `complete(options,
    seats)` refuses options that do not fit and fills in those that depend on the seats; `score(state, record,
    items)` gives the points of a deal from what counted in it, `winner(options, totals, deals)` the sides
    that have won when these deals are counted, or None, `leaders(totals)` who is ahead when it is not played
    on, `payments(options, totals)` what each side pays at the end; `marker(options)` the card whose first
    holder is forehand, `cuts(options)` whether a card is cut before each deal; `anytime` the deciders of
    commands that are not tied to a phase; `sheet(state, entry)` derives scores from a written result.
    """

    key: str
    label: str
    seats: tuple[int, ...]
    options: type[msgspec.Struct]
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rules_version: int
    sides: Callable[[State], Sides] = alone
    count_sides: Callable[[int], int] = lambda seats: seats
    phases: Callable[[Any], tuple[Phase, ...]]
    play: Callable[[Any], TrickRules]
    score: Callable[[State, DealRecord, Sequence[Any]], Scored]
    winner: Callable[[Any, Sequence[int], Sequence[Counted]], list[int] | None]
    leaders: Callable[[Sequence[int]], list[int]] = highest
    marker: Callable[[Any], str | None] = lambda options: None
    cuts: Callable[[Any], bool] = lambda options: False
    complete: Callable[[Any, int], Any] = lambda options, seats: options
    payments: Callable[[Any, Sequence[int]], list[int] | None] = lambda options, totals: None
    sheet: Callable[[State, EnterResult], tuple[int, ...]] | None = None
    anytime: Mapping[type[Command], Decider] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rules:
    """A variant with its options, ready for one table."""

    variant: Variant
    options: Any
    sides: int
    phases: tuple[Phase, ...]
    play: TrickRules
    ways: Ways
    marker: str | None
    cuts: bool
    cards_only: bool
    """No trick but the first can count anything beside its cards or end the game in its middle."""

    def options_as_json(self) -> dict[str, Any]:
        """All options with their values."""
        plain: dict[str, Any] = msgspec.to_builtins(self.options)
        return plain


def not_open(command: str, phase: str) -> IllegalCommand:
    """The refusal of a command that does not belong here."""
    return IllegalCommand(
        f"{command}/not_now", f"{command} is not open in phase {phase}", command=command, phase=phase
    )


def check_turn(name: str, seat: int, turn: int | None) -> None:
    """Refuse a seat whose turn it is not. The same for whatever others may hold."""
    if seat != turn:
        raise IllegalCommand(f"{name}/not_your_turn", f"it is not the turn of seat {seat}", seat=seat)
