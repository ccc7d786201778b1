"""The person behind an entry, identified by their first entry. Further starts and merged
entries refer to it.
"""

from collections.abc import Mapping
from typing import Final

from django.db.models import BigIntegerField, QuerySet
from django.db.models.functions import Coalesce

from tournaments.models import Championship, Entry


def refer_to_person(path: str = "") -> Coalesce:
    """Return the query expression for the primary key of the person's first entry.

    `path`: the lookup that leads to the entries, such as "entries__". Not for entries that were merged into
    another one.
    """
    names = ("start_of__merged_into_id", "start_of_id", "pk")
    return Coalesce(*(path + name for name in names), output_field=BigIntegerField())


PERSON: Final = refer_to_person()


def count_people(entries: QuerySet[Entry]) -> int:
    """Count the people of these entries who have a place. A person with several starts counts once. Bots do
    not count.
    """
    there = entries.exclude(status=Entry.Status.WITHDRAWN).filter(bot=False)
    return there.values(whose=PERSON).distinct().count()


def load_person_numbers(championship: Championship) -> dict[int, int]:
    """Return number of each entry → number of the person's first entry. One query."""
    rows = championship.entries.values_list("number", "start_of__number", "merged_into__number")
    return _follow({number: merged or first for number, first, merged in rows})


def load_persons(championship: int) -> dict[int, int]:
    """Return primary key of each entry → primary key of the person's first entry. One query."""
    rows = Entry.objects.filter(championship=championship).values_list("pk", "start_of", "merged_into")
    return _follow({pk: merged or first for pk, first, merged in rows})


def _follow(above: Mapping[int, int | None]) -> dict[int, int]:
    found = {}
    for one in above:
        person = one
        while (higher := above.get(person)) is not None:
            person = higher
        found[one] = person
    return found
