"""The members of teams."""

from collections.abc import Iterable

import msgspec
from django.db.models import Q
from django.db.models.functions import Coalesce

from tournaments.models import Championship, Entry
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
