"""The members of teams, and the people whom the draw keeps apart because they are of one team."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

import msgspec
from django.db.models import Q
from django.db.models.functions import Coalesce

from tournaments.models import Championship, Entry, SideConstraint
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.standings import TeamCounting


def find_team_rules(championship: Championship) -> TeamCounting | None:
    """Return the rules for ranking teams of this championship's people; None if the regulations have none."""
    rules = load_regulations(championship).teams
    return None if rules is msgspec.UNSET else rules


def has_teams(championship: Championship) -> bool:
    """Return whether people belong to teams in this championship. Teams may be drawn, or only ranked."""
    return load_regulations(championship).has_teams


def load_people_of_lines(championship: Championship, numbers: Iterable[int]) -> dict[int, list[Entry]]:
    """Return number of a ranking row of persons or pairs → its entries, with their names.

    One query.
    """
    wanted = set(numbers)
    rows = championship.entries.filter(Q(number__in=wanted) | Q(entrant__number__in=wanted))
    fields = ("number", "name", "championship_id", "entrant", "entrant__number")
    people: dict[int, list[Entry]] = {}
    for entry in rows.select_related("entrant").only(*fields).order_by("number"):
        people.setdefault(entry.number if entry.entrant is None else entry.entrant.number, []).append(entry)
    return people


def load_team_numbers(championship: Championship) -> dict[int, int]:
    """Return number of an entry → number of its team. The house is left out. A merged entry has the team of
    the entry it was merged into.

    One query.
    """
    teams = Coalesce("merged_into__team__number", "team__number")
    listed = championship.entries.filter(house=False).annotate(of_team=teams).exclude(of_team=None)
    return dict(listed.values_list("number", "of_team"))


class Separated(NamedTuple):
    """Two entries that the draw keeps apart.

    kind: of `SideConstraint.Kind`; soft: they are kept apart only as far as possible; one, other: primary
    keys.
    """

    kind: SideConstraint.Kind
    soft: bool
    one: int
    other: int


SEPARATIONS: Final = {
    "never_meet": (SideConstraint.Kind.NEVER_MEET, False),
    "avoid_meet": (SideConstraint.Kind.NEVER_MEET, True),
    "never_partner": (SideConstraint.Kind.NEVER_PARTNER, False),
    "avoid_partner": (SideConstraint.Kind.NEVER_PARTNER, True),
}
"""Setting of the regulations that keeps members of a team apart → kind, and whether only as
far as possible.
"""


def list_team_mates(championship: int, regulations: Regulations) -> list[Separated]:
    """List the pairs of members of one team that the regulations keep apart.

    Partners who stay together are left out. At most one query.
    """
    if regulations.teams is msgspec.UNSET or regulations.teams.apart not in SEPARATIONS:
        return []
    kind, soft = SEPARATIONS[regulations.teams.apart]
    entered = Entry.objects.filter(championship=championship, team__isnull=False, merged_into=None)
    rows = entered.order_by("number").values_list("pk", "team", "entrant")
    together = regulations.play.format == "fixed_pairs"
    members: dict[int, list[tuple[int, int | None]]] = {}
    for pk, team, entrant in rows:
        members.setdefault(team, []).append((pk, entrant if together else None))
    return [Separated(kind, soft, one, other) for one, other in _list_couples(members)]


def list_separated(championship: int, regulations: Regulations) -> list[Separated]:
    """List the pairs of people that the draw keeps apart, because the director wishes it or they are of one
    team.

    One query, and one more with teams.
    """
    wishes = SideConstraint.objects.filter(championship=championship).exclude(
        kind=SideConstraint.Kind.FIXED_PAIR
    )
    stated = wishes.values_list("kind", "soft", "one", "other")
    return [
        *(Separated(SideConstraint.Kind(kind), soft, one, other) for kind, soft, one, other in stated),
        *list_team_mates(championship, regulations),
    ]


def _list_couples(members: Mapping[int, list[tuple[int, int | None]]]) -> Iterator[tuple[int, int]]:
    for people in members.values():
        for (one, pair), (other, second) in combinations(people, 2):
            if pair is None or pair != second:
                yield one, other
