"""A competition as plain data: the input of pairing systems and of rankings, and its JSON form.

The pages in `docs/developers/pairing/` show examples. Entrants and persons are texts. The order of entrants
never matters.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from engine import Refused

MAX_ENTRANTS: Final = 5_000
MAX_ROUNDS: Final = 1_000
PARTNERED: Final = 4
"""Number of seats of a table with partners."""

Points = int | Fraction
Award = Literal["mean_of_own", "mean_of_round", "win"] | int | str
"""The points of a round without a full table: the name of a rule, a whole number, or a fraction "n/d"."""
Name = Annotated[str, Meta(min_length=1, max_length=200)]


class CompetitionError(Refused):
    """Error of a document that is no competition, or of a round that cannot be drawn."""

    def __init__(self, code: str, detail: str, **params: int | str) -> None:
        super().__init__(detail, code=code, **params)


class DocumentPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all parts of the document."""


class EntrantRecord(DocumentPart, frozen=True, kw_only=True):
    """An entrant: a person, a pair that stays together, or a team.

    ref: its unique key. members: the persons, in their order of play; empty for one person called `ref`.
    reserves: persons who do not sit now, but whose tables in past rounds count for the entrant. start_rank: 1
    is the best. team: the club or team of the entrant. from_round, until_round: first and last round in which
    it takes part.
    """

    ref: Name
    members: tuple[Name, ...] = ()
    reserves: tuple[Name, ...] = ()
    start_rank: int | None = None
    team: str | None = None
    from_round: int = 1
    until_round: int | None = None

    @property
    def persons(self) -> tuple[str, ...]:
        return self.members or (self.ref,)


class PlayedTable(DocumentPart, frozen=True, kw_only=True):
    """One played table.

    seats: persons in order of play. points: by seat; None for a seat without a result. deals: by deal, the
    points by side; None for a deal that was missed; only the credit against the field reads them. broken_off:
    the table ended before its last deal. walkover: refs of entrants that were announced for this table and
    did not come.
    """

    seats: tuple[Name, ...]
    points: tuple[int | None, ...] = ()
    deals: tuple[tuple[int | None, ...] | None, ...] = ()
    broken_off: bool = False
    walkover: tuple[Name, ...] = ()


class PlayedRound(DocumentPart, frozen=True, kw_only=True):
    """One round of the past.

    round: its number. byes, absent, no_show: refs of entrants without a table: by draw, with notice, without
    notice. These refs and the persons at tables may be missing in the document's entrants. given: decided
    points by ref, whole or "n/d"; they replace the credit of a round without a table, and the credit of a
    table broken off if the rules have one.
    """

    round: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]
    tables: tuple[PlayedTable, ...] = ()
    byes: tuple[Name, ...] = ()
    absent: tuple[Name, ...] = ()
    no_show: tuple[Name, ...] = ()
    given: dict[Name, int | str] = {}


class RoundCredit(DocumentPart, frozen=True, kw_only=True):
    """The credit of an entrant for a round without a full table.

    points: a rule or a number. most: number of such rounds that get the credit, later ones get nothing; None:
    all get it.
    """

    points: Award = "mean_of_round"
    most: Annotated[int, Meta(ge=0)] | None = None


class OnceCredit(RoundCredit, frozen=True, kw_only=True):
    """A credit that by default an entrant gets for one round only, so that nobody gains by leaving."""

    most: Annotated[int, Meta(ge=0)] | None = 1


class CountingRules(DocumentPart, frozen=True, kw_only=True):
    """The rules that turn rounds into totals, and totals into a ranking.

    what: `sum`, `drop_worst`, `best`, `nearest`, `average`, `victory_points`, `matches`, `last_round`
    (explained in `tournaments.standings.counting_rules.Counting`).
    number: rounds dropped or counted. sealed: with `nearest`, the number to come near to; None until it is
    known. least_rounds: an average of fewer rounds ranks below the others. scale: victory points by
    difference, as (least difference, points of the better side, points of the other side); empty: a default.
    members: number of a team's sides, the best ones, that count in a round; 0: all. credit: whether a side
    gets its `points`, or its points against the `field` (from `PlayedTable.deals`). by: a ranking of
    entrants, or of persons (with several starts, each table counts as a round). tie_breaks: applied in turn
    (`tournaments.standings`); None: none. buchholz_unplayed: what a round that an opponent did not play adds
    to the opponent's total in `buchholz`; None: the credit that the opponent got.
    """

    what: str = "sum"
    number: Annotated[int, Meta(ge=0)] = 0
    sealed: int | None = None
    least_rounds: Annotated[int, Meta(ge=0)] = 0
    scale: tuple[tuple[int, int, int], ...] = ()
    members: Annotated[int, Meta(ge=0)] = 0
    credit: Literal["points", "field"] = "points"
    by: Literal["entrant", "person"] = "entrant"
    tie_breaks: tuple[str, ...] | None = None
    buchholz_unplayed: Award | None = None


