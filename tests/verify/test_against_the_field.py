"""An evening with the same cards at all tables, counted against the field: the verifiers recompute it, and
find what is forged in it.
"""

import io
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games import sealing
from games.models import User
from tests.tournaments import table_play
from tests.tournaments.field_evenings import found
from tests.verify.evening import export
from tests.verify.record import Record
from tests.verify.test_honest_evenings import audited, both
from tournaments import demo_record
from tournaments.models import Championship, Round, Table
from tournaments.services.draw import drawing
from tournaments.services.referee import corrections
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import ranking_basis
from tournaments.standings import count_against_field, write_figure

pytestmark = pytest.mark.both


def evening_of_field(mode: str = "dealt", people: int = 12, **changes: Any) -> Championship:
    """Two closed rounds of two deals; a table of the second is broken off on paper, and one is put right."""
    fredi = User.objects.get_or_create(username="fredi")[0]
    made = found(fredi, people, play={"mode": mode}, rounds=2, deals=2, **changes)
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=fredi)
        rounds.open_round(round_, actor=fredi)
        tables = list(Table.objects.filter(round=round_).select_related("round").order_by("number"))
        for at, table in enumerate(tables):
            if mode == "dealt":
                demo_record.play_out_with_bots(str(table.game_id))
            elif round_.number == 2 and at == 2:
                table_play.write_sheet(table, [77])
                breaking_off.break_off(table, actor=fredi, reason="unwell")
            else:
                table_play.write_sheet(table, [100 - 10 * at, 61 + at])
        rounds.close_round(round_, actor=fredi)
    if mode != "dealt":
        corrections.correct_result(
            tables[0], 1, {"card_points": [40, 117]}, actor=fredi, reason="read wrongly"
        )
    return made


@pytest.mark.parametrize("mode", ["dealt", "sheet"])
def test_an_evening_against_the_field_has_no_difference(
    mode: str, puur_verify: ModuleType, db: None, tmp_path: Path
) -> None:
    made = evening_of_field(mode)
    assert both(puur_verify, export(made), tmp_path) == []
    assert audited(made) == []


def test_a_bye_and_a_swiss_draw_are_verified_too(puur_verify: ModuleType, db: None, tmp_path: Path) -> None:
    made = evening_of_field("sheet", 14, pairing={"system": "swiss", "options": {}})
    assert both(puur_verify, export(made), tmp_path) == []


def _rows(record: Record) -> list[Any]:
    rows: list[Any] = record.tables["standingssnapshot"][-1]["rows"]
    return rows


def another_datum(record: Record) -> None:
    """A pair has a point more in a round, and in total."""
    row = _rows(record)[0]
    for of in (row["rounds"][0], row):
        name = "points" if "points" in of else "total"
        of[name] = write_figure(Fraction(of[name]) + 1)


def a_table_left_out(record: Record) -> None:
    """All other tables of round 1 are compared as if table 3 had not played."""
    basis = ranking_basis.load_basis(Championship.objects.get(), (Round.Status.CLOSED,))
    others = [one for one in basis.tables if one.place != (1, 3)]
    left = [one for one in basis.tables if one.place == (1, 3)]
    bent = replace(basis, tables=(*count_against_field(others), *left))
    rows = msgspec.to_builtins(ranking_basis.rank_basis(bent), enc_hook=write_figure)
    _rows(record)[:] = msgspec.json.decode(msgspec.json.encode(rows))


def a_rounded_figure(record: Record) -> None:
    row = next(row for row in _rows(record) if isinstance(row["total"], str))
    row["total"] = round(Fraction(row["total"]))


def a_fraction_not_in_lowest_terms(record: Record) -> None:
    row = _rows(record)[0]
    exact = Fraction(row["total"])
    row["total"] = f"{2 * exact.numerator}/{2 * exact.denominator}"


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (another_datum, r"has \S+ points in round 1 instead of"),
        (a_table_left_out, r"has \S+ points in round 1 instead of"),
        (a_rounded_figure, "points in total instead of"),
        (a_fraction_not_in_lowest_terms, "is no fraction in lowest terms"),
    ],
)
def test_a_forged_credit_is_found(
    forge: Callable[[Record], None], told: str, puur_verify: ModuleType, db: None, key_file: Path
) -> None:
    record = Record(export(evening_of_field("sheet")).public)
    forge(record)
    record.publish()
    data = record.sealed(sealing.load_key(key_file))
    found = puur_verify.verify(io.BytesIO(data)).differences
    assert any(re.search(told, one) for one in found), found


def own_cards(record: Record) -> None:
    """A table was dealt other cards than all others."""
    next(record.rows("game", id=record.games(1)[1]))["number"] = 2


def never_the_same(record: Record) -> None:
    """The regulations never asked for the same cards."""
    for event in record.own:
        if event.type == "regulations_set":
            del event.body["regulations"]["same_cards"]
    for row in record.tables["regulations"]:
        del row["data"]["same_cards"]


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (own_cards, "it plays the cards of another table"),
        (never_the_same, "table 2 was dealt the cards of another one"),
    ],
)
def test_other_cards_are_found(
    forge: Callable[[Record], None], told: str, puur_verify: ModuleType, db: None, key_file: Path
) -> None:
    record = Record(export(evening_of_field("dealt", 8)).public)
    forge(record)
    data = record.sealed(sealing.load_key(key_file))
    found = puur_verify.verify(io.BytesIO(data)).differences
    assert any(told in one for one in found), found
