"""Take pictures of every page and size: `python -m tests.e2e.pictures FOLDER [--language de] [--only NAME]`.

The demo is started in a separate folder and opened by its organiser. Then the player opens a table in each
state of the stage: its phases, a trick, the end, a what-if. FOLDER gets one PNG a page and size, and
`index.html`, which shows them side by side. Exit 1: a page could not be opened, or is wider than its
window; those are named.
"""

import argparse
import html
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, Response, expect

from deploy.environment import BASE_DIR
from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.test_stage_accessibility import STATES

SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "wide-dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    "phone-dark": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"},
    "lying": {"viewport": {"width": 844, "height": 390}, "has_touch": True},
    "lying-dark": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "color_scheme": "dark"},
    "small-lying": {"viewport": {"width": 667, "height": 375}, "has_touch": True},
    "narrow": {"viewport": {"width": 320, "height": 568}, "has_touch": True},
    "zoomed": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    "hall": {"viewport": {"width": 1920, "height": 1080}},
    "4k": {"viewport": {"width": 3840, "height": 2160}},
}
"""`zoomed` is a laptop of 1280 × 800 at 200 %."""
ORGANISER = ("fredi", "jass-am-abend")
"""The sign-in of the demo's organiser."""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
COMING = "[data-arriving], [data-cloth]:not([data-seq])"
SETTLED = (
    "() => document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => done(true))))"
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.pictures")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", default="de")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="pages, by the names of their addresses")
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=list(SIZES))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with browsers.chromium() as browser:
        names, wrong = [], []
        for of in (_pages, _states):
            made, bad = of(browser, given)
            names += made
            wrong += bad
    _index(given.folder, names, given.sizes)
    print(*wrong, sep="\n", file=sys.stderr)
    return int(bool(wrong))


def _pages(browser: Browser, given: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the names of all pages of the evening, and their problems."""
    wrong: list[str] = []
    if given.only and set(given.only) <= {_name_of(*state) for state in STATES}:
        return [], wrong
    with tempfile.TemporaryDirectory() as var, trees.running("demo", Path(var), empty=True) as tree:
        there = tree.python("tests.e2e.addresses")
        pages = {name: path for name, path in there.items() if _wanted(name, given)}
        for size in given.sizes:
            with browsers.fresh_page(browser, locale=given.language, **SIZES[size]) as page:
                sign_in(page, tree.url)
                for name, path in pages.items():
                    wrong += _taken(page, tree.url + path, given.folder / f"{name}.{size}.png")
                    browsers.forgive(page)
    return list(pages), wrong


def _states(browser: Browser, given: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the names of the states of the stage, as seen by the player, and their problems."""
    looks = {_name_of(*state): state for state in STATES if _wanted(_name_of(*state), given)}
    wrong: list[str] = []
    if not looks:
        return [], wrong
    with tempfile.TemporaryDirectory() as var, trees.running("serve", Path(var), empty=True) as tree:
        place = Place(tree.url, tree.python("tests.e2e.stage_states"))
        for size in given.sizes:
            calm: dict[str, Any] = {"reduced_motion": "reduce", "locale": given.language, **SIZES[size]}
            for name, (table, path, until) in looks.items():
                with browsers.fresh_page(browser, **calm) as page:
                    place.sign_in(page)
                    page.wait_for_url(f"{tree.url}/")
                    picture = given.folder / f"{name}.{size}.png"
                    wrong += _taken(page, place.address(table, path), picture, until)
                    browsers.forgive(page)
    return list(looks), wrong


def _name_of(table: str, path: str, until: Callable[[Page], None]) -> str:
    return f"{table}-{path.partition('/')[0] or 'live'}-{until.__name__}"


def _wanted(name: str, given: argparse.Namespace) -> bool:
    return not given.only or name in given.only


def sign_in(page: Page, url: str) -> None:
    page.goto(f"{url}/sign-in/")
    page.locator("[name=username]").fill(ORGANISER[0])
    page.locator("[name=password]").fill(ORGANISER[1])
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{url}/")


def whole_page(page: Page, address: str) -> Response | None:
    """Open it, and wait until it is stable; None for a file, or a part of a page."""
    try:
        answer = page.goto(address)
    except Error as error:  # the response is a download
        if "Download" in str(error) or "ERR_ABORTED" in str(error):
            return None
        raise
    if answer is None or "text/html" not in answer.headers.get("content-type", ""):
        return None
    if answer.status == 405 or page.locator("head > meta[name=viewport]").count() == 0:
        return None
    page.evaluate(SETTLED)
    return answer


def _taken(
    page: Page, address: str, picture: Path, until: Callable[[Page], None] = lambda page: None
) -> list[str]:
    """Return the problems of a page, after taking its picture."""
    try:
        answer = whole_page(page, address)
        if answer is not None:
            expect(page.locator(COMING)).to_have_count(0)
            until(page)
    except (Error, AssertionError) as error:
        return [f"{picture.stem}: {str(error).splitlines()[0]}"]
    if answer is None:
        return []
    page.screenshot(path=picture, full_page=True, animations="disabled")
    wider = page.evaluate(WIDER)
    found = [f"{picture.stem}: {wider} pixels wider than the window"] if wider > 0 else []
    return found + ([f"{picture.stem}: answered {answer.status}"] if answer.status >= 500 else [])


def _index(folder: Path, names: list[str], sizes: list[str]) -> None:
    rows = []
    for name in names:
        found = [size for size in sizes if (folder / f"{name}.{size}.png").exists()]
        shown = (f'<img loading="lazy" src="{name}.{size}.png" alt="{size}" height="480">' for size in found)
        if found:
            rows.append(f"<h2>{html.escape(name)}</h2>{''.join(shown)}")
    page = f"<!doctype html><meta charset=utf-8><title>{BASE_DIR.name}</title>{''.join(rows)}"
    (folder / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
