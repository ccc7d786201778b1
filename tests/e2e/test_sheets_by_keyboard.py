"""The number of key presses for sheets typed deal by deal at the desk, in a German browser.

The counts do not depend on the machine. Before there were keys, a table of Differenzler took 13 presses and
28 numbers, one of Coiffeur 81 and 20.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests import live_tree as trees
from tests.bench._evening_steps import Organiser

pytestmark = pytest.mark.long

SAID, TOOK = (40, 30, 50, 30), (37, 40, 50)
"""Of four people; what the last one took is known by then."""
SLOTS = 10


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, list[str]]]]:
    with trees.running("serve", tmp_path_factory.mktemp("by-deals")) as tree:
        yield tree.url, tree.python("tests.e2e.by_deals")


@pytest.fixture
def fredi(hall: tuple[str, dict[str, list[str]]], browser: Browser) -> Iterator[Organiser]:
    with browsers.fresh_page(browser, locale="de-CH") as page:
        organiser = Organiser(page, hall[0])
        organiser.sign_in()
        yield organiser


def grid(fredi: Organiser, evening: str) -> None:
    """The desk comes to the grid, and the first sheet that lacks a deal has the focus."""
    fredi.slug = evening
    fredi.goes_to("rounds/1/results/")
    expect(fredi.page.locator("#table-1 a")).to_be_focused()


def number(page: Page, deal: int) -> None:
    expect(page.locator("[data-entry-deal]")).to_have_text(re.compile(rf"^Spiel {deal} von "))


def signed(page: Page, deals: int) -> None:
    """All of them are on the sheet, with both signatures."""
    expect(page.locator("[data-rows] .pill.done")).to_have_count(deals)


def test_a_table_of_differenzler_is_what_was_said_and_taken(fredi: Organiser) -> None:
    page = fredi.page
    grid(fredi, "differenzler")
    with fredi.counted() as cost:
        fredi.key("Enter")
        for deal in range(1, 5):
            number(page, deal)
            for seat in range(4):
                fredi.number(SAID[seat], f"[data-predictions='{seat}']")
                fredi.key("Enter")
                if seat < 3:
                    fredi.number(TOOK[seat], f"[data-points='{seat}']")
                    fredi.key("Enter")
        signed(page, 4)
        onward = page.locator("[data-sheet-done] a").first
        expect(onward).to_have_text("Weiter zu Tisch 2")
        expect(onward).to_be_focused()
        fredi.key("Enter")
        expect(page.locator("h1")).to_have_text("Tisch 2")
        expect(page.locator("[data-predictions='0']")).to_be_focused()
    assert (cost.clicks, cost.numbers, cost.words) == (0, 28, 0)
    fredi.press(page.get_by_role("link", name="Alle Resultate"))
    expect(page.locator("#table-1")).to_contain_text("Spiele 4 von 4")
    expect(page.locator("#table-2")).to_contain_text("Spiele 0 von 4")


def test_a_table_of_coiffeur_is_a_number_and_enter_a_slot(
    fredi: Organiser, hall: tuple[str, dict[str, list[str]]]
) -> None:
    page = fredi.page
    grid(fredi, "coiffeur")
    with fredi.counted() as cost:
        fredi.key("Enter")
        for deal in range(1, 2 * SLOTS + 1):
            number(page, deal)
            fredi.number(60 + deal, f"[data-points='{(deal - 1) % 2}']")
            fredi.key("Enter")
        signed(page, 2 * SLOTS)
        onward = page.locator("[data-sheet-done] a").first
        expect(onward).to_be_focused()
        fredi.key("Enter")
    assert (cost.clicks, cost.numbers, cost.words) == (0, 2 * SLOTS, 0)
    assert cost.keys <= 2 * SLOTS + 2
    expect(page).to_have_url(re.compile(hall[1]["coiffeur"][1]))


def test_a_slot_and_a_side_are_chosen_by_keyboard(
    fredi: Organiser, hall: tuple[str, dict[str, list[str]]]
) -> None:
    page = fredi.page
    page.goto(f"{fredi.url}/g/{hall[1]['coiffeur'][1]}/sheet/")
    pressed = page.locator("[data-slot][aria-pressed=true]")
    first, second = page.locator("[data-points='0']"), page.locator("[data-points='1']")
    expect(first).to_be_focused()
    expect(pressed).to_contain_text("Schellen")
    for letter in "gu":
        fredi.key(letter)
    expect(pressed).to_contain_text("Guschti")
    fredi.key("ArrowDown")
    expect(pressed).to_contain_text("Schellen")
    fredi.key("ArrowDown")
    expect(pressed).to_contain_text("Rosen")
    fredi.key("ArrowRight")
    expect(second).to_be_focused()
    fredi.number(100, second)
    fredi.key("Enter")
    expect(page.locator("[data-rows] tr").first).to_contain_text("Rosen")
    expect(page.locator("[data-rows] tr").first).to_contain_text("200")

    expect(first).to_be_focused()
    fredi.key("Shift+Tab")
    expect(page.locator("[data-slot]:focus")).to_have_count(1)
    fredi.key("7")
    expect(pressed).to_contain_text("×7")
    fredi.key("Enter")
    fredi.number(400, first)
    fredi.key("Enter")
    expect(first).to_be_focused()
    fredi.number(57, first)
    fredi.key("Enter")
    signed(page, 2)


def test_a_match_of_fewer_cards_and_who_was_first_are_asked_where_they_can_be_answered(
    hall: tuple[str, dict[str, list[str]]], fredi: Organiser
) -> None:
    page = fredi.page
    page.goto(f"{hall[0]}/g/{hall[1]['bieter'][0]}/sheet/")
    page.locator("#chooser-0").click()
    page.locator("#bid").fill("60")
    page.locator("#points-0").fill("150")
    page.locator("#points-1").fill("0")
    expect(page.locator("#took_trick-1")).to_be_visible()
    expect(page.locator("#took_trick-0")).to_be_hidden()
    page.locator("#sweep-0").click()
    expect(page.locator("#points-0")).to_have_value("150")
    expect(page.locator("[data-preview]")).to_contain_text("Anna Ammann 250")

    page.locator("#points-0").fill("60")
    page.locator("#points-1").fill("97")
    expect(page.locator("#first-0")).to_be_hidden()
    page.locator("#stoeck-1").click()
    page.locator("#first-1").click()
    expect(page.locator("[data-preview]")).to_contain_text("Anna Ammann 60")
    page.locator("[data-save]").click()
    others = "Beat Bühler & Chiara Caduff"
    said = page.locator("[data-rows] tr", has_text="60").locator("small").first
    expect(said).to_have_text(re.compile(rf"Stöck von {others}, .*{others}"))
    expect(page.locator("[data-slate]")).to_contain_text(f"{others}haben gewonnen")
    browsers.forgive(page)  # what cannot be entered yet is refused while it is typed


def test_figures_of_the_second_desk_stay_beside_those_that_the_first_has_stored(
    fredi: Organiser, hall: tuple[str, dict[str, list[str]]], browser: Browser
) -> None:
    page = fredi.page
    fredi.slug = list(hall[1])[-1]
    fredi.goes_to("rounds/1/results/")
    page.locator("#table-1 [data-points]").first.fill("712")
    page.locator("#table-1 [data-points]").last.fill("544")
    with browsers.fresh_page(browser, locale="de-CH") as other:
        first = Organiser(other, hall[0])
        first.sign_in()
        first.slug = fredi.slug
        first.goes_to("rounds/1/results/")
        other.locator("#table-1 [data-points]").first.fill("700")
        other.locator("#table-1 [data-points]").last.fill("556")
        expect(other.locator("#table-1 [data-correct]")).to_be_hidden()
        other.keyboard.press("Enter")
        expect(other.locator("#table-1")).to_have_attribute("data-done", "")
        expect(other.locator("#table-1 [data-correct]")).to_be_visible()
    page.locator("#table-1 [data-points]").last.press("Enter")
    said = page.locator("#table-1 [data-state]")
    expect(said).to_contain_text("700 : 556")
    expect(said).to_contain_text("712 : 544")
    assert [one.input_value() for one in page.locator("#table-1 [data-points]").all()] == ["712", "544"]
    page.locator("#table-1 [data-points]").last.press("Enter")
    correct = page.locator("#table-1 [data-correct]")
    expect(correct).to_be_focused()
    fredi.press(correct)
    expect(page.locator("#correction-form")).to_contain_text("700")
    browsers.forgive(page)  # the refusal of the second line
