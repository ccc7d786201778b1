"""Reasons for the tables of a drawn round, from its pairing system or from the search.

A reason is a note: a stable code with values; its value `table` is the table's number, from 1. Tables without
a reason are counted in one note.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tournaments.competition import Competition, decode_competition, list_opponents, list_partners
from tournaments.pairing.cost import count_avoided
from tournaments.pairing.problem import PairingProblem
from tournaments.pairing.systems import DrawNote, NextRound, get_system
from tournaments.pairing.systems.system import count_meetings, past_meetings


def explain_draw(
    problem: Mapping[str, Any], seed: str, tables: Sequence[Sequence[int]], out: Sequence[int]
) -> list[DrawNote]:
    """Explain a recorded draw.

    problem, seed: as recorded; an empty problem means that the round was drawn by hand. tables, out: indices
    of the players at each table, and of those with a bye.
    """
    if not problem:
        return [DrawNote("why/by_hand")]
    if "system" not in problem:
        return explain_search(msgspec.convert({**problem, "seed": b""}, PairingProblem), tables)
    competition = decode_competition({**problem, "seed": seed})
    seats = tuple(tuple(f"{person:04}" for person in table) for table in tables)
    byes = dict.fromkeys(competition.ref_of[f"{person:04}"] for person in out)
    return explain_drawn(competition, NextRound(competition.next_number, seats, tuple(byes)))


def explain_drawn(competition: Competition, drawn: NextRound) -> list[DrawNote]:
    """Return notes on a round: those of its system, and on repeated meetings unless its system covers
    them.
    """
    system = get_system(competition.system)
    found = list(system.explain(competition, drawn)) if system.explain is not None else []
    if not system.explains_meetings:
        found += _explain_meetings(competition, drawn)
    return found


def explain_search(problem: PairingProblem, tables: Sequence[Sequence[int]]) -> list[DrawNote]:
    """Return notes on a round drawn by the search: on repeats, pairs to avoid that meet, and tables without
    repeats.
    """
    partnered = problem.format == "pairs"
    together: Counter[frozenset[str]] = Counter()
    against: Counter[frozenset[str]] = Counter()
    fixed = {frozenset(map(str, pair)) for pair in problem.fixed_pairs}
    for seats in (seats for one in problem.past for seats in one.tables):
        here = tuple(map(str, seats))
        together.update(map(frozenset, list_partners(here, partnered)))
        against.update(map(frozenset, list_opponents(here, partnered)))
    found, clear = [], 0
    for number, table in enumerate(tables, 1):
        here = tuple(map(str, table))
        partners = [pair for pair in map(frozenset, list_partners(here, partnered)) if pair not in fixed]
        opponents = [frozenset(pair) for pair in list_opponents(here, partnered)]
        repeats = sum(pair in together for pair in partners), sum(pair in against for pair in opponents)
        clear += not any(repeats)
        if any(repeats):
            found.append(_note_repeats(number, *repeats))
        if pairs := count_avoided(problem, [tuple(table)]):
            found.append(DrawNote("why/avoided", {"table": number, "pairs": pairs}))
    return [*found, *([DrawNote("why/new", {"count": clear})] if clear else [])]


def _explain_meetings(competition: Competition, drawn: NextRound) -> list[DrawNote]:
    partnered = get_system(competition.system).has_partners(competition)
    before = past_meetings(competition, partnered)
    found, clear = [], 0
    for number, seats in enumerate(drawn.tables, 1):
        now = count_meetings(competition, [seats], partnered)
        partners = sum(pair in before.partners for pair in now.partners)
        opponents = sum(pair in before.opponents for pair in now.opponents)
        if partners or opponents:
            found.append(_note_repeats(number, partners, opponents))
        else:
            clear += 1
    return [*found, *([DrawNote("why/new", {"count": clear})] if clear else [])]


def _note_repeats(table: int, partners: int, opponents: int) -> DrawNote:
    return DrawNote("why/again", {"table": table, "partners": partners, "opponents": opponents})
