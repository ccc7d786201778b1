"""Pages load on a slow phone connection without layout shifts, for a director and for an anonymous visitor.

tests/e2e/test_phones.py checks the same for tables, spectators and score sheets on a slow phone.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests import browsers
from tests import live_tree as trees
from tests.e2e import pictures, slow_phone
from tests.e2e.conftest import Place
from tests.e2e.test_phones import MAX_SHIFT

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with trees.running("demo", tmp_path_factory.mktemp("demo"), empty=True) as tree:
        yield Place(tree.url, tree.python("tests.e2e.addresses"))


def shifts(page: Page, place: Place) -> dict[str, float]:
    """Of each page of the evening that is one: how far its parts moved until it was complete."""
    page.add_init_script(slow_phone.WATCH)
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    line.send("Network.emulateNetworkConditions", slow_phone.SLOW_4G)
    found = {}
    for name, path in place.games.items():
        if pictures.whole_page(page, place.url + path) is not None:
            page.evaluate(slow_phone.ANSWERED)
            page.evaluate("() => document.fonts.ready.then(() => undefined)")
            found[name] = slow_phone.moved(page)
        browsers.forgive(page)
    return found


@pytest.mark.parametrize("who", ["the organiser", "a stranger"])
def test_no_page_moves_while_it_comes(demo: Place, browser: Browser, who: str) -> None:
    with browsers.fresh_page(browser, **slow_phone.PHONE) as page:
        if who == "the organiser":
            pictures.sign_in(page, demo.url)
        moved = shifts(page, demo)

    assert {"home", "sign_in", "championship", "table_live", "table_play", "rules"} <= set(moved)
    assert {name: shift for name, shift in moved.items() if shift > MAX_SHIFT} == {}


@pytest.mark.parametrize("language", ["de", "fr", "it", "es", "en"])
def test_the_line_above_all_pages_fits_into_every_window(
    demo: Place, browser: Browser, language: str
) -> None:
    with browsers.fresh_page(browser, locale=language) as page:
        pictures.sign_in(page, demo.url)
        wider = {}
        for width in range(320, 1000, 20):
            page.set_viewport_size({"width": width, "height": 400})
            wider[width] = page.evaluate(pictures.WIDER)

    assert {width: more for width, more in wider.items() if more > 0} == {}
