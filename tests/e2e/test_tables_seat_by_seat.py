"""Several people at one table, each in a separate browser: announcements out of turn, and ends of games."""

import contextlib
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.pressing import answer, next_asked, play_on

pytestmark = pytest.mark.long

CAST = ("anna", "beat", "chiara")
Seats = Callable[[str, int], list[Page]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with the tables of `tests.e2e.seats`."""
    with trees.running("serve", tmp_path_factory.mktemp("seats")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.seats"))


@pytest.fixture
def seated(place: Place, browser: Browser) -> Iterator[Seats]:
    """Opens a page for each seat of a table, each in a browser of its own as far as it can tell."""
    with contextlib.ExitStack() as pages:

        def at(table: str, seats: int) -> list[Page]:
            opened = [pages.enter_context(browsers.fresh_page(browser)) for _ in range(seats)]
            for name, page in zip(CAST, opened, strict=False):
                place.sign_in(page, name)
                page.goto(place.address(table, "play/"))
            return opened

        yield at


def test_who_is_certain_to_win_stops_the_deal_outside_his_turn(seated: Seats) -> None:
    anna, beat = pages = seated("stopped", 2)
    for step in ("+50", "+25", "+5", "+5", "+5", "+5"):
        anna.get_by_role("button", name=step, exact=True).click()
    anna.get_by_role("button", name="Bid 155").click()
    beat.get_by_role("button", name="Pass").click()
    anna.locator(".choice").first.click()
    stop = beat.locator("[data-beside] button")
    for _ in range(36):
        asked = next_asked(pages)
        if stop.count():
            break
        assert asked is not None
        play_on(pages, answer, moves=1)

    expect(stop).to_have_text("Enough: stop the deal")
    stop.click()
    beat.get_by_role("button", name="Yes, Enough: stop the deal").click()
    for page in pages:
        expect(page.locator("[data-log]")).to_contain_text("is certain to win the deal and stops it")
        expect(page.locator("[data-log]")).to_contain_text("Deal 1: 0–1.")


def test_the_turned_card_is_taken_while_the_other_one_thinks(seated: Seats) -> None:
    anna, beat = seated("taken", 2)
    expect(beat.get_by_role("button", name="Keep the hand")).to_be_visible()
    expect(beat.locator("[data-beside] button")).to_have_count(0)

    anna.locator("[data-beside] button", has_text="Take ").click()

    expect(beat.locator("[data-log]")).to_contain_text(re.compile(r"takes .* for .*(6|six)"))
    expect(anna.locator("[data-beside] button")).to_have_count(0)
    expect(beat.get_by_role("button", name="Keep the hand")).to_be_visible()


def test_a_wrong_claim_is_asked_twice_and_loses_the_game(seated: Seats) -> None:
    anna, beat = seated("claimed", 2)
    claim = beat.locator("[data-beside] button")
    claim.click()
    expect(anna.locator("[data-beside] button")).to_have_text("Claim to be out")
    beat.get_by_role("button", name="Yes, ").click()

    for page in (anna, beat):
        expect(page.locator("[data-log]")).to_contain_text("claims to be out, and is wrong")
        expect(page.locator("[data-beside] button")).to_have_count(0)
        expect(page.locator(".slate-side-head.winner")).to_have_count(1)


def test_a_deal_is_given_away_before_its_first_card(seated: Seats) -> None:
    anna, beat, chiara = seated("conceded", 3)
    expect(beat.locator(".choice")).to_have_count(0)
    away = anna.get_by_role("button", name="Give the deal away for 157")
    away.click()
    anna.locator("[data-confirm]").click()

    for page in (anna, beat, chiara):
        expect(page.locator("[data-log]")).to_contain_text("gives the deal away")
        expect(page.locator(".deal-counter")).to_contain_text("Deal 3")


def test_the_end_says_what_everybody_pays(seated: Seats) -> None:
    pages = seated("paid", 3)
    play_on(pages, answer, moves=3)

    for page in pages:
        notes = page.locator(".slate-note")
        expect(notes).to_have_count(3)
        expect(notes.filter(has_text=re.compile(r"^(pays|receives) \d"))).not_to_have_count(0)
        expect(page.locator(".slate-side-head.winner")).not_to_have_count(0)


def test_a_card_chosen_before_the_turn_is_played_when_it_comes(seated: Seats) -> None:
    """Of a suit that Beat leads, so that it may be played; a second press takes the choice back."""
    anna, beat, chiara = seated("ahead", 3)
    for page in (anna, beat):
        page.locator(".hand-card").first.wait_for()
    held, led = (
        page.locator(".hand-card").evaluate_all("cards => cards.map(card => card.dataset.card)")
        for page in (anna, beat)
    )
    card, lead = next((one, other) for one in held for other in led if one[0] == other[0])
    chosen = anna.locator(f".hand-card[data-card='{card}']")
    chosen.press("Enter")
    expect(chosen).to_have_class(re.compile("selected"))
    chosen.press("Enter")
    expect(chosen).not_to_have_class(re.compile("selected"))
    chosen.press("Enter")
    expect(anna.locator(".table-status")).to_contain_text("played when it is your turn")

    beat.locator(f".hand-card.legal[data-card='{lead}']").press("Enter")
    chiara.locator(".hand-card.legal").first.press("Enter")

    expect(chosen).to_have_count(0)
    expect(beat.locator("[data-log]")).to_contain_text(re.compile("takes the trick"))
