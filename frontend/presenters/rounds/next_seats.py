"""Seats of people in a round: of one table's people in the next round, or of people found by a search."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from frontend.presenters.tables.tables import seat_mark
from tournaments.models import Bye, Championship, Entry, Round, Seating, Table
from tournaments.regulations import PARTNERS_NEED, Regulations


@dataclass(frozen=True, slots=True)
class PersonsSeat:
    """One person's seat. `table`: None if the person has a bye (`bye`) or is not drawn; `mark`: label of
    the chair; `own`: this is the requesting person.
    """

    name: str
    number: int
    own: bool = False
    table: int | None = None
    mark: str = ""
    partner: str = ""
    bye: bool = False


@dataclass(frozen=True, slots=True)
class NextSeats:
    """The seats of a table's people in the next round. `round`: None if none is drawn; `last`: there is no
    next round; `own`: the requesting person is among them; `over`: the present round is closed.
    """

    round: Round | None
    people: tuple[PersonsSeat, ...]
    own: bool
    last: bool
    over: bool


def load_next_seats(table: Table, chairs: Collection[int], regulations: Regulations) -> NextSeats:
    """Return the seats of a table's people in the next round. `chairs`: the chairs of the requesting person,
    who is listed first.
    """
    rounds = Round.objects.filter(championship=table.round.championship_id, number__gt=table.round.number)
    later = list(rounds.order_by("number"))
    drawn = next((r for r in later if r.status in (Round.Status.DRAWN, Round.Status.OPEN)), None)
    over = table.round.status == Round.Status.CLOSED
    finished = table.round.championship.status == Championship.Status.FINISHED
    if drawn is None:
        played_on = any(r.status == Round.Status.PLANNED for r in later)
        return NextSeats(None, (), own=bool(chairs), last=finished or not played_on, over=over)
    here = sorted(table.seatings.select_related("entry"), key=lambda one: (one.seat not in chairs, one.seat))
    people = load_seats_of_people(drawn, [one.entry for one in here], regulations)
    own = [seating.seat in chairs for seating in here]
    found = tuple(replace(person, own=mine) for person, mine in zip(people, own, strict=True))
    return NextSeats(drawn, found, own=bool(chairs), last=False, over=over)


def load_seats_of_people(
    round_: Round | None, people: Sequence[Entry], regulations: Regulations
) -> list[PersonsSeat]:
    """Return each person's seat in this round; all without a seat if `round_` is None. Two queries."""
    if round_ is None:
        return [PersonsSeat(entry.name, entry.number) for entry in people]
    keys = [entry.pk for entry in people]
    seated = _load_seatings(round_, keys)
    out = set(Bye.objects.filter(round=round_, entry__in=keys).values_list("entry", flat=True))
    return [_seat(entry, seated, entry.pk in out, regulations) for entry in people]


def _load_seatings(round_: Round, entries: Collection[int]) -> dict[int, tuple[Seating, list[Seating]]]:
    """Return entry → its seating and all seatings at the same table. Keys are primary keys."""
    tables = Seating.objects.filter(round=round_, entry__in=entries).values("table")
    found = Seating.objects.filter(table__in=tables).select_related("entry", "table").order_by("seat")
    by_table: dict[int, list[Seating]] = {}
    for seating in found:
        by_table.setdefault(seating.table_id, []).append(seating)
    return {one.entry_id: (one, at_table) for at_table in by_table.values() for one in at_table}


def _seat(
    entry: Entry, seated: dict[int, tuple[Seating, list[Seating]]], out: bool, regulations: Regulations
) -> PersonsSeat:
    if entry.pk not in seated:
        return PersonsSeat(entry.name, entry.number, bye=out)
    seating, at_table = seated[entry.pk]
    partnered = regulations.play.format != "solo" and len(at_table) == PARTNERS_NEED
    partners = [
        one.entry.name
        for one in at_table
        if partnered and one.seat != seating.seat and one.seat % 2 == seating.seat % 2
    ]
    return PersonsSeat(
        entry.name,
        entry.number,
        table=seating.table.number,
        mark=seat_mark(seating.table.number, seating.seat, chips=regulations.chips()),
        partner=", ".join(partners),
    )
