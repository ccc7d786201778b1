"""The stage in each of its states passes axe."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.axe import findings
from tests.e2e.conftest import Place
from tests.e2e.pressing import ASKED

pytestmark = pytest.mark.long

SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    "lying": {"viewport": {"width": 844, "height": 390}, "has_touch": True},
    "laptop": {"viewport": {"width": 1280, "height": 720}},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with the tables of `tests.e2e.stage_states`."""
    with trees.running("serve", tmp_path_factory.mktemp("states")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.stage_states"))


def asked(page: Page) -> None:
    expect(page.locator(ASKED).first).to_be_visible()


def declares(page: Page) -> None:
    expect(page.locator(".declaration").first).to_be_visible()


def melds_shown(page: Page) -> None:
    expect(page.locator("[data-shown]")).to_be_visible()


def shown(page: Page) -> None:
    expect(page.locator(".spot").first).to_be_visible()


def ended(page: Page) -> None:
    expect(page.locator("[data-game-end]")).to_be_visible()


def with_slate(page: Page) -> None:
    shown(page)
    page.locator("[data-rail]").click()
    expect(page.locator("[data-slate-panel]")).to_be_visible()


def with_menu(page: Page) -> None:
    shown(page)
    page.locator(".stage-menu > summary").click()
    expect(page.locator(".menu-panel").first).to_be_visible()


def looking_back(page: Page) -> None:
    shown(page)
    page.locator("[data-first-trick]").click()
    expect(page.locator("[data-look-back]")).to_be_visible()
    expect(page.locator("#look-back-head")).not_to_be_empty()


def by_words(page: Page) -> None:
    shown(page)
    page.keyboard.press("t")
    page.keyboard.type("hand\n")
    expect(page.locator("[data-answer]")).not_to_be_empty()


def back(page: Page) -> None:
    shown(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-live]")).to_be_visible()


def ahead(page: Page) -> None:
    shown(page)
    page.locator(".hand-card").first.press("Enter")
    expect(page.locator(".hand-card.selected")).to_have_count(1)


def without_a_network(page: Page) -> None:
    asked(page)
    page.context.set_offline(True)
    page.locator(".hand-card.legal").last.press("Enter")
    expect(page.locator(".trick-card.sent")).to_have_count(1)


def picker(page: Page) -> None:
    expect(page.locator("[data-picker] button").first).to_be_visible()


def typed(page: Page) -> None:
    page.locator("[data-points='0']").fill("87")
    expect(page.locator("[data-points='1']")).to_have_value("70")


STATES: list[tuple[str, str, Callable[[Page], None]]] = [
    ("bids", "play/", asked),
    ("discards", "play/", asked),
    ("trumps", "play/", asked),
    ("melds", "play/", declares),
    ("predicts", "play/", asked),
    ("slots", "play/", asked),
    ("exchanges", "play/", asked),
    ("piles", "play/", asked),
    ("follows", "play/", asked),
    ("follows", "play/", by_words),
    ("shown", "play/", melds_shown),
    ("waits", "play/", ahead),
    ("waits", "play/", with_slate),
    ("waits", "play/", with_menu),
    ("waits", "play/", looking_back),
    ("over", "play/", ended),
    ("waits", "", shown),
    ("waits", "", back),
    ("waits", "", with_slate),
    ("waits", "", with_menu),
    ("bids", "", shown),
    ("over", "", ended),
    ("over", "replay/#seq=40", shown),
    ("over", "replay/", with_menu),
    ("over", "what-if/?at=40", shown),
    ("over", "what-if/?at=40&compare=1", shown),
    ("begun", "transcribe/", shown),
    ("written", "transcribe/", picker),
    ("written", "", shown),
    ("sheet", "sheet/", typed),
    ("sheet", "", shown),
    ("piles", "play/", without_a_network),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_on_the_stage_in_any_of_its_states(
    place: Place, browser: Browser, size: str, theme: str
) -> None:
    found = []
    with browsers.fresh_page(browser, color_scheme=theme, reduced_motion="reduce", **SIZES[size]) as page:
        place.sign_in(page)
        for table, path, until in STATES:
            page.goto(place.address(table, path))
            until(page)
            found += [
                (table, path, until.__name__, *finding)
                for finding in findings(page, "wcag22aa", "best-practice")
            ]
        page.goto("about:blank")  # before what was kept is sent
        page.context.set_offline(False)
        browsers.forgive(page, "net::ERR_INTERNET_DISCONNECTED")
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_at_a_strangers_table_that_gives_a_tip(
    place: Place, browser: Browser, theme: str
) -> None:
    with browsers.fresh_page(browser, color_scheme=theme, reduced_motion="reduce", **SIZES["phone"]) as page:
        page.goto(place.url)
        page.get_by_role("button", name="Play now").click()
        asked(page)
        page.get_by_role("button", name="Tip").click()
        expect(page.locator(".table-surface [role=status]").first).to_contain_text(re.compile(r"^Tip: "))
        assert findings(page, "wcag22aa", "best-practice") == []


@pytest.mark.parametrize("size", [(320, 568), (640, 400), (844, 390)])
def test_what_one_can_do_after_the_end_is_in_sight(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    with browsers.fresh_page(browser, viewport={"width": size[0], "height": size[1]}) as page:
        page.goto(place.address("over"))
        expect(page.locator("[data-game-end]").get_by_role("link", name="Replay")).to_be_in_viewport(ratio=1)


UNDER_WHAT_IS_ASKED = """words =>
    words.getBoundingClientRect().top - document.querySelector(".asking").getBoundingClientRect().bottom"""


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390), (667, 375)])
def test_what_is_asked_lies_over_no_word_of_who_is_asked(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, locale="de", reduced_motion="reduce", viewport=window) as page:
        place.sign_in(page)
        for table in ("bids", "discards", "trumps", "predicts", "slots", "exchanges"):
            page.goto(place.address(table, "play/"))
            asked(page)
            words = page.locator(".table-status > .asks")
            expect(words).to_be_visible()
            assert words.evaluate(UNDER_WHAT_IS_ASKED) >= -4, table  # pixels above the letters of a line


