"""The partners of each round, for championships in which partners are drawn anew for each round."""

from collections.abc import Collection, Mapping

from tournaments.models import Championship, Seating
from tournaments.names import TwoNames
from tournaments.regulations import PARTNERS_NEED
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people.name_visibility import load_withheld_names

Partners = Mapping[int, Mapping[int, str]]
"""Number of an entry → number of a round → name of the partner."""


def load_round_partners(
    championship: Championship, numbers: Collection[int], rounds: Collection[int]
) -> dict[int, dict[int, str]]:
    """Return number → round → partner's name, for these people and rounds; empty if partners are not drawn
    for each round.
    """
    if not numbers or load_regulations(championship).play.format != "pairs":
        return {}
    hidden = load_withheld_names(championship.pk)
    tables: dict[int, list[tuple[int, int, int, str]]] = {}
    seated = Seating.objects.filter(round__championship=championship, round__number__in=rounds)
    seated = seated.filter(table__in=seated.filter(entry__number__in=numbers).values("table"))
    for table, round_, seat, pk, number, first, family in seated.values_list(
        *("table", "round__number", "seat", "entry", "entry__number"),
        *("entry__first_name", "entry__family_name"),
    ):
        name = hidden.get(pk) or TwoNames(first, family).running
        tables.setdefault(table, []).append((round_, seat, number, name))
    partners: dict[int, dict[int, str]] = {}
    for chairs in tables.values():
        if len(chairs) != PARTNERS_NEED:
            continue
        for round_, seat, number, _name in chairs:
            other = next(row for row in chairs if row[1] % 2 == seat % 2 and row[2] != number)
            if number in numbers:
                partners.setdefault(number, {})[round_] = other[3]
    return partners
