"""Lists as files: parsing, early refusals of expensive files, and writing of tables."""

import datetime
import io
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from tournaments.errors import TournamentError
from tournaments.spreadsheets import columns, workbooks
from tournaments.spreadsheets.encodings import SINGLE_BYTE, decode_text
from tournaments.spreadsheets.reading import read_list
from tournaments.spreadsheets.size_limits import MAX_BYTES, MAX_ROWS
from tournaments.spreadsheets.values import FORMULA, is_error_cell, parse_number, parse_yes_no

HEAD = ["Name", "Vorname", "Bezahlt"]


def saved(*lines: Sequence[object], change: Callable[[Workbook], None] = lambda book: None) -> bytes:
    book = Workbook()
    sheet: Any = book.active
    for line in lines:
        sheet.append(list(line))
    change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_parts(data: bytes, parts: dict[str, bytes]) -> bytes:
    """The same workbook with other parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, part in parts.items():
            new.writestr(name, part)
    return out.getvalue()


def part(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


SHEET = "xl/worksheets/sheet1.xml"


def refused(data: bytes) -> str:
    with pytest.raises(TournamentError) as error:
        read_list(data)
    assert str(error.value).endswith(".")
    return error.value.code


def test_a_workbook_is_read_as_it_looks() -> None:
    file = read_list(
        saved(
            HEAD,
            ["Müller", "Fredi", True],
            [],
            ["von Rotz", "Änni", 20.0, 1961, 3.5, datetime.date(1961, 5, 3)],
        )
    )
    assert file.encoding == "xlsx"
    assert file.rows == [
        (1, ["Name", "Vorname", "Bezahlt"]),
        (2, ["Müller", "Fredi", "True"]),
        (4, ["von Rotz", "Änni", "20", "1961", "3.5", "03.05.1961"]),
    ]
    # As text every line stands where it stood, so that it can be put right in a form.
    assert read_list(file.text.encode()).rows == file.rows


def test_the_first_sheet_that_holds_something_is_read_and_the_others_are_named() -> None:
    def change(book: Workbook) -> None:
        first: Any = book.active
        first.title, first.sheet_state = "Adressen", "hidden"
        book.create_sheet("Leer")
        book.create_sheet("Leute").append(["Anna"])

    file = read_list(saved(["geheim"], change=change))
    assert (file.sheet, [one.name for one in file.others]) == ("Leute", ["Adressen", "Leer"])
    assert file.rows == [(1, ["Anna"])]


def test_a_formula_is_its_stored_result_and_without_one_it_is_a_fault_of_its_cell() -> None:
    data = saved(["Name"], ['="Anna"&" Ammann"'])
    assert read_list(data).rows[1] == (2, [FORMULA])
    sheet = (
        part(data, SHEET).replace(b"<v></v>", b"<v>Anna Ammann</v>").replace(b"<v />", b"<v>Anna Ammann</v>")
    )
    stored = with_parts(data, {SHEET: sheet.replace(b'<c r="A2"', b'<c r="A2" t="str"')})
    assert read_list(stored).rows[1] == (2, ["Anna Ammann"])


def test_a_cell_that_holds_an_error_is_read_as_it_looks() -> None:
    data = saved(["Name"], ["Anna"])
    sheet = re.sub(rb'<c r="A2".*?</c>', b'<c r="A2" t="e"><v>#REF!</v></c>', part(data, SHEET))
    assert read_list(with_parts(data, {SHEET: sheet})).rows[1] == (2, ["#REF!"])
    assert is_error_cell("#REF!")
    assert is_error_cell(FORMULA)


def test_hidden_rows_are_counted_and_not_read_and_hidden_columns_are_known() -> None:
    def change(book: Workbook) -> None:
        sheet: Any = book.active
        sheet.row_dimensions[2].hidden = True
        sheet.column_dimensions["B"].hidden = True

    file = read_list(saved(["Name", "Natel"], ["Anna", "1"], ["Beat", "2"], change=change))
    assert [number for number, _cells in file.rows] == [1, 3]
    assert (file.hidden_rows, file.hidden_columns) == (1, frozenset({1}))


def test_every_encoding_is_found_by_what_makes_words() -> None:
    text = "Müller;Françoise;Jürg;Änni;Hélène;Köbi;Bärn;Zoë;Günther;Rosé"
    offenders = [
        encoding
        for encoding in (
            "utf-8",
            "utf-8-sig",
            "utf-16",
            "utf-16-le",
            "utf-16-be",
            "utf-32",
            *SINGLE_BYTE[:-1],
        )
        if decode_text(text.encode(encoding))[0].removeprefix("\ufeff") != text
    ]
    assert offenders == []
    assert decode_text("Lebœuf".encode("iso8859-15"))[1] == "iso8859-15"
    assert decode_text("Łukasz;Wiśniewski;Małgorzata;Wójcik".encode("cp1250"))[0].startswith("Łukasz")


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open(SHEET, "w") as sheet:
            for _ in range(20):
                sheet.write(bytes(1024 * 1024))
    return out.getvalue()


def many_parts() -> bytes:
    return with_parts(saved(HEAD), {f"x/{n}": b"" for n in range(workbooks.MAX_PARTS)})


def entities() -> bytes:
    text = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    sheet += b'<row r="1"><c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>'
    return with_parts(saved(HEAD), {SHEET: text + sheet})


def lying_about_its_size() -> bytes:
    """The directory says that ten bytes come out of what inflates to a megabyte."""
    data = bytearray(with_parts(saved(HEAD), {SHEET: b"<row/>" * 200_000}))
    at = data.rindex(SHEET.encode()) - 46
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    return bytes(data)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: bytes(50 * 1024 * 1024), "import/too_large"),
        (lambda: b"PK\x03\x04" + bytes(MAX_BYTES), "import/too_large"),
        (lambda: OLE + "EncryptedPackage".encode("utf-16-le"), "import/password"),
        (lambda: OLE + "Workbook".encode("utf-16-le"), "import/old_workbook"),
        (bomb, "import/inflates"),
        (many_parts, "import/inflates"),
        (entities, "import/no_workbook"),
        (lying_about_its_size, "import/no_workbook"),
        (lambda: b"PK\x03\x04nothing", "import/no_workbook"),
        (lambda: with_parts(saved(HEAD), {SHEET: b"<worksheet"}), "import/no_workbook"),
        (lambda: saved(HEAD)[:-200], "import/no_workbook"),
        (lambda: saved(["x"] * 101), "import/too_many_columns"),
        (lambda: saved(*[["Anna"]] * (MAX_ROWS + 2)), "import/too_many_rows"),
        (lambda: b"%PDF-1.7\n\x01\x02\x03 obj", "import/undecodable"),
        (lambda: b"\x89PNG\r\n\x1a\n\x00\x00", "import/nul_bytes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_list_is_refused(make: Callable[[], bytes], code: str) -> None:
    assert refused(make()) == code


def test_a_sheet_with_a_million_lines_between_two_is_read_at_once() -> None:
    data = saved(["Name"], ["Anna"])
    sheet = part(data, SHEET).replace(b'r="2"', b'r="1000001"').replace(b'"A2"', b'"A1000001"')
    assert read_list(with_parts(data, {SHEET: sheet})).rows == [(1, ["Name"]), (1_000_001, ["Anna"])]


@pytest.mark.parametrize(
    "heading", ["Familienname", "NACHNAME", "Nom de famille", "Cognome", "Num da famiglia"]
)
def test_headings_are_known_in_five_languages(heading: str) -> None:
    first = [heading, "Prénom", "E-Mail:", "Nr.", "Bezahlt", "Jg."]
    assert columns.has_headings(first)
    assert columns.guess_layout([(1, first)]).kinds == (
        *("family_name", "first_name", "email", "number", "paid", "birth_year"),
    )


def test_a_place_is_no_club_where_there_is_a_club() -> None:
    assert columns.guess_layout([(1, ["Name", "Ort", "Verein"])]).kinds == ("name", "place", "club")
    assert columns.guess_layout([(1, ["Name", "Ort"])]).kinds == ("name", "club")


def test_name_beside_first_name_is_the_family_name() -> None:
    assert columns.guess_layout([(1, ["Name", "Vorname"])]).kinds == ("family_name", "first_name")
    assert columns.guess_layout([(1, ["Cognome", "Nome"])]).kinds == ("family_name", "first_name")
    assert columns.guess_layout([(1, ["Nome", "Club"])]).kinds == ("name", "club")


def test_yes_and_no_are_understood(subtests: pytest.Subtests) -> None:
    for text, says in [
        *(
            (text, True)
            for text in ("x", "Ja", "OUI", "sì", "1", "True", "20", "CHF 20.–", "20.- Fr.", "✓", "Twint")
        ),
        *(
            (text, True)
            for text in ("Twint 20.–", "bar", "bar 20", "bezahlt am 3.5.", "03.11.2026", "ja (Twint)")
        ),
        *(
            (text, False)
            for text in ("noch offen", "nicht bezahlt", "zahlt am Abend", "Twint offen", "vor Ort")
        ),
        *((text, False) for text in ("", " ", "nein", "Non", "0", "0.00", "Fr. 0.-", "–", "offen")),
    ]:
        with subtests.test(text=text, says=says):
            assert parse_yes_no(text, column="paid") is says


@pytest.mark.parametrize("text", ["vielleicht", "x" * 5000, "20 Eier", "bar, Rest folgt"])
def test_what_is_neither_yes_nor_no_is_said_to_be_so(text: str) -> None:
    with pytest.raises(TournamentError, match="neither yes nor no"):
        parse_yes_no(text, column="paid")


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "zwölf", "²", "9" * 5000, "1000000"])
def test_a_number_is_whole_and_not_without_end(text: str) -> None:
    with pytest.raises(TournamentError) as error:
        parse_number(text, highest=999_999)
    assert error.value.code == "import/no_number"


def test_a_table_is_written_with_texts_as_texts_and_numbers_as_numbers() -> None:
    data = workbooks.write_workbook("Rangliste: [1]", [["place", "name"], [1, "=HYPERLINK(1)"], [2, "Änni"]])
    sheet: Any = load_workbook(io.BytesIO(data)).active
    assert sheet.title == "Rangliste   1"
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["place", "name"],
        [1, "=HYPERLINK(1)"],
        [2, "Änni"],
    ]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} == {"s", "n"}
