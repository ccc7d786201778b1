"""A phone in a hall: a narrow screen, a slow processor, a bad connection.

Measures layout shifts while its pages load.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from tests import browsers
from tests import live_tree as trees

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
SLOWER = 4
"""The factor by which its processor is slower than this one."""
WATCH = """
const watch = (type) => {
  const seen = [];
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  observer.observe({ type, buffered: true });
  return () => [...seen, ...observer.takeRecords()];
};
const shifts = watch("layout-shift");
const paints = watch("largest-contentful-paint");
globalThis.moved = () => shifts().reduce((sum, one) => sum + one.value, 0);
const asked = new Set();
addEventListener("htmx:afterRequest", ({ detail }) => asked.add(detail.elt));
globalThis.answered = () =>
  [...document.querySelectorAll("[hx-get][hx-trigger^=load]")].every((part) => asked.has(part));
globalThis.painted = () => paints().at(-1)?.startTime ?? 0;
"""
ANSWERED = """() => new Promise((done) => {
  const look = () => (answered() ? done() : requestAnimationFrame(look));
  look();
})"""
"""Waits in the page. Playwright's own waiting evaluates text there, which the page's policy forbids."""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class Shown(NamedTuple):
    """A page, and its selector of completeness."""

    name: str
    path: str
    complete: str


class Hall(NamedTuple):
    """A running platform with an open round of two tables, and the tables of tests.e2e.tables."""

    url: str
    round_: dict[str, str]
    games: dict[str, str]

    def table(self, name: str, page: str = "") -> str:
        return f"/g/{self.games[name]}/{page}"

    def pages(self) -> list[Shown]:
        return [
            Shown("home", "/", ".tile, .next-step, main form"),
            Shown("play", self.table("played", "play/"), ".hand-card"),
            Shown("live", self.table("watched"), ".trick-card"),
            Shown("replay", self.table("watched", "replay/"), ".timeline button"),
            Shown("transcript", self.table("written", "transcribe/"), "[data-picker] button"),
            Shown("sheet", self.table("sheet", "sheet/"), "[data-entry] input"),
            Shown("standings", "/c/clubabend/standings/", "main table, main .empty"),
            Shown("round", "/c/clubabend/rounds/1/", "main table, .tile"),
            Shown("play in a round", f"/g/{self.round_['game']}/play/", ".hand-card"),
            Shown("live in a round", f"/g/{self.round_['game']}/", ".rail .score"),
            Shown("sheet watched", self.table("sheet"), ".slate-side"),
            Shown("sheet looked back at", self.table("sheet", "replay/"), ".slate-side"),
            Shown("sheet in a frame", f"/embed{self.table('sheet')}", ".slate-side"),
        ]


def hall(tree: trees.LiveTree) -> Hall:
    return Hall(tree.url, tree.python("tests.e2e.coded"), tree.python("tests.e2e.tables"))


def sign_in(page: Page, url: str, name: str = "anna") -> None:
    page.goto(f"{url}/sign-in/")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", trees.ORGANISER[1])
    page.click("main form button.primary")
    page.get_by_role("heading", name="Tonight").wait_for()


@contextmanager
def slow_phone(browser: Browser, url: str) -> Iterator[Page]:
    """Anna's phone, which has only opened the page to sign in."""
    with browsers.fresh_page(browser, **PHONE) as page:
        sign_in(page, url)
        page.add_init_script(WATCH)
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.setCacheDisabled", {"cacheDisabled": True})
        line.send("Network.emulateNetworkConditions", SLOW_4G)
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        yield page


def open_page(page: Page, url: str, shown: Shown) -> float:
    """Return the sum of all layout shifts until the page was complete, with its fonts."""
    page.goto(url + shown.path)
    page.locator(shown.complete).first.wait_for()
    page.evaluate(ANSWERED)
    page.evaluate("() => document.fonts.ready.then(() => undefined)")
    return moved(page)


def moved(page: Page) -> float:
    """Return the sum of all layout shifts, once the current content is painted."""
    page.evaluate(PAINTED)
    return float(page.evaluate("moved()"))
