"""Checks of a draw before play: side constraints that it breaks, and absent people with a seat."""

from typing import NamedTuple

from django.db.models import BigIntegerField, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import Entry, Round, Seating, SideConstraint, last_substitutions
from tournaments.regulations import Regulations
from tournaments.services.people.separation import list_separated


class UnkeptWish(NamedTuple):
    """A side constraint that a draw does not keep.

    `one`, `other`: names of two people who are at one table, or are partners, but should not be; `table`: the
    table's number; `never_meet`: they should not be at one table at all; otherwise, they should only not be
    partners.
    """

    one: str
    other: str
    table: int
    never_meet: bool


class AbsentSeated(NamedTuple):
    """A person with a seat who is marked as absent. `name`: of the person; `table`: number of the table."""

    name: str
    table: int


def list_unkept_wishes(round_: Round, regulations: Regulations) -> list[UnkeptWish]:
    """List the side constraints and separations of team mates that a draw did not keep, by table.

    Constraints to be kept only as far as possible are left out; the notes of the draw list them. At most
    three queries.
    """
    asked = [wish for wish in list_separated(round_.championship_id, regulations) if not wish.soft]
    if not asked:
        return []
    people = {pk for wish in asked for pk in (wish.one, wish.other)}
    rows = Seating.objects.filter(round=round_, entry__in=people).select_related("entry", "table")
    seats = {seating.entry_id: seating for seating in rows}
    found = []
    for kind, _soft, one, other in asked:
        first, second = seats.get(one), seats.get(other)
        if first is None or second is None or first.table_id != second.table_id:
            continue
        meets = kind == SideConstraint.Kind.NEVER_MEET
        if meets or (first.seat - second.seat) % 2 == 0:
            found.append(UnkeptWish(first.entry.name, second.entry.name, first.table.number, meets))
    return sorted(found, key=lambda wish: wish.table)


def seated_absent(round_: Round) -> list[AbsentSeated]:
    """List the people with a seat who are marked as absent and play the last deals. One query."""
    away = Q(entry__status__in=(Entry.Status.REGISTERED, Entry.Status.PAID))
    last = last_substitutions().filter(table=OuterRef("table"), seat=OuterRef("seat"))
    plays = Coalesce(Subquery(last.values("entry")), F("entry"), output_field=BigIntegerField())
    rows = Seating.objects.filter(away, round=round_).alias(plays=plays).filter(plays=F("entry"))
    named = rows.order_by("table__number", "seat").values_list("entry__name", "table__number")
    return [AbsentSeated(name, table) for name, table in named]


def load_current_seating(entry: Entry) -> Seating | None:
    """Return the seating of an entry in its first drawn or open round, None if it has none."""
    rows = entry.seatings.filter(round__status__in=(Round.Status.DRAWN, Round.Status.OPEN))
    return rows.select_related("round", "table").order_by("round__number").first()