class Competition(DocumentPart, frozen=True, kw_only=True, dict=True):
    """The whole document of a competition.

    system, options: the pairing system and its options. size: number of seats of a table. rounds: planned
    number; None if open. seed: any text. plan_seed: the seed of everything that holds for all rounds (a plan,
    positions, starting order, lots of level entrants); empty: `seed`. past: the rounds played so far.
    counting: the rules of the ranking. direction: 1 if the most points win, -1 if the fewest do. apart: two
    entrants or persons that must not meet ("hard") or should not ("soft"). absent_rounds: numbers of rounds
    missed with notice, by ref. partners: whether seats 0 and 2 play together at tables of four; None: draws
    ask the pairing system, rankings whether both have the same points. bye, absence, broken_off, walkover:
    credits for a bye, for an announced absence, for a table that ended early, and for a table to which the
    other side did not come. If `absence` is None, an absence gives nothing; if `broken_off` is None, the
    points so far count.
    """

    system: str = "drawn"
    options: dict[str, Any] = {}
    size: Annotated[int, Meta(ge=2, le=4)] = 4
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] | None = None
    seed: str = ""
    plan_seed: str = ""
    entrants: tuple[EntrantRecord, ...] = ()
    past: tuple[PlayedRound, ...] = ()
    counting: CountingRules = CountingRules()
    direction: Literal[1, -1] = 1
    apart: tuple[tuple[Name, Name, Literal["hard", "soft"]], ...] = ()
    absent_rounds: dict[str, tuple[int, ...]] = {}
    bye: RoundCredit = RoundCredit()
    absence: OnceCredit | None = None
    broken_off: OnceCredit | None = None
    walkover: RoundCredit = RoundCredit(points="win")
    partners: bool | None = None

    @property
    def lasting_seed(self) -> str:
        """The seed of everything that is the same in all rounds."""
        return self.plan_seed or self.seed

    @cached_property
    def by_ref(self) -> Mapping[str, EntrantRecord]:
        """Entrants by ref, in the order of refs."""
        return {entrant.ref: entrant for entrant in sorted(self.entrants, key=lambda e: e.ref)}

    @cached_property
    def ref_of(self) -> Mapping[str, str]:
        """Person, reserves included → ref of their entrant."""
        return {
            person: entrant.ref
            for entrant in self.by_ref.values()
            for person in (*entrant.persons, *entrant.reserves)
        }

    @cached_property
    def next_number(self) -> int:
        """Number of the round that follows the past."""
        return max((one.round for one in self.past), default=0) + 1

    @property
    def ended(self) -> bool:
        """Whether the planned rounds are past; False if no number is planned."""
        return self.rounds is not None and self.next_number > self.rounds

    def is_present(self, entrant: EntrantRecord, number: int) -> bool:
        """Return whether an entrant is expected in a round."""
        return (
            entrant.from_round <= number
            and (entrant.until_round is None or number <= entrant.until_round)
            and number not in self.absent_rounds.get(entrant.ref, ())
        )

    def present(self, number: int | None = None) -> list[EntrantRecord]:
        """Return the entrants expected in a round, the next one by default, ordered by ref."""
        wanted = self.next_number if number is None else number
        return [entrant for entrant in self.by_ref.values() if self.is_present(entrant, wanted)]

    def entrants_at(self, table: PlayedTable) -> tuple[str, ...]:
        """Return the refs at a table, each once, in order of seats; unknown persons are left out."""
        return tuple(dict.fromkeys(self.ref_of[p] for p in table.seats if p in self.ref_of))

    @cached_property
    def bye_counts(self) -> Mapping[str, int]:
        """Number of byes by ref."""
        counts = dict.fromkeys(self.by_ref, 0)
        for ref in (ref for one in self.past for ref in one.byes):
            if ref in counts:
                counts[ref] += 1
        return counts


