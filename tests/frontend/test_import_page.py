"""Import of a list from a file: preview, then entry; errors are reported line by line."""

import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook

from tests.client_responses import Answer
from tests.frontend.evening import championship, client, html
from tournaments.spreadsheets.size_limits import MAX_BYTES
from tournaments.spreadsheets.workbooks import write_workbook

pytestmark = pytest.mark.django_db
LIST = "Name;Verein\r\nÄnni Aebi;Glarus\r\n;Chur\r\nBeat Bühler;Uri\r\nänni aebi;Glarus\r\n"


def send(data: bytes | str, **more: str) -> Answer:
    content = data.encode() if isinstance(data, str) else data
    fields = {"file": SimpleUploadedFile("liste.csv", content, "text/csv"), **more}
    return client("hanna").post(reverse("entries_import", args=["herbstcup"]), fields)


def test_the_preview_enters_nothing_and_says_why_a_line_is_left_out() -> None:
    made = championship(2)

    page = html(send("\ufeff" + LIST))

    assert made.entries.count() == 2
    assert "<dt>new</dt><dd>1</dd>" in page
    assert "<dt>duplicates</dt><dd>2</dd>" in page
    assert "names/missing" in page
    assert "import/double_line" in page
    assert "entries/double" in page
    assert "Left out are the columns" not in page
    assert "Read as" not in page


def test_the_list_is_put_right_in_the_page_and_entered_from_there() -> None:
    made = championship(2)

    answer = client("hanna").post(
        reverse("entries_import", args=["herbstcup"]), {"text": LIST, "commit": "1"}, follow=True
    )

    assert "1 person is entered." in html(answer)
    assert made.entries.count() == 3


def test_latin_1_umlauts_are_read() -> None:
    championship(0)

    page = html(send(LIST.encode("cp1252")))
    assert "Änni <b>Aebi</b>" in page
    assert "Read as Windows-1252" in page


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "import/empty"),
        (b"Name\n\x00\x01\n", "import/nul_bytes"),
        (b"x" * (MAX_BYTES + 1), "import/too_large"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_code(data: bytes, code: str) -> None:
    made = championship(1)

    answer = send(data, commit="1")

    assert answer.status_code == 400
    assert code in html(answer) or (data == b"" and "empty" in html(answer))
    assert made.entries.count() == 1


def test_nothing_chosen_says_what_to_choose() -> None:
    championship(0)

    answer = client("hanna").post(reverse("entries_import", args=["herbstcup"]), {"text": " "})

    assert answer.status_code == 400
    assert "Choose a file, or write a list." in html(answer)


def test_columns_are_chosen_on_the_page_and_kept_until_the_list_is_entered() -> None:
    made = championship(0)
    page = html(send("Aaa;Bbb;Ccc\nÄnni Aebi;Glarus;079\nBeat Bühler;Uri;\n"))
    assert "Bbb · Glarus · Uri" in page

    chosen = {"text": "Aaa;Bbb;Natel\nÄnni Aebi;Glarus;079\n", "headed": "1"}
    chosen |= {"kind-0": "name", "kind-1": "club", "kind-2": ""}
    page = html(client("hanna").post(reverse("entries_import", args=["herbstcup"]), chosen))
    assert "Left out are the columns: Natel." in page
    assert "Which column has the names?" not in page
    assert '<option value="club" selected>' in page
    assert 'name="headed" value="1" checked' in page

    client("hanna").post(reverse("entries_import", args=["herbstcup"]), {**chosen, "commit": "1"})
    assert [(entry.name, entry.club) for entry in made.entries.all()] == [("Änni Aebi", "Glarus")]


@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        (("name", "name"), "import/column_twice"),
        (("club", ""), "import/no_name_column"),
        (("password", "name"), "import/unknown_column"),
    ],
)
def test_columns_that_cannot_be_are_refused_with_the_choice_still_there(
    kinds: tuple[str, str], code: str
) -> None:
    made = championship(0)
    chosen = {"text": "Anna;Bern\nBeat;Chur\n", "kind-0": kinds[0], "kind-1": kinds[1], "commit": "1"}

    answer = client("hanna").post(reverse("entries_import", args=["herbstcup"]), chosen)

    assert answer.status_code == 400
    assert code in html(answer)
    assert 'name="kind-1"' in html(answer)
    assert not made.entries.exists()


def test_a_workbook_is_looked_at_and_put_right_like_a_list() -> None:
    made = championship(0)
    book = write_workbook(
        "Leute", [["Name", "Vorname", "Jahrgang"], ["Aebi", "Änni", 1961], ["Bühler", "Beat", ""]]
    )

    page = html(send(book))

    assert "Aebi;Änni;1961" in page
    assert "2 people would be entered" in page
    assert "Änni <b>Aebi</b>" in page
    assert send(book, commit="1").status_code == 302
    assert [entry.birth_year for entry in made.entries.order_by("number")] == [1961, None]


def test_another_sheet_of_a_workbook_is_read_by_one_press() -> None:
    made = championship(0)
    book = Workbook()
    men, women = book.worksheets[0], book.create_sheet("Frauen")
    men.title = "Männer"
    men.append(["Name", "Vorname"])
    men.append(["Bühler", "Beat"])
    women.append(["Name", "Vorname"])
    women.append(["Ammann", "Anna"])
    out = io.BytesIO()
    book.save(out)

    page = html(send(out.getvalue()))
    assert "Read “Frauen” instead" in page
    texts = {"text": "Name;Vorname\nBühler;Beat\n", "sheet-read": "Männer", "sheet-name": "Frauen"}
    texts |= {"sheet-text-0": "Name;Vorname\nAmmann;Anna\n", "sheet": "0", "kind-0": "name"}
    other = html(client("hanna").post(reverse("entries_import", args=["herbstcup"]), texts))
    assert "Anna <b>Ammann</b>" in other
    assert "Read “Männer” instead" in other
    assert not made.entries.exists()


def test_what_has_changed_since_it_was_seen_is_shown_again_and_not_entered() -> None:
    made = championship(0)
    page = html(send("Name;Vorname\nAebi;Änni\n"))
    [seen] = re.findall(r'name="seen" value="([0-9a-f]+)"', page)
    fields = {"text": "Name;Vorname\nAebi;Anna\n", "kind-0": "family_name", "kind-1": "first_name"}
    fields |= {"headed": "1", "seen": seen, "commit": "1"}
    answer = client("hanna").post(reverse("entries_import", args=["herbstcup"]), fields)
    assert "import/changed" in html(answer)
    assert not made.entries.exists()
