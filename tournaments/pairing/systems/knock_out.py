"""The knock-out system: losers are out. The bracket (positions, seeds, winners) is in
`tournaments.bracket`.
"""

from collections.abc import Iterator

from tournaments.bracket import (
    KNOCK_OUT,
    Bracket,
    BracketOptions,
    Match,
    build_bracket,
    draw_number,
    matches_of,
    read_bracket_options,
)
from tournaments.competition import Competition, CompetitionError, PlayedTable
from tournaments.pairing.systems.separation import note_apart
from tournaments.pairing.systems.system import (
    DrawNote,
    NextRound,
    Options,
    PairingSystem,
    Seats,
    match_tables,
)


class KnockOutOptions(BracketOptions, Options, frozen=True, kw_only=True):
    __doc__ = BracketOptions.__doc__


def _next_round(competition: Competition, options: KnockOutOptions) -> NextRound | None:
    _check_members(competition)
    bracket = build_bracket(competition)
    if sum(len(match.entrants) for match in matches_of(bracket.phases[0])) < 2:
        raise CompetitionError("pairing/players", "a bracket needs at least two entrants")
    if bracket.over:
        return None
    number = competition.next_number
    tables: list[Seats] = []
    for match in bracket.open_matches:
        tables += _seat_match(competition, match, number)
    notes = (*_find_notes(competition, bracket), *note_apart(competition, tables))
    return NextRound(number, tuple(tables), _find_byes(competition, bracket), notes)


def _check_members(competition: Competition) -> None:
    """Raise CompetitionError unless the members of an entrant fill one side of whole tables."""
    members = max((len(entrant.persons) for entrant in competition.entrants), default=1)
    if members > 1 and (competition.size % 2 or members % (competition.size // 2)):
        raise CompetitionError(
            "pairing/table_size",
            f"entrants of {members} members do not fill one side of tables of {competition.size}",
            size=competition.size,
        )


def _seat_match(competition: Competition, match: Match, number: int) -> list[Seats]:
    """Return the tables of a match. The lot decides who sits first."""
    present = [ref for ref in match.entrants if _is_coming(competition, ref)]
    present.sort(key=lambda ref: (draw_number(competition.seed, f"knock_out/seat/{number}/{ref}"), ref))
    entrants = [competition.by_ref[ref] for ref in present]
    if competition.size == 2 or len(entrants[0].persons) > 1:
        return match_tables(entrants[0], entrants[1], competition.size, competition.next_number)
    return [tuple(entrant.persons[0] for entrant in entrants)]


def _is_coming(competition: Competition, ref: str) -> bool:
    """Return whether this ref of the bracket is expected in the next round."""
    entrant = competition.by_ref.get(ref)
    return entrant is not None and competition.is_present(entrant, competition.next_number)


def _find_byes(competition: Competition, bracket: Bracket) -> tuple[str, ...]:
    """Return the refs that go on without a game in the next round, and are present in it."""
    settled = [m for m in bracket.current_matches if m.decided and m.settled == competition.next_number]
    return tuple(sorted(ref for m in settled for ref in m.winners if _is_coming(competition, ref)))


def _find_notes(competition: Competition, bracket: Bracket) -> Iterator[DrawNote]:
    number = competition.next_number
    reached = [match for parts in bracket.phases[: bracket.current + 1] for match in matches_of(parts)]
    for match in reached:
        refs, winners = sorted(match.entrants), sorted(match.winners)
        if match.decision == "walkover" and match.settled == number:
            yield DrawNote("pairing/walkover", {"refs": refs, "winners": winners})
        if match.decision in {"level", "lot"} and match.settled == number - 1:
            by = "lot" if match.decision == "lot" else "points"
            yield DrawNote("pairing/level", {"refs": refs, "winners": winners, "by": by})
    waiting = [
        ref
        for match in bracket.current_matches
        if match.decided and match.settled < number
        for ref in match.winners
        if _is_coming(competition, ref)
    ]
    if waiting:
        yield DrawNote("pairing/waits", {"refs": sorted(waiting)})
    again = [ref for match in bracket.open_matches if match.without_result for ref in match.entrants]
    if again:
        yield DrawNote("pairing/no_result", {"refs": sorted(again)})
    late = [ref for ref in bracket.late if _is_coming(competition, ref)]
    if late:
        yield DrawNote("pairing/late", {"refs": sorted(late)})
    for match in bracket.open_matches:
        present = [ref for ref in match.entrants if _is_coming(competition, ref)]
        if 2 < bracket.heads != len(present):
            yield DrawNote("pairing/short_table", {"refs": sorted(present)})


def _explain(competition: Competition, drawn_round: NextRound) -> Iterator[DrawNote]:
    """Yield for each table a note with its phase in the bracket, and the start ranks of its entrants if they
    are seeded.
    """
    bracket = build_bracket(competition)
    seeded = read_bracket_options(competition).seeded
    part_of = {
        ref: part for part in bracket.phases[bracket.current] for match in part.matches for ref in match.slots
    }
    for number, seats in enumerate(drawn_round.tables, 1):
        refs = competition.entrants_at(PlayedTable(seats=seats))
        ranks = [competition.by_ref[ref].start_rank for ref in refs]
        part = next((part_of[ref] for ref in refs if ref in part_of), None)
        values: dict[str, object] = {"table": number}
        if part is not None:
            values |= {"matches": len(part.matches), "place": part.place}
        if not seeded:
            yield DrawNote("why/lot", values)
        elif None in ranks:
            yield DrawNote("why/bracket", values)
        else:
            yield DrawNote("why/seeded", {**values, "ranks": ranks})
    for ref in drawn_round.byes:
        yield DrawNote("why/through", {"ref": ref})


SYSTEM = PairingSystem(
    key=KNOCK_OUT,
    title="Knock-out",
    options=KnockOutOptions,
    sizes=(2, 3, 4),
    kinds=("person", "pair", "team"),
    next_round=_next_round,
    abilities=frozenset({"bracket", "needs_results"}),
    partnered=False,
    explain=_explain,
    explains_meetings=True,
    keeps=frozenset({"never_meet"}),
)
