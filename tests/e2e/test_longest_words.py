"""The longest words, long names, rulings and substitutes on phones of every common width, in each language:
nothing is too wide, cut off or overlapping.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.pictures import sign_in, whole_page

pytestmark = pytest.mark.long
NARROWEST: dict[str, Any] = {"viewport": {"width": 320, "height": 568}, "has_touch": True}
WIDTHS = {320: 568, 344: 720, 360: 740, 375: 667, 390: 844, 412: 892, 430: 932}
LANGUAGES = [code for code, _ in settings.LANGUAGES]
BEYOND = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const ends = moving => moving.effect.getComputedTiming().endTime !== Infinity;
    await Promise.allSettled(document.getAnimations().filter(ends).map(moving => moving.finished));
    const rolls = element => {
        for (let at = element.parentElement; at !== null; at = at.parentElement) {
            const {overflowX, position} = getComputedStyle(at);
            if (overflowX === "auto" || overflowX === "scroll") return true;
            if (position === "fixed") return false;
        }
        return false;
    };
    const readOut = element => {
        for (let at = element; at !== null; at = at.parentElement)
            if (getComputedStyle(at).clipPath === "inset(50%)") return true;
        return false;
    };
    const told = element => `${element.tagName}.${element.className}: ${element.textContent.trim()}`;
    const wrong = [];
    const wider = document.documentElement.scrollWidth - innerWidth;
    if (wider > 0) {
        const all = [...document.querySelectorAll("body *")];
        const seen = all.filter(one => one.checkVisibility() && !rolls(one));
        const right = element => element.getBoundingClientRect().right;
        const [farthest] = seen.sort((one, other) => right(other) - right(one));
        wrong.push(`${wider} pixels wider: ${farthest.tagName}.${farthest.className}`);
    }
    const labels = "button, .button, summary, label, legend, h1, h2, .masthead a, .tabs a, .choice, .tag, th";
    for (const element of document.querySelectorAll(labels)) {
        const box = element.getBoundingClientRect();
        const seen = box.width > 1 && box.height > 1 && element.checkVisibility({visibilityProperty: true});
        if (!seen || readOut(element)) continue;
        const {clientWidth, scrollWidth} = element;
        const out = (box.left < -1 || box.right > innerWidth + 1) && !rolls(element);
        if (clientWidth > 0 && scrollWidth > clientWidth + 1) wrong.push(`cut ${told(element)}`);
        else if (out) wrong.push(`beyond ${told(element)}`);
    }
    for (const asks of document.querySelectorAll(".table-status > .asks")) {
        const line = asks.getBoundingClientRect(), status = asks.parentElement.getBoundingClientRect();
        if (line.top < status.top - 3 || line.bottom > status.bottom + 3) wrong.push(`cut ${told(asks)}`);
    }
    // Figures are read in one line, and not over their neighbour.
    for (const figure of document.querySelectorAll(".timeline-gain, .leads > *")) {
        const {clientWidth, scrollWidth} = figure;
        const cut = figure.getClientRects().length > 0 && scrollWidth > clientWidth + 1;
        if (cut) wrong.push(`cut ${told(figure)}`);
    }
    // Parts of a rail or a tile lie neither over their neighbours nor beyond its frame.
    const clipped = (box, element, frame) => {
        let {left, right, top, bottom} = box;
        for (let at = element; at !== frame; at = at.parentElement) {
            if (getComputedStyle(at).overflow === "visible") continue;
            const by = at.getBoundingClientRect();
            [left, right] = [Math.max(left, by.left), Math.min(right, by.right)];
            [top, bottom] = [Math.max(top, by.top), Math.min(bottom, by.bottom)];
        }
        return {left, right, top, bottom};
    };
    const words = (part, frame) => {
        const found = [], range = document.createRange();
        const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
            if (readOut(text.parentElement)) continue;
            range.selectNodeContents(text);
            found.push(...[...range.getClientRects()].map(box => clipped(box, text.parentElement, frame)));
        }
        return found.filter(box => box.right - box.left > 1 && box.bottom - box.top > 1);
    };
    const over = (one, other) => {
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        return wide > 2 && high > 4;
    };
    for (const frame of document.querySelectorAll(".rail-button, .round-rows > .tile")) {
        const bounds = frame.getBoundingClientRect();
        const hidden = ".visually-hidden, .tile-head";
        const shown = [...frame.children].filter(part => !part.matches(hidden) && !readOut(part));
        const parts = shown.map(part => [part, words(part, frame)]);
        for (const [at, [part, boxes]] of parts.entries()) {
            const out = box => box.top < bounds.top - 2 || box.bottom > bounds.bottom + 2;
            if (frame.matches(".rail-button") && boxes.some(out)) wrong.push(`outside ${told(part)}`);
            for (const [other, others] of parts.slice(at + 1))
                if (boxes.some(one => others.some(two => over(one, two))))
                    wrong.push(`${told(part)} over ${told(other)}`);
        }
    }
    return wrong;
}"""
"""What is cut or lies beyond the window and in nothing that can be scrolled to."""
ARRIVED = """() => {
    const rail = document.querySelector("button[data-rail]");
    return rail === null || rail.querySelector(".score") !== null;
}"""
OPENED = """() => {
    document.querySelectorAll("details:not([open])").forEach(one => { one.open = true; });
    document.querySelector("[data-slate-panel]")?.showModal();
}"""
"""All that is behind something comes before it: menus, help, the slate."""

