"""Embedding of a table or a ranking: which URLs can be embedded, and the HTML of the frame."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from frontend.sharing.strangers import NotShared, public_championship, public_game
from games.models import Game
from tournaments.models import Championship, Table

OF_TABLES: Final = ("table_live", "replay", "embedded_table")
OF_RANKINGS: Final = ("standings", "embedded_ranking", "championship")
MAX_URL_LENGTH: Final = 2000
SIZE_OF_TABLE: Final = (640, 860)
SIZE_OF_RANKING: Final = (480, 520)
MIN_PIXELS: Final = 240
"""Smallest width and height of a frame in pixels, for a readable table."""


@dataclass(frozen=True, slots=True)
class Embeddable:
    """A page that can be embedded. `address`: URL of the frame; `picture`: URL of a picture to show instead;
    `size`: in pixels.
    """

    title: str
    address: str
    picture: str
    size: tuple[int, int]

    def frame(self, origin: str, width: int | None = None, height: int | None = None) -> SafeString:
        """Return the HTML of a frame of this size (None: `self.size`), between MIN_PIXELS and `self.size`."""
        wide, high = self.fitted(width, height)
        return format_html(
            '<iframe src="{}{}" title="{}" width="{}" height="{}" loading="lazy" '
            'style="border:0;max-width:100%"></iframe>',
            *(origin, self.address, self.title, wide, high),
        )

    def fitted(self, width: int | None, height: int | None) -> tuple[int, int]:
        wide, high = self.size
        return max(MIN_PIXELS, min(wide, width or wide)), max(MIN_PIXELS, min(high, height or high))


def request_origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def table_to_embed(game: Game, place: Table | None, at: int | None = None) -> Embeddable:
    """Return the frame of a public table, `at` the moment after an event. Raises NotShared if that moment is
    not public yet.
    """
    if at is not None and at > game.head_seq:
        raise NotShared("this moment is not shown yet", code="sharing/not_yet")
    title = _("Table %(number)s") % {"number": place.number} if place else _("A single table")
    if place is not None:
        title = f"{title} · {place.round.championship.name}"
    address, picture = (reverse(name, args=[game.pk]) for name in ("embedded_table", "table_preview"))
    moment = "" if at is None else "?" + urlencode({"at": at})
    if game.mode != Game.Mode.SHEET:
        picture += moment
    return Embeddable(title, address + moment, picture, SIZE_OF_TABLE)


def ranking_to_embed(championship: Championship, *, live: bool = False) -> Embeddable:
    return Embeddable(
        f"{_('Standings')} · {championship.name}",
        reverse("embedded_ranking", args=[championship.slug]) + ("?live=1" if live else ""),
        reverse("championship_preview", args=[championship.slug, "ranking"]),
        SIZE_OF_RANKING,
    )


def find_embeddable(url: str, host: str) -> Embeddable:
    """Return what a URL embeds. Raises NotShared if it cannot be embedded; the code is
    `sharing/foreign_address` for other sites and pages without table or ranking.
    """
    try:
        parts = urlsplit(url[: MAX_URL_LENGTH + 1])
        known = len(url) <= MAX_URL_LENGTH and parts.scheme in ("http", "https") and parts.netloc == host
        resolved = resolve(parts.path) if known else None
    except (ValueError, Resolver404):
        resolved = None
    if resolved is None or resolved.url_name not in (*OF_TABLES, *OF_RANKINGS):
        raise NotShared("this address is not one of this place", code="sharing/foreign_address")
    if resolved.url_name in OF_RANKINGS:
        asks_live = parts.query == "live=1"
        return ranking_to_embed(public_championship(resolved.kwargs["slug"]), live=asks_live)
    game, place = public_game(resolved.kwargs["game_id"])
    return table_to_embed(game, place, _parse_position(parts.query, parts.fragment))


def _parse_position(query: str, fragment: str) -> int | None:
    """Return the number of the event in `?at=17` or `#seq=17`; None without one."""
    try:
        position = QueryDict(query).get("at") or QueryDict(fragment).get("seq") or ""
    except ValueError:  # More fields than Django accepts.
        return None
    return int(position) if position.isascii() and position.isdecimal() and len(position) <= 7 else None
