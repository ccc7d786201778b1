"""The version of a championship's regulations that is in force."""

from django.db.models import F, FilteredRelation, Q, QuerySet

from tournaments import regulations as rules
from tournaments.models import Championship, Regulations


def with_regulations(found: QuerySet[Championship]) -> QuerySet[Championship]:
    """Championships with the version that holds at hand for `regulations_of`, in the same query."""
    holds = FilteredRelation("regulations", condition=Q(regulations__version=F("regulations_version")))
    return found.annotate(holds=holds).annotate(
        read_version=F("holds__version"), read_regulations=F("holds__data")
    )


def regulations_of(championship: Championship) -> rules.Regulations:
    """The version that holds."""
    at_hand = vars(championship)
    if at_hand.get("read_version") == championship.regulations_version:
        return rules.decode_stored(at_hand["read_regulations"])
    row = Regulations.objects.get(championship=championship, version=championship.regulations_version)
    return rules.decode_stored(row.data)
