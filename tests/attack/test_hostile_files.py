"""Small files that become large are refused with a code by a process of its own; real ones are read."""

import io
import random
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from PIL import Image

from games.errors import TooMuch
from tests.tournaments.test_pictures import photo, png_of
from tests.tournaments.test_spreadsheets import part, saved, with_parts
from tournaments.errors import TournamentError
from tournaments.pictures import MAX_MEMORY, reencode_picture
from tournaments.sandbox import running
from tournaments.spreadsheets.reading import read_list
from tournaments.spreadsheets.size_limits import MAX_BYTES

MAIN = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHEET, TEXTS, STYLES, BOOK = (
    f"xl/{name}.xml" for name in ("worksheets/sheet1", "sharedStrings", "styles", "workbook")
)
RELATIONS = "xl/_rels/workbook.xml.rels"
PLAIN = saved(["Name"], ["Anna"])


def sheet(rows: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    whole = b"<worksheet " + MAIN + b">" + before + b"<sheetData>" + rows + b"</sheetData>" + after
    return with_parts(PLAIN, {SHEET: whole + b"</worksheet>"})


def with_texts(content: bytes, sheet: bytes = b"") -> bytes:
    """With texts that cells refer to, as spreadsheets write them."""
    relations = part(PLAIN, RELATIONS)
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    one = b'<Relationship Id="rId77" Type="' + kind + b'" Target="sharedStrings.xml"/></Relationships>'
    relations = relations.replace(b"</Relationships>", one)
    whole = b"<sst " + MAIN + b">" + content + b"</sst>"
    return with_parts(PLAIN, {RELATIONS: relations, TEXTS: whole} | ({SHEET: sheet} if sheet else {}))


def texts(content: bytes) -> bytes:
    return with_texts(content)


def styles(content: bytes) -> bytes:
    return with_parts(PLAIN, {STYLES: b"<styleSheet " + MAIN + b">" + content + b"</styleSheet>"})


def names(content: bytes) -> bytes:
    book = part(PLAIN, BOOK)
    return with_parts(PLAIN, {BOOK: book.replace(b"</sheets>", b"</sheets>" + content)})


def cell(text: bytes) -> bytes:
    return b'<row r="1"><c r="A1" t="inlineStr"><is><t>' + text + b"</t></is></c></row>"


def laughs() -> bytes:
    lines = b"".join(b'<!ENTITY l%d "%s">' % (n + 1, b"&l%d;" % n * 10) for n in range(9))
    document = b'<!DOCTYPE x [<!ENTITY l0 "ha">' + lines + b"]><worksheet>&l9;</worksheet>"
    return with_parts(PLAIN, {SHEET: document})


def said_a_thousandfold() -> bytes:
    """One text of a megabyte, to which a thousand cells refer."""
    rows = b"".join(b'<row r="%d"><c t="s"><v>0</v></c></row>' % n for n in range(1, 1001))
    whole = b"<worksheet " + MAIN + b"><sheetData>" + rows + b"</sheetData></worksheet>"
    return with_texts(b"<si><t>" + b"x" * 2**20 + b"</t></si>", sheet=whole)


def members(count: int) -> bytes:
    return with_parts(PLAIN, {f"x/{n}": b"" for n in range(count)})


def zip_of(size: int) -> bytes:
    return with_parts(PLAIN, {"xl/media/image1.png": bytes(size)})


def many_sheets() -> bytes:
    book = part(PLAIN, BOOK)
    entry = b'<sheet name="s%d" sheetId="%d" state="visible" r:id="rId1" '
    entry += b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>'
    entries = b"".join(entry % (n, n) for n in range(2, 60_000))
    return with_parts(PLAIN, {BOOK: book.replace(b"</sheets>", entries + b"</sheets>")})


BOOKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "a gap of a billion rows": (
        lambda: sheet(b'<row r="1048576000000"><c><v>1</v></c></row>'),
        "no_workbook",
    ),
    "a gap in other figures": (lambda: sheet(b'<row r="1e12"><c><v>1</v></c></row>'), "no_workbook"),
    "a gap with underlines": (lambda: sheet(b'<row r="1_000_000_000"><c><v>1</v></c></row>'), "no_workbook"),
    "a row that goes back": (lambda: sheet(b'<row r="9"/><row r="3"/>' * 9), "no_workbook"),
    "3.9 million cells in a row": (
        lambda: sheet(b"<row>" + b"<c/>" * 3_900_000 + b"</row>"),
        "too_many_columns",
    ),
    "cells in many rows": (lambda: sheet((b"<row>" + b"<c/>" * 99 + b"</row>") * 30_000), "inflates"),
    "rows without end": (lambda: sheet(b"<row/>" * 1_000_000), "too_many_rows"),
    "a column far away": (lambda: sheet(b'<row r="1"><c r="ZZZ1"><v>1</v></c></row>'), "too_many_columns"),
    "texts without end": (lambda: texts(b"<si/>" * 3_000_000), "inflates"),
    "pieces of a text": (lambda: texts(b"<si>" + b"<r><t>a</t></r>" * 1_000_000 + b"</si>"), "inflates"),
    "names without end": (
        lambda: names(b"<definedNames>" + b"<definedName/>" * 900_000 + b"</definedNames>"),
        "inflates",
    ),
    "sheets without end": (many_sheets, "inflates"),
    "nested tags": (lambda: sheet(b"<a>" * 100_000 + b"</a>" * 100_000), "inflates"),
    "nested tags of a text": (lambda: texts(b"<r>" * 900_000 + b"</r>" * 900_000), "inflates"),
    "15 MB of formats": (lambda: styles(b"<cellXfs>" + b"<xf/>" * 3_000_000 + b"</cellXfs>"), "inflates"),
    "15 MB of fonts": (lambda: styles(b"<fonts>" + b"<font/>" * 2_000_000 + b"</fonts>"), "inflates"),
    "merged cells without end": (lambda: sheet(cell(b"Anna"), after=b"<mergeCell/>" * 1_200_000), "inflates"),
    "rules for cells without end": (
        lambda: sheet(cell(b"Anna"), before=b"<rule/>" * 2_000_000),
        "inflates",
    ),
    "a bomb": (lambda: zip_of(17 * 2**20), "inflates"),
    "too many members": (lambda: members(501), "inflates"),
    "members without end": (lambda: members(20_000), "inflates"),
    "billion laughs": (laughs, "no_workbook"),
    "one text said a thousandfold": (said_a_thousandfold, "inflates"),
    "a figure of a million digits": (
        lambda: sheet(b"<row><c><v>" + b"9" * 10**6 + b"</v></c></row>"),
        "no_workbook",
    ),
    "a text that is not there": (lambda: sheet(b'<row><c t="s"><v>-1</v></c></row>'), "no_workbook"),
}


