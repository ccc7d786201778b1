"""Other tables on the page of a watched table: the tables of the round with the closest scores, each with its
current trick, and the next table by number.

A trick is shown as any spectator sees it. Private tables are left out.
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
from engine.registry import get_rules
from frontend.fragment_cache import get_or_make_fragment
from frontend.presenters.tables.hall import Glance, Hall, load_current_tables
from frontend.presenters.tables.most_interesting_tables import Standing, pick_featured, sort_by_interest
from frontend.presenters.tables.table_scene import rotate_seat
from frontend.presenters.tables.tables import Side, TableView, table_views
from frontend.presenters.words.figures import format_difference
from games.models import Game
from games.projections import delayed_broadcast

TABLES_AT_ONCE: Final = 6
"""Number of tables shown beside the watched table."""
FOUND: Final = 12
"""Largest number of tables shown for a search."""
Featured = Literal["", "closest", "chosen"]
"""Why a table is featured: it has the closest score, or the director chose it; "" if it is not featured."""
SPECTATOR: Final = Observer.spectator()


@dataclass(frozen=True, slots=True)
class ThumbnailCard:
    """A card in the middle. `at`: place of its player, seen from seat 0; `code`: "" if the card is
    unknown.
    """

    seat: int
    at: str
    code: str


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A table with its current trick. `seats`: number of seats; `running`: JSON from which the page's script
    counts on; `gained`: points of each side in the running deal.
    """

    table: TableView
    trick: Sequence[ThumbnailCard]
    featured: Featured = ""
    game: str = ""
    """The id of the game while it runs; else ""."""
    seats: int = 0
    seq: int = -1
    """Sequence number of the last event shown; the page gets later events over its socket."""
    running: str = ""
    gained: Sequence[int] = ()

    @property
    def sides(self) -> list[tuple[Side, str]]:
        """Each side with the points of the running deal, as "+12"; "" if they are unknown or zero."""
        gained = [*self.gained, *[0] * len(self.table.sides)]
        return [
            (side, format_difference(n) if n else "")
            for side, n in zip(self.table.sides, gained, strict=False)
        ]

    @property
    def deal(self) -> str:
        """The number of the deal in an element that the page's script updates."""
        return format_html("<span data-deal>{}</span>", self.table.deal)

    @property
    def shows_cards(self) -> bool:
        """Whether the table plays with cards and is not over."""
        return self.table.mode != Game.Mode.SHEET and not self.table.over


def list_open_tables(hall: Hall) -> list[Glance]:
    """Return the tables with a game that everybody may see, by number."""
    return [glance for glance in hall.tables if glance.game and not glance.hidden]


def _standings(tables: Sequence[Glance]) -> list[Standing]:
    return [Standing(one.number, one.mode, one.status, one.totals, one.still) for one in tables]


def list_most_interesting(tables: Sequence[Glance], most: int, chosen: int | None = None) -> list[Glance]:
    """Return at most `most` tables, the most interesting ones first (`sort_by_interest`)."""
    by_number = {glance.number: glance for glance in tables}
    return [by_number[one.number] for one in sort_by_interest(_standings(tables), chosen)[:most]]


def find_featured(tables: Sequence[Glance], chosen: int | None = None) -> dict[int, Featured]:
    """Return the featured table's number → "chosen" or "closest"; empty if no table is featured."""
    featured = pick_featured(_standings(tables), chosen)
    return {} if featured is None else {featured.number: "chosen" if featured.number == chosen else "closest"}


def find_next_table(number: int, tables: Mapping[int, str]) -> tuple[int, str] | None:
    """Return number and game of the table with the next number; after the last table comes the first. None
    without another table.
    """
    others = sorted(one for one in tables if one != number)
    next_number = next((one for one in others if one > number), others[0] if others else None)
    return None if next_number is None else (next_number, tables[next_number])


def build_thumbnails(
    tables: Sequence[Glance], featured_one: Mapping[int, Featured], now: datetime
) -> list[Thumbnail]:
    """Return a thumbnail of each table, in the same order. The trick of a table costs queries only after new
    events.
    """
    read = load_current_tables([glance.table for glance in tables])
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
    lying = [ThumbnailCard(seat, rotate_seat(seat, 0, game.seat_count), code) for seat, code in shown.trick]
    return on(lying, seq=shown.seq, running=shown.running, gained=shown.points)


class _PublicState(msgspec.Struct, frozen=True):
    """The public state of a game: sequence number of its last event; seat and card code of each card in
    the trick; points of the running deal by side; and, as JSON, the counters that a page continues (`Running`
    in src/connection/side-tables.ts).
    """

    seq: int
    trick: list[tuple[int, str]]
    points: list[int] = []
    running: str = ""


def _public_state(game: Game) -> _PublicState:
    fold = delayed_broadcast.load_visible_snapshot(game)
    shown = snapshot(fold.state, SPECTATOR)
    trick = [(one["seat"], one["card"] or "") for one in shown.get("trick", ())]
    if "standing" not in shown:
        return _PublicState(fold.head.seq, trick)
    rules, standing, sides = get_rules(fold.state), shown["standing"], shown["sides"]
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
