"""Files for other programs."""

import csv
import io
import json
from collections.abc import Callable

import pytest
from django.utils import translation
from openpyxl import load_workbook

from games.models import User
from tests.tournaments import table_play
from tournaments.errors import NotAllowed
from tournaments.models import Championship, Round
from tournaments.services.entries import entries, importing
from tournaments.services.referee import appeals, disputes, rulings
from tournaments.services.rounds import rounds
from tournaments.services.scores import exports, ranking_basis

Opened = Callable[..., Round]


def rows(data: bytes) -> list[list[str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))


def test_the_ranking_is_written_with_its_rounds(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    for _ in range(2):
        round_ = open_round("sheet", "sheet")
        table_play.play_to_the_end(round_)
        rounds.close_round(round_, actor=fredi)
    head, first, *_rest = rows(exports.export(championship, "standings", "csv", actor=fredi).data)
    assert head[:6] == ["place", "number", "name", "club", "total", "sweeps"]
    assert head[6:10] == ["round 1", "round 2", "tie broken by", "rulings"]
    assert head[10:] == ["rounds that do not count", "first name", "family name"]
    row = ranking_basis.live_ranking(championship)[0]
    assert first[:2] + first[4:8] == [
        str(n) for n in (row.place, row.key, row.total, row.sweeps, *(r.points for r in row.rounds))
    ]


def test_dropped_rounds_are_figures_with_their_column_and_ties_have_their_reason(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    from tournaments import regulations
    from tournaments.services.championships import regulations_change
    from tournaments.services.current_regulations import load_regulations

    data = regulations.encode(load_regulations(championship))
    counting = {"what": "drop_worst", "number": 1, "tie_breaks": ["highest_round", "lot"]}
    regulations_change.change_regulations(championship, {**data, "counting": counting}, actor=fredi)
    for points in ([100] * 8, [60] * 8):
        round_ = open_round("sheet", "sheet")
        for table in round_.tables.all():
            table_play.write_sheet(table, points)
        rounds.close_round(round_, actor=fredi)
    written = rows(exports.export(championship, "standings", "csv", actor=fredi).data)[1:]
    assert all(cell.isdigit() for line in written for cell in line[6:8]), "(884) is read as −884"
    assert {line[10] for line in written} <= {"1", "2"}
    assert all(int(line[4]) == int(line[6 if line[10] == "2" else 7]) for line in written)
    rows_now = ranking_basis.live_ranking(championship)
    reasons = [line[8] for line in written]
    assert [bool(reason) for reason in reasons] == [row.separation is not None for row in rows_now]


def test_a_row_says_which_ruling_stands_behind_it(
    championship: Championship, gabi: User, open_round: Opened
) -> None:
    one, other = open_round("sheet", "sheet").tables.order_by("number")
    for table in (one, other):
        table_play.write_sheet(table, [100])
        table.refresh_from_db()
    dispute = disputes.raise_dispute(one, actor=gabi, deal=1)
    rulings.rule(dispute, actor=gabi, ruling={"kind": "annul_deal", "deal": 1}, answer="vergeben")
    numbers = {str(n) for n in one.seatings.values_list("entry__number", flat=True)}
    said = {
        line[1]: line[-4]
        for line in rows(exports.export(championship, "standings", "csv", actor=gabi).data)[1:]
    }
    assert {number for number, text in said.items() if text} == numbers
    assert set(said.values()) == {"", f"round 1, table 1: dispute {dispute.pk}"}

    appeals.make_appeal(dispute, actor=None, by_ref=table_play.refs(one)[0], reason="nein")
    said = {
        line[1]: line[-4]
        for line in rows(exports.export(championship, "standings", "csv", actor=gabi).data)[1:]
    }
    assert set(said.values()) == {"", f"round 1, table 1: dispute {dispute.pk}, under appeal"}


def test_before_any_round_the_live_ranking_is_written(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    open_round("sheet", "sheet")
    assert len(rows(exports.export(championship, "standings", "csv", actor=fredi).data)) == 9


def test_no_spreadsheet_takes_a_name_for_a_formula(championship: Championship, fredi: User) -> None:
    for name in ("=HYPERLINK(1)", "+41 79", "-Anna", "@Beat", "Chiara"):
        entries.add_entry(championship, actor=fredi, name=name, club="=1+1")
    written = rows(exports.export(championship, "entries", "csv", actor=fredi).data)[1:]
    assert [line[1] for line in written] == ["'=HYPERLINK(1)", "'+41 79", "'-Anna", "'@Beat", "Chiara"]
    assert {line[2] for line in written} == {"'=1+1"}


def test_a_spreadsheet_holds_texts_only_and_comes_in_again_as_it_went_out(
    championship: Championship, fredi: User
) -> None:
    wanted = entries.NewEntry(
        *("", "=1+1", "L-7"),
        family_name="von Rotz",
        first_name="Änni",
        email="aenni@example.ch",
        birth_year=1961,
        category="Seniorin",
        start_rank=3,
        paid=True,
        consents=True,
        number=12,
    )
    entries.add_entries(championship, [wanted], actor=fredi)
    for language in ("en", "de"):
        with translation.override(language):
            made = exports.export(championship, "entries", "xlsx", actor=fredi)
        sheet = load_workbook(io.BytesIO(made.data)).worksheets[0]
        cells = [cell for row in sheet.iter_rows() for cell in row]
        assert "f" not in {cell.data_type for cell in cells}
        assert "'=1+1" in [cell.value for cell in cells]
        [line] = importing.preview(championship, made.data).lines
        fields = ("family_name", "first_name", "number", "email", "paid", "category", "birth_year")
        assert [getattr(line, field) for field in (*fields, "start_rank", "licence", "consents")] == [
            *("von Rotz", "Änni", 12, "aenni@example.ch", True, "Seniorin", 1961, 3, "L-7", True),
        ]


def test_results_stand_a_line_a_chair(championship: Championship, fredi: User, open_round: Opened) -> None:
    round_ = open_round("sheet", "sheet")
    table_play.play_to_the_end(round_)
    head, *lines = exports.list_results_lines(championship)
    assert head == ["round", "table", "chair", "number", "name", "points", "sweeps", "status"]
    assert [line[:3] for line in lines[:4]] == [[1, 1, letter] for letter in "ABCD"]
    assert len(lines) == 8
    assert lines[0][5] == lines[2][5]


def test_the_entries_are_for_the_desk(championship: Championship, gabi: User) -> None:
    with pytest.raises(NotAllowed):
        exports.export(championship, "entries", "csv", actor=gabi)


@pytest.mark.parametrize("sign", list("=+-@＝＋－＠﹦﹢﹣﹫"))
def test_nor_for_one_that_begins_with_a_full_width_sign(
    championship: Championship, fredi: User, sign: str
) -> None:
    entries.add_entry(championship, actor=fredi, name=f"{sign}1+1")
    assert rows(exports.export(championship, "entries", "csv", actor=fredi).data)[1][1] == f"'{sign}1+1"


@pytest.mark.parametrize("language", ["de", "fr"])
def test_json_has_english_keys_and_states_in_every_language(
    championship: Championship, fredi: User, open_round: Opened, language: str
) -> None:
    round_ = open_round("sheet", "sheet")
    table_play.play_to_the_end(round_)
    for what, keys in (
        (
            "standings",
            {"place", "number", "name", "club", "total", "sweeps", "round_1", "tie_broken_by", "rulings"},
        ),
        ("results", {"round", "table", "chair", "number", "name", "points", "sweeps", "status"}),
    ):
        with translation.override(language):
            made = exports.export(championship, what, "json", actor=fredi)
        told = json.loads(made.data)
        assert (made.kind, told["what"], told["championship"]) == (
            "application/json",
            what,
            championship.slug,
        )
        assert keys <= set(told["rows"][0])
    assert {row["status"] for row in told["rows"]} == {"finished"}


def test_states_are_in_the_language_of_the_headings(
    championship: Championship, fredi: User, open_round: Opened
) -> None:
    open_round("sheet", "sheet")
    english = rows(exports.export(championship, "results", "csv", actor=fredi).data)
    with translation.override("de"):
        german = rows(exports.export(championship, "results", "csv", actor=fredi).data)
    pairs = {(one[-1], other[-1]) for one, other in zip(english, german, strict=True)}
    assert all(one != other for one, other in pairs)