ON_THE_RAIL = """rail => [...rail.querySelectorAll(".contract, .deal-counter, .dots, .score")].map(part => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [part.className, x, y, width, height];
})"""
CUT = """words => words.scrollWidth > words.clientWidth
    || words.scrollHeight > words.clientHeight + 8"""  # half a line: letters reach below theirs


SHOWN = "watching => { watching.hidden = false; return getComputedStyle(watching).display; }"


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
def test_an_upright_rail_names_the_contract_whole_and_a_lost_connection_moves_nothing_on_it(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, locale="de", reduced_motion="reduce", viewport=window) as page:
        place.sign_in(page)
        for table, look in (("bids", "play/"), ("over", ""), ("waits", "play/")):
            page.goto(place.address(table, look))
            shown(page)
            assert not page.locator(".contract-words > span").evaluate(CUT), table
            assert page.locator(".rail > .watching").evaluate(SHOWN) == "none", table
        expect(page.locator("[data-connection]")).to_have_attribute("data-state", "open")
        rail = page.locator("header.rail")
        before = rail.evaluate(ON_THE_RAIL)
        page.context.set_offline(True)
        expect(page.locator("[data-connection]")).to_have_text("Verbindung verloren, neuer Versuch läuft")
        assert rail.evaluate(ON_THE_RAIL) == before
        page.goto("about:blank")
        page.context.set_offline(False)
        browsers.forgive(page, "net::ERR_INTERNET_DISCONNECTED")


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_a_phone_that_lies_shows_all_deals_of_an_end_and_both_halves_of_a_slate(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    with browsers.fresh_page(browser, viewport={"width": size[0], "height": size[1]}) as page:
        page.goto(place.address("over"))
        expect(page.locator("[data-end-deals]")).to_be_in_viewport(ratio=1)
        page.goto(place.address("sheet"))
        for part in (".slate-side-head", ".slate-drawing"):
            expect(page.locator(part)).to_have_count(2)
            for half in page.locator(part).all():
                expect(half).to_be_in_viewport(ratio=1)


def test_a_small_phone_shows_what_each_deal_counted_for_both_sides(place: Place, browser: Browser) -> None:
    window: ViewportSize = {"width": 360, "height": 640}
    with browsers.fresh_page(browser, reduced_motion="reduce", viewport=window) as page:
        page.goto(place.address("over"))
        expect(page.locator("[data-end-deals]")).to_be_in_viewport(ratio=1)
        deals, buttons = (
            page.locator(f".game-end > {part}").bounding_box() for part in (".end-deals", ".row")
        )
        assert deals is not None
        assert buttons is not None
        assert deals["y"] + deals["height"] <= buttons["y"]


@pytest.mark.parametrize(("said", "room"), [("\n", False), ("<p>Table 3</p>", True)])
def test_news_over_the_lower_edge_take_room_only_where_there_are_some(
    place: Place, browser: Browser, said: str, room: bool
) -> None:
    with browsers.fresh_page(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(place.url)
        page.evaluate(
            "said => document.body.insertAdjacentHTML('beforeend', `<div class='late-news'>${said}</div>`)",
            said,
        )
        assert (page.evaluate("getComputedStyle(document.body).paddingBottom") != "0px") == room


LONG_NAMES = (
    *("Maria Magdalena Tschümperlin", "Hans-Rudolf Rüegsegger-Aebischer"),
    *("Annemarie Wüthrich-Brönnimann", "Jean-Christophe de Montmollin-Jeanneret"),
)
CLOSING = """end => {
    const size = (element) => parseFloat(getComputedStyle(element).fontSize);
    const line = (element) => element.getBoundingClientRect().height < 2 * size(element);
    const [names, total] = [end.querySelector(".winner > .end-names"), end.querySelector(".winner > b")];
    const last = names.querySelector("small");
    return {
        wider: end.scrollWidth > end.clientWidth,
        said: line(last),
        total: line(total),
        apart: names.getBoundingClientRect().right <= total.getBoundingClientRect().left,
        parts: names.querySelectorAll("span").length,
    };
}"""


def called_otherwise(route: Route) -> None:
    """The page as it comes, its players with long names."""
    answer = route.fetch()
    text = answer.text()
    for letter, name in zip("ABCD", LONG_NAMES, strict=True):
        text = text.replace(f'"Platz {letter}"', json.dumps(name))
    route.fulfill(response=answer, body=text)


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (667, 375)])
def test_the_closing_sentence_breaks_between_long_names(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, viewport=viewport, locale="de") as page:
        page.route(place.address("over", "replay/"), called_otherwise)
        page.goto(place.address("over", "replay/"))
        expect(page.locator(".timeline-deal").first).to_be_visible()
        page.keyboard.press("End")
        end = page.locator("[data-game-end]")
        expect(end.locator(".winner")).to_contain_text("haben gewonnen")
        expect(end.locator(".winner")).to_contain_text("-")  # of a long name
        found = end.evaluate(CLOSING)
        assert found == {"wider": False, "said": True, "total": True, "apart": True, "parts": 2}


