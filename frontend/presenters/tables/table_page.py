"""The data that every page of a table needs for its template and its script. It never contains a card."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.translation import gettext as _

from engine import Observer
from frontend.card_names import sprites
from frontend.presenters.names.seat_names import seat_names
from frontend.presenters.tables.table_rules import load_table_rules
from frontend.presenters.words.script_sentences import load_sentences
from games.errors import UnknownGame
from games.models import Game
from games.models.accounts import Role
from games.observed.observed_game import find_clock
from games.rights import claims, observers
from tournaments.models import Table
from tournaments.services.people import name_visibility

API = "/api/v1/games"


@dataclass(frozen=True)
class TablePage:
    """A game, the requesting person and their roles. `names`: of the players, by seat."""

    game: Game
    principal: claims.Principal
    observer: Observer
    roles: list[claims.Granted]
    names: list[str]

    @property
    def seat(self) -> int | None:
        """The number of the seat that the person has; None if they have none."""
        return next(
            (role.seat for role in self.roles if role.role == Role.SEAT and role.seat is not None), None
        )

    @property
    def scorer(self) -> bool:
        """Whether the person is a scorer of the table."""
        return any(role.role == Role.SCORER for role in self.roles)

    @property
    def official(self) -> bool:
        """Whether the person is a director or referee of this table."""
        return any(role.role in (Role.REFEREE, Role.DIRECTOR) for role in self.roles)

    @property
    def takes_part(self) -> bool:
        """Whether the person has a seat or writes at this table, and therefore may call the referee."""
        return any(role.role in (Role.SEAT, Role.SCORER) for role in self.roles)

    def writing_seats(self) -> list[int]:
        """Return the numbers of the seats for which this person may confirm a score sheet."""
        seats = {role.seat for role in self.roles if role.role == Role.SEAT and role.seat is not None}
        for role in self.roles:
            if role.role == Role.SCORER and not _is_desk(role):
                seats |= set(range(self.game.seat_count)) if role.seat is None else {role.seat}
        return sorted(seats)

    @property
    def desk(self) -> bool:
        """Whether the person writes as an official of the desk, and not for a side."""
        return any(map(_is_desk, self.roles))

    def clock(self) -> dict[str, Any]:
        """Return `seconds`, the turn limit (None: no limit now), `seats` to which it applies, `now`, the
        state of the turn's clock, and `pace`, the slowest bot's seconds for a card (None without bots).
        """
        seats = list(self.game.seats.values_list("number", "bot", "bot_pace"))
        return {
            "seconds": None if self.game.clock_waits else self.game.turn_seconds,
            "seats": [number for number, bot, _pace in seats if not bot],
            "now": find_clock(self.game),
            "pace": max((pace for _number, bot, pace in seats if bot), default=None),
        }

    def context(self, request: HttpRequest, script: str, **extra: Any) -> dict[str, Any]:
        """Return the context for `render`. `page_data` (with `extra` in it) and `words` go into the page as
        JSON; `script` is the name of the page's script.
        """
        address = f"{API}/{self.game.pk}"
        page_data = {
            "game": self.game.pk,
            "names": self.names,
            "seat": self.seat,
            "socket": f"/ws/games/{self.game.pk}/",
            "commands": f"{address}/commands/",
            "events": f"{address}/events/",
            "replay": f"{address}/replay/",
            "sheet": f"{address}/sheet/",
            "evidence": f"{address}/evidence/",
            "worth": reverse("deal_worth", args=[self.game.pk]),
            "csrf": get_token(request),
            "sprites": sprites(),
            "rules": load_table_rules(self.game),
            "extra": extra,
        }
        return {
            **self.place(),
            "table": self,
            "page_data": page_data,
            "words": load_sentences(script),
            "script": script,
        }

    def place(self) -> dict[str, Any]:
        """Return the game, its table, its round and its championship for `render`; the last three are None
        for a single table.
        """
        place = Table.objects.filter(game=self.game).select_related("round__championship").first()
        return {
            "game": self.game,
            "tournament_table": place,
            "round": place.round if place else None,
            "championship": place.round.championship if place else None,
            "table_label": _("Table %(number)s") % {"number": place.number} if place else _("A single table"),
        }


def _is_desk(role: claims.Granted) -> bool:
    return role.role == Role.SCORER and role.seat is None and not role.by_code


def page_at_table(request: HttpRequest, game_id: str) -> TablePage:
    """Return the table for the person of this request. A player or scorer admitted by code reads full names.
    Raises Http404 if the game does not exist or the person may not see it.
    """
    principal = observers.build_principal(request.user, request.session)
    try:
        game = observers.find_visible_game(principal, game_id)
        roles = claims.roles(game, principal)
        observer = observers.find_observer_by_roles(game, roles)
    except UnknownGame:
        raise Http404 from None
    if any(role.by_code and role.role != Role.SPECTATOR for role in roles):
        place = Table.objects.filter(game=game).values_list("round__championship", flat=True).first()
        if place is not None:
            name_visibility.grant_full_names(place)
    return TablePage(game, principal, observer, roles, seat_names(game))
