"""An evening from an empty database to the prize giving, as in docs/organisers.md, in a German browser.

Twenty people with real cards. The organiser's presses and numbers are counted
(`tests/bench/_evening_hand.py`) and compared with a limit. The counts do not depend on the machine; time is
not measured.
"""

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.environment import BASE_DIR
from tests import browsers
from tests import live_tree as trees
from tests.bench._evening_steps import Organiser, people

pytestmark = pytest.mark.long

LATE = 2
"""Of twenty come when the first round is being played."""
PEOPLE = people(20)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with trees.running("serve", tmp_path_factory.mktemp("whole-evening")) as tree:
        yield tree.url


@pytest.fixture
def fredi(url: str, browser: Browser) -> Iterator[Organiser]:
    with browsers.fresh_page(browser, locale="de-CH") as page:
        organiser = Organiser(page, url)
        organiser.sign_in()
        yield organiser


def says(page: Page, *sentences: str) -> None:
    for sentence in sentences:
        expect(page.locator("main")).to_contain_text(sentence)


def play(fredi: Organiser, round_: int, tables: int) -> None:
    """The results of a round from its papers, and on to the next."""
    fredi.begins_typing()
    for table in range(1, tables + 1):
        fredi.types(600 + 30 * table + round_)
    fredi.closes()
    fredi.goes_on()


def pages_of(fredi: Organiser, address: str) -> int:
    answer = fredi.page.request.get(f"{fredi.url}{address}")
    assert answer.headers["content-type"] == "application/pdf", (address, answer.status)
    return len(pypdf.PdfReader(io.BytesIO(answer.body())).pages)


def test_an_evening_of_twenty_people_on_paper(fredi: Organiser, tmp_path: Path) -> None:
    page = fredi.page
    fredi.found("Klubjass", "klubabend")
    says(page, "Klubjass ist angelegt.")
    fredi.enters(PEOPLE)
    fredi.fees("Mitglieder", "15")
    fredi.here(*[family for family, _ in PEOPLE[:-LATE]])
    fredi.goes_to("")
    says(page, "Passe 1 auslosen")

    with fredi.counted() as first:
        fredi.goes_on()
        fredi.draws_and_opens()
        print_all(fredi)
        fredi.goes_to("rounds/1/")
        play(fredi, 1, tables=4)

    fredi.here(*[family for family, _ in PEOPLE[-LATE:]])
    fredi.goes_to("rounds/2/")
    with fredi.counted() as second:
        fredi.draws_and_opens()
        with fredi.counted() as stepping_in:
            fredi.substitute("Beat", "Huber Toni")
        says(page, "das Resultat bleibt bei Beat Bühler")
        fredi.begins_typing()
        fredi.types_wrong(1300)
        says(page, "Eine Partei hat höchstens 1256 Punkte.")
        for table in range(1, 6):
            fredi.types(602 + 30 * table)
        fredi.closes()
        fredi.goes_on()
    assert stepping_in.clicks <= 3

    fredi.goes_home("Bühler")  # the substitute is a helper of the house: from now on 19 are drawn
    fredi.goes_to("rounds/3/")
    with fredi.counted() as third:
        fredi.draws_and_opens()
        with fredi.counted() as correction:
            fredi.corrects(1, 700, "Zahlen vertauscht")
        assert (correction.clicks, correction.numbers) <= (5, 2)
        fredi.goes_to("rounds/3/")
        play(fredi, 3, tables=4)
    with fredi.counted() as fourth:
        fredi.draws_and_opens()
        play(fredi, 4, tables=4)

    rounds = (first, second, third, fourth)
    assert sum(one.clicks for one in rounds) <= 25 + stepping_in.clicks + correction.clicks
    assert sum(one.numbers for one in rounds) <= 60
    end_of(fredi, tmp_path)


def print_all(fredi: Organiser) -> None:
    """What hangs on the wall and lies on the tables, before the first card."""
    fredi.goes_to("prints/?round=1")
    offered = fredi.page.locator(".print-offer:not(.waits) a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    )
    assert len(offered) >= 6
    assert all(pages_of(fredi, address) for address in offered)


def end_of(fredi: Organiser, folder: Path) -> None:
    """Ranking, prizes, accounts, the audit, the file of everything."""
    page = fredi.page
    fredi.goes_to("standings/")
    says(page, "Nach Passe 4")
    assert page.locator("main tbody tr").count() == len(PEOPLE), "also who has gone home"
    on_the_wall = " ".join(page.locator(".seal-words li").all_inner_texts())
    assert pages_of(fredi, f"{fredi.path}prints/ranking.pdf") == 1

    fredi.prizes("100 80 60", "Rauchwurst\nKäse")
    assert fredi.gives_prizes() == 5
    says(page, "Alle Preise sind verteilt")
    fredi.goes_to("cash/accounts/")
    says(page, "20 Personen sind oder waren da und haben nicht bezahlt: CHF 300.–")

    fredi.finishes()
    fredi.goes_to("audits/")
    fredi.press("form[action$='/audits/start/'] button")
    expect(page.locator("main .message.success")).to_contain_text("Alles in Ordnung")

    fredi.goes_to("checkpoints/")
    fredi.press("form[action$='/checkpoints/file/'] button.primary")
    with page.expect_download() as download:
        page.locator("a.primary[href$='/checkpoints/file/']").click()
    file = folder / "evening.zip"
    download.value.save_as(file)
    script = BASE_DIR / "docs" / "verify" / "puur_verify.py"
    asked = [sys.executable, "-I", str(script), str(file), "--checkpoint", on_the_wall]
    verified = subprocess.run(asked, capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert "this is the record of your sheet" in verified.stdout


def test_two_hundred_people_are_here_in_three_presses(fredi: Organiser) -> None:
    fredi.found("Grosser Abend", "klubabend")
    fredi.enters(people(200))
    fredi.goes_to("")
    with fredi.counted() as checked_in:
        fredi.goes_on()
        fredi.all_here()
    assert checked_in.clicks <= 3
    expect(fredi.page.locator("#desk-counts")).to_contain_text("200")


def test_twelve_pairs_are_twelve_lines(fredi: Organiser) -> None:
    fredi.found("Paare", "partnerschieber")
    there = people(24)
    with fredi.counted() as entered:
        fredi.pairs(list(zip(there[::2], there[1::2], strict=True)))
    assert (entered.clicks, entered.words) <= (2, 1)
    expect(fredi.page.locator("main button[value=arrive]")).to_have_count(12)
