"""The ladder (key `king`): tables ranked from the top; the best of a table move up, the worst move down.

The ladder lists all entrants from the top. After a round, the entrants who played share out their places on
the ladder anew, in the order of the new tables. All others (with a bye, or absent) keep their places. The
next tables are filled from the top with the present entrants, so that an absent entrant's seat goes to the
next entrant on the ladder.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from tournaments.bracket import draw_number, score_round
from tournaments.competition import (
    Competition,
    CompetitionError,
    EntrantRecord,
    PlayedRound,
    PlayedTable,
    Points,
)
from tournaments.pairing.systems.separation import note_apart
from tournaments.pairing.systems.system import (
    DrawNote,
    NextRound,
    Options,
    PairingSystem,
    Seats,
    kind_of,
    match_tables,
)
from tournaments.standings.competition_ranking import rank_competition


class LadderOptions(Options, frozen=True, kw_only=True):
    """Options of the ladder. up, down: number of entrants of a table that move up and down. Both are equal,
    since tables keep their size.
    """

    up: int = 1
    down: int = 1


def _next_round(competition: Competition, options: LadderOptions) -> NextRound:
    number = competition.next_number
    heads = 2 if kind_of(competition.entrants) == "pair" else competition.size
    _check(competition, options, heads)
    ladder, notes = _climb(competition, options)
    present = [ref for ref in ladder if competition.is_present(competition.by_ref[ref], number)]
    if len(present) < heads:
        raise CompetitionError("pairing/players", f"{len(present)} entrants: a table needs {heads}")
    byes = _choose_byes(competition, present, len(present) % heads)
    seated = [ref for ref in present if ref not in byes]
    groups = [seated[at : at + heads] for at in range(0, len(seated), heads)]
    tables = tuple(_seat(competition, group, number) for group in groups)
    notes += note_apart(competition, tables)
    return NextRound(number, tables, tuple(sorted(byes)), tuple(notes))


def _check(competition: Competition, options: LadderOptions, heads: int) -> None:
    if options.up != options.down or options.up < 1:
        raise CompetitionError("pairing/options", "up and down are the same number, at least 1")
    if options.up + options.down > heads:
        raise CompetitionError("pairing/options", f"up and down together are at most {heads}")
    if kind_of(competition.entrants) == "pair" and competition.size != 4:
        raise CompetitionError("pairing/table_size", "pairs are seated at tables of 4", size=competition.size)


def _choose_byes(competition: Competition, present: Sequence[str], count: int) -> set[str]:
    """Return the refs with a bye: entrants with the fewest byes first, among them the lowest on the
    ladder.
    """
    order = sorted(enumerate(present), key=lambda found: (competition.bye_counts[found[1]], -found[0]))
    return {ref for _at, ref in order[:count]}


def _seat(competition: Competition, group: Sequence[str], number: int) -> Seats:
    """Return the persons of a table in an order drawn by lot."""
    order = sorted(group, key=lambda ref: (draw_number(competition.seed, f"king/seat/{number}/{ref}"), ref))
    entrants = [competition.by_ref[ref] for ref in order]
    if len(entrants[0].persons) > 1:
        return match_tables(entrants[0], entrants[1], competition.size)[0]
    return tuple(entrant.persons[0] for entrant in entrants)


def _draw_lot(competition: Competition, purpose: str, ref: str) -> int:
    return draw_number(competition.lasting_seed, f"king/{purpose}/{ref}")


def order_ladder(competition: Competition, options: LadderOptions) -> list[str]:
    """Return the refs of the ladder, from the top, after the past rounds."""
    return _climb(competition, options)[0]


def _climb(competition: Competition, options: LadderOptions) -> tuple[list[str], list[DrawNote]]:
    """Return the ladder before the next round, and the notes on the last round."""
    entering = _order_entering(competition)
    ladder: list[str] = []
    notes: list[DrawNote] = []
    for at, one in enumerate(competition.past):
        played = _PlayedTables(competition, at)
        coming = [e.ref for e in entering if e.from_round <= one.round or e.ref in played.seated]
        ladder = list(dict.fromkeys((*ladder, *coming)))
        ladder = played.move(ladder, options)
        notes = played.notes
    coming = [e.ref for e in entering if e.from_round <= competition.next_number]
    return list(dict.fromkeys((*ladder, *coming))), notes


def _order_entering(competition: Competition) -> list[EntrantRecord]:
    """Return entrants in the order in which they enter the ladder: by first round, start rank, and
    then lot.
    """

    def key(entrant: EntrantRecord) -> tuple[int, bool, int, int, str]:
        rank = entrant.start_rank
        lot = _draw_lot(competition, "start", entrant.ref)
        return max(entrant.from_round, 1), rank is None, rank or 0, lot, entrant.ref

    return sorted(competition.entrants, key=key)


class _PlayedTables:
    """The tables of one past round, from the top, with their entrants from best to worst."""

    def __init__(self, competition: Competition, at: int) -> None:
        self._competition = competition
        self._at = at
        self._round: PlayedRound = competition.past[at]
        self._points: dict[str, Points] = score_round(competition.ref_of, self._round.tables)
        self._walkovers = {ref for table in self._round.tables for ref in table.walkover}
        self.notes: list[DrawNote] = []
        groups = [list(competition.entrants_at(table)) for table in self._round.tables]
        self._groups = [group for group in groups if group]
        self.seated = {ref for group in self._groups for ref in group}

    def move(self, ladder: Sequence[str], options: LadderOptions) -> list[str]:
        """Return the ladder after this round's moves up and down."""
        tables = [self._order_table(group) for group in self._groups]
        last = len(tables) - 1
        ups = [0 if at == 0 else min(options.up, len(table)) for at, table in enumerate(tables)]
        downs = [0 if at == last else min(options.down, len(t) - ups[at]) for at, t in enumerate(tables)]
        movers = [min(down, up) for down, up in zip(downs, ups[1:], strict=False)]
        order: list[str] = []
        for at, table in enumerate(tables):
            rising = movers[at - 1] if at else 0
            falling = movers[at] if at < last else 0
            self._note_level(at, table, {rising, len(table) - falling})
            if at:
                order += _tail(tables[at - 1], movers[at - 1])
            order += table[rising : len(table) - falling]
            if at < last:
                order += tables[at + 1][:falling]
        following = iter(order)
        return [next(following) if ref in self.seated else ref for ref in ladder]

    def _order_table(self, group: Sequence[str]) -> list[str]:
        points = {ref: self._find_points(ref) for ref in group}
        if not self._matters(group) or len(set(points.values())) == len(points):
            return sorted(group, key=lambda ref: (self._result_key(ref), ref))
        return sorted(group, key=self._full_key)

    def _find_points(self, ref: str) -> Points | None:
        return None if ref in self._walkovers else self._points.get(ref)

    def _result_key(self, ref: str) -> tuple[bool, bool, Points]:
        points = self._find_points(ref)
        worth = 0 if points is None else -self._competition.direction * points
        return ref in self._walkovers, points is None, worth

    def _full_key(self, ref: str) -> tuple[tuple[bool, bool, Points], int, int, str]:
        lot = _draw_lot(self._competition, f"level/{self._round.round}", ref)
        return self._result_key(ref), self._places[ref], lot, ref

    def _matters(self, group: Sequence[str]) -> bool:
        """Return whether the order of level entrants at this table is open.

        If the whole table sits in the next round, its tables already show who moved.
        """
        following = self._following
        return following is None or any(
            self._competition.by_ref[ref].persons[0] not in following for ref in group
        )

    @cached_property
    def _following(self) -> set[str] | None:
        """Persons seated in the round after this one; None if this is the last round."""
        past = self._competition.past
        if self._at + 1 == len(past):
            return None
        return {person for table in past[self._at + 1].tables for person in table.seats}

    @cached_property
    def _places(self) -> dict[str, int]:
        """Places by ref in the ranking after this round."""
        past = self._competition.past[: self._at + 1]
        lines = rank_competition(msgspec.structs.replace(self._competition, past=past))
        return {line.ref: line.place for line in lines}

    def _note_level(self, at: int, table: Sequence[str], lines: set[int]) -> None:
        """Note what separated two level entrants of a table of whom only one moves: the ranking, or
        the lot.
        """
        if self._following is not None:
            return
        if all(self._find_points(ref) is None and ref not in self._walkovers for ref in table):
            self.notes.append(DrawNote("pairing/no_result", {"table": at + 1}))
            return
        for line in sorted(lines):
            if not 0 < line < len(table):
                continue
            one, other = table[line - 1], table[line]
            if self._result_key(one) == self._result_key(other):
                by = "lot" if self._places[one] == self._places[other] else "ranking"
                self.notes.append(
                    DrawNote("pairing/level", {"table": at + 1, "refs": [one, other], "by": by})
                )


