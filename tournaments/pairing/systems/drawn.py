"""Partners and opponents drawn for each round, with as few repeats as possible."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from tournaments.competition import Competition, PlayedRound
from tournaments.pairing.problem import DrawnRound, PairingProblem
from tournaments.pairing.solving import draw
from tournaments.pairing.systems.separation import find_separated, list_separated_players, list_unkept
from tournaments.pairing.systems.system import DrawNote, NextRound, Options, PairingSystem


class DrawnOptions(Options, frozen=True, kw_only=True):
    """Options of the system `drawn`.

    when: `each_round` draws each round on its own; `at_start` draws all rounds together, if the same entrants
    play in all. threes: number of tables of three beside the tables of four.
    """

    when: Literal["each_round", "at_start"] = "each_round"
    threes: int = 0


def _next_round(competition: Competition, options: DrawnOptions) -> NextRound | None:
    number = competition.next_number
    if options.when == "at_start" and competition.rounds is not None and _same_people(competition):
        plan = solve(competition, (), competition.rounds, options.threes)
        left = competition.rounds - number + 1
        found = plan[number - 1]
        if not _was_followed(competition.past, plan):
            found = solve(competition, competition.past, left, options.threes)[0]
        if not _find_kept(competition, found):
            return replace(found, notes=_list_notes(competition, found))
    return _draw_apart(competition, options.threes)


def _draw_apart(competition: Competition, threes: int) -> NextRound:
    """Draw one round in which nobody meets an entrant from whom a rule keeps them apart, if byes can prevent
    it.

    If teams cannot all be separated, these rules take precedence.
    """
    teams = [entrant.team for entrant in competition.entrants if entrant.team is not None]
    has_mates = len(teams) > len(set(teams))
    benched: tuple[str, ...] = ()
    while True:
        for mates in (True, False) if has_mates else (False,):
            found = solve(competition, competition.past, 1, threes, benched=benched, mates=mates)[0]
            kept = _find_kept(competition, found)
            if not kept:
                break
        if not kept or set(found.byes) <= set(benched):
            return replace(found, notes=_list_notes(competition, found))
        benched = (*benched, min(kept, key=lambda ref: (competition.bye_counts[ref], ref)))


def _find_kept(competition: Competition, drawn_round: NextRound) -> list[str]:
    """Return the refs of entrants who sit with an entrant from whom a rule keeps them apart."""
    hard = {pair for pair, how in find_separated(competition).items() if how == "hard"}
    tables = [_list_refs(competition, seats) for seats in drawn_round.tables]
    return sorted({ref for refs in tables for pair in hard if set(refs).issuperset(pair) for ref in pair})


def _list_notes(competition: Competition, drawn_round: NextRound) -> tuple[DrawNote, ...]:
    return tuple(list_unkept(competition, (_list_refs(competition, seats) for seats in drawn_round.tables)))


def _list_refs(competition: Competition, seats: Iterable[str]) -> list[str]:
    return [competition.ref_of[person] for person in seats]


def solve(
    competition: Competition,
    past: tuple[PlayedRound, ...],
    rounds: int,
    threes: int = 0,
    *,
    benched: tuple[str, ...] = (),
    mates: bool = True,
) -> list[NextRound]:
    """Draw `rounds` rounds after `past`, by `tournaments.pairing.solving`. A pair that stays together is two
    players there.

    threes: number of tables of three. benched: refs that get a bye in any case. mates: whether members of one
    team are separated.
    """
    first = len(past) + 1
    entrants = [entrant for entrant in competition.present(first) if entrant.ref not in benched]
    persons = [person for entrant in entrants for person in entrant.persons]
    number_of = {person: number for number, person in enumerate(persons)}
    units = {entrant.ref: [number_of[person] for person in entrant.persons] for entrant in entrants}
    found = draw(
        PairingProblem(
            players=len(persons),
            rounds=rounds,
            seed=f"{competition.seed}/{first}".encode(),
            format="solo" if competition.partners is False else "pairs",
            table_size=competition.size,
            past=tuple(_numbered(one, number_of, units) for one in past),
            fixed_pairs=tuple((a, b) for a, b in (pair for pair in units.values() if len(pair) == 2)),
            never_meet=list_separated_players(competition, entrants, number_of, "hard", mates=mates),
            avoid_meet=list_separated_players(competition, entrants, number_of, "soft"),
            threes=threes,
        )
    )
    return [
        NextRound(
            first + at,
            tuple(tuple(persons[n] for n in seats) for seats in one.tables),
            (*benched, *dict.fromkeys(competition.ref_of[persons[n]] for n in one.byes)),
        )
        for at, one in enumerate(found.rounds)
    ]


def _numbered(one: PlayedRound, number_of: dict[str, int], units: dict[str, list[int]]) -> DrawnRound:
    """Convert a past round to numbered players; -1 stands for a person who is not drawn any more."""
    return DrawnRound(
        tuple(tuple(number_of.get(person, -1) for person in table.seats) for table in one.tables),
        tuple(number for ref in one.byes for number in units.get(ref, ())),
    )


def _same_people(competition: Competition) -> bool:
    """Return whether the same entrants play in all planned rounds, as far as is known."""
    rounds = range(1, (competition.rounds or 0) + 1)
    return all(
        competition.is_present(entrant, number) for entrant in competition.entrants for number in rounds
    )


def _was_followed(past: tuple[PlayedRound, ...], plan: list[NextRound]) -> bool:
    """Return whether the past rounds had the tables of the plan."""
    return all(
        {table.seats for table in played.tables} == set(planned.tables)
        for played, planned in zip(past, plan, strict=False)
    )


SYSTEM = PairingSystem(
    key="drawn",
    title="Partners drawn",
    options=DrawnOptions,
    sizes=(2, 3, 4),
    kinds=("person",),
    next_round=_next_round,
    abilities=frozenset({"all_rounds_known"}),
    version=2,
    keeps=frozenset({"never_partner", "never_meet"}),
)
