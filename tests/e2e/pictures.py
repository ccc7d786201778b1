"""Every page in every size, to look at: `python -m tests.e2e.pictures FOLDER [--language de] [--only NAME]`.

The demo is started on a folder of its own; whoever organises looks at its pages. FOLDER gets one PNG a page
and size, and `index.html`, which shows them side by side. Exit 1: a page could not be opened, or is wider
than its window; those are named.
"""

import argparse
import html
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, Response

from deploy.environment import BASE_DIR
from tests import browsers
from tests import live_tree as trees

SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "wide-dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    "phone-dark": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"},
    "lying": {"viewport": {"width": 844, "height": 390}, "has_touch": True},
    "narrow": {"viewport": {"width": 320, "height": 568}, "has_touch": True},
    "hall": {"viewport": {"width": 1920, "height": 1080}},
}
ORGANISER = ("fredi", "jass-am-abend")
"""Of the demo."""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
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
    with (
        tempfile.TemporaryDirectory() as var,
        trees.running("demo", Path(var), empty=True) as tree,
        browsers.chromium() as browser,
    ):
        pages = tree.python("tests.e2e.addresses")
        if given.only:
            pages = {name: pages[name] for name in given.only}
        wrong = []
        for size in given.sizes:
            with browsers.fresh_page(browser, locale=given.language, **SIZES[size]) as page:
                sign_in(page, tree.url)
                for name, path in pages.items():
                    wrong += _taken(page, tree.url + path, given.folder / f"{name}.{size}.png")
                    browsers.forgive(page)
    _index(given.folder, list(pages), given.sizes)
    print(*wrong, sep="\n", file=sys.stderr)
    return int(bool(wrong))


def sign_in(page: Page, url: str) -> None:
    page.goto(f"{url}/sign-in/")
    page.locator("[name=username]").fill(ORGANISER[0])
    page.locator("[name=password]").fill(ORGANISER[1])
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{url}/")


def whole_page(page: Page, address: str) -> Response | None:
    """Open it, and let it settle; None where there is a file, or a part of a page."""
    try:
        answer = page.goto(address)
    except Error as error:  # it is offered to be kept: a file
        if "Download" in str(error) or "ERR_ABORTED" in str(error):
            return None
        raise
    if answer is None or "text/html" not in answer.headers.get("content-type", ""):
        return None
    if answer.status == 405 or page.locator("head > meta[name=viewport]").count() == 0:
        return None
    page.evaluate(SETTLED)
    return answer


def _taken(page: Page, address: str, picture: Path) -> list[str]:
    """What is wrong with a page; its picture is made."""
    try:
        answer = whole_page(page, address)
    except Error as error:
        return [f"{picture.stem}: {error}"]
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
