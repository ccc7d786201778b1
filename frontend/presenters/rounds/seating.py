"""The seating of a round for the wall and for slips of paper, and figures on the quality of the draw."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from frontend.presenters.names.playing_teams import name_encounter
from frontend.presenters.tables.tables import (
    ChairLabel,
    annotate_substitutes,
    seat_mark,
    substitute_name,
    with_substitute,
)
from games.models import Game, Seat
from tournaments.models import Round, Seating
from tournaments.names import TwoNames, sort_key
from tournaments.services.people.name_visibility import load_withheld_names

FIGURES: tuple[tuple[str, str | Promise], ...] = (
    ("partner_repeats", _("partners a second time")),
    ("opponent_repeats", _("opponents a second time")),
    ("meeting_repeats", _("at one table again")),
    ("broken_constraints", _("wishes not met")),
)


@dataclass(frozen=True, slots=True)
class Seats:
    """The seating of one table, with the id of its game (None before there is one). `chairs`: in the order of
    play.
    """

    number: int
    mode: str
    game_id: str | None
    chairs: tuple[ChairLabel, ...]

    @property
    def encounter(self) -> str:
        """The names of the two teams that meet at this table; empty if no teams are drawn."""
        return name_encounter(self.chairs)

    @property
    def has_partners(self) -> bool:
        """Whether the table has enough people for partners. At a table of three each person plays alone."""
        return len(self.chairs) % 2 == 0


@dataclass(frozen=True, slots=True)
class WallLine:
    name: str
    number: int
    table: int
    mark: str


@dataclass(frozen=True, slots=True)
class SeatSlip:
    name: str
    number: int
    table: int
    mark: str
    partner: str
    opponents: tuple[str, ...]
    encounter: str = ""


@dataclass(frozen=True, slots=True)
class SeatingFigure:
    label: str | Promise
    value: int


def list_seats(
    round_: Round,
    *,
    chips: int,
    entry: int | None = None,
    bots: bool = False,
    teams: Mapping[int, str] | None = None,
    exchangeable: int | None = None,
    also: Collection[int] = (),
) -> list[Seats]:
    """Load the seating by table. `entry`: number of an entry, to load only that person's table. `bots`:
    whether chairs played by bots are marked. `teams`: names of the teams that are drawn
    (`load_playing_teams`). `exchangeable`: load at most this many chairs that people can exchange, and all at
    the tables `also` (primary keys). One query, two with `bots`.
    """
    seatings = Seating.objects.filter(round=round_)
    if exchangeable is not None:
        dealt = Q(table__mode=Game.Mode.DEALT, table__game__isnull=False)
        movable = seatings.exclude(dealt).order_by("table__number", "seat").values("pk")[:exchangeable]
        seatings = seatings.filter(Q(pk__in=movable) | Q(table__in=also))
    played = Seat.objects.filter(game__tournament_table__round=round_).exclude(bot="")
    if entry is not None:
        own_tables = Seating.objects.filter(round=round_, entry__number=entry).values("table")
        seatings = seatings.filter(table__in=own_tables)
        played = played.filter(game__tournament_table__in=own_tables)
    played_by_bots = set(played.order_by().values_list("game", "number")) if bots else set()
    rows = (
        annotate_substitutes(seatings)
        .order_by("table__number", "seat")
        .values_list(
            *("table__number", "table__mode", "table__game", "seat"),
            *("entry", "entry__first_name", "entry__family_name", "entry__number"),
            *("substitute", "stands_in", "from_deal", "entry__team"),
        )
    )
    hidden, names = load_withheld_names(round_.championship_id), teams or {}
    tables = []
    for (number, mode, game), group in groupby(rows, key=lambda row: row[:3]):
        chair_rows = list(group)
        chairs = tuple(
            with_substitute(
                ChairLabel(
                    seat_mark(number, seat, chips=chips),
                    hidden.get(pk) or TwoNames(first, family).running,
                    person,
                    bot=(game, seat) in played_by_bots,
                    listed=hidden.get(pk) or TwoNames(first, family).listed,
                    team=names.get(team, ""),
                ),
                substitute_name(round_.championship_id, substitute, stands_in),
                deal,
            )
            for *_table, seat, pk, first, family, person, substitute, stands_in, deal, team in chair_rows
        )
        tables.append(Seats(number, mode, game, chairs))
    return tables


def sort_by_name(tables: Iterable[Seats]) -> list[WallLine]:
    """Return all seated people, sorted by family name."""
    lines = [
        WallLine(chair.listed, chair.number, table.number, chair.letter)
        for table in tables
        for chair in table.chairs
    ]
    return sorted(lines, key=lambda line: (sort_key(line.name, ""), line.number))


def build_slip(tables: Iterable[Seats], number: int, *, pairs: bool) -> SeatSlip | None:
    """Return the seat of the person with this number; None without a seat in this round. `pairs`: the game
    has partners.
    """
    for table in tables:
        for seat, chair in enumerate(table.chairs):
            if chair.number == number:
                return _slip(table, seat, chair, pairs)
    return None


def _slip(table: Seats, seat: int, chair: ChairLabel, pairs: bool) -> SeatSlip:
    partners: list[str] = []
    opponents: list[str] = []
    for at, other in enumerate(table.chairs):
        if at != seat:
            is_partner = pairs and table.has_partners and at % 2 == seat % 2
            (partners if is_partner else opponents).append(other.name)
    return SeatSlip(
        name=chair.name,
        number=chair.number,
        table=table.number,
        mark=chair.letter,
        partner=", ".join(partners),
        opponents=tuple(opponents),
        encounter=table.encounter,
    )


def list_seating_figures(cost: dict[str, Any] | None, *, partners: bool) -> Sequence[SeatingFigure]:
    """Return the figures that the draw has counted (`cost`), such as repeated meetings; empty without any.
    `partners`: the game has partners.
    """
    if not cost:
        return ()
    return [
        SeatingFigure(label, cost[name])
        for name, label in FIGURES
        if name in cost and (cost[name] or name != "broken_constraints")
        if partners or name != "partner_repeats"
    ]
