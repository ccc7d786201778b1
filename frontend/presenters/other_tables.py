"""Other tables on the page of a watched table: the tables of its round with the closest scores, with their
current trick, and the next table.

The trick is what any spectator sees; private tables are left out.
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
from engine.registry import get_rules as rules_of_state
from frontend.fragment_cache import get_or_make_fragment
from frontend.presenters.hall import Glance, Hall, tables_of
from frontend.presenters.most_interesting_tables import Standing, pick_featured, sort_by_interest
from frontend.presenters.table_scene import seen_from
from frontend.presenters.tables import Side, TableView, table_views
from games.models import Game
from games.projections import delayed_broadcast

TABLES_AT_ONCE: Final = 6
"""Tables shown beside the watched one."""
FOUND: Final = 12
"""Tables shown for a search."""
Featured = Literal["", "closest", "chosen"]
"""Whether a table is featured, and why."""
SPECTATOR: Final = Observer.spectator()


@dataclass(frozen=True, slots=True)
class ThumbnailCard:
    """A card in the middle. `code`: "" if unknown."""

    seat: int
    at: str
    code: str


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A table at a glance, with its current trick."""

    table: TableView
    trick: Sequence[ThumbnailCard]
    featured: Featured = ""
    game: str = ""
    """The key of the game while it runs."""
    seats: int = 0
    seq: int = -1
    """The last shown event; the page gets later ones over its socket."""
    running: str = ""
    gained: Sequence[int] = ()

    @property
    def sides(self) -> list[tuple[Side, str]]:
        """Each side, and the running deal's points for its total, if known and not zero."""
        gained = [*self.gained, *[0] * len(self.table.sides)]
        return [(side, f"{n:+d}" if n else "") for side, n in zip(self.table.sides, gained, strict=False)]

    @property
    def deal(self) -> str:
        """The number of the deal, which the page increments."""
        return format_html("<span data-deal>{}</span>", self.table.deal)

    @property
    def shows_cards(self) -> bool:
        """Whether there is a trick to show."""
        return self.table.mode != Game.Mode.SHEET and not self.table.over


def open_to_all(hall: Hall) -> list[Glance]:
    """Return the public tables, by number."""
    return [glance for glance in hall.tables if glance.game and not glance.hidden]


def _standings(tables: Sequence[Glance]) -> list[Standing]:
    return [Standing(one.number, one.mode, one.status, one.totals, one.still) for one in tables]


def closest_of(tables: Sequence[Glance], most: int, chosen: int | None = None) -> list[Glance]:
    """Return at most `most` tables: the director's choice, then the closest."""
    by_number = {glance.number: glance for glance in tables}
    return [by_number[one.number] for one in sort_by_interest(_standings(tables), chosen)[:most]]


def featured(tables: Sequence[Glance], chosen: int | None = None) -> dict[int, Featured]:
    """Return a dict with the number of the featured table of the round and the reason; empty if there is
    none.
    """
    found = pick_featured(_standings(tables), chosen)
    return {} if found is None else {found.number: "chosen" if found.number == chosen else "closest"}


def next_after(number: int, tables: Mapping[int, str]) -> tuple[int, str] | None:
    """Return the number and the game of the next table by number; after the last table comes the first. None
    if there is no other table.
    """
    others = sorted(one for one in tables if one != number)
    found = next((one for one in others if one > number), others[0] if others else None)
    return None if found is None else (found, tables[found])


def thumbnails(
    tables: Sequence[Glance], featured_one: Mapping[int, Featured], now: datetime
) -> list[Thumbnail]:
    """Return thumbnails of these tables, in the same order. A table without new events costs no query."""
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
    shown = get_or_make_fragment(
        "running deal", (game.pk,), str(game.head_seq), lambda: _public_state(game), _PublicState
    )
    lying = [ThumbnailCard(seat, seen_from(seat, 0, game.seat_count), code) for seat, code in shown.trick]
    return on(lying, seq=shown.seq, running=shown.running, gained=shown.points)


class _PublicState(msgspec.Struct, frozen=True):
    """The public state of a game: its last event; seat and card of the trick; the points of the running deal
    by side; and the counters a page continues from (`Running` in src/connection/side-tables.ts), as JSON.
    """

    seq: int
    trick: list[tuple[int, str]]
    points: list[int] = []
    running: str = ""


def _public_state(game: Game) -> _PublicState:
    fold = delayed_broadcast.fold_of(game)
    shown = snapshot(fold.state, SPECTATOR)
    trick = [(one["seat"], one["card"] or "") for one in shown.get("trick", ())]
    if "standing" not in shown:
        return _PublicState(fold.head.seq, trick)
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
    return _PublicState(fold.head.seq, trick, known, json.dumps(running))