def test_of_two_who_won_together_it_is_said_in_the_plural(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, locale="de", **SIZES["laptop"]) as page:
        page.goto(place.address("over"))
        expect(page.locator("[data-game-end] .winner")).to_contain_text("haben gewonnen")


BESIDE_ITS_MARK = """choices => choices.map(choice => {
    const boxes = node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()];
    };
    const arrow = choice.querySelector(".arrow");
    const mark = choice.querySelector("svg, .arrow").getBoundingClientRect();
    const whole = arrow === null || boxes(arrow).length === 1;
    const above = mark.bottom <= boxes(choice.lastChild)[0].top + 1;
    return whole && above && choice.scrollWidth <= choice.clientWidth;
})"""


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (390, 844)])
def test_every_contract_has_its_mark_above_its_words(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, viewport=window, locale="de", reduced_motion="reduce") as page:
        place.sign_in(page)
        page.goto(place.address("contracts", "play/"))
        choices = page.locator(".choices > .choice:not(.push)")
        expect(choices).to_have_count(10)
        assert choices.evaluate_all(BESIDE_ITS_MARK) == [True] * 10


def test_a_card_pressed_while_trumps_are_asked_for_does_not_say_that_it_is_not_ones_turn(
    place: Place, browser: Browser
) -> None:
    with browsers.fresh_page(browser, **SIZES["laptop"]) as page:
        place.sign_in(page)
        page.goto(place.address("trumps", "play/"))
        asked(page)
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        expect(page.locator(".hand-card.shake")).to_have_count(1)
        status = page.locator(".table-surface [role=status]").first
        expect(status).to_contain_text("It is your turn: name trumps")
        expect(status).not_to_contain_text("not your turn")
        expect(status).not_to_have_class("reason")


def test_escape_puts_the_line_for_words_away(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["laptop"]) as page:
        place.sign_in(page)
        page.goto(place.address("follows", "play/"))
        by_words(page)
        page.keyboard.press("Escape")
        expect(page.locator("#by-words")).not_to_be_focused()
        expect(page.locator("[data-by-words]")).not_to_be_in_viewport()


