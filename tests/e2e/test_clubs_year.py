"""A club's year in a German browser: entry by link, four evenings, an open heat, the season's table, final,
certificates.

The table of the season is recounted from the rankings of the evenings with code of its own.
"""

import io
from collections.abc import Iterator
from fractions import Fraction

import pypdf
import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests import live_tree as trees
from tests.bench._evening_steps import Organiser, people

pytestmark = pytest.mark.long

PLACES = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""Points of the season by place; every later place gets the last of them."""
EVENINGS = ("Februarjass", "Apriljass", "Septemberjass", "Novemberjass")
ROUNDS = 2
TABLES = 2
MEMBERS = people(8)
SERIES = "Jahresmeisterschaft"
HEAT = "Ausscheidung"
FINAL = "Finalabend"


class Club(Organiser):
    """An organiser through a year. `rankings`: of each evening, the pairs of place and name."""

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self.rankings: dict[str, list[tuple[int, str]]] = {}

    def opens_the_list(self) -> str:
        """Create the link by which people enter themselves; returns its address."""
        self.goes_to("entries/")
        self.page.locator("#entry-link summary").first.click()
        self.press("form[action$='/entries/link/'] button[name=on]")
        return self.page.locator("#own-link").input_value()

    def repeats(self, name: str) -> None:
        """Prepare the next evening with the same people."""
        self.goes_to("again/")
        self.words(name, "#id_name")
        self.page.locator("[name=people]").check()
        self.press("main form button.primary")
        expect(self.page.locator(".next-step")).to_be_visible()
        self.slug = self.page.url.rstrip("/").rpartition("/")[2]

    def plays(self, evening: int) -> None:
        """Play all rounds with totals of this evening, and finish it."""
        self.goes_to("")
        self.goes_on()
        self.all_here()
        for number in range(1, ROUNDS + 1):
            self.goes_to(f"rounds/{number}/")
            self.draws_and_opens()
            self.begins_typing()
            for table in range(TABLES):
                self.types(500 + 37 * evening + 61 * number + 90 * table)
            self.closes()
        self.finishes()
        self.notes_ranking()

    def holds_heat(self) -> None:
        """Hold an open heat of one session: everybody starts once, and four of them a second time."""
        self.found(HEAT, "open_heat")
        self.goes_to("regulations/")
        self.page.fill("#id_rounds", "1")
        self.press("main form button.primary")
        self.goes_to("rounds/1/")
        self.press("form[action$='/queue/open/'] button")
        expect(self.page.locator("form[action$='/newcomer/']")).to_be_attached()
        for family, first in MEMBERS:
            self.goes_to("rounds/1/queue/")
            self.page.locator("details:has(form[action$='/newcomer/']) summary").click()
            self.page.fill("[name=family_name]", family)
            self.page.fill("[name=first_name]", first)
            self.press("form[action$='/newcomer/'] button.primary")
            expect(self.page.locator("#queue ol.rows")).to_contain_text(f"{first} {family}")
        self.press("form[action$='/seat/'] button")
        expect(self.page.locator("#queue ul.rows > li")).to_have_count(TABLES)
        self.begins_typing()
        self.types(702)
        self.types(555)
        for family, first in MEMBERS[2:6]:
            self.goes_to(f"rounds/1/queue/?q={family}")
            self.press("#queue-found form button")
            expect(self.page.locator("#queue ol.rows")).to_contain_text(f"{first} {family}")
        self.press("form[action$='/seat/'] button")
        expect(self.page.locator("#queue ul.rows > li")).to_have_count(1)
        self.begins_typing()
        self.types(640)
        self.closes()
        self.finishes()
        self.notes_ranking()

    def notes_ranking(self) -> None:
        """Note the places and names of the published ranking."""
        self.goes_to("standings/")
        rows = self.page.locator("main tbody tr")
        self.rankings[self.slug] = [
            (
                int(row.locator(".place").inner_text().split()[0]),
                row.locator("a[href*='/people/']").first.inner_text(),
            )
            for row in rows.all()
        ]


def recount(
    rankings: list[list[tuple[int, str]]], best: int, double: int | None = None
) -> dict[str, Fraction]:
    """Points by name. A shared place gets the mean; the best evenings count, and `double` twice."""
    given: dict[str, list[tuple[int, Fraction]]] = {}
    for at, ranking in enumerate(rankings):
        for place, name in ranking:
            shared = sum(1 for other, _ in ranking if other == place)
            points = [PLACES[min(n - 1, len(PLACES) - 1)] for n in range(place, place + shared)]
            given.setdefault(name, []).append((at, Fraction(sum(points), shared)))
    totals = {}
    for name, lines in given.items():
        evenings = sorted((points for at, points in lines if at != double), reverse=True)
        finals = [points for at, points in lines if at == double]
        totals[name] = sum(evenings[:best], Fraction()) + 2 * sum(finals, Fraction())
    return totals


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with trees.running("serve", tmp_path_factory.mktemp("year")) as tree:
        yield tree.url


def enter_by_link(browser: Browser, address: str) -> None:
    """Each member enters on a phone of their own."""
    for family, first in MEMBERS:
        with browsers.fresh_page(
            browser, locale="de-CH", viewport={"width": 360, "height": 740}, has_touch=True
        ) as phone:
            phone.goto(address)
            phone.fill("[name=first_name]", first)
            phone.fill("[name=family_name]", family)
            phone.check("[name=consents]")
            phone.locator("main form button.primary").click()
            expect(phone.locator("main")).to_contain_text(f"{first} {family}")


def test_a_year_of_a_club_from_the_first_entry_to_the_title(url: str, browser: Browser) -> None:
    with browsers.fresh_page(browser, locale="de-CH") as page:
        club = Club(page, url)
        club.sign_in()
        club.found(EVENINGS[0], "klubabend")
        club.goes_to("regulations/")
        page.fill("#id_rounds", str(ROUNDS))
        club.press("main form button.primary")
        enter_by_link(browser, club.opens_the_list())
        club.plays(0)
        for at, name in enumerate(EVENINGS[1:], 1):
            club.repeats(name)
            club.plays(at)
        last_evening = club.slug
        club.holds_heat()
        club.slug = last_evening
        series = make_series(page, club)
        page.goto(series)
        assert season_table(page) == recount(list(club.rankings.values()), best=3)

        club.repeats(FINAL)
        club.plays(len(EVENINGS))
        name_the_final(page, series)
        page.goto(series)
        table = season_table(page)
        assert table == recount(list(club.rankings.values()), best=3, double=len(EVENINGS) + 1)
        assert list(table.values()) == sorted(table.values(), reverse=True)

        certificates = page.request.get(f"{url}{club.path}prints/certificates.pdf")
        text = "".join(p.extract_text() for p in pypdf.PdfReader(io.BytesIO(certificates.body())).pages)
        assert club.rankings[club.slug][0][1] in text


def make_series(page: Page, club: Club) -> str:
    """Create the series of the four evenings and the open heat; returns its address."""
    page.goto(f"{club.url}/clubs/")
    page.locator("main ul.clubs a").first.click()
    page.goto(f"{page.url.rstrip('/')}/series/")
    page.fill("[name=name]", SERIES)
    page.select_option("[name=preset]", "season")
    page.locator("main form button").click()
    adding = page.locator("form[action$='/edit/add/']")
    for name in (*EVENINGS, HEAT):
        if not adding.is_visible():
            page.locator("details", has=adding).locator("summary").click()
        adding.locator("[name=championship]").select_option(label=name)
        adding.locator("button.primary").click()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.url.removesuffix("edit/")


def name_the_final(page: Page, series: str) -> None:
    """Choose the championship of the planned final, which counts double."""
    page.goto(f"{series}edit/")
    event = page.locator("details", has=page.get_by_role("heading", name="Final", exact=False)).first
    event.locator("summary").click()
    event.locator("[name=championship]").select_option(label=FINAL)
    event.locator("form[action$='/save/'] button").click()
    expect(page.get_by_role("heading", name=FINAL)).to_be_visible()


def season_table(page: Page) -> dict[str, Fraction]:
    """The totals of the table on the page by name, in its order."""
    rows = page.locator("main table.standings tbody tr").all()
    return {
        row.locator("th").inner_text().splitlines()[0]: Fraction(
            row.locator(".total").inner_text().replace(",", ".")
        )
        for row in rows
    }
