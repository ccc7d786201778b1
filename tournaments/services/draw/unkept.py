"""What is not as it should be in a draw, before anybody sits down: wishes it could not keep, people who have
a seat and are not here."""

from typing import NamedTuple

from django.db.models import Q

from tournaments.models import Entry, Round, Seating, SideConstraint


class UnkeptWish(NamedTuple):
    """Two at one table who should never meet, or who are partners there and should never be."""

    one: str
    other: str
    table: int
    never_meet: bool


class AbsentSeated(NamedTuple):
    """Somebody who has a seat and is marked as not here."""

    name: str
    table: int


def unkept_wishes(round_: Round) -> list[UnkeptWish]:
    """By table. One query where nobody is to be kept apart."""
    wishes = SideConstraint.objects.filter(championship=round_.championship_id).exclude(
        kind=SideConstraint.Kind.FIXED_PAIR
    )
    asked = list(wishes.values_list("kind", "one", "other"))
    if not asked:
        return []
    people = {pk for _kind, one, other in asked for pk in (one, other)}
    rows = Seating.objects.filter(round=round_, entry__in=people).select_related("entry", "table")
    seats = {seating.entry_id: seating for seating in rows}
    found = []
    for kind, one, other in asked:
        first, second = seats.get(one), seats.get(other)
        if first is None or second is None or first.table_id != second.table_id:
            continue
        meets = kind == SideConstraint.Kind.NEVER_MEET
        if meets or (first.seat - second.seat) % 2 == 0:
            found.append(UnkeptWish(first.entry.name, second.entry.name, first.table.number, meets))
    return sorted(found, key=lambda wish: wish.table)


def seated_absent(round_: Round) -> list[AbsentSeated]:
    """Who sits at a table of a round and is marked as not here, without a substitute. One query."""
    away = Q(entry__status__in=(Entry.Status.REGISTERED, Entry.Status.PAID))
    rows = Seating.objects.filter(away, round=round_).exclude(table__substitutes__isnull=False)
    named = rows.order_by("table__number", "seat").values_list("entry__name", "table__number")
    return [AbsentSeated(name, table) for name, table in named]


def seat_now(entry: Entry) -> Seating | None:
    """Where somebody sits in a round that is drawn or open."""
    rows = entry.seatings.filter(round__status__in=(Round.Status.DRAWN, Round.Status.OPEN))
    return rows.select_related("round", "table").order_by("round__number").first()