@pytest.mark.parametrize("path", ["play/", "", "replay/"])
def test_the_question_mark_shows_the_help_in_the_menu(place: Place, browser: Browser, path: str) -> None:
    with browsers.fresh_page(browser, **SIZES["laptop"]) as page:
        place.sign_in(page)
        page.goto(place.address("waits", path))
        shown(page)
        page.keyboard.press("?")
        expect(page.locator("#help .menu-panel")).to_be_visible()
        page.keyboard.press("?")
        expect(page.locator(".stage-menu .menu-panel").first).to_be_hidden()
        page.keyboard.press("?")
        expect(page.locator("#help .menu-panel")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".stage-menu > summary")).to_be_focused()


def test_of_two_taps_that_play_a_card_the_first_says_so(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["laptop"]) as page:
        place.sign_in(page)
        page.add_init_script("localStorage.setItem('puur_twice', '1')")
        page.goto(place.address("follows", "play/"))
        asked(page)
        page.locator("[data-hand]:not([data-settling]) .hand-card.legal").first.click()
        expect(page.locator(".table-surface [role=status]").first).to_contain_text("tap again to play it")
        armed, other = page.locator(".hand-card.selected"), page.locator(".hand-card:not(.selected)").first
        expect(armed).to_have_count(1)
        page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
        tops = [card.evaluate("card => card.getBoundingClientRect().top") for card in (armed, other)]
        assert tops[0] < tops[1] - 5


def test_who_goes_step_by_step_finds_a_trick_where_it_was_taken(place: Place, browser: Browser) -> None:
    """Also where what may be played then is not known, which draws the table again."""
    with browsers.fresh_page(browser, reduced_motion="reduce", **SIZES["laptop"]) as page:
        page.route("**/replay/?at=*", lambda route: route.fulfill(status=204))
        page.goto(place.address("over", "replay/"))
        shown(page)
        status = page.locator(".table-surface [role=status]").first
        for _ in range(20):
            page.keyboard.press("ArrowRight")
            if "takes the trick" in status.inner_text():
                break
        expect(page.locator(".trick-card")).to_have_count(4)
        page.wait_for_timeout(2_000)  # longer than a trick lies where nobody stops
        expect(page.locator(".trick-card")).to_have_count(4)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".trick-card")).to_have_count(1)
        tries = page.locator("[data-at-moment=at]")
        expect(tries).not_to_have_attribute("hidden", "")
        page.keyboard.press("End")
        expect(tries).to_have_attribute("hidden", "")


LAPTOPS = [(1366, 768), (1440, 900)]
WIDTHS = "cards => cards.map(card => card.getBoundingClientRect().width)"


@pytest.mark.parametrize("size", LAPTOPS)
def test_ones_own_cards_on_the_table_are_as_large_as_the_hand_and_before_one(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, reduced_motion="reduce", viewport=window) as page:
        place.sign_in(page)
        page.goto(place.address("piles", "play/"))
        asked(page)
        lying = page.locator(".own-cards .pile")
        expect(lying).to_have_count(6)
        held = min(page.locator("[data-hand] .hand-card").evaluate_all(WIDTHS))
        assert min(lying.evaluate_all(WIDTHS)) >= 0.95 * held
        for card in lying.all():
            expect(card).to_be_in_viewport(ratio=1)
        assert held >= size[0] / 14, "twelve side by side fill the width"

        page.goto(place.address("exchanges", "play/"))
        asked(page)
        expect(lying).to_have_count(3)
        for card in lying.all():
            expect(card).to_be_in_viewport(ratio=1)


def test_what_was_taken_from_the_talon_is_marked_and_said(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["laptop"]) as page:
        place.sign_in(page)
        page.goto(place.address("discards", "play/"))
        asked(page)
        taken = page.locator(".hand-card.taken-up")
        expect(taken).to_have_count(6)
        expect(page.get_by_role("button", name=re.compile(", from the talon$"))).to_have_count(6)
        outlines = "cards => cards.map(card => getComputedStyle(card.firstElementChild).outlineStyle)"
        assert set(taken.evaluate_all(outlines)) == {"dashed"}


