"""Names of seats and officials. Games contain random references of players, which only entries connect with
names.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from django.utils.translation import gettext as _

from games.guests import OWN_SEAT, load_guest_name
from games.models import Game, Seat
from tournaments.models import Entry, Official

LETTERS = "ABCD"
BOTS: Final = {1: "Heidi", 2: "Ueli", 3: "Vreni"}
"""Seat → name of a bot at a guest's table, the same in every language."""


def load_names(refs: Iterable[str]) -> dict[str, str]:
    """Return reference → name of the entry, in the form that the requesting person may read."""
    found = Entry.objects.filter(player_ref__in=list(refs))
    return {entry.player_ref: entry.name for entry in found}


def load_official_names(refs: Collection[str]) -> dict[str, str]:
    """Return reference → name of the official. One query; none without references."""
    found = Official.objects.filter(ref__in=refs).select_related("user") if refs else ()
    return {one.ref: one.user.display_name for one in found}


def seat_names(game: Game) -> list[str]:
    """Return the names at a table, seat 0 first; a seat without an entry is called by its letter. At a
    guest's table against bots, the guest has the typed name and the bots have fixed names.
    """
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    known = load_names(seat.player_ref for seat in seats)
    private = game.visibility == Game.Visibility.PRIVATE
    guest = load_guest_name(game) if private and not known else None
    if guest is not None:
        return [guest or _("Guest") if seat.number == OWN_SEAT else BOTS[seat.number] for seat in seats]
    return [
        known.get(seat.player_ref) or _("Seat %(letter)s") % {"letter": LETTERS[seat.number]}
        for seat in seats
    ]


def join_side_names(names: Sequence[str], sides: Sequence[int]) -> list[str]:
    """Join the names of each side. `sides`: the side of each seat; if empty, each seat is a side."""
    if len(sides) != len(names):
        return list(names)
    return [
        " + ".join(name for name, of in zip(names, sides, strict=True) if of == side)
        for side in range(max(sides) + 1)
    ]
