"""Partners and opponents drawn for each round, with as few repeats as possible."""

from typing import Literal

from tournaments.competition import Competition, EntrantRecord, PlayedRound
from tournaments.pairing.drawing import draw
from tournaments.pairing.problem import DrawnRound, PairingProblem
from tournaments.pairing.systems.system import NextRound, Options, PairingSystem


class DrawnOptions(Options, frozen=True, kw_only=True):
    """when: `each_round`, or `at_start`: all rounds at once, printable before the first card.

    threes: so many tables of three beside tables of four.
    """

    when: Literal["each_round", "at_start"] = "each_round"
    threes: int = 0


def _next_round(competition: Competition, options: DrawnOptions) -> NextRound | None:
    number = competition.next_number
    if options.when == "at_start" and competition.rounds is not None and _same_people(competition):
        plan = solve(competition, (), competition.rounds, options.threes)
        if _was_followed(competition.past, plan):
            return plan[number - 1]
        return solve(competition, competition.past, competition.rounds - number + 1, options.threes)[0]
    return solve(competition, competition.past, 1, options.threes)[0]


def solve(
    competition: Competition, past: tuple[PlayedRound, ...], rounds: int, threes: int = 0
) -> list[NextRound]:
    """Draw rounds by the solver of numbered players; a pair that stays together is two of them."""
    first = len(past) + 1
    entrants = competition.present(first)
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
            never_meet=_find_apart(competition, entrants, number_of),
            threes=threes,
        )
    )
    return [
        NextRound(
            first + at,
            tuple(tuple(persons[n] for n in seats) for seats in one.tables),
            tuple(dict.fromkeys(competition.ref_of[persons[n]] for n in one.byes)),
        )
        for at, one in enumerate(found.rounds)
    ]


def _numbered(one: PlayedRound, number_of: dict[str, int], units: dict[str, list[int]]) -> DrawnRound:
    """Write a past round with numbers; -1 for a person who is not drawn any more."""
    return DrawnRound(
        tuple(tuple(number_of.get(person, -1) for person in table.seats) for table in one.tables),
        tuple(number for ref in one.byes for number in units.get(ref, ())),
    )


def _find_apart(
    competition: Competition, entrants: list[EntrantRecord], number_of: dict[str, int]
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of persons that must not meet: stated ones."""
    persons = {entrant.ref: entrant.persons for entrant in entrants}
    return tuple(
        sorted(
            {
                (min(number_of[a], number_of[b]), max(number_of[a], number_of[b]))
                for one, other, _how in competition.apart
                for a in persons.get(one, (one,))
                for b in persons.get(other, (other,))
                if a in number_of and b in number_of
            }
        )
    )


def _same_people(competition: Competition) -> bool:
    """Return whether the same entrants play in all planned rounds, as far as is known."""
    rounds = range(1, (competition.rounds or 0) + 1)
    return all(
        competition.is_present(entrant, number) for entrant in competition.entrants for number in rounds
    )


def _was_followed(past: tuple[PlayedRound, ...], plan: list[NextRound]) -> bool:
    """Return whether the past rounds are those of the plan."""
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
)
