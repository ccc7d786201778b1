"""The regulations of a championship that are in force."""

from django.db.models import F, FilteredRelation, Q, QuerySet

from tournaments import regulations as rules
from tournaments.models import Championship, Regulations


def with_regulations(found: QuerySet[Championship]) -> QuerySet[Championship]:
    """Prefetch the current regulations for `regulations_of`, in the same query."""
    holds = FilteredRelation("regulations", condition=Q(regulations__version=F("regulations_version")))
    return found.annotate(holds=holds).annotate(
        read_version=F("holds__version"), read_regulations=F("holds__data")
    )


def regulations_of(championship: Championship) -> rules.Regulations:
    """Return the current regulations of a championship."""
    at_hand = vars(championship)
    if at_hand.get("read_version") == championship.regulations_version:
        return rules.decode_stored(at_hand["read_regulations"])
    row = Regulations.objects.get(championship=championship, version=championship.regulations_version)
    return rules.decode_stored(row.data)