@pytest.mark.long(8)
@pytest.mark.parametrize("name", BOOKS)
def test_a_workbook_that_becomes_large_is_refused_with_a_code(name: str) -> None:
    make, code = BOOKS[name]
    data = make()
    assert len(data) <= MAX_BYTES, "its size alone is no reason"
    with pytest.raises(TournamentError) as refused:
        read_list(data)
    assert refused.value.code == f"import/{code}"


@pytest.mark.parametrize("line", [b"\n", b"\r", b"\r\n", b"a;b\n"])
def test_a_text_of_lines_without_end_is_refused_before_it_is_parsed(line: bytes) -> None:
    with pytest.raises(TournamentError) as refused:
        read_list(line * 100_000)
    assert refused.value.code == "import/too_many_rows"


def test_a_list_of_four_thousand_with_all_that_a_spreadsheet_writes_is_read() -> None:
    head = ["Nr", "Name", "Vorname", "Club", "Lizenz", "Ort", "Jahrgang", "E-Mail", "Bezahlt", "Bemerkung"]
    people = [
        [n, f"Müller {n}", "Anna", f"Club {n % 40}", f"L{n}", "Bern", 1960, "a@b.ch", "ja", "x" * 30]
        for n in range(4000)
    ]
    file = read_list(saved(head, *people))
    assert len(file.rows) == 4001
    assert file.rows[4000] == (
        4001,
        ["3999", "Müller 3999", "Anna", "Club 39", "L3999", "Bern", "1960", "a@b.ch", "ja", "x" * 30],
    )


def chunk(name: bytes, data: bytes) -> bytes:
    whole = name + data
    return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))


def with_chunks(*chunks: bytes) -> bytes:
    """A small picture with more after its head."""
    plain = photo(40, 30, "PNG")
    return plain[:33] + b"".join(chunks) + plain[33:]


def with_scans(count: int) -> bytes:
    """A JPEG in passes, of which the last comes again and again."""
    data = photo(4000, 4000, "JPEG", progressive=True)
    at = data.rindex(b"\xff\xda")
    return data[:-2] + data[at:-2] * count + b"\xff\xd9"


