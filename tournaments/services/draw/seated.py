"""Who sits at many tables, in one query for all of them."""

from django.db.models import Prefetch, QuerySet

from tournaments.models import Seating, Table


def with_people(tables: QuerySet[Table]) -> QuerySet[Table]:
    """The tables with their chairs in order, and the entry and account of each.

    Joined: asked for by their keys, a thousand entries are one expression too deep for SQLite.
    """
    seatings = Seating.objects.select_related("entry__user").order_by("seat")
    return tables.prefetch_related(Prefetch("seatings", seatings))
