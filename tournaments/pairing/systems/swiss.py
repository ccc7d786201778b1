"""Swiss system: entrants of nearly equal standing meet, none twice if avoidable."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Final

from tournaments.competition import PARTNERED, Competition, CompetitionError, write_number
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.swiss_field import Pair, SwissField, SwissOptions, build_field, name_pair
from tournaments.pairing.systems.swiss_matching import match_nearest
from tournaments.pairing.systems.swiss_reasons import count_side_by_side, explain_tables, note_reasons
from tournaments.pairing.systems.swiss_tables_of_singles import (
    GROUPS_VERSION,
    group_neighbours,
    halve_distance,
)
from tournaments.pairing.systems.system import (
    DrawNote,
    NextRound,
    PairingSystem,
    Seats,
    kind_of,
    match_tables,
    past_meetings,
)

PARTNER_WAYS: Final = ((0, 1, 3, 2), (0, 1, 2, 3), (0, 2, 1, 3))
"""Seat orders of four persons by standing; the partners of the first are the last, the third, the second."""


def _next_round(competition: Competition, options: SwissOptions) -> NextRound | None:
    swiss = build_field(competition, options)
    if kind_of(competition.entrants) == "person" and competition.size > 2:
        return _draw_groups(competition, swiss, options)
    return _draw_matches(competition, swiss, options)


def _draw_matches(competition: Competition, swiss: SwissField, options: SwissOptions) -> NextRound:
    """Draw tables of two entrants."""
    _check_members(competition)
    number = competition.next_number
    matching = match_nearest(swiss, competition.seed.encode(), f"swiss/{number}/ties")
    byes = () if matching.bye is None else (matching.bye,)
    share = _count_first_seats(competition)
    coins = NumberStream(competition.seed.encode(), f"swiss/{number}/first")
    tables: list[Seats] = []
    for a, b in matching.tables:
        one, other = swiss.refs[a], swiss.refs[b]
        coin = coins.below(2)
        if share[one] > share[other] or (share[one] == share[other] and coin):
            one, other = other, one
        pair = competition.by_ref[one], competition.by_ref[other]
        tables += match_tables(*pair, competition.size, competition.next_number)
    notes = _note_breaches(competition, swiss, options, matching.tables, byes)
    if not matching.proven:
        notes.append(DrawNote("pairing/unproven"))
    if options.reasons:
        notes += [
            DrawNote("pairing/table", reason.values())
            for reason in explain_tables(
                swiss, matching.tables, byes, count_side_by_side(tables, matching.tables)
            )
            if reason.reason
        ]
    return NextRound(number, tuple(tables), tuple(swiss.refs[a] for a in byes), tuple(notes))


def _draw_groups(competition: Competition, swiss: SwissField, options: SwissOptions) -> NextRound:
    """Draw tables of three or four persons who play alone, or with partners for one round."""
    number = competition.next_number
    grouping = group_neighbours(swiss, competition.size, competition.seed.encode(), f"swiss/{number}/groups")
    share = _count_first_seats(competition)
    coins = NumberStream(competition.seed.encode(), f"swiss/{number}/first")
    partnered = competition.size == PARTNERED and SYSTEM.has_partners(competition)
    partners = past_meetings(competition, partnered=True).partners if partnered else Counter()
    tables = []
    for group in grouping.groups:
        order = list(group)
        if partnered:
            order = min(
                ([group[at] for at in way] for way in PARTNER_WAYS),
                key=lambda seats: sum(
                    partners[name_pair(swiss, (seats[at], seats[at + 2]))] for at in (0, 1)
                ),
            )
        seats = [swiss.refs[position] for position in order]
        turn = coins.below(len(seats))
        start = min(range(len(seats)), key=lambda at: (share[seats[at]], (at - turn) % len(seats)))
        tables.append(tuple(competition.by_ref[ref].persons[0] for ref in (*seats[start:], *seats[:start])))
    pairs = [pair for group in grouping.groups for pair in combinations(group, 2)]
    notes = _note_breaches(competition, swiss, options, pairs, grouping.byes)
    values = {
        "repeats": grouping.repeats,
        "spread": write_number(halve_distance(grouping.spread, squared=True)),
        "version": GROUPS_VERSION,
    }
    notes.append(DrawNote("pairing/groups", values))
    return NextRound(number, tuple(tables), tuple(swiss.refs[a] for a in grouping.byes), tuple(notes))


def _check_members(competition: Competition) -> None:
    """Raise CompetitionError unless two entrants fill whole tables."""
    side, odd = divmod(competition.size, 2)
    if odd or any(len(entrant.persons) % side for entrant in competition.entrants):
        raise CompetitionError(
            "pairing/table_size",
            f"two entrants do not fill tables of {competition.size}",
            size=competition.size,
        )


def _count_first_seats(competition: Competition) -> Counter[str]:
    """Return by ref the first seats beyond an equal share, times the entrants at a table."""
    found: Counter[str] = Counter()
    for one in competition.past:
        seated: dict[str, int] = {}
        for table in one.tables:
            refs = competition.entrants_at(table)
            for ref in refs:
                seated[ref] = len(refs) * (competition.ref_of.get(table.seats[0]) == ref) - 1
        found.update(seated)
    return found


def _note_breaches(
    competition: Competition,
    swiss: SwissField,
    options: SwissOptions,
    pairs: Iterable[Pair],
    byes: Iterable[int],
) -> list[DrawNote]:
    """Return a note for each criterion that the round violates, and for too many rounds."""
    named = {name_pair(swiss, pair): pair for pair in pairs}
    costs = {names: swiss.table_cost(*pair) for names, pair in named.items()}
    met = sorted(names for names, pair in named.items() if pair in swiss.met)
    apart = sorted(
        (*pair, "hard" if cost.apart else "soft") for pair, cost in costs.items() if cost.apart or cost.soft
    )
    again = sorted(swiss.refs[position] for position in byes if swiss.byes[position])
    notes = []
    if apart:
        notes.append(DrawNote("pairing/apart_broken", {"pairs": [list(one) for one in apart]}))
    if met:
        notes.append(DrawNote("pairing/met_again", {"pairs": [list(pair) for pair in met]}))
    if again:
        notes.append(DrawNote("pairing/second_bye", {"refs": again}))
    advised = _advise_rounds(swiss.size, options)
    if advised is not None and competition.rounds is not None and competition.rounds > advised:
        values = {"rounds": competition.rounds, "entrants": swiss.size}
        notes.append(DrawNote("pairing/many_rounds", values))
    return notes


def _advise_rounds(entrants: int, options: SwissOptions) -> int | None:
    """Return half the entrants as the largest advisable number of rounds, because with more rounds meetings
    may repeat; None if repeats cost nothing.
    """
    return None if options.repeats else entrants // 2


SYSTEM = PairingSystem(
    key="swiss",
    title="By standing (Swiss system)",
    options=SwissOptions,
    sizes=(2, 3, 4),
    kinds=("person", "pair", "team"),
    next_round=_next_round,
    abilities=frozenset({"needs_results"}),
    explain=note_reasons,
    explains_meetings=True,
    keeps=frozenset({"never_meet"}),
    advise_rounds=_advise_rounds,
)
