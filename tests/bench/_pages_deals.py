"""A deal of each game on a phone, from the first page on: taps until it is scored, and seconds."""

import tempfile
import time
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from engine import VARIANTS
from tests import browsers
from tests import live_tree as trees
from tests.bench._load_figures import say
from tests.e2e.pressing import ASKED, Fingers, answer, at
from tests.e2e.slow_phone import PHONE

WATCH = """
let taps = 0;
addEventListener("pointerdown", () => { taps += 1; }, { capture: true });
globalThis.tapped = () => taps;
"""
COUNTED = "[data-deals] tbody tr"
"""The scores of a deal, behind the rail."""


def thumb(wanted: Locator) -> None:
    """Tap a card of a fan, which is visible at its left."""
    wanted.tap(position={"x": 10, "y": 20})


FINGERS = Fingers(press=Locator.tap, take=thumb)


def of_each_game() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="puur-deals-") as folder,
        trees.running("serve", Path(folder), empty=True) as tree,
        browsers.chromium() as browser,
    ):
        for game in VARIANTS:
            with browsers.fresh_page(browser, **PHONE) as page:
                page.add_init_script(WATCH)
                page.goto(tree.url)
                page.locator("select[name=game]").select_option(game)
                page.get_by_role("button", name="Play now").tap()
                taps, seconds = a_deal(page)
                say(f"pages/a deal of {game}, taps", taps, None)
                say(f"pages/a deal of {game}, s", seconds, None)


def a_deal(page: Page) -> tuple[int, float]:
    """A player who takes the first offer at once, among bots at their pace, until the deal is scored."""
    began = time.monotonic()
    counted = page.locator(COUNTED)
    while True:
        page.locator(ASKED).or_(counted).first.wait_for(state="attached")
        if counted.count():
            return page.evaluate("tapped()"), time.monotonic() - began
        seq = at(page, "seq")
        answer(page, FINGERS)
        expect(page.locator("[data-cloth]")).not_to_have_attribute("data-seq", seq)