WRITTEN = {"sheet": ("sheet/", ""), "begun": ("transcribe/",), "written": ("transcribe/", "", "replay/")}
"""Which pages a table has that nobody plays here."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The demo, its people with long names; by the names of the addresses."""
    with trees.running("demo", tmp_path_factory.mktemp("long"), "--speed", "0.2", empty=True) as tree:
        yield Place(tree.url, tree.python("tests.e2e.long_names"))


def wrong_on(page: Page) -> list[str]:
    """As it comes, a table once it is there, at every width; and with everything open."""
    page.wait_for_function(ARRIVED)
    found = at_every_width(page)
    page.evaluate(OPENED)
    return [*found, *(f"open: {one}" for one in at_every_width(page) if one not in found)]


def at_every_width(page: Page) -> list[str]:
    """What is wrong, with the width; back at the narrowest afterwards."""
    found = []
    for width, height in (*WIDTHS.items(), *tuple(WIDTHS.items())[:1]):
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}: {one}" for one in page.evaluate(BEYOND)]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_cut_on_any_phone(hall: Place, browser: Browser, language: str) -> None:
    wrong = {}
    with browsers.fresh_page(browser, locale=language, reduced_motion="reduce", **NARROWEST) as page:
        for name in ("home", "sign_in", "rules", "standings", "table_live"):
            whole_page(page, hall.url + hall.games[name])
            wrong[f"{name} of a visitor"] = wrong_on(page)
        sign_in(page, hall.url)
        for name, path in hall.games.items():
            if whole_page(page, hall.url + path) is not None:
                wrong[name] = wrong_on(page)
        browsers.forgive(page)
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Tables that ask each thing that can be asked."""
    with trees.running("serve", tmp_path_factory.mktemp("asks")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.stage_states"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_that_a_table_asks_or_says_is_cut_on_any_phone(
    states: Place, browser: Browser, language: str
) -> None:
    wrong = {}
    with browsers.fresh_page(browser, locale=language, reduced_motion="reduce", **NARROWEST) as page:
        states.sign_in(page)
        for name in states.games:
            for path in WRITTEN.get(name, ("play/", "")):
                assert whole_page(page, states.address(name, path)) is not None
                wrong[f"{name} {path}"] = wrong_on(page)
    assert {name: found for name, found in wrong.items() if found} == {}


SAID_OF_IT = """() => {
    const status = document.querySelector(".table-status");
    const words = document.createRange();
    words.selectNodeContents(status);
    const low = Math.max(...[...words.getClientRects()].map(line => line.bottom));
    const card = document.querySelector(".hand-card.selected").getBoundingClientRect();
    return {cut: status.scrollHeight > status.clientHeight + 1, covered: low > card.top + 2};
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_a_card_that_is_marked_is_read_whole_and_not_covered_by_it(
    states: Place, browser: Browser, language: str
) -> None:
    wrong = {}
    with browsers.fresh_page(browser, locale=language, reduced_motion="reduce", **NARROWEST) as page:
        states.sign_in(page)
        for width, height in ((320, 568), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            assert whole_page(page, states.address("waits", "play/")) is not None
            page.locator(".hand-card").first.press("Enter")
            expect(page.locator(".hand-card.selected")).to_have_count(1)
            wrong[width] = page.evaluate(SAID_OF_IT)
    read = {"cut": False, "covered": False}
    assert wrong == {320: read, 390: read}
