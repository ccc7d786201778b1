"""Whist: everybody partners everybody once and opposes everybody twice; the rounds come from a design.

The entrants of the first round take the places of the design. The numbers of the players, and the order of
rounds, tables and seats, are drawn from the seed. An absent player leaves an empty chair, so that all others
keep their partners. A late entrant takes an empty chair, preferably of a player who has left for good.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tournaments.competition import Competition, CompetitionError, ordered
from tournaments.pairing.first_field import list_first_field
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.separation import list_unkept
from tournaments.pairing.systems.system import DrawNote, NextRound, Options, PairingSystem, Seats
from tournaments.pairing.whist_designs import WhistDesign, find_whist_design

_LEAST_AT_A_TABLE: Final = 2

Plan = list[list[Seats]]
"""All rounds, each as a list of tables of refs."""


class WhistOptions(Options, frozen=True, kw_only=True):
    """Options of the system `whist`: it has none."""


def _next_round(competition: Competition, options: WhistOptions) -> NextRound | None:
    refs = list_first_field(competition)
    plan = _draw_plan(refs, competition.lasting_seed)
    at, by_hand = _find_next(competition, plan)
    if at is None:
        return None
    places = _fill_places(competition, refs)
    notes = [DrawNote("pairing/plan_left", {"round": number}) for number in by_hand]
    notes += [
        DrawNote("pairing/stand_in", {"ref": ref, "for": place})
        for place, ref in places.items()
        if ref != place
    ]
    present = {one.ref for one in competition.present()}
    without_seat = sorted(present - set(places.values()))
    notes += [DrawNote("pairing/no_seat", {"ref": ref}) for ref in without_seat]
    on_plan = {place for table in plan[at] for place in table}
    byes = {*without_seat, *(ref for place, ref in places.items() if place not in on_plan)}
    tables: list[Seats] = []
    for table in plan[at]:
        turned = _turn_empty_last(table, places)
        here = [places[place] for place in turned if place in places]
        if len(here) < _LEAST_AT_A_TABLE:
            notes += [DrawNote("pairing/no_table", {"ref": ref}) for ref in here]
            byes.update(here)
            continue
        tables.append(tuple(competition.by_ref[ref].persons[0] for ref in here))
        notes += [
            DrawNote("pairing/empty_chair", {"table": len(tables), "seat": seat, "ref": place})
            for seat, place in enumerate(turned)
            if place not in places
        ]
    refs_at = ((competition.ref_of[person] for person in seats) for seats in tables)
    notes += list_unkept(competition, refs_at)
    return NextRound(competition.next_number, tuple(tables), tuple(sorted(byes)), tuple(notes))


def _draw_plan(refs: list[str], seed: str) -> Plan:
    """Draw all rounds. Raises CompetitionError `pairing/no_design`."""
    design = find_whist_design(len(refs))
    if design is None:
        raise CompetitionError(
            "pairing/no_design",
            f"there is no whist schedule for {len(refs)} players; the system drawn takes any number",
            players=len(refs),
            instead="drawn",
        )
    return _label(design, refs, NumberStream(seed.encode(), "whist"))


def _label(design: WhistDesign, refs: list[str], numbers: NumberStream) -> Plan:
    names = list(refs)
    numbers.shuffle(names)
    rounds = list(design.rounds)
    numbers.shuffle(rounds)
    plan = []
    for one in rounds:
        tables = [_turn([names[player] for player in table], numbers.below(4)) for table in one]
        numbers.shuffle(tables)
        plan.append(tables)
    return plan


def _turn(seats: Sequence[str], by: int) -> Seats:
    """Rotate the seats of a table. Partners stay opposite."""
    return (*seats[by:], *seats[:by])


def _turn_empty_last(table: Seats, places: Mapping[str, str]) -> Seats:
    """Rotate the seats of a table so that empty chairs come last, if any rotation does that."""
    return max((_turn(table, by) for by in range(len(table))), key=lambda seats: [p in places for p in seats])


def _find_next(competition: Competition, plan: Plan) -> tuple[int | None, list[int]]:
    """Return the index of the first round of the plan that was not played, and the numbers of played rounds
    outside the plan.

    A past round is a round of the plan if at least half of its partners are partners there.
    """
    round_of = {pair: at for at, tables in enumerate(plan) for pair in _list_partners(tables)}
    played: set[int] = set()
    by_hand = []
    for at, one in enumerate(competition.past):
        refs = (tuple(competition.ref_of.get(p, p) for p in table.seats) for table in one.tables)
        found = [round_of[pair] for pair in _list_partners(refs) if pair in round_of]
        best = max([at, *sorted(set(found))], key=found.count)
        if best in played or 2 * found.count(best) < len(found):
            by_hand.append(one.round)
        else:
            played.add(best)
    return next((at for at in range(len(plan)) if at not in played), None), by_hand


def _list_partners(tables: Iterable[Seats]) -> list[tuple[str, str]]:
    """Return the pairs of partners. At a table of three the last chair is the empty one."""
    return [ordered(seats[at], seats[at + 2]) for seats in tables for at in range(len(seats) - 2)]


def _fill_places(competition: Competition, refs: list[str]) -> dict[str, str]:
    """Return the present player by place of the plan. A place without a player is left out."""
    number = competition.next_number
    here = competition.present()
    places = {one.ref: one.ref for one in here if one.ref in set(refs)}
    late = sorted((one for one in here if one.ref not in set(refs)), key=lambda one: one.from_round)
    empty = sorted(
        (ref for ref in refs if ref not in places), key=lambda ref: _rank_empty(competition, ref, number)
    )
    return places | {ref: one.ref for ref, one in zip(empty, late, strict=False)}


def _rank_empty(competition: Competition, ref: str, number: int) -> tuple[bool, int]:
    """Return the sort key of an empty place: first players who have left, by last round, then
    absent players.
    """
    entrant = competition.by_ref.get(ref)
    until = 0 if entrant is None else entrant.until_round
    return (until is None or until >= number, until or 0)


def _explain(competition: Competition, drawn_round: NextRound) -> Iterator[DrawNote]:
    """Yield a note with the numbers of the plan's round and entrants."""
    refs = list_first_field(competition)
    at, _by_hand = _find_next(competition, _draw_plan(refs, competition.lasting_seed))
    if at is not None:
        yield DrawNote("why/design", {"round": at + 1, "entrants": len(refs)})


SYSTEM = PairingSystem(
    key="whist",
    title="Everybody partners everybody",
    options=WhistOptions,
    sizes=(4,),
    kinds=("person",),
    next_round=_next_round,
    abilities=frozenset({"all_rounds_known"}),
    explain=_explain,
)