OVER_OTHERS = """felt => {
    const lies = [...table-board.querySelectorAll(".spot-plate, .spot-cards, .pile, .table-status > *")]
        .map(part => [part.className || part.textContent, part.getBoundingClientRect()])
        .filter(([, box]) => box.width > 1);
    const frame = felt.getBoundingClientRect();
    const out = lies.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1
        || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
    const over = lies.flatMap(([name, a], at) => lies.slice(at + 1)
        .filter(([, b]) => a.left < b.right - 2 && b.left < a.right - 2
            && a.top < b.bottom - 5 && b.top < a.bottom - 5)
        .map(([other]) => `${name} / ${other}`));
    return [...out.map(([name]) => name), ...over];
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1366, 768), (1920, 1080)])
def test_hands_and_cards_on_the_table_lie_beside_each_other_where_one_watches(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, locale="de", reduced_motion="reduce", viewport=window) as page:
        for table, look in (("piles", ""), ("lain", "replay/#seq=14"), ("lain", "replay/#seq=44")):
            page.goto(place.address(table, look))
            shown(page)
            piles = page.locator(".pile")
            expect(piles).to_have_count(12)
            for pile in piles.all():  # the first frame is drawn before the cards have their size
                expect(pile).to_be_in_viewport(ratio=1)
            assert page.locator("[data-cloth]").evaluate(OVER_OTHERS) == [], look


SIGNS = """spots => spots.map(spot => {
    const { borderRadius, width } = getComputedStyle(spot.querySelector(".side-mark"));
    return [borderRadius, parseFloat(width) > 5];
})"""
LARGE = {(1366, 768): (16, 24), (1920, 1080): (22, 34), (3840, 2160): (44, 68)}
"""Pixels of a name, and of a card's back, at least."""


def test_names_and_backs_grow_with_the_cloth(place: Place, browser: Browser) -> None:
    for (width, height), (name, back) in LARGE.items():
        window: ViewportSize = {"width": width, "height": height}
        with browsers.fresh_page(browser, viewport=window) as page:
            page.goto(place.address("waits"))
            shown(page)
            size = "plates => plates.map(plate => parseFloat(getComputedStyle(plate).fontSize))"
            assert min(page.locator(".spot-plate").evaluate_all(size)) >= name
            tall = "backs => backs.map(back => back.getBoundingClientRect().height)"
            assert min(page.locator(".spot-backs svg").evaluate_all(tall)) >= back


def test_partners_have_one_sign_and_opponents_another(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["phone"]) as page:
        place.sign_in(page)
        page.goto(place.address("waits", "play/"))
        shown(page)
        mine, next_one, partner, last = page.locator(".spot").evaluate_all(SIGNS)
        assert mine == partner != next_one == last
        assert mine[1]
        assert page.locator(".score").evaluate_all(SIGNS) == [mine, next_one]
        expect(page.locator(".spot[data-seat='2'] .spot-plate")).to_contain_text("partner")
        expect(page.locator(".spot[data-seat='1'] .spot-plate")).to_contain_text("opponent")


def test_each_figure_of_a_comparison_has_the_sign_of_its_side(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["phone"]) as page:
        page.goto(place.address("over", "what-if/?at=40&compare=1"))
        shown(page)
        one, other = page.locator(".score").evaluate_all(SIGNS)
        figures = page.locator(".leads").first.locator("[data-side][title]")
        assert one != other
        assert figures.evaluate_all(SIGNS) == [one, other]
        for side in range(2):
            expect(figures.nth(side)).to_contain_text(page.locator(".score-name").nth(side).inner_text())


