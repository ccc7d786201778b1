"""A list from a file: looked at first, then entered; what is wrong is said line by line."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.answers import Answer
from tests.frontend.evening import championship, client, html
from tournaments.services.desk import importing

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
    assert "<dt>double</dt><dd>2</dd>" in page
    assert "names/missing" in page
    assert "import/double_line" in page
    assert "entries/double" in page
    assert "Columns found: Name, Club." in page
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
    assert "Änni Aebi" in page
    assert "Read as Windows-1252" in page


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "import/empty"),
        (b"Name\n\x00\x01\n", "import/nul_bytes"),
        (b'Name;Verein\n"offen;Glarus\n', "import/broken_csv"),
        (b"x" * (importing.MOST_BYTES + 1), "import/too_large"),
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
