"""Who reads which names: the one place that decides. Whoever belongs to a championship reads them in full,
everybody else what its `public_names` says.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from games.models import User
from tournaments.models import Championship, Entry, Official
from tournaments.names import matches, name_key, search_pattern
from tournaments.names.public import FULL, PublicPerson, public_names
from tournaments.names.readers import reader


class Reader:
    """Somebody who looks at pages: an account, or nobody (None). What he may read is asked once for each
    championship, and only where its names are not for everybody.
    """

    def __init__(self, user: User | AnonymousUser | None) -> None:
        self._user = user
        self._said: dict[int, str] = {}
        self._kinds: dict[int, str] = {}
        self._names: dict[int, dict[int, str]] = {}

    def told(self, championship: int, kind: str) -> None:
        """The first answer holds for the whole request, so that one page is of one mind."""
        self._said.setdefault(championship, kind)

    def let_read(self, championship: int) -> None:
        """He sits at one of its tables, let in by its code."""
        self._kinds[championship] = FULL

    def kind(self, championship: int) -> str:
        if championship not in self._kinds:
            said = self._said.get(championship)
            if said is None:
                rows = Championship.objects.filter(pk=championship)
                said = rows.values_list("public_names", flat=True).first() or FULL
            self._kinds[championship] = FULL if said == FULL or self._belongs(championship) else said
        return self._kinds[championship]

    def names(self, championship: int) -> dict[int, str]:
        kind = self.kind(championship)
        if kind == FULL:
            return {}
        if championship not in self._names:
            rows = Entry.objects.filter(championship=championship).values_list(
                "pk", "number", "first_name", "family_name"
            )
            self._names[championship] = dict(public_names((PublicPerson(*row) for row in rows), kind))
        return self._names[championship]

    def _belongs(self, championship: int) -> bool:
        user = self._user
        if user is None or not user.is_authenticated:
            return False
        here = Q(championship=championship, user=user.pk)
        return Official.objects.filter(here).exists() or Entry.objects.filter(here).exists()


def outsider(championship: Championship | None = None) -> Reader:
    """Somebody of whom nothing is known: for files, walls and projectors that everybody sees."""
    found = Reader(None)
    if championship is not None:
        found.told(championship.pk, championship.public_names)
    return found


def read_now(championship: Championship) -> str:
    """What whoever asks now reads of its names: "full", "initials" or "numbers"."""
    now = reader()
    return FULL if now is None else now.kind(championship.pk)


def withheld(championship: int) -> dict[int, str]:
    """Row of an entry → what whoever asks now reads instead of its name; empty where he reads the names. For
    what is read off the database without making objects of it.
    """
    now = reader()
    return {} if now is None else now.names(championship)


def let_read(championship: int) -> None:
    """Whoever asks now has come in by the code of a table: he reads the names of those he plays with."""
    now = reader()
    if isinstance(now, Reader):
        now.let_read(championship)


def called(rows: QuerySet[Any], championship: Championship, text: str, *, entry: str = "") -> QuerySet[Any]:
    """Rows in whose name every word of the text is found, as whoever asks reads it; `entry`: the way from the
    row to its entry. Who does not read a name does not find it either.
    """
    way = f"{entry}__" if entry else ""
    now = reader()
    shown = now.names(championship.pk) if now is not None else {}
    if shown or read_now(championship) != FULL:
        found = [pk for pk, name in shown.items() if name_key(text) and matches(text, name)]
        return rows.filter(**{f"{way}pk__in": found})
    for word in name_key(text):
        rows = rows.filter(**{f"{way}sort_name__regex": search_pattern(word)})
    return rows
