"""The public side of a club: its page, and the readers who may see a person across evenings."""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from tournaments.models import Championship, Club, ClubEvent, ClubSeries, Keeper, OutsideEvent


def public_clubs() -> QuerySet[Club]:
    """Return the clubs with a page for everybody: those with a public championship or series.

    A club without a name of its own has the name with which its keeper signs in, and therefore no page.
    """
    championships = Championship.objects.filter(club=OuterRef("pk"), public=True)
    unnamed = Keeper.objects.filter(club=OuterRef("pk"), user__username=OuterRef("name"))
    series = public_series().filter(club=OuterRef("pk"))
    return Club.objects.filter(Exists(championships) | Exists(series)).exclude(Exists(unnamed))


def public_series() -> QuerySet[ClubSeries]:
    """Return the series that everybody may read: all their championships are public, including those in files
    from other installations.
    """
    private = ClubEvent.objects.filter(series=OuterRef("pk"), championship__public=False)
    elsewhere = OutsideEvent.objects.filter(series=OuterRef("pk"), counts=True, public=False)
    return ClubSeries.objects.exclude(Exists(private) | Exists(elsewhere))


def subquery_public_club() -> Subquery:
    """Return the subquery that adds slug and name of the club to a query of championships; null if the club
    has no page.
    """
    found = public_clubs().filter(pk=OuterRef("club"))
    return Subquery(found.values(link=JSONObject(slug="slug", name="name"))[:1])


def clubs_of(championships: QuerySet[Championship]) -> QuerySet[Club]:
    """Return the clubs of these championships that have a page, by name."""
    held = championships.order_by().values("club")
    return public_clubs().filter(Q(pk__in=held)).order_by("name", "pk")
