"""Phones in a hall: pages without layout shifts, and pages without a network."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, Route, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e import slow_phone
from tests.e2e.slow_phone import Hall

MAX_SHIFT = 0.05


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with trees.running("serve", tmp_path_factory.mktemp("hall")) as tree:
        yield slow_phone.hall(tree)


@pytest.fixture(scope="module")
def phone(hall: Hall, browser: Browser) -> Iterator[Page]:
    with slow_phone.slow_phone(browser, hall.url) as page:
        yield page


@pytest.mark.long
def test_pages_hold_still_while_they_come_to_a_slow_phone(hall: Hall, phone: Page) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    phone.on("request", note)
    moved = {shown.name: slow_phone.open_page(phone, hall.url, shown) for shown in hall.pages()}
    phone.remove_listener("request", note)

    assert {name: shift for name, shift in moved.items() if shift > MAX_SHIFT} == {}
    assert [url for url in asked if not url.startswith((f"{hall.url}/", "data:"))] == []
    assert [url for url in asked if url.endswith("-more.woff2")] == []


def test_what_moves_is_measured(hall: Hall, phone: Page) -> None:
    shown = next(one for one in hall.pages() if one.name == "standings")
    assert slow_phone.open_page(phone, hall.url, shown) <= MAX_SHIFT

    phone.locator("main").evaluate("main => { main.style.marginTop = '300px'; }")

    assert slow_phone.moved(phone) > MAX_SHIFT


LARGEST = """() => new Promise(done => new PerformanceObserver(list => {
    const last = list.getEntries().at(-1);
    if (last.element) done([last.element.className, last.element.textContent.trim()]);
}).observe({ type: "largest-contentful-paint", buffered: true }))"""


@pytest.mark.parametrize("name", ["play", "live", "replay", "transcript", "play in a round"])
def test_the_largest_thing_on_a_table_is_painted_before_its_script_is_there(
    hall: Hall, browser: Browser, name: str
) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    with browsers.fresh_page(browser, **slow_phone.PHONE) as page:
        slow_phone.sign_in(page, hall.url)
        shown = next(one for one in hall.pages() if one.name == name)
        page.route(re.compile(r"/puur/(play|live-table|replay|transcribe)\.js"), hold)
        page.goto(hall.url + shown.path, wait_until="commit")
        expect(page.locator(".table-status")).to_contain_text("One moment")
        kind, text = page.evaluate(LARGEST)
        assert kind == "table-status"
        assert text.startswith("At this table: ")
        for route in held:
            route.continue_()
        page.locator(shown.complete).first.wait_for()
        expect(page.locator(".table-status")).not_to_contain_text("One moment")


NEWS = """news => {
    const top = () => document.querySelector(".table-surface").getBoundingClientRect().top;
    const before = top();
    news.innerHTML = '<section class="panel next-seats"><ul><li class="own">Table 7</li></ul></section>';
    const {bottom} = news.getBoundingClientRect();
    return {moved: top() - before, seen: bottom > before};
}"""


def test_where_one_sits_next_comes_over_the_cloth_and_moves_nothing(hall: Hall, phone: Page) -> None:
    phone.goto(f"{hall.url}/g/{hall.round_['game']}/")
    phone.locator(".rail .score").first.wait_for()
    news = phone.locator("#next-seats")
    assert news.evaluate(NEWS) == {"moved": 0, "seen": True}


KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys())
      found.push(`${name.split("-")[1]} ${new URL(request.url).pathname}`);
  return found.sort();
}"""


