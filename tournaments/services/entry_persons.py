"""The first entry of the person of each entry, for further starts and merged entries."""

from collections.abc import Mapping
from typing import Final

from django.db.models import BigIntegerField
from django.db.models.functions import Coalesce

from tournaments.models import Championship, Entry

PERSON: Final = Coalesce("start_of__merged_into_id", "start_of_id", "pk", output_field=BigIntegerField())
"""Expression of entries that have no merged part: the primary key of the person's first entry."""


def load_person_numbers(championship: Championship) -> dict[int, int]:
    """Load number of an entry → number of the person's first entry. One query."""
    rows = championship.entries.values_list("number", "start_of__number", "merged_into__number")
    return _follow({number: merged or first for number, first, merged in rows})


def load_persons(championship: int) -> dict[int, int]:
    """Map primary keys of entries to that of the person's first entry. One query."""
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
