"""Spectators in a browser: other tables, following a person; the graph and the scorer's cards on a phone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.pictures import ORGANISER

pytestmark = pytest.mark.long
PHONE: ViewportSize = {"width": 390, "height": 844}
FINGER = 44


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with trees.running("demo", tmp_path_factory.mktemp("demo"), "--speed", "0.5", empty=True) as tree:
        yield Place(tree.url, tree.python("tests.e2e.watched_tables"))


def test_the_other_tables_stand_beside_one_with_their_cards_and_n_leads_on(demo: Place, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(demo.address("dealt"))

    beside = page.locator("[data-beside]")
    expect(beside.locator(".other-table")).to_have_count(3)
    expect(beside.locator("[data-card] .card-face").first).to_be_visible()
    before = page.url
    page.keyboard.press("n")
    page.wait_for_url(lambda url: url != before)
    expect(page.locator("[data-cloth]")).to_be_visible()


def test_a_card_that_falls_at_another_table_comes_by_the_line_of_ones_own(demo: Place, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(demo.address("dealt"))
    expect(page.locator("[data-beside] [data-card] .card-face").first).to_be_visible()
    page.route("**/beside/**", lambda route: route.abort())
    page.evaluate(
        """() => new MutationObserver(() => (document.body.dataset.changed = "")).observe(
            document.querySelector("[data-beside-part]"), { childList: true, subtree: true })"""
    )

    expect(page.locator("body[data-changed]")).to_be_attached(timeout=60_000)
    browsers.forgive(page, "net::ERR_FAILED")  # by the clock it is asked which tables they are


def test_on_a_phone_they_lie_behind_a_button_and_are_asked_for_only_then(demo: Place, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size(PHONE)
    page.goto(demo.address("dealt"))
    expect(page.locator("[data-connection]")).to_have_attribute("data-state", "open")
    assert [url for url in asked if "/beside/" in url] == []

    with page.expect_request("**/beside/**", timeout=2000):  # at once, not with the next round of asking
        page.locator("[data-beside-open]").click()

    expect(page.locator(".other-table")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.locator("[data-beside]")).to_be_hidden()
    expect(page.locator("[data-beside-open]")).to_be_focused()


def test_somebody_is_followed_and_found_again_without_an_account(demo: Place, page: Page) -> None:
    page.goto(f"{demo.url}/c/herbstcup/people/1/")
    page.locator("a[href$='/people/1/follow/']").click()
    page.wait_for_url(re.compile(r"/g/\w+/\?follow=1"))
    page.locator(".stage-menu > summary").click()
    name = page.locator(".menu-panel [data-follow] a")
    expect(name).to_be_visible()
    called = name.text_content() or ""

    page.goto(f"{demo.url}/")

    followed = page.locator("[data-followed]")
    expect(followed).to_contain_text(called)
    followed.locator("[data-unfollow]").click()
    expect(followed).to_be_hidden()
    page.reload()
    expect(page.locator("#now")).to_be_visible()
    expect(followed).to_be_hidden()


def test_who_is_followed_sits_at_the_near_edge(demo: Place, page: Page) -> None:
    page.goto(demo.address("dealt"))
    address = page.locator(".spot[data-at=top] a").get_attribute("href") or ""
    number = address.rstrip("/").rpartition("/")[2]

    page.goto(f"{demo.address('dealt')}?follow={number}")

    expect(page.locator(".spot[data-at=bottom] a")).to_have_attribute("href", address)
    page.locator(".stage-menu > summary").click()
    page.locator("[data-seat-below]").select_option(index=0)
    expect(page.locator(".spot[data-seat='0']")).to_have_attribute("data-at", "bottom")


def test_on_a_phone_the_graph_has_its_names_in_sight_and_a_tap_lights_a_line(demo: Place, page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{demo.url}/c/fruehlingscup/standings/graph/")
    while page.locator("[data-graph]").count() == 0:  # the worker plays that one
        page.wait_for_timeout(500)
        page.reload()
    names = page.locator(".graph-names button")
    box = names.first.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["height"] >= 24

    names.nth(2).click()

    expect(page.locator("g.lit")).to_have_count(1)
    expect(page.locator("[data-graph-said]")).to_contain_text(
        names.nth(2).locator("span").text_content() or "?"
    )
    names.nth(2).click()
    expect(page.locator("g.lit")).to_have_count(0)
    names.nth(3).focus()
    expect(names.nth(3)).to_have_attribute("aria-pressed", "true")
    page.locator("g[data-line='1'] line").first.dispatch_event("click")
    expect(names.first).to_have_attribute("aria-pressed", "true")

    choose = page.locator("[data-graph-choose]")
    tall = choose.bounding_box()
    assert tall is not None
    assert tall["height"] >= 44, "rows are as narrow as the drawing's"
    expect(choose).to_have_value("1")
    choose.select_option("3")
    expect(names.nth(2)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(choose).to_have_value("")


def test_the_graph_fills_its_panel(demo: Place, page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{demo.url}/c/fruehlingscup/standings/graph/")
    while page.locator("[data-graph]").count() == 0:
        page.wait_for_timeout(500)
        page.reload()
    wide = "part => part.getBoundingClientRect().width"
    frame, names = (page.locator(part).evaluate(wide) for part in (".graph-frame", ".graph-names"))
    dots = page.locator("g[data-line='1'] circle").evaluate_all(
        "dots => dots.map(dot => dot.getBoundingClientRect().x)"
    )
    assert dots[-1] - dots[0] > 0.9 * (frame - names) - 60, "beside names and places"
    assert names < 0.45 * frame


def test_a_full_sheet_says_where_those_of_its_table_stand_now(demo: Place, page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto(demo.address("over"))
    places = page.locator("[data-paper-end] .end-places > li")
    expect(places).to_have_count(4)
    names = page.locator(".spot-name").all_inner_texts()
    assert sorted(places.locator("span:not(.num)").all_inner_texts()) == sorted(names)


WRITING: dict[str, ViewportSize] = {
    "390": PHONE,
    "360": {"width": 360, "height": 740},
    "320": {"width": 320, "height": 568},
    "lying": {"width": 844, "height": 390},
    "lying 667": {"width": 667, "height": 375},
    "lying 568": {"width": 568, "height": 320},
    "zoomed": {"width": 640, "height": 400},
    "laptop": {"width": 1440, "height": 900},
}
WRITTEN = """() => {
    const box = name => document.querySelector(name).getBoundingClientRect();
    return ["[data-rail]", ".table-surface", "[data-seats]", "[data-picker]"].map(name => {
        const {x, y, width, height} = box(name);
        return [name, x, y, width, height].map(part => typeof part === "number" ? Math.round(part) : part);
    });
}"""


@pytest.mark.parametrize("size", WRITING.values(), ids=WRITING)
def test_whoever_writes_on_a_phone_has_all_cards_under_his_thumb(
    demo: Place, page: Page, size: ViewportSize
) -> None:
    page.set_viewport_size(size)
    page.goto(f"{demo.url}/sign-in/")
    page.fill("input[name=username]", ORGANISER[0])
    page.fill("input[name=password]", ORGANISER[1])
    page.press("input[name=password]", "Enter")
    page.wait_for_url(f"{demo.url}/")
    page.goto(demo.address("transcribed", "transcribe/"))
    picker = page.locator("[data-picker]")
    expect(picker).to_be_visible()

    boxes = picker.locator("button").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(at => [at.width, at.height, at.bottom])"
    )
    assert len(boxes) == 36
    assert min(box[0] for box in boxes) >= FINGER
    assert min(box[1] for box in boxes) >= FINGER
    assert max(box[2] for box in boxes) <= size["height"]
    seats = page.locator("[data-seats] button").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert min(seats) >= 40
    root = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert root <= [size["width"], size["height"]]

    before = page.evaluate(WRITTEN)
    assert min(box[4] for box in before if box[0] == ".table-surface") >= 48, "nothing is left of the cloth"
    picker.locator("button:enabled").first.click()
    expect(page.locator("[data-pending]")).to_be_in_viewport(ratio=1)
    assert page.evaluate(WRITTEN) == before, "what can be taken back pushes nothing"
    page.get_by_role("button", name="Take back", exact=True).click()
    expect(page.locator("[data-pending]")).to_be_hidden()
    assert page.evaluate(WRITTEN) == before
