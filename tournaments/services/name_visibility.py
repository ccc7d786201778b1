"""Visibility of names: in full for a championship's members, else in the form of `names.public_names`."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from games.models import User
from tournaments.models import Championship, Entry, Official
from tournaments.names import matches, name_key, search_pattern
from tournaments.names.public_names import FULL, PublicPerson, public_names
from tournaments.names.readers import reader


class Reader:
    """The reader of a page: an account, or None for an anonymous one.

    Membership is queried once per championship, and only if its names are not public.
    """

    def __init__(self, user: User | AnonymousUser | None) -> None:
        self._user = user
        self._said: dict[int, str] = {}
        self._kinds: dict[int, str] = {}
        self._names: dict[int, dict[int, str]] = {}

    def set_kind_if_unset(self, championship: int, kind: str) -> None:
        """Set the kind for the rest of the request, so that one page is consistent. The first call counts."""
        self._said.setdefault(championship, kind)

    def let_read(self, championship: int) -> None:
        """Grant full names to a reader admitted to a table by its code."""
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
    """Return a reader without rights, for files, walls and projectors that everybody sees."""
    found = Reader(None)
    if championship is not None:
        found.set_kind_if_unset(championship.pk, championship.public_names)
    return found


def current_kind(championship: Championship) -> str:
    """Return the kind of names the current reader sees: "full", "initials" or "numbers"."""
    now = reader()
    return FULL if now is None else now.kind(championship.pk)


def withheld_names(championship: int) -> dict[int, str]:
    """Return entry id → replacement name for the current reader; empty if they see full names.

    For values read from the database without model objects.
    """
    now = reader()
    return {} if now is None else now.names(championship)


def grant_full_names(championship: int) -> None:
    """Grant full names to the current reader, who was admitted by a table's code."""
    now = reader()
    if isinstance(now, Reader):
        now.let_read(championship)


def filter_by_name(
    rows: QuerySet[Any], championship: Championship, text: str, *, entry: str = ""
) -> QuerySet[Any]:
    """Filter rows whose name, as the current reader sees it, contains every word of the text.

    `entry`: lookup from the row to its entry. A hidden name is not found.
    """
    way = f"{entry}__" if entry else ""
    now = reader()
    shown = now.names(championship.pk) if now is not None else {}
    if shown or current_kind(championship) != FULL:
        found = [pk for pk, name in shown.items() if name_key(text) and matches(text, name)]
        return rows.filter(**{f"{way}pk__in": found})
    for word in name_key(text):
        rows = rows.filter(**{f"{way}sort_name__regex": search_pattern(word)})
    return rows