BOMB = zlib.compress(bytes(100 * 2**20), 9)
PICTURES: dict[str, tuple[Callable[[], bytes], set[str]]] = {
    "a WebP of 2 KB": (lambda: photo(7070, 7070, "WEBP", lossless=True), {"too_many_pixels"}),
    "a PNG of 25 million": (lambda: photo(5000, 5001, "PNG"), {"too_many_pixels"}),
    "a JPEG in passes": (lambda: photo(5000, 5001, "JPEG", progressive=True), {"too_many_pixels"}),
    "a JPEG of 65 million": (lambda: photo(10_000, 6500, "JPEG"), {"too_many_pixels"}),
    "what says it is huge": (lambda: png_of(2**31 - 1, 2**31 - 1), {"too_many_pixels", "no_picture"}),
    "passes without end": (lambda: with_scans(5000), {"no_picture"}),
    "a huge text": (lambda: with_chunks(chunk(b"zTXt", b"a\0\0" + BOMB)), {"no_picture", ""}),
    "huge texts": (
        lambda: with_chunks(*[chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(2**20)))] * 900),
        {"no_picture", ""},
    ),
    "a huge profile": (lambda: with_chunks(chunk(b"iCCP", b"a\0\0" + BOMB)), {"no_picture", ""}),
    "huge international texts": (
        lambda: with_chunks(chunk(b"iTXt", b"a\0\1\0\0\0" + BOMB)),
        {"no_picture", ""},
    ),
    "half a JPEG": (lambda: photo(4000, 3000)[:5000], {"no_picture"}),
    "a hundred thousand chunks": (lambda: with_chunks(*[chunk(b"teXt", b"")] * 100_000), {"no_picture", ""}),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_becomes_large_is_refused_with_a_code_or_costs_little(name: str) -> None:
    make, codes = PICTURES[name]
    code = ""
    try:
        found = reencode_picture(make())
    except TournamentError as refused:
        code = refused.code.removeprefix("photo/")
    else:
        assert found.width <= 2000
    assert code in codes


@pytest.mark.parametrize(
    ("kind", "width", "height", "mode"),
    [
        ("JPEG", 8000, 8000, "RGB"),
        ("JPEG", 65_000, 980, "RGB"),
        ("JPEG", 8000, 8000, "CMYK"),
        ("PNG", 4898, 4898, "RGBA"),
        ("WEBP", 4898, 4898, "RGBA"),
        ("PNG", 24, 1_000_000, "P"),
    ],
)
def test_the_largest_that_are_taken_have_memory_enough(kind: str, width: int, height: int, mode: str) -> None:
    made = io.BytesIO()
    Image.new(mode, (width, height)).save(made, kind)
    kept = reencode_picture(made.getvalue())
    assert max(kept.width, kept.height) <= 2000


def test_a_photo_of_fifty_million_pixels_from_a_phone_is_taken() -> None:
    noise = Image.frombytes("RGB", (2040, 1530), random.Random(7).randbytes(2040 * 1530 * 3))
    made = io.BytesIO()
    noise.resize((8160, 6120)).save(made, "JPEG", quality=80)
    assert len(made.getvalue()) > 5 * 2**20
    kept = reencode_picture(made.getvalue())
    assert (kept.width, kept.height) == (2000, 1500)


def test_a_process_that_takes_too_much_memory_or_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.pictures.MAX_MEMORY", 64 * 2**20)
    with pytest.raises(TournamentError) as refused:
        reencode_picture(photo(4000, 3000, "PNG"))
    assert refused.value.code == "photo/took_too_much"
    monkeypatch.setattr("tournaments.pictures.MAX_MEMORY", MAX_MEMORY)
    monkeypatch.setattr(running, "WALL_SECONDS", 0.001)
    with pytest.raises(TournamentError) as refused:
        reencode_picture(photo())
    assert refused.value.code == "photo/took_too_much"


@contextmanager
def held(queue: running.Queue, *askers: str) -> Iterator[list[str]]:
    """Turns that last until the end, and whose turn it was, in order."""
    done: list[str] = []
    gate = threading.Event()
    begun = threading.Semaphore(0)

    def hold(who: str) -> None:
        with queue.turn(who):
            begun.release()
            gate.wait(30)
            done.append(who)

    threads = [threading.Thread(target=hold, args=(who,)) for who in askers]
    for thread in threads[: running.MAX_CONCURRENT]:
        thread.start()
        assert begun.acquire(timeout=30)
    for thread in threads[running.MAX_CONCURRENT :]:
        before = len(queue._waiting)
        thread.start()
        while len(queue._waiting) == before:
            thread.join(0.001)
    try:
        yield done
    finally:
        gate.set()
        for thread in threads:
            thread.join()


def test_a_thousand_photos_are_not_a_thousand_processes_and_one_address_does_not_take_all() -> None:
    queue = running.Queue()
    greedy = ["192.0.2.7"] * (running.MAX_CONCURRENT + running.MAX_OF_ONE)
    with held(queue, *greedy):
        with pytest.raises(TooMuch) as refused, queue.turn("192.0.2.7"):
            raise AssertionError("beyond its share")
        assert refused.value.code == "files/too_many"
        assert refused.value.params["seconds"] == running.RETRY_AFTER
    others = [f"198.51.100.{n}" for n in range(running.MAX_WAITING - running.MAX_OF_ONE)]
    with held(queue, *greedy, *others), pytest.raises(TooMuch), queue.turn("203.0.113.1"):
        raise AssertionError("beyond what waits")


def test_next_is_the_address_whose_turn_was_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MAX_CONCURRENT", 1)
    with held(running.Queue(), "a", "a", "a", "b", "b", "c") as done:
        pass
    assert done == ["a", "b", "c", "a", "b", "a"]
