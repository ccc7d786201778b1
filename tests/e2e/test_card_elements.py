"""Each card is one element from the deal to its play, its heap and the count."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.pressing import ASKED, answer, at

pytestmark = pytest.mark.long

MOVES = 40
MAX_SHIFT = 0.05
PHONE: ViewportSize = {"width": 390, "height": 844}
LYING: ViewportSize = {"width": 844, "height": 390}
WATCH = """
globalThis.flown = 0;
globalThis.shifted = 0;
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes) flown += Number(node.className === "packet");
}).observe(document, { childList: true, subtree: true });
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) shifted += hadRecentInput ? 0 : value;
}).observe({ type: "layout-shift", buffered: true });
globalThis.ended = null;
let strokes = 0;
const look = () => {
  requestAnimationFrame(look);
  const end = document.querySelector(".deal-end:not([hidden])");
  if (end === null || ended !== null) return;
  strokes = Math.max(strokes, end.querySelectorAll(".slate-drawing .new").length);
  const all = (where) => [...document.querySelectorAll(where)];
  const said = (where) => String(all(where).map((one) => parseInt(one.textContent)));
  const points = said(".deal-end-points > b");
  const listed = said("[data-deals] tbody tr:first-child td.num"), chips = said(".rail .score b");
  if (points === "" || listed !== points || chips !== points) return;
  ended = { moves: "moves" in end.dataset, cards: all(".fan .card-face").length, strokes };
};
look();
"""
"""What is over in four seconds is written down by the page: who asks it from outside may be late. `ended`:
once a deal is counted up, and cloth, list of deals and rail say the same.
"""
COUNTED = ".deal-end:not([hidden])"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with trees.running("serve", tmp_path_factory.mktemp("life")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.one_life"))


def play_to_the_end_of_the_deal(page: Page) -> None:
    """By tapping at once; after each trick as many lie in the heaps as the rail has dots."""
    cloth, counted = page.locator("[data-cloth]"), page.locator(COUNTED)
    for _ in range(MOVES):
        page.locator(ASKED).or_(counted).first.wait_for()
        if counted.count():
            page.wait_for_function("() => globalThis.ended !== null")
        if page.evaluate("ended !== null"):
            return
        taken = page.locator(".dot.taken:not(.side-mark)").count()
        if taken and page.locator(".trick-card").count():
            heaps = page.locator(".heap > b")
            expect(heaps.first).to_be_visible()
            lying = page.eval_on_selector_all(
                ".heap[data-holds]", "all => all.map(one => +one.dataset.holds)"
            )
            assert sum(lying) in (taken - 1, taken)
        seq = at(page, "seq")
        answer(page)
        expect(cloth).not_to_have_attribute("data-seq", seq)
    raise AssertionError("the deal does not end")


def test_dealt_from_the_dealer_swept_to_the_takers_heap_and_counted_into_the_chip(
    place: Place, page: Page
) -> None:
    """At the deal's end the heaps turn over, the points count up, the chalk writes its strokes; one can skip
    it, and nothing of it moves the page.
    """
    page.set_viewport_size(PHONE)
    place.sign_in(page)
    page.add_init_script(WATCH)
    page.goto(place.address("moving", "play/"))
    play_to_the_end_of_the_deal(page)

    ended = page.evaluate("ended")
    assert (ended["moves"], ended["cards"], ended["strokes"] > 0) == (True, 36, True)

    page.keyboard.press("Shift")
    expect(page.locator(COUNTED)).to_have_count(0)
    expect(page.locator(".hand-card")).to_have_count(9)
    expect(page.locator(".packet")).to_have_count(0)
    assert page.evaluate("flown") == 12
    assert page.evaluate("shifted") <= MAX_SHIFT


def test_who_wants_less_motion_gets_cuts(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, viewport=LYING, reduced_motion="reduce") as page:
        place.sign_in(page)
        page.add_init_script(WATCH)
        page.goto(place.address("calm", "play/"))
        play_to_the_end_of_the_deal(page)

        ended = page.evaluate("ended")
        assert (ended["moves"], ended["cards"]) == (False, 36)
        page.keyboard.press("Shift")
        expect(page.locator(".hand-card")).to_have_count(9)
        expect(page.locator(".arriving, .swept, .packet")).to_have_count(0)
        assert page.evaluate("flown") == 0
