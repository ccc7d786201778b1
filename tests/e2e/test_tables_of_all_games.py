"""Every game in a real browser: Anna answers whatever the table asks of her, bots sit at the other seats."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests import live_tree as trees
from tests.e2e.conftest import Place

PATIENCE = 15_000
ASKED = ".choice, .hand-card.legal"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with a table of each game."""
    with trees.running("serve", tmp_path_factory.mktemp("games")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.all_games"))


def pick(page: Page) -> None:
    """Choose as many cards as are asked for, and say so."""
    say = page.locator(".choice.strong")
    found = re.search(r"\d+", say.inner_text())
    assert found is not None
    for _ in range(int(found[0])):
        page.locator(".hand-card.to-pick:not(.selected)").first.press("Enter")
    expect(say).to_be_enabled()
    say.click()


def predict(page: Page) -> None:
    """Type a figure with the keys of the page."""
    pad = page.locator(".pad")
    for figure in "40":
        pad.get_by_role("button", name=figure, exact=True).click()
    page.get_by_role("button", name="Predict 40").click()


def name_a_joker(page: Page) -> None:
    """A joker asks for its contract."""
    page.get_by_role("button", name="Joker ×7").click()
    page.get_by_role("button", name="Roses", exact=False).first.click()


def answer(page: Page) -> None:
    """Do what is asked: the first thing offered, or a card."""
    if page.locator(".hand-card.to-pick").count():
        pick(page)
    elif page.locator(".pad").count():
        predict(page)
    elif page.get_by_role("button", name="Joker ×7").count():
        name_a_joker(page)
    elif page.locator(".choice").count():
        page.locator(".choice").first.click()
    else:
        page.locator(".hand-card.legal").last.press("Enter")


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("schieber", ["plays"]),
        ("bieter", ["bids 500", "takes the talon", "puts 6 cards away", "names"]),
        ("differenzler", ["Turned card", "predicts 40"]),
        ("coiffeur", ["plays Joker with Roses"]),
        ("la-pomme", ["Turned card", "exchanges 3 cards"]),
        ("plus-minus", ["takes the trick"]),
        ("lake-constance", ["bids 60", "plays for 60", "turns"]),
    ],
)
def test_anna_answers_whatever_the_table_asks(place: Place, page: Page, game: str, words: list[str]) -> None:
    place.sign_in(page)
    page.goto(place.address(game, "play/"))
    log = page.locator("[data-log]")
    read: set[str] = set()  # the page keeps the latest lines only, and the others play on
    for _ in range(12):
        expect(page.locator(ASKED).first).to_be_visible(timeout=PATIENCE)
        before = log.inner_text()
        answer(page)
        expect(log).not_to_have_text(before, timeout=PATIENCE, use_inner_text=True)
        told = before + log.inner_text()
        read |= {word for word in words if word in told}
        if read == set(words) and page.locator(".hand-card.legal").count():
            break

    assert read == set(words)
    expect(page.locator(".cloth-status")).not_to_have_class(re.compile("reason"))


def test_a_sheet_with_three_sides_asks_what_the_deal_counts(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("plus-minus sheet", "sheet/"))

    page.locator("[data-points='0']").fill("60")
    page.locator("[data-points='1']").fill("57")
    expect(page.locator("[data-points='2']")).to_have_value("40")
    expect(page.locator("[data-save]")).to_be_disabled()
    for side, counted in enumerate("101"):
        page.locator(f"[data-scores='{side}']").fill(counted)
    page.locator("[data-save]").click()

    row = page.locator("[data-rows] tr").first
    expect(row).to_contain_text("to be confirmed", timeout=PATIENCE)
    row.get_by_role("button", name=re.compile("confirm")).click()
    expect(row.locator(".pill")).to_have_text("confirmed", timeout=PATIENCE)


def test_a_deal_written_down_asks_for_the_card_that_was_turned(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("written", "transcribe/"))
    seats = page.locator(".segmented[data-seats] button")
    expect(seats).to_have_count(2, timeout=PATIENCE)
    page.locator("[data-dealing] button").first.click()

    expect(page.locator("[data-dealing]")).to_have_text("Which card was turned?", timeout=PATIENCE)
    page.locator("[data-picker]").get_by_label("Roses King", exact=True).click()
    expect(page.locator("[data-log]")).to_contain_text("Turned card: Roses King.", timeout=PATIENCE)
    for card in ("Bells 6", "Bells 7", "Bells 8"):
        page.locator("[data-picker]").get_by_label(card, exact=True).click()
    page.get_by_role("button", name="Exchange 3 cards").click()

    expect(page.locator("[data-log]")).to_contain_text("exchanges 3 cards", timeout=PATIENCE)
    expect(page.locator(".places .spot")).to_have_count(2)
