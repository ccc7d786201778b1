"""The validated input of a draw."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from engine import Refused

FORMATS: Final = ("pairs", "solo")
MAX_PLAYERS: Final = 5_000
MAX_ROUNDS: Final = 100

PARTNERED: Final = 4
"""Number of seats of a table with partners."""
THREE: Final = 3

Seats = tuple[int, ...]
"""Players of one table in the order of play. At a table of four with partners, 0 and 2 play together."""


class PairingError(Refused):
    """Error of an invalid problem."""

    def __init__(self, code: str, detail: str, **params: int | str) -> None:
        super().__init__(detail, code=code, **params)


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A drawn round: the players of each table, by number of the table, and the players with a bye."""

    tables: tuple[Seats, ...]
    byes: tuple[int, ...] = ()


class AvoidedPairs(NamedTuple):
    """Pairs of players to avoid as partners, and pairs to avoid at one table.

    The lower player comes first. No pair is in both sets.
    """

    partner: frozenset[tuple[int, int]]
    meet: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class PairingProblem:
    """The input of one draw.

    players: number of players, numbered from 0; rounds: number of rounds to draw; seed: any bytes. past:
    rounds already played, in which -1 stands for a player who has left. format: `pairs` (0 and 2 against 1
    and 3 at a table of four) or `solo` (only meetings count). fixed_pairs: players who always sit as
    partners; never_partner, never_meet: pairs who must not be partners, or sit at one table. avoid_partner,
    avoid_meet: pairs of players who are kept apart if this adds no repeat. table_size: number of seats of a
    full table. threes: number of tables with three seats instead of four. sit_out_first: players who get a
    bye before other players with as many byes, in this order. sit_out_last: players who get a bye only if
    unavoidable. Raises PairingError if the input is invalid.
    """

    players: int
    rounds: int
    seed: bytes
    format: str = "pairs"
    table_size: int = 4
    past: tuple[DrawnRound, ...] = ()
    fixed_pairs: tuple[tuple[int, int], ...] = ()
    never_partner: tuple[tuple[int, int], ...] = ()
    never_meet: tuple[tuple[int, int], ...] = ()
    sit_out_first: tuple[int, ...] = field(default=())
    threes: int = 0
    sit_out_last: tuple[int, ...] = ()
    avoid_partner: tuple[tuple[int, int], ...] = ()
    avoid_meet: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise PairingError(
                "pairing/unknown_format", f"unknown format {self.format!r}", format=self.format
            )
        if self.table_size not in (2, 3, 4):
            raise PairingError("pairing/table_size", "a table has 2, 3 or 4 seats", size=self.table_size)
        self._check_threes()
        least = THREE if self.threes else self.table_size
        if not least <= self.players <= MAX_PLAYERS:
            raise PairingError(
                "pairing/players",
                f"{self.players} players: a draw needs {least} to {MAX_PLAYERS}",
                players=self.players,
                least=least,
                most=MAX_PLAYERS,
            )
        if not 1 <= self.rounds <= MAX_ROUNDS:
            raise PairingError(
                "pairing/rounds", f"{self.rounds} rounds: 1 to {MAX_ROUNDS} can be drawn", rounds=self.rounds
            )
        self._check_pairs()

    def _check_threes(self) -> None:
        if not self.threes:
            return
        if self.table_size != PARTNERED or self.fixed_pairs:
            raise PairingError(
                "pairing/threes", "tables of three go with tables of four, without fixed pairs"
            )
        if not 0 < THREE * self.threes <= self.players:
            raise PairingError(
                "pairing/threes", f"{self.players} players do not fill {self.threes} tables of three"
            )

    def _check_pairs(self) -> None:
        avoided = (*self.avoid_partner, *self.avoid_meet)
        for a, b in (*self.fixed_pairs, *self.never_partner, *self.never_meet, *avoided):
            if a == b or not (0 <= a < self.players and 0 <= b < self.players):
                raise PairingError("pairing/unknown_player", f"no such pair of players: {a}, {b}", a=a, b=b)
        if not self.fixed_pairs:
            return
        if not self.in_pairs:
            raise PairingError("pairing/fixed_pairs", "fixed pairs need tables of four in pairs")
        members = [p for pair in self.fixed_pairs for p in pair]
        if len(members) != len(set(members)):
            raise PairingError("pairing/fixed_pairs", "a player is in two fixed pairs")
        barred = {frozenset(pair) for pair in (*self.never_partner, *self.never_meet)}
        for a, b in self.fixed_pairs:
            if frozenset((a, b)) in barred:
                raise PairingError(
                    "pairing/contradiction", f"{a} and {b} are a fixed pair and must not meet", a=a, b=b
                )

    @property
    def in_pairs(self) -> bool:
        """Whether the tables have partners."""
        return self.format == "pairs" and self.table_size == 4

    @property
    def is_free(self) -> bool:
        """Whether all players are interchangeable: no past, no bye, no table of three, no constraint.

        Pairs to avoid are no constraints.
        """
        constrained = self.fixed_pairs or self.never_partner or self.never_meet
        return not (self.past or self.bye_count or self.threes or constrained)

    @cached_property
    def avoided(self) -> AvoidedPairs:
        """The pairs to avoid, without pairs for which a constraint decides already: fixed pairs, and pairs in
        `never_meet` or `never_partner`.
        """
        fixed, never_partner, never_meet, partner, meet = (
            {(min(pair), max(pair)) for pair in pairs}
            for pairs in (
                self.fixed_pairs,
                self.never_partner,
                self.never_meet,
                self.avoid_partner if self.in_pairs else (),
                self.avoid_meet,
            )
        )
        meet -= fixed | never_meet
        return AvoidedPairs(
            partner=frozenset(partner - fixed - never_meet - never_partner - meet), meet=frozenset(meet)
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of seats of each table; full tables come first."""
        full = (self.players - THREE * self.threes) // self.table_size
        return (self.table_size,) * full + (THREE,) * self.threes

    @property
    def seated(self) -> int:
        return sum(self.sizes)

    @property
    def bye_count(self) -> int:
        return self.players - self.seated