CUT_OFF = """said => said.clientWidth > 1
    && (said.scrollHeight > said.clientHeight + 1 || said.scrollWidth > said.clientWidth + 1)"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (667, 375), (844, 390), (1366, 768)])
def test_what_the_timeline_says_is_read_whole_with_long_names(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, viewport=window, locale="de", reduced_motion="reduce") as page:
        page.route(place.address("over", "replay/"), called_otherwise)
        page.goto(place.address("over", "replay/"))
        shown(page)
        said = page.locator(".timeline-place, .timeline-said").filter(visible=True)
        seen = set()
        for _trick in range(20):
            page.keyboard.press("ArrowDown")
            for words in said.all():
                assert not words.evaluate(CUT_OFF), words.inner_text()
                seen.add(words.inner_text())
        assert len(seen) > 5


OPAQUE = """panel => {
    const { backgroundColor, opacity } = getComputedStyle(panel);
    return !backgroundColor.startsWith("rgba") && !backgroundColor.includes("/") && opacity === "1";
}"""
PANELS: list[tuple[str, str, Callable[[Page], None], str]] = [
    ("bids", "play/", asked, ".asking"),
    ("melds", "play/", declares, ".asking"),
    ("waits", "play/", with_slate, "[data-slate-panel]"),
    ("waits", "play/", with_menu, ".stage-menu > .menu-panel"),
    ("waits", "play/", looking_back, "[data-look-back]"),
    ("follows", "play/", by_words, ".by-words"),
    ("over", "", ended, "[data-game-end]"),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_text_shines_through_a_panel(place: Place, browser: Browser, theme: str) -> None:
    with browsers.fresh_page(browser, color_scheme=theme, reduced_motion="reduce", **SIZES["phone"]) as page:
        place.sign_in(page)
        for table, path, until, panel in PANELS:
            page.goto(place.address(table, path))
            until(page)
            assert page.locator(panel).evaluate(OPAQUE), panel


RINGS = "choices => choices.map(choice => getComputedStyle(choice).outlineStyle)"


def test_the_first_choice_has_a_ring_only_for_who_goes_by_key(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["laptop"]) as page:
        place.sign_in(page)
        page.goto(place.address("trumps", "play/"))
        asked(page)
        choices = page.locator("[data-choices] .choice")
        assert set(choices.evaluate_all(RINGS)) == {"none"}
        page.keyboard.press("Tab")
        choices.first.focus()
        assert choices.evaluate_all(RINGS)[0] == "dashed"


ON_NAMES = """part => {
    const box = part.getBoundingClientRect();
    return [...document.querySelectorAll(".spot-plate")].filter(plate => {
        const { left, right, top, bottom } = plate.getBoundingClientRect();
        return box.left < right && left < box.right && box.top < bottom && top < box.bottom;
    }).map(plate => plate.innerText);
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390), (1366, 768)])
def test_a_lost_connection_and_a_line_for_words_cover_no_name_across(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window: ViewportSize = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, locale="de", reduced_motion="reduce", viewport=window) as page:
        place.sign_in(page)
        page.goto(place.address("follows", "play/"))
        shown(page)
        page.keyboard.press("t")
        expect(page.locator("#by-words")).to_be_focused()
        near = page.locator(".spot[data-at=bottom] .spot-plate").inner_text()
        assert set(page.locator(".by-words").evaluate(ON_NAMES)) <= {near}
        page.keyboard.press("Escape")
        expect(page.locator("[data-connection]")).to_have_attribute("data-state", "open")
        page.context.set_offline(True)
        lost = page.locator("[data-connection][data-state=lost]")
        expect(lost).to_be_visible()
        assert lost.evaluate(ON_NAMES) == []
        page.goto("about:blank")
        page.context.set_offline(False)
        browsers.forgive(page, "net::ERR_INTERNET_DISCONNECTED")


def test_the_end_of_a_game_stays_says_why_and_leads_to_its_best_deal(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, reduced_motion="reduce", **SIZES["laptop"]) as page:
        place.sign_in(page)
        page.goto(place.address("enough", "play/"))
        ended(page)
        end = page.locator("[data-game-end]")
        expect(end.locator(".end-why")).to_contain_text("enough")
        said = page.locator(".table-status")
        expect(said).to_contain_text("over")
        words = said.inner_text()
        page.locator(".hand-card").first.press("Enter")
        expect(said).to_have_text(words)
        expect(page.locator(".hand-card.selected")).to_have_count(0)
        expect(end.get_by_role("link", name="Tonight")).to_be_visible()
        best = end.get_by_role("link", name=re.compile(r"^Deal \d+ had the most points: "))
        deal = re.findall(r"\d+", best.inner_text())[0]
        best.click()
        expect(page.locator(".timeline-deal[aria-current=true]")).to_have_text(deal)


def test_a_card_that_may_not_be_played_says_what_may(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["phone"]) as page:
        place.sign_in(page)
        page.goto(place.address("refused", "play/"))
        asked(page)
        page.locator(".hand-card.dim").first.press("Enter")
        reason = page.locator(".table-status.reason")
        expect(reason).to_contain_text("Allowed: ")
        for card in page.locator(".hand-card.legal").all():
            name = (card.get_attribute("aria-label") or "").removesuffix(", may be played")
            _rank, suit = name.rsplit(" of ", 1)
            expect(reason).to_contain_text(re.compile(f"{name}|{suit}", re.IGNORECASE))


def test_a_prediction_that_is_too_high_says_so(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, **SIZES["phone"]) as page:
        place.sign_in(page)
        page.goto(place.address("predicts", "play/"))
        asked(page)
        for figure in "200":
            page.locator(".pad").get_by_role("button", name=figure, exact=True).click()
        said = page.locator(".predicting > .choice.strong")
        expect(said).to_be_disabled()
        expect(said).to_have_text("200 is too high: 157 at most")
