"""Which accounts play at which tables: those of drawn people and those of substitutes."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from games.models import User
from tournaments.models import Entry, Seating, Substitute, Table


def tables_with(user: User | int) -> QuerySet[Table]:
    """Return the tables at which the account was drawn or is a substitute. `user`: an account or its id."""
    people = {"entry__user": user}
    drawn, instead = Seating.objects.filter(**people), Substitute.objects.filter(**people)
    return Table.objects.filter(Q(pk__in=drawn.values("table")) | Q(pk__in=instead.values("table")))


def accounts_at(tables: QuerySet[Table]) -> set[int]:
    """Return the account ids of all drawn people and substitutes of these tables. Two queries."""
    found: set[int] = set()
    for model in (Seating, Substitute):
        rows = model._default_manager.filter(table__in=tables.order_by(), entry__user__isnull=False)
        found.update(rows.values_list("entry__user", flat=True))
    return found


def chairs_of(entry: Entry) -> Mapping[str, int]:
    """Return the chairs at tables with a game on which the entry plays the last deals: game id → seat.

    A drawn person whose substitute plays now is left out.
    """
    mine: dict[str, Any] = {"entry": entry, "table__game__isnull": False}
    chairs = set(Seating.objects.filter(**mine).values_list("table", "table__game", "seat"))
    chairs.update(Substitute.objects.filter(**mine).values_list("table", "table__game", "seat"))
    tables = {table for table, _, _ in chairs}
    rows = Substitute.objects.filter(table__in=tables).order_by("deal").values_list("table", "seat", "entry")
    now = {(table, seat): plays for table, seat, plays in rows}
    return {str(game): seat for table, game, seat in chairs if now.get((table, seat), entry.pk) == entry.pk}
