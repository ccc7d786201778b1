"""Which accounts play at which tables: those of drawn people and those of substitutes."""

from collections.abc import Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import User
from tournaments.models import Entry, Seating, Substitute, Table, last_substitutions


def tables_with(user: User | int) -> QuerySet[Table]:
    """Return the tables at which the account was drawn or is a substitute. `user`: an account or its id."""
    people = {"entry__user": user}
    drawn, instead = Seating.objects.filter(**people), Substitute.objects.filter(**people)
    return Table.objects.filter(Q(pk__in=drawn.values("table")) | Q(pk__in=instead.values("table")))


def load_accounts_at(tables: QuerySet[Table]) -> set[int]:
    """Return the account ids of all drawn people and substitutes of these tables. Two queries."""
    found: set[int] = set()
    for model in (Seating, Substitute):
        rows = model._default_manager.filter(table__in=tables.order_by(), entry__user__isnull=False)
        found.update(rows.values_list("entry__user", flat=True))
    return found


def list_chairs(entry: Entry) -> Mapping[str, int]:
    """Return the chairs at tables with a game on which the entry plays the last deals: game id → seat.

    A drawn person is left out if a substitute plays the last deals.
    """
    others = Substitute.objects.filter(table=OuterRef("table"), seat=OuterRef("seat"))
    drawn, instead = Seating.objects.filter(~Exists(others)), last_substitutions()
    found: dict[str, int] = {}
    for chairs in (drawn, instead):
        mine = chairs.filter(entry=entry, table__game__isnull=False)
        found.update((str(game), seat) for game, seat in mine.values_list("table__game", "seat"))
    return found
