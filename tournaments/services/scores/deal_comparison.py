"""Comparison of one deal at all tables that played the same cards: contracts, points, credits against the
field.

Rows and events are read as the public sees them. Therefore a deal appears only once it is public
(`services.same_cards`).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec
from django.db.models import Prefetch

from games import store
from games.models import DealResult, Game
from tournaments.models import Round, Seating, Table
from tournaments.standings.field_credits import credit_against_field

_TOLD: Final = ("deal_started", "contract_set", "melds_scored", "result_entered", "result_corrected")
"""Types of the events that show how a deal was played."""


class DealAtTable(msgspec.Struct, frozen=True, kw_only=True):
    """One deal at one table. Tuples are by side.

    counted: points after rulings; cards: card points; credit: points minus the mean of the other tables of
    this size. contract: of the deal; slot: key of its line, in variants with a list of contracts to play;
    chooser: seat that set the contract; melds: (side, points); stoeck, sweep: sides that had them. None:
    unknown or none.
    """

    table: Table
    game: Game
    counted: tuple[int | None, ...]
    cards: tuple[int | None, ...]
    credit: tuple[Fraction | None, ...]
    contract: str | None = None
    slot: str | None = None
    chooser: int | None = None
    melds: tuple[int, int] | None = None
    stoeck: int | None = None
    sweep: int | None = None


class ComparedDeal(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of one deal of a round over the tables where it is public. Tuples are by side, with None if
    there is no result.

    deal: its number; tables: number of tables; datum: mean points; least, most: extreme points.
    """

    deal: int
    tables: int
    datum: tuple[Fraction | None, ...]
    least: tuple[int | None, ...]
    most: tuple[int | None, ...]


def list_compared_deals(round_: Round) -> list[ComparedDeal]:
    """List the summaries of the public deals of a round, by number of the deal. One query."""
    found: dict[int, list[Sequence[int | None]]] = {}
    rows = DealResult.objects.filter(game__tournament_table__round=round_, annulled=False)
    for deal, counted in rows.order_by("deal").values_list("deal", "counted"):
        if counted is not None:
            found.setdefault(deal, []).append(counted)
    return [_summarise(deal, points) for deal, points in found.items()]


def load_compared_deal(round_: Round, deal: int) -> list[DealAtTable]:
    """Load a deal at all tables where it is public; the table with most points for side 0 comes first. Four
    queries.
    """
    people = Prefetch("seatings", Seating.objects.select_related("entry__user").order_by("seat"))
    listed = Table.objects.filter(round=round_, game__isnull=False).select_related("game")
    tables = {str(table.game_id): table for table in listed.prefetch_related(people).order_by("number")}
    rows = {
        row.game_id: row
        for row in DealResult.objects.filter(game__tournament_table__round=round_, deal=deal, annulled=False)
        if row.counted is not None and row.game_id in tables
    }
    told = _read_course({pk: table.game for pk, table in tables.items() if table.game}, deal)
    credits: dict[str, tuple[Fraction | None, ...]] = {}
    for seats in {len(tables[pk].seatings.all()) for pk in rows}:
        alike = [pk for pk in rows if len(tables[pk].seatings.all()) == seats]
        compared = credit_against_field([[rows[pk].counted] for pk in alike])
        credits |= {pk: tuple(found) for pk, found in zip(alike, compared, strict=True)}
    found = [
        DealAtTable(
            table=tables[pk],
            game=game,
            counted=tuple(row.counted or ()),
            cards=tuple(row.card_points or ()),
            credit=credits[pk] or (None,) * len(row.counted or ()),
            stoeck=row.stoeck,
            sweep=row.sweep if row.scores == row.counted else row.ruled_sweep,
            **told.get(pk, {}),
        )
        for pk, row in rows.items()
        if (game := tables[pk].game) is not None
    ]
    return sorted(found, key=lambda one: (-(one.counted[0] or 0), one.table.number))


def summarise_compared(deal: int, tables: Sequence[DealAtTable]) -> ComparedDeal:
    """Return the summary of a deal over the loaded tables."""
    return _summarise(deal, [one.counted for one in tables])


def _summarise(deal: int, points: Sequence[Sequence[int | None]]) -> ComparedDeal:
    known = [
        [value for of in points if side < len(of) and (value := of[side]) is not None]
        for side in range(max(map(len, points), default=0))
    ]
    return ComparedDeal(
        deal=deal,
        tables=len(points),
        datum=tuple(Fraction(sum(side), len(side)) if side else None for side in known),
        least=tuple(min(side, default=None) for side in known),
        most=tuple(max(side, default=None) for side in known),
    )


def _read_course(games: Mapping[str, Game], deal: int) -> dict[str, dict[str, Any]]:
    """Read contract and melds of a deal at each table, up to the last event that the public sees. One query.

    Return game → fields of DealAtTable. If a contract was taken back, the later one counts.
    """
    found: dict[str, dict[str, Any]] = {}
    now: dict[str, int] = {}
    for stream, event in store.read_types(list(games), _TOLD):
        body = event.body
        if event.seq > games[stream].head_seq:
            continue
        if event.type == "deal_started":
            now[stream] = body["deal"]
        if (body["deal"] if event.type.startswith("result_") else now.get(stream)) != deal:
            continue
        told = found.setdefault(stream, {})
        if event.type == "contract_set":
            told |= {"contract": body["contract"], "slot": body.get("slot"), "chooser": body.get("seat")}
        elif event.type == "melds_scored" and body["side"] is not None and body["points"]:
            told["melds"] = body["side"], body["points"]
        elif event.type.startswith("result_"):
            told |= {name: body.get(name) for name in ("contract", "slot", "chooser")}
    return found
