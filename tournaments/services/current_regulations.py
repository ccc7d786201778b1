"""Reading the regulations of a championship that are in force."""

from typing import TypeVar

from django.db.models import F, FilteredRelation, Q, QuerySet

from tournaments import regulation_checks, regulations
from tournaments.models import Championship, Regulations
from tournaments.pairing.systems import DRAWN, SYSTEMS

Words = TypeVar("Words")


def with_regulations(championships: QuerySet[Championship]) -> QuerySet[Championship]:
    """Prefetch the current regulations of each championship for `load_regulations`, in the same query."""
    holds = FilteredRelation("regulations", condition=Q(regulations__version=F("regulations_version")))
    return championships.annotate(holds=holds).annotate(
        read_version=F("holds__version"), read_regulations=F("holds__data")
    )


def load_regulations(championship: Championship) -> regulations.Regulations:
    """Return the current regulations of a championship."""
    at_hand = vars(championship)
    if at_hand.get("read_version") == championship.regulations_version:
        return regulation_checks.decode_stored(at_hand["read_regulations"])
    return regulation_checks.decode_stored(load_current_row(championship).data)


def load_current_row(championship: Championship) -> Regulations:
    """Load the row of the current regulations, which has their version and the times when they were set and
    frozen.
    """
    return Regulations.objects.get(championship=championship, version=championship.regulations_version)


def has_sessions(championship: Championship) -> bool:
    """Return whether the rounds of a championship are sessions of an open heat. At most one query."""
    at_hand = vars(championship)
    version = championship.regulations_version
    known: tuple[int, bool] | None = at_hand.get("_sessions")
    if known is None or known[0] != version:
        if at_hand.get("read_version") == version:
            data = at_hand["read_regulations"]
        else:
            data = Regulations.objects.values_list("data", flat=True).get(
                championship=championship, version=version
            )
        system = SYSTEMS.get((data.get("pairing") or {}).get("system", DRAWN))
        known = version, system is not None and "queue" in system.abilities
        at_hand["_sessions"] = known
    return known[1]


def round_or_session(championship: Championship, of_round: Words, of_session: Words) -> Words:
    """Return `of_session` for an open heat, whose rounds are called sessions, otherwise `of_round`.

    At most one query.
    """
    return of_session if has_sessions(championship) else of_round
