"""The interface of pairing systems: options as data, abilities, and a pure function that returns the next
round.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from tournaments.competition import (
    Competition,
    CompetitionError,
    EntrantRecord,
    list_opponents,
    list_partners,
    ordered,
)

Kind = Literal["person", "pair", "team"]
Ability = Literal["all_rounds_known", "bracket", "queue", "needs_results", "many_starts"]
"""Abilities of a system.

`all_rounds_known`: all rounds can be printed before the first card. `bracket`: there is a bracket. `queue`:
entrants wait in a queue. `needs_results`: a round needs the results of the round before. `many_starts`: a
person may start more than once."""
Wish = Literal["never_partner", "never_meet"]
"""Wishes of the director that a system can keep as far as possible."""
Seats = tuple[str, ...]
"""Persons of a table in order of play."""
TEAM: Final = 3
"""Number of members from which an entrant is a team."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the options of a system."""


@dataclass(frozen=True, slots=True)
class DrawNote:
    """A note of a draw: a stable code and its values."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NextRound:
    """A drawn round. number: from 1. tables: persons in order of play. byes: refs of entrants with a bye."""

    number: int
    tables: tuple[Seats, ...]
    byes: tuple[str, ...] = ()
    notes: tuple[DrawNote, ...] = ()


@dataclass(frozen=True, slots=True)
class PairingSystem:
    """A pairing system.

    title: in English; pages translate it by key. options: type of its options. sizes: possible numbers of
    seats; kinds: possible entrants. partnered: whether seats 0 and 2 play together at tables of four, unless
    the document says otherwise. version: changes whenever the same document would give another round.
    next_round: function that draws the next round, or returns None when the competition is over; it does not
    depend on the order of `competition.entrants`. keeps: wishes that the system keeps; a draw notes other
    wishes as not kept. explain: function that yields notes on each table of a drawn round; None if the system
    has no explanation of its own. explains_meetings: whether the explanation covers repeated meetings.
    order_after: function that returns the refs in the order of start ranks for the next evening; None if each
    evening begins anew. advise_rounds: function that returns the largest advisable number of rounds for a
    number of entrants, None for any number.
    """

    key: str
    title: str
    options: type[Options]
    sizes: tuple[int, ...]
    kinds: tuple[Kind, ...]
    next_round: Callable[[Competition, Any], NextRound | None]
    abilities: frozenset[Ability] = frozenset()
    version: int = 1
    partnered: bool = True
    keeps: frozenset[Wish] = frozenset()
    explain: "Callable[[Competition, NextRound], Iterable[DrawNote]] | None" = None
    explains_meetings: bool = False
    order_after: Callable[[Competition, Any], list[str]] | None = None
    advise_rounds: Callable[[int, Any], int | None] | None = None

    def has_partners(self, competition: Competition) -> bool:
        """Return whether opposite seats play together at this competition's tables of four."""
        return self.partnered if competition.partners is None else competition.partners


def kind_of(entrants: Iterable[EntrantRecord]) -> Kind:
    """Return the kind of these entrants: person, pair or team.

    Raises CompetitionError `pairing/entrants` if they have different numbers of members.
    """
    sizes = {len(entrant.persons) for entrant in entrants}
    if len(sizes) > 1:
        raise CompetitionError("pairing/entrants", "all entrants have the same number of members")
    size = sizes.pop() if sizes else 1
    return "person" if size == 1 else "team" if size >= TEAM else "pair"


def match_tables(one: EntrantRecord, other: EntrantRecord, size: int, number: int = 1) -> list[Seats]:
    """Return the tables of a match of two entrants: `one` has the even seats, `other` the odd ones.

    Both have the same number of members, k. They need k/2 tables of four, or k tables of two. number: the
    round's number. From one round to the next the members of `other` move on by one table, so that the
    members of two teams meet different opponents.
    """
    side = size // 2
    first = (number - 1) * side % len(other.persons)
    opponents = (*other.persons[first:], *other.persons[:first])
    return [
        tuple(person for seat in range(side) for person in (one.persons[at + seat], opponents[at + seat]))
        for at in range(0, len(one.persons), side)
    ]


@dataclass(frozen=True, slots=True)
class History:
    """Past meetings: numbers of times that two entrants (by ref) were partners, and opponents."""

    partners: Counter[tuple[str, str]]
    opponents: Counter[tuple[str, str]]


def count_meetings(competition: Competition, tables: Collection[Seats], partnered: bool) -> History:
    """Count partners and opponents at the tables of one round.

    Two entrants meet once in a round, however many tables they share.
    """
    partners: Counter[tuple[str, str]] = Counter()
    opponents: Counter[tuple[str, str]] = Counter()
    together = {pair for seats in tables for pair in _by_ref(competition, list_partners(seats, partnered))}
    against = {pair for seats in tables for pair in _by_ref(competition, list_opponents(seats, partnered))}
    partners.update(together)
    opponents.update(against)
    return History(partners, opponents)


def past_meetings(competition: Competition, partnered: bool) -> History:
    """Count partners and opponents in the past rounds."""
    partners: Counter[tuple[str, str]] = Counter()
    opponents: Counter[tuple[str, str]] = Counter()
    for one in competition.past:
        found = count_meetings(competition, [table.seats for table in one.tables], partnered)
        partners.update(found.partners)
        opponents.update(found.opponents)
    return History(partners, opponents)


def count_repeats(competition: Competition, tables: Iterable[Seats], partnered: bool) -> dict[str, int]:
    """Return the numbers of pairs that are partners again (`partner`), and opponents again (`opponent`), at
    these tables.
    """
    now, before = count_meetings(competition, list(tables), partnered), past_meetings(competition, partnered)
    return {
        "partner": sum(pair in before.partners for pair in now.partners),
        "opponent": sum(pair in before.opponents for pair in now.opponents),
    }


def _by_ref(competition: Competition, pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    refs = competition.ref_of
    for a, b in pairs:
        one, other = refs.get(a), refs.get(b)
        if one is not None and other is not None and one != other:
            yield ordered(one, other)