@pytest.fixture
def home(hall: Hall, browser: Browser) -> Iterator[Page]:
    """Anna's phone, after its first page: a worker of ours stands before all others."""
    with browsers.fresh_page(browser, service_workers="allow", **slow_phone.PHONE) as page:
        slow_phone.sign_in(page, hall.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        page.reload()
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        yield page
        browsers.forgive(page, saying="net::ERR_")  # a browser complains where there is no network


def wait_until_kept(page: Page, path: str, text: str = "") -> None:
    """What a page waits for, and `wait_for_function` does not: it takes a promise for a yes."""
    page.evaluate(
        """async ([path, text]) => {
          const found = async () => (await caches.match(path, { ignoreVary: true }))?.text();
          while (!(await found())?.includes(text)) await new Promise((next) => requestAnimationFrame(next));
        }""",
        [path, text],
    )


def kept(page: Page) -> list[str]:
    """Where each thing is kept, and what."""
    found: list[str] = page.evaluate(KEPT)
    return found


def test_without_a_network_a_page_says_so_in_its_readers_language_and_comes_when_it_is_back(
    hall: Hall, home: Page
) -> None:
    home.context.set_offline(True)
    home.goto(f"{hall.url}/rules/")
    expect(home.get_by_role("heading", name="No network")).to_be_visible()
    expect(home.locator("html")).to_have_css("background-color", "rgb(244, 239, 226)")
    assert home.evaluate("document.fonts.ready.then((fonts) => fonts.check('16px \"Hanken Grotesk\"'))")
    assert home.evaluate("document.documentElement.scrollWidth") <= 390

    home.context.set_offline(False)
    expect(home.get_by_role("heading", name="Rules", exact=True)).to_be_visible()

    home.context.add_cookies([{"name": "django_language", "value": "de", "url": hall.url}])
    home.reload()
    expect(home.locator("html")).to_have_attribute("lang", "de")
    wait_until_kept(home, "/offline/", 'lang="de"')
    home.context.set_offline(True)
    home.goto(f"{hall.url}/rules/")
    expect(home.get_by_role("heading", name="Kein Netz")).to_be_visible()


def test_a_slip_is_there_without_a_network_until_another_person_signs_in(hall: Hall, home: Page) -> None:
    slip = "/c/clubabend/rounds/1/slip/1/"
    home.goto(hall.url + slip)
    seat = home.locator("main").inner_text()
    assert "Anna Ammann" in seat
    wait_until_kept(home, slip)

    home.context.set_offline(True)
    home.goto(hall.url + slip)
    assert home.locator("main").inner_text() == seat
    home.goto(f"{hall.url}/")
    way = home.get_by_role("link", name="Anna Ammann")
    way.click()
    try:
        expect(home).to_have_url(hall.url + slip, timeout=10_000)
    except AssertionError:  # the page was loaded anew in that moment, and took the press with it
        way.click()
        expect(home).to_have_url(hall.url + slip)

    home.context.set_offline(False)
    home.goto(f"{hall.url}/")
    home.evaluate("localStorage.setItem('puur_outbox_ab', '[{}]')")
    home.locator("header .menu summary", has_text="anna").click()
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    home.once("dialog", stay)
    home.get_by_role("button", name="Sign out").click()
    assert len(asked) == 1
    assert "not been sent" in asked[0]
    home.once("dialog", lambda dialog: dialog.accept())
    home.get_by_role("button", name="Sign out").click()
    expect(home.get_by_role("link", name="Sign in").first).to_be_visible()
    assert [one for one in kept(home) if one.startswith("kept")] == []
    assert home.evaluate("Object.keys(localStorage)") == ["puur_sure"]  # set by tests/browsers.py
    home.context.set_offline(True)
    home.goto(hall.url + slip)
    expect(home.get_by_role("heading", name="No network")).to_be_visible()
    expect(home.locator("[data-kept]")).to_be_hidden()


def test_a_phone_keeps_files_and_the_page_without_a_network_and_nothing_else(hall: Hall, home: Page) -> None:
    for path in ("/", hall.table("watched"), hall.table("played", "play/"), "/c/clubabend/standings/"):
        home.goto(hall.url + path)
        expect(home.locator("main")).to_be_visible()
    expect(home.locator("main table, main .empty").first).to_be_visible()

    others = [one for one in kept(home) if not one.startswith("files /static/puur/")]
    assert others == ["files /offline/"]


def events_of(page: Page, hall: Hall, table: str, kind: str) -> list[dict[str, Any]]:
    """What the log of a table has of a kind, as Anna sees it."""
    answer = page.request.get(f"{hall.url}/api/v1/games/{hall.games[table]}/log/")
    return [event for event in map(json.loads, answer.text().splitlines()) if event.get("type") == kind]


def test_a_sheet_is_opened_and_typed_without_a_network_and_arrives_once_from_two_windows(
    hall: Hall, home: Page
) -> None:
    path = hall.table("sheet", "sheet/")
    home.goto(hall.url + path)
    expect(home.locator("[data-entry]")).to_be_visible()
    wait_until_kept(home, path)

    home.context.set_offline(True)
    home.goto(hall.url + path)
    points = home.locator(".sheet-points")
    points.first.fill("100")
    home.goto(hall.url + path)
    expect(points.first).to_have_value("100")
    home.locator("[data-entry]").get_by_role(
        "button", name=re.compile("Shields|Bells|Acorns|Roses")
    ).first.click()
    home.get_by_role("button", name="Enter the deal").click()
    expect(home.get_by_text("not sent yet")).to_be_visible()
    waiting = home.locator("[data-rows] tr")
    expect(waiting.locator("td.num")).to_have_text(["–", "–"])  # what it counts, the server says
    expect(waiting).to_contain_text("Points: 100 : 57")
    expect(home.locator("[data-entry-deal]")).to_contain_text("Deal 2")

    other = home.context.new_page()
    for page in (other, home):
        page.goto(hall.url + path)
        expect(page.get_by_text("not sent yet")).to_be_visible()
    assert events_of(home, hall, "sheet", "result_entered") == []
    home.context.set_offline(False)
    for page in (other, home):
        expect(page.get_by_text("not sent yet")).to_be_hidden()
        expect(page.locator("[data-rows] tr")).to_have_count(1)
        expect(page.locator("[data-notice]")).to_be_hidden()
    entered = events_of(home, hall, "sheet", "result_entered")
    assert [event["deal"] for event in entered] == [1]


def test_a_transcript_goes_on_without_a_network_and_each_card_arrives_once_and_in_order(
    hall: Hall, home: Page
) -> None:
    path = hall.table("hurried", "transcribe/")
    home.goto(hall.url + path)
    expect(home.locator("[data-picker] button").first).to_be_visible()
    wait_until_kept(home, path)

    home.context.set_offline(True)
    home.goto(hall.url + path)
    waiting = home.locator("[data-waiting]")
    expect(home.locator("[data-picker] button").first).to_be_visible()
    home.keyboard.type("hjh6h9")
    expect(waiting).to_contain_text("nine of roses")
    for _ in range(2):
        home.goto(hall.url + path)
        expect(waiting).to_contain_text("under of roses, six of roses, nine of roses")

    other = home.context.new_page()
    other.goto(hall.url + path)
    expect(other.locator("[data-waiting]")).to_contain_text("under of roses")
    home.context.set_offline(False)
    for page in (other, home):
        expect(page.locator("[data-log] li").last).to_contain_text("nine of roses")
        expect(page.locator("[data-waiting]")).to_be_hidden()
    played = events_of(home, hall, "hurried", "card_played")
    assert [event["card"] for event in played] == ["HJ", "H6", "H9"]
