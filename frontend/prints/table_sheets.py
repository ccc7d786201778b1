"""The score sheet of each table on paper, with a row for each deal and the fields of the game's score. It has
no names before a draw.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from engine import State, decide, decode_command, replay
from engine.queries.sheet_form import list_sheet_fields
from engine.registry import build_game_context
from engine.rules.sheet_fields import SheetField
from frontend.presenters.regulations.options import DEFAULT_DECK
from frontend.presenters.rounds.round_names import round_name
from frontend.presenters.rounds.seating import Seats
from frontend.presenters.tables.tables import seat_mark
from frontend.presenters.words.contract_names import contract_name
from frontend.presenters.words.script_sentences import TABLE
from frontend.prints.occasion import Occasion
from frontend.prints.table_code_cards import numbers
from frontend.prints.typesetting import Part
from tournaments.regulations import Regulations, build_start_command

OPEN_END: Final = 14
"""Number of rows if a round is a whole game, which ends by its rules and not after a number of deals."""
TWO_SIDES: Final = 2
BLANK: Final = 2
SLATE_ROWS: Final = 12
"""Largest number of rows with which a slate, on which players note points, still fits below."""
HEIGHTS: Final = ((8, 9.5), (12, 7.0), (16, 6.2), (20, 5.6), (30, 4.3), (48, 2.9))
"""(Number of rows, row height in millimetres): the height up to this number of rows."""


@dataclass(frozen=True, slots=True)
class Form:
    """The columns of a sheet. `before`: (heading, whether it is wide) of the columns before those of the
    sides.

    `per_side`: headings of the columns of each side. `after`: headings of the columns after the sides.
    `rows`: the first cells of each row. `check`: a rule that every correct row fulfils. `slate`: a slate is
    printed below.
    """

    before: tuple[tuple[str, bool], ...]
    per_side: tuple[str, ...]
    after: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    check: str
    slate: bool


def table_sheets(occasion: Occasion) -> Part:
    """Return the sheets of the drawn round, with names. Without a draw, return an empty sheet for each
    expected table.
    """
    return _part(occasion, _sheets(occasion) or _blank(occasion, [str(n) for n in numbers(occasion)]))


def blank_table_sheets(occasion: Occasion) -> Part:
    """Return BLANK sheets without names and table numbers."""
    return _part(occasion, _blank(occasion, [""] * BLANK))


def _part(occasion: Occasion, sheets: list[dict[str, object]]) -> Part:
    return {
        "kind": "table-sheets",
        "paper": occasion.paper,
        "over": occasion.over,
        "words": {"table": _("Table"), "total": _("Total"), "signature": _("Signature")},
        "sheets": sheets,
    }


def _form(regulations: Regulations, seats: int) -> dict[str, object]:
    """Return the columns for a table with `seats` people, in the words of its template."""
    form = blank_form(regulations, seats)
    return {
        "before": [{"head": head, "wide": wide} for head, wide in form.before],
        "per-side": form.per_side,
        "after": form.after,
        "rows": form.rows,
        "height": next((tall for most, tall in HEIGHTS if len(form.rows) <= most), HEIGHTS[-1][1]),
        "check": form.check,
        "slate": form.slate,
    }


def blank_form(regulations: Regulations, seats: int | None = None) -> Form:
    """Return the columns of a sheet with the fields that the engine lists for this game and this number of
    seats.
    """
    state = _prefilled_form(regulations, seats)
    table = build_game_context(state)
    fields = {field.name: field for field in list_sheet_fields(state)}
    rules = table.rules
    deals = rules.deals or OPEN_END
    numbered: tuple[tuple[str, ...], ...] = tuple((str(n),) for n in range(1, deals + 1))
    slate = rules.variant.slate
    if slate == "slots":
        return _slots(fields["slot"], rules.play.multipliers)
    if slate == "predictions":
        said = (_("Predicted"), _("Made"), _("Difference"))
        return Form(((_("Deal"), False),), said, (), numbered, _check(fields, 0), False)
    before = [(_("Deal"), False)]
    if "chooser" in fields:
        before.append((_("Who"), True))
    if "contract" in fields:
        before.append((_("Trumps"), True))
    if "bid" in fields:
        before.append((_("Bid"), False))
    after = [label for name, label in (("sweep", _("Sweep")), ("stoeck", _("Stöck"))) if name in fields]
    per_side: tuple[str, ...] = (_("Points"), _("Melds")) if "melds" in fields else (_("Points"),)
    bonuses = tuple(after)
    # Each side of two writes its own bonuses; otherwise the row names the side.
    if bonuses and rules.sides == TWO_SIDES:
        per_side, after = (*per_side, *bonuses), []
    if slate != "points":
        per_side = (*per_side, _("Strokes"))
    drawn = slate == "points" and deals <= SLATE_ROWS and rules.sides == 2
    return Form(tuple(before), per_side, tuple(after), numbered, _check(fields, rules.deals), drawn)


def _slots(slot: SheetField, factors: Mapping[str, int]) -> Form:
    """Return the columns of a game in which each side plays each slot once: a row for each slot, and two
    columns for each side.
    """
    rows = tuple((f"{factors.get(str(name), 1)} ×", slot_word(str(name))) for name in slot.choices)
    return Form(
        ((_("Multiplier"), False), (_("Slot"), True)), (_("Points"), _("Counts")), (), rows, "", False
    )


def slot_word(slot: str) -> str:
    return str(TABLE[f"slot.{slot}"]) if f"slot.{slot}" in TABLE else contract_name(slot, DEFAULT_DECK)


def _check(fields: dict[str, SheetField], deals: int | None) -> str:
    points = fields["card_points"]
    if points.sum_least is None or points.sum_least != points.sum_most:
        return ""
    sentence = _("The card points of a deal add up to %(n)d.") % {"n": points.sum_most}
    if not deals:
        return sentence
    whole = _("Those of all %(deals)d deals: %(n)d.") % {"deals": deals, "n": deals * points.sum_most}
    return f"{sentence} {whole}"


def _prefilled_form(regulations: Regulations, seats: int | None) -> State:
    of_full = None if seats == regulations.play.seats else seats
    command = {**build_start_command(regulations, seats=of_full), "mode": "sheet"}
    return replay(decide(State(), decode_command(command)))


def _sheets(occasion: Occasion) -> list[dict[str, object]]:
    if occasion.round is None:
        return []
    title = round_name(occasion.round)
    tables = occasion.seatings()
    forms = {seats: _form(occasion.regulations, seats) for seats in {len(one.chairs) for one in tables}}
    return [
        {
            "title": " · ".join(filter(None, [title, one.encounter])),
            "table": str(one.number),
            "sides": _sides(occasion, one),
            **forms[len(one.chairs)],
        }
        for one in tables
    ]


def _blank(occasion: Occasion, tables: list[str]) -> list[dict[str, object]]:
    title = (_("Session") if occasion.regulations.has_queue else _("Round")) + " ____"
    nobody = [
        {"chair": seat_mark(1, seat, chips=0), "name": "_" * 14, "number": ""}
        for seat in range(occasion.regulations.play.seats)
    ]
    sides = _grouped(nobody, occasion.regulations)
    form = _form(occasion.regulations, len(nobody))
    return [{"title": title, "table": number, "sides": sides, **form} for number in tables]


def _sides(occasion: Occasion, table: Seats) -> list[list[dict[str, str]]]:
    chairs = [
        {"chair": chair.letter, "name": chair.name, "number": str(chair.number)} for chair in table.chairs
    ]
    return _grouped(chairs, occasion.regulations)


def _grouped(chairs: list[dict[str, str]], regulations: Regulations) -> list[list[dict[str, str]]]:
    """Group chairs by side. If there are fewer sides than chairs, opposite chairs are partners."""
    sides = regulations.sides()
    if sides < len(chairs) and len(chairs) % sides == 0:
        return [chairs[side::sides] for side in range(sides)]
    return [[chair] for chair in chairs]