def _tail(table: Sequence[str], count: int) -> Sequence[str]:
    return table[len(table) - count :]


def _name_way(was: int, now: int) -> str:
    return "stayed" if was == now else "up" if was > now else "down"


def _explain(competition: Competition, drawn_round: NextRound) -> Iterator[DrawNote]:
    """Yield notes for each table: who moved up to it, stayed, moved down, or comes from no table."""
    before: dict[str, int] = {}
    if competition.past:
        tables = filter(None, map(competition.entrants_at, competition.past[-1].tables))
        before = {ref: number for number, refs in enumerate(tables, 1) for ref in refs}
    for number, seats in enumerate(drawn_round.tables, 1):
        moved: dict[str, list[str]] = {"up": [], "stayed": [], "down": [], "entered": []}
        for ref in competition.entrants_at(PlayedTable(seats=seats)):
            was = before.get(ref)
            way = "entered" if was is None else _name_way(was, number)
            moved[way].append(ref)
        for way, refs in moved.items():
            if refs:
                yield DrawNote(f"why/{way}", {"table": number, "refs": sorted(refs)})


SYSTEM = PairingSystem(
    key="king",
    title="King of the table",
    options=LadderOptions,
    sizes=(2, 3, 4),
    kinds=("person", "pair"),
    next_round=_next_round,
    abilities=frozenset({"needs_results"}),
    partnered=False,
    explain=_explain,
    explains_meetings=True,
    order_after=order_ladder,
)
