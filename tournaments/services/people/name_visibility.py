"""Visibility of names. Members of a championship see full names, other readers the form of
`names.public_names`.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from games.models import User
from tournaments.models import Championship, Entry, Official
from tournaments.names import matches, name_key, search_pattern
from tournaments.names.public_names import (
    CONSENTED,
    FULL,
    PublicPerson,
    find_name_kind,
    public_names,
)
from tournaments.names.readers import reader


class Reader:
    """The reader of a page. `user` None: an anonymous reader.

    Whether the reader belongs to a championship is queried once, and only if its names are not public.
    """

    def __init__(self, user: User | AnonymousUser | None) -> None:
        self._user = user
        self._said: dict[int, str] = {}
        self._kinds: dict[int, str] = {}
        self._names: dict[int, dict[int, str]] = {}

    def set_kind_if_unset(self, championship: int, kind: str) -> None:
        """Set the kind of public names for the rest of the request, so that one page is consistent.

        Later calls for this championship change nothing.
        """
        self._said.setdefault(championship, kind)

    def let_read(self, championship: int) -> None:
        """Show full names to the reader, who was admitted to a table by its code."""
        self._kinds[championship] = FULL

    def kind(self, championship: int) -> str:
        if championship not in self._kinds:
            kind = self._said.get(championship)
            if kind is None:
                rows = Championship.objects.filter(pk=championship)
                found = rows.values_list("public_names", "someone_unnamed").first()
                kind = FULL if found is None else find_name_kind(*found)
            self._kinds[championship] = FULL if kind == FULL or self._belongs(championship) else kind
        return self._kinds[championship]

    def names(self, championship: int) -> dict[int, str]:
        kind = self.kind(championship)
        if kind == FULL:
            return {}
        if championship not in self._names:
            found = Entry.objects.filter(championship=championship)
            if kind == CONSENTED:
                found = found.exclude(unnamed_since=None)
            rows = found.values_list("pk", "number", "first_name", "family_name", "unnamed_since")
            people = (
                PublicPerson(pk, number, first, family, since is not None)
                for pk, number, first, family, since in rows
            )
            self._names[championship] = dict(public_names(people, kind))
        return self._names[championship]

    def _belongs(self, championship: int) -> bool:
        user = self._user
        if user is None or not user.is_authenticated:
            return False
        here = Q(championship=championship, user=user.pk)
        return Official.objects.filter(here).exists() or Entry.objects.filter(here).exists()


def outsider(championship: Championship | None = None) -> Reader:
    """Return a reader without rights, for files, walls and projectors. With `championship`, its kind of names
    needs no query.
    """
    found = Reader(None)
    if championship is not None:
        found.set_kind_if_unset(championship.pk, championship.name_kind)
    return found


def current_kind(championship: Championship) -> str:
    """Return the kind of names that the current reader sees: "full", "consented", "initials" or "numbers"."""
    now = reader()
    return FULL if now is None else now.kind(championship.pk)


def load_withheld_names(championship: int) -> dict[int, str]:
    """Return entry id → text to show instead of the name; empty if the current reader sees full names.

    For values that are read from the database without model objects.
    """
    now = reader()
    return {} if now is None else now.names(championship)


def grant_full_names(championship: int) -> None:
    """Show full names to the current reader, who was admitted to a table by its code."""
    now = reader()
    if isinstance(now, Reader):
        now.let_read(championship)


def filter_by_name(
    rows: QuerySet[Any], championship: Championship, text: str, *, entry: str = ""
) -> QuerySet[Any]:
    """Return the rows whose name, as the current reader sees it, contains every word of the text.

    `entry`: lookup from a row to its entry; empty: the rows are entries. A hidden name is not found. A text
    without words filters nothing.
    """
    if not name_key(text):
        return rows
    way = f"{entry}__" if entry else ""
    now = reader()
    shown = now.names(championship.pk) if now is not None else {}
    replaced = [pk for pk, name in shown.items() if matches(text, name)]
    by_replacement = Q(**{f"{way}pk__in": replaced})
    if current_kind(championship) not in (FULL, CONSENTED):
        return rows.filter(by_replacement)
    by_name = ~Q(**{f"{way}pk__in": list(shown)}) if shown else Q()
    for word in name_key(text):
        by_name &= Q(**{f"{way}sort_name__regex": search_pattern(word)})
    return rows.filter(by_name | by_replacement if shown else by_name)


def update_unnamed(championship: int) -> None:
    """Store in the championship whether the consent to be named is withdrawn for one of its entries."""
    unnamed = Entry.objects.filter(championship=championship).exclude(unnamed_since=None)
    Championship.objects.filter(pk=championship).update(someone_unnamed=unnamed.exists())
