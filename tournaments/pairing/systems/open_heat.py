"""Open heat: tables are seated from a queue of starts; the same people meet again only if unavoidable
(`tournaments.pairing.queue`).

A round is a session to which tables are added. The draw seats as many full tables as the queue less `mix`
fills, except tables with people who must not meet. The queue is ordered by `start_rank`, which is the number
in the queue, then by ref. Of several waiting starts of a person only the first one is seated.
"""

from tournaments.competition import Competition, CompetitionError, EntrantRecord, ordered
from tournaments.pairing.queue import QueueHistory, group_queue, is_kept_apart, seat_table
from tournaments.pairing.stream import NumberStream
from tournaments.pairing.systems.system import DrawNote, NextRound, Options, PairingSystem


class OpenOptions(Options, frozen=True, kw_only=True):
    """Options of the open heat.

    mix: number of units (persons or pairs) that must wait beyond those seated, so that tables are better
    mixed.
    """

    mix: int = 0


def _next_round(competition: Competition, options: OpenOptions) -> NextRound:
    if options.mix < 0:
        raise CompetitionError("pairing/options", "mix is a number of entrants, at least 0")
    waiting = _order_queue(competition)
    queue = _find_able(waiting)
    units = [entrant.persons for entrant in queue]
    heads = competition.size // max((len(unit) for unit in units), default=1)
    if heads < 2 or any(len(unit) * heads != competition.size for unit in units):
        raise CompetitionError("pairing/table_size", "pairs are seated at tables of 4", size=competition.size)
    partners = SYSTEM.has_partners(competition)
    history = _read_history(competition, queue, partners)
    tables = max(len(units) - options.mix, 0) // heads
    played = sum(len(one.tables) for one in competition.past)
    seed = competition.seed.encode()
    groups = []
    if tables:
        groups = group_queue(units, tables, heads, history, partners, seed)
    seats, notes = [], []
    for group in groups:
        table = [units[n] for n in group]
        persons = [person for unit in table for person in unit]
        if is_kept_apart(persons, history):
            continue
        label = f"open/seats/{played}/" + "/".join(sorted(persons))
        seats.append(seat_table(table, history, partners, NumberStream(seed, label)))
        if frozenset(persons) in history.tables:
            notes.append(DrawNote("pairing/same_table", {"table": len(seats)}))
    left = len(waiting) - len(seats) * heads
    if left:
        notes.append(DrawNote("pairing/waiting", {"waiting": left}))
    return NextRound(competition.next_number, tuple(seats), (), tuple(notes))


def _order_queue(competition: Competition) -> list[EntrantRecord]:
    return sorted(
        competition.present(),
        key=lambda e: (e.start_rank is None, e.start_rank or 0, e.ref),
    )


def _find_able(waiting: list[EntrantRecord]) -> list[EntrantRecord]:
    """Return the first waiting start of each person."""
    seen: set[str] = set()
    able = []
    for entrant in waiting:
        if seen.isdisjoint(entrant.persons):
            able.append(entrant)
            seen.update(entrant.persons)
    return able


def _read_history(competition: Competition, queue: list[EntrantRecord], partners: bool) -> QueueHistory:
    persons = {person for entrant in queue for person in entrant.persons}
    history = QueueHistory()
    for one in competition.past:
        for table in one.tables:
            history.add_table(table.seats, persons, partners)
    refs = {entrant.ref: entrant.persons for entrant in competition.entrants}
    for a_name, b_name, how in competition.apart:
        pairs = {
            ordered(a, b) for a in refs.get(a_name, (a_name,)) for b in refs.get(b_name, (b_name,)) if a != b
        }
        (history.hard if how == "hard" else history.soft).update(pairs)
    teams: dict[str, list[EntrantRecord]] = {}
    for entrant in queue:
        if entrant.team is not None:
            teams.setdefault(entrant.team, []).append(entrant)
    for team in teams.values():
        history.soft.update(
            ordered(a, b)
            for one in team
            for other in team
            if one is not other
            for a in one.persons
            for b in other.persons
        )
    return history


SYSTEM = PairingSystem(
    key="open",
    title="Open heat",
    options=OpenOptions,
    sizes=(2, 3, 4),
    kinds=("person", "pair"),
    next_round=_next_round,
    abilities=frozenset({"queue", "many_starts"}),
    keeps=frozenset({"never_meet"}),
)
