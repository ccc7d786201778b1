"""The people whom the draw keeps apart, because the director wishes it or because they are of one team.

`pairing.systems.separation` applies it to the entrants of a competition document.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, Literal, NamedTuple

import msgspec

from tournaments.competition import ordered
from tournaments.models import Entry, SideConstraint
from tournaments.regulations import Regulations

Apart = tuple[tuple[str, str, Literal["hard", "soft"]], ...]


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
    return [*list_wishes(championship), *list_team_mates(championship, regulations)]


def list_wishes(championship: int) -> list[Separated]:
    """List the pairs of people that the director keeps apart. One query."""
    wishes = SideConstraint.objects.filter(championship=championship).exclude(
        kind=SideConstraint.Kind.FIXED_PAIR
    )
    stated = wishes.values_list("kind", "soft", "one", "other")
    return [Separated(SideConstraint.Kind(kind), soft, one, other) for kind, soft, one, other in stated]


def join_meetings(separated: Iterable[Separated], ref_of: Mapping[int, str]) -> Apart:
    """Return the pairs of refs that must not meet, as `apart` of a competition document names them.

    Hard outweighs soft.
    """
    found: dict[tuple[str, str], Literal["hard", "soft"]] = {}
    for kind, soft, one, other in separated:
        a, b = ref_of.get(one), ref_of.get(other)
        if kind == SideConstraint.Kind.NEVER_MEET and a is not None and b is not None and a != b:
            pair = ordered(a, b)
            found[pair] = "soft" if soft and found.get(pair) != "hard" else "hard"
    return tuple((*pair, how) for pair, how in sorted(found.items()))


def _list_couples(members: Mapping[int, list[tuple[int, int | None]]]) -> Iterator[tuple[int, int]]:
    for people in members.values():
        for (one, pair), (other, second) in combinations(people, 2):
            if pair is None or pair != second:
                yield one, other