def split_sides(seats: tuple[str, ...], partners: bool) -> tuple[tuple[str, ...], ...]:
    """Split the persons of a table into sides: pairs of opposite seats with partners, else single persons."""
    if partners and len(seats) == PARTNERED:
        return (seats[0], seats[2]), (seats[1], seats[3])
    return tuple((person,) for person in seats)


def list_partners(seats: tuple[str, ...], partners: bool) -> Iterator[tuple[str, str]]:
    """Yield the pairs of partners at a table, each pair in alphabetical order."""
    for side in split_sides(seats, partners):
        yield from (ordered(a, b) for a, b in combinations(side, 2))


def list_opponents(seats: tuple[str, ...], partners: bool) -> Iterator[tuple[str, str]]:
    """Yield the pairs of opponents at a table, each pair in alphabetical order."""
    for one, other in combinations(split_sides(seats, partners), 2):
        yield from (ordered(a, b) for a in one for b in other)


def ordered(a: str, b: str) -> tuple[str, str]:
    """Return two texts in alphabetical order, as the key of an unordered pair."""
    return (a, b) if a <= b else (b, a)


def decode_competition(data: bytes | str | Mapping[str, Any]) -> Competition:
    """Decode and check a document. Raises CompetitionError `pairing/…`."""
    try:
        plain = dict(data) if isinstance(data, Mapping) else msgspec.json.decode(data)
        found = msgspec.convert(plain, Competition)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CompetitionError("pairing/unreadable", f"the document cannot be read: {error}") from None
    check(found)
    return found


def check(competition: Competition) -> None:
    """Raise CompetitionError unless the parts of a document fit together."""
    if len(competition.entrants) > MAX_ENTRANTS:
        raise CompetitionError(
            "pairing/players", f"{len(competition.entrants)} entrants: at most {MAX_ENTRANTS} can be drawn"
        )
    repeated = _find_repeated(entrant.ref for entrant in competition.entrants)
    if repeated is not None:
        raise CompetitionError("pairing/entrant_twice", f"{repeated!r} is entered twice", ref=repeated)
    if competition.system != "open":  # there a person may have several starts
        repeated = _find_repeated(
            person for entrant in competition.entrants for person in (*entrant.persons, *entrant.reserves)
        )
        if repeated is not None:
            raise CompetitionError("pairing/person_twice", f"{repeated!r} is in two entries", person=repeated)
    for number, one in enumerate(competition.past, 1):
        if competition.system != "open" and one.round != number:
            raise CompetitionError(
                "pairing/rounds", f"round {one.round} of the past follows no other", round=one.round
            )
        _check_round(one, competition)


def _check_round(one: PlayedRound, competition: Competition) -> None:
    for table in one.tables:
        if not 2 <= len(table.seats) <= competition.size:
            raise CompetitionError(
                "pairing/table_size",
                f"a table of round {one.round} has {len(table.seats)} seats",
                round=one.round,
            )
        if table.points and len(table.points) != len(table.seats):
            raise CompetitionError(
                "pairing/points", f"a table of round {one.round} has not one number a seat", round=one.round
            )
    seated = [person for table in one.tables for person in table.seats]
    repeated = _find_repeated(seated) if competition.system != "open" else None
    if repeated is not None:
        raise CompetitionError(
            "pairing/person_twice", f"{repeated!r} sits twice in round {one.round}", person=repeated
        )


def _find_repeated(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def divide(total: Points, count: int) -> Points:
    """Divide exactly. Returns an int if an int total is divisible, since ints are fast, else a Fraction."""
    if isinstance(total, int) and total % count == 0:
        return total // count
    return Fraction(total) / count


def write_number(value: Points) -> int | str:
    """Return an exact number for JSON: an int if whole, else a text "n/d"."""
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else f"{exact.numerator}/{exact.denominator}"


def read_number(written: int | str) -> Points:
    """Read a number that `write_number` wrote."""
    return written if isinstance(written, int) else Fraction(written)
