"""The tables beside the one that is watched: the closest of its round with what lies there, and the next one.

What lies in the middle is what a spectator sees, whoever asks: tables nobody may look at are not here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, Literal

import msgspec
from django.utils.html import format_html

from engine import Observer, snapshot
from engine.registry import rules_of as rules_of_state
from frontend.fragment_cache import shared
from frontend.presenters.closest import Standing, first_in_front, in_front
from frontend.presenters.hall import Glance, Hall, tables_of
from frontend.presenters.table_scene import seen_from
from frontend.presenters.tables import Side, TableView, table_views
from games.models import Game
from games.projections import delayed_broadcast

TABLES_AT_ONCE: Final = 6
"""Tables shown beside the one that is watched."""
FOUND: Final = 12
"""Where somebody looks for some."""
Featured = Literal["", "closest", "chosen"]
"""Whether a table is in front, and why."""
SPECTATOR: Final = Observer.spectator()


@dataclass(frozen=True, slots=True)
class ThumbnailCard:
    """A card in the middle. `code`: "" where nobody knows it."""

    seat: int
    at: str
    code: str


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A table at a glance, and what lies on it."""

    table: TableView
    trick: Sequence[ThumbnailCard]
    featured: Featured = ""
    game: str = ""
    """Its key while it goes on."""
    seats: int = 0
    seq: int = -1
    """Up to where the game is shown here: what comes after that, the page hears by its socket."""
    running: str = ""
    gained: Sequence[int] = ()

    @property
    def sides(self) -> list[tuple[Side, str]]:
        """Each side, and what the running deal adds to its total, where that is known and something."""
        gained = [*self.gained, *[0] * len(self.table.sides)]
        return [(side, f"{n:+d}" if n else "") for side, n in zip(self.table.sides, gained, strict=False)]

    @property
    def deal(self) -> str:
        """The number of the deal, which the page puts on."""
        return format_html("<span data-deal>{}</span>", self.table.deal)

    @property
    def shows_cards(self) -> bool:
        """Whether there is a trick to see."""
        return self.table.mode != Game.Mode.SHEET and not self.table.over


def open_to_all(hall: Hall) -> list[Glance]:
    """The tables that everybody may look at, by number."""
    return [glance for glance in hall.tables if glance.game and not glance.hidden]


def _standings(tables: Sequence[Glance]) -> list[Standing]:
    return [Standing(one.number, one.mode, one.status, one.totals, one.still) for one in tables]


def closest_of(tables: Sequence[Glance], most: int, chosen: int | None = None) -> list[Glance]:
    """So many of them, the one that the director has chosen and then the closest first."""
    by_number = {glance.number: glance for glance in tables}
    return [by_number[one.number] for one in first_in_front(_standings(tables), chosen)[:most]]


def featured(tables: Sequence[Glance], chosen: int | None = None) -> dict[int, Featured]:
    """The number of the table of the round that is in front, and why it is."""
    found = in_front(_standings(tables), chosen)
    return {} if found is None else {found.number: "chosen" if found.number == chosen else "closest"}


def next_after(number: int, tables: Mapping[int, str]) -> tuple[int, str] | None:
    """The table after this one, by number, with its game; after the last comes the first again. None: there
    is no other.
    """
    others = sorted(one for one in tables if one != number)
    found = next((one for one in others if one > number), others[0] if others else None)
    return None if found is None else (found, tables[found])


def thumbnails(
    tables: Sequence[Glance], featured_one: Mapping[int, Featured], now: datetime
) -> list[Thumbnail]:
    """In this order. A table at which nothing has happened since costs no query of its own."""
    read = tables_of([glance.table for glance in tables])
    views = table_views(read, now)
    return [
        _thumbnail(row.game, view, featured_one.get(view.number, ""))
        for row, view in zip(read, views, strict=True)
    ]


def _thumbnail(game: Game | None, view: TableView, why: Featured) -> Thumbnail:
    if game is None or view.over:
        return Thumbnail(view, (), why)
    on = partial(Thumbnail, view, featured=why, game=game.pk, seats=game.seat_count)
    if game.mode == Game.Mode.SHEET:
        return on((), seq=game.head_seq)
    shown = shared("running deal", (game.pk,), str(game.head_seq), lambda: _now(game), _Now)
    lying = [ThumbnailCard(seat, seen_from(seat, 0, game.seat_count), code) for seat, code in shown.trick]
    return on(lying, seq=shown.seq, running=shown.running, gained=shown.points)


class _Now(msgspec.Struct, frozen=True):
    """Up to which event everybody sees a game; seat and card of what lies; what the running deal has brought
    each side, and by what a page counts on (`Running` in src/connection/side-tables.ts), as JSON."""

    seq: int
    trick: list[tuple[int, str]]
    points: list[int] = []
    running: str = ""


def _now(game: Game) -> _Now:
    fold = delayed_broadcast.fold_of(game)
    shown = snapshot(fold.state, SPECTATOR)
    trick = [(one["seat"], one["card"] or "") for one in shown.get("trick", ())]
    if "standing" not in shown:
        return _Now(fold.head.seq, trick)
    rules, standing, sides = rules_of_state(fold.state), shown["standing"], shown["sides"]
    points = [0] * rules.sides if standing is None else standing["points"]
    known = [] if None in points else list(points)
    running = {
        "points": known or None,
        "sides": sides,
        "factor": shown["multiplier"],
        "factors": rules.play.multipliers,
        "chooserOnly": rules.variant.aim.chooser_only,
        "chooser": shown["chooser"],
    }
    return _Now(fold.head.seq, trick, known, json.dumps(running))
