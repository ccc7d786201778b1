"""Clubs and series that have pages for everybody."""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from tournaments.models import Championship, Club, ClubEvent, ClubSeries, OutsideEvent


def public_clubs() -> QuerySet[Club]:
    """Return the clubs with a page for everybody: those with a public championship or series.

    A club that no keeper has named has no page, because its name is that of its founder.
    """
    championships = Championship.objects.filter(club=OuterRef("pk"), public=True)
    series = public_series().filter(club=OuterRef("pk"))
    return Club.objects.filter(Exists(championships) | Exists(series), named=True)


def public_series() -> QuerySet[ClubSeries]:
    """Return the series that everybody may read.

    All championships of such a series are public, also the counted ones in files of other installations.
    """
    private = ClubEvent.objects.filter(series=OuterRef("pk"), championship__public=False)
    elsewhere = OutsideEvent.objects.filter(series=OuterRef("pk"), counts=True, public=False)
    return ClubSeries.objects.exclude(Exists(private) | Exists(elsewhere))


def subquery_public_club() -> Subquery:
    """Return a subquery for a query of championships: JSON with `slug` and `name` of the club.

    It is null if the club has no public page.
    """
    found = public_clubs().filter(pk=OuterRef("club"))
    return Subquery(found.values(link=JSONObject(slug="slug", name="name"))[:1])


def clubs_of(championships: QuerySet[Championship]) -> QuerySet[Club]:
    """Return the clubs of these championships that have a public page, by name."""
    held = championships.order_by().values("club")
    return public_clubs().filter(Q(pk__in=held)).order_by("name", "pk")
