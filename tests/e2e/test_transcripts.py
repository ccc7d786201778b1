"""A whole deal of every game transcribed in a real browser, with an unknown fact and a slip of the pen."""

import re
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from engine.commands import Discard
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.deals import TABLES, PlayedDeal
from tests.e2e.pressing import predict

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with a table of each game that is written down."""
    with trees.running("serve", tmp_path_factory.mktemp("written")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.written"))


def type_cards(page: Page, cards: Sequence[str | None]) -> None:
    """By two keys each, `?` by its own."""
    page.keyboard.type("".join(card.lower().replace("10", "0") for card in cards if card))


def say(page: Page, name: str) -> None:
    page.locator("[data-choices]").get_by_role("button", name=name).first.click()


def tell(page: Page, name: str = "") -> None:
    """Say something that ends in the log, and wait for it there; without a name, what is proposed."""
    lines = page.locator("[data-log] li")
    before = lines.count()
    if name:
        say(page, name)
    else:
        page.locator("[data-choices] .choice.strong").click()
    expect(lines).not_to_have_count(before)


def bid_500(page: Page) -> None:
    """Forehand plays for the least; one of the six cards put away was not seen."""
    tell(page)
    for _ in range(2):
        tell(page, "Pass")
    expect(page.locator("[data-log]")).to_contain_text("takes the talon")
    put_away = PlayedDeal("bieter").commands[5]
    assert isinstance(put_away, Discard)
    assert put_away.cards is not None
    type_cards(page, [*put_away.cards[:5], "?"])
    tell(page, "Discard 6 cards")
    tell(page, "Roses")


def bid_60(page: Page) -> None:
    """How it came to that nobody remembers."""
    tell(page, "won the auction with 60")
    tell(page, "Roses")


def predictions(page: Page) -> None:
    """Four sealed ones; what the second said nobody remembers."""
    log = page.locator("[data-log]")
    for seat in range(4):
        if seat == 1:
            say(page, "Not known")
        else:
            predict(page)
        expect(log.locator("li").filter(has_text="predict")).to_have_count(seat + 1)


def a_joker_without_its_contract(page: Page) -> None:
    """It is remembered when the first card lies; who leads has to be said."""
    say(page, "Joker ×7")
    say(page, "Not known")
    expect(page.locator("[data-log]")).to_contain_text("names Joker")
    page.locator("[data-seats] button").first.click()


def a_contract_without_its_slot(page: Page) -> None:
    say(page, "Slot not known")
    say(page, "Roses")


def keep_both(page: Page) -> None:
    """A second tap before the first is shown says nothing for the next seat."""
    page.locator("[data-choices]").get_by_role("button", name="Keep the hand").first.dblclick()
    expect(page.locator("[data-log]")).to_contain_text("Seat A keeps the hand")
    tell(page, "Keep the hand")
    expect(page.locator("[data-log]")).to_contain_text("Seat B keeps the hand")


def nothing(page: Page) -> None:
    """No word comes before the first card."""


SAID: dict[str, Callable[[Page], None]] = {
    "schieber": lambda page: tell(page, "Roses"),
    "bieter": bid_500,
    "differenzler": predictions,
    "coiffeur": a_joker_without_its_contract,
    "coiffeur of three": a_contract_without_its_slot,
    "la-pomme": keep_both,
    "lake-constance": bid_60,
}
UNSEEN = {"schieber", "la-pomme", "plus-minus", "plus-minus of three", "lake-constance"}
"""Games whose transcript ends with a card that nobody has seen."""
SCORED = {"coiffeur", "lake-constance"}
"""Games whose deal is scored all the same: the unknown card cannot change the score."""


BEGUN = {"melds", "forgotten", "told at the end", "auction forgotten", "turned unseen"}
"""Tables of which other tests write down a few cards."""
DEALS = sorted(set(TABLES) - BEGUN)


@pytest.mark.parametrize("name", DEALS)
def test_a_deal_is_typed_as_far_as_it_is_known(place: Place, page: Page, name: str) -> None:
    deal = PlayedDeal(name)
    log = page.locator("[data-log]")
    place.sign_in(page)
    page.goto(place.address(name, "transcribe/"))
    page.locator("[data-dealing] .row button").first.click()
    type_cards(page, deal.laid_open)
    expect(log).to_contain_text("Deal 1")
    SAID.get(name, nothing)(page)

    first, *others = deal.played
    expect(page.locator("[data-picker]")).to_be_visible()
    type_cards(page, [others[0]])  # a slip of the pen
    expect(log).to_contain_text(" plays ")
    page.locator("[data-undo]").click()
    expect(log.locator(".gone")).to_have_count(1)
    if name == "coiffeur":
        page.locator("[data-seats] button").first.click()
    type_cards(page, [first])
    if name == "coiffeur":
        expect(page.locator("[data-pending]")).to_be_hidden()
        say(page, "Add the contract afterwards")
        say(page, "Roses")
        expect(log).to_contain_text("Joker with Roses")
    type_cards(page, [*others[:-1], "?" if name in UNSEEN else others[-1]])

    known = name in SCORED
    told = ("–" if known else " : ").join(str(score) if known else "–" for score in deal.scored.scores)
    expect(log).to_contain_text(f"Deal 1: {told}.")
    expect(page.locator("[data-notice]")).to_be_hidden()
    points = page.locator(".evidence li").filter(has_text="points in cards")
    expect(points).to_have_count(len(deal.scored.card_points))
    for side, taken in enumerate(deal.scored.card_points):
        assert taken is not None
        least, most = bounds(points.nth(side).inner_text())
        assert least <= taken <= most
    expect(page.locator(".evidence li[data-status=contradictory]")).to_have_count(0)
    if name == "schieber":
        somebody_deals_out_of_turn(page)
    if name == "differenzler":
        the_second_remembers_what_he_said(page, deal)


def somebody_deals_out_of_turn(page: Page) -> None:
    """Who forgot that it was another's turn; the page says at once what it found."""
    dealing = page.locator("[data-dealing]")
    dealing.get_by_role("button", name="Somebody else deals").click()
    dealing.get_by_role("button", name="Seat C").click()
    expect(page.locator("[data-found]")).to_contain_text("Seat C dealt although")


def the_second_remembers_what_he_said(page: Page, deal: PlayedDeal) -> None:
    """The only prediction that was missing: nobody has to say whose it is."""
    say(page, "Add a prediction afterwards")
    expect(page.locator("[data-choices]")).to_contain_text("Seat B predicted:")
    expect(page.get_by_role("button", name="Not known")).to_have_count(0)
    predict(page)
    scores = "–".join(str(abs(40 - (points or 0))) for points in deal.scored.card_points)
    expect(page.locator("[data-log]")).to_contain_text(f"Deal 1: {scores}.")
    expect(page.locator("[data-choices] button")).to_have_count(0)


def bounds(text: str) -> tuple[int, int]:
    """The points of a line of the evidence."""
    found = [int(number) for number in re.findall(r"\d+", text.rsplit(":", 1)[1])]
    return found[0], found[-1]


def test_what_was_said_is_left_out_and_the_contract_added_when_it_is_remembered(
    place: Place, page: Page
) -> None:
    log, notice = page.locator("[data-log]"), page.locator("[data-notice]")
    seats, choices = page.locator("[data-seats] button"), page.locator("[data-choices] button")
    place.sign_in(page)
    page.goto(place.address("forgotten", "transcribe/"))
    page.locator("[data-dealing] .row button").first.click()
    say(page, "The rest is unknown")
    type_cards(page, ["S6"])
    expect(notice).to_contain_text("Tap first who plays")
    seats.nth(0).click()
    expect(notice).to_be_hidden()
    hearts = page.get_by_role("button", name="six of roses", exact=True)
    hearts.focus()
    type_cards(page, ["S6", "S7"])
    expect(log).to_contain_text("Seat A plays six of shields")
    expect(hearts).to_be_focused()

    say(page, "Add the contract afterwards")
    say(page, "Seat C")
    say(page, "Roses")

    expect(log).to_contain_text("Seat C names Roses")
    expect(choices).to_have_count(0)


def test_a_contract_is_told_after_the_last_card_and_the_deal_is_counted_with_it(
    place: Place, page: Page
) -> None:
    log = page.locator("[data-log]")
    place.sign_in(page)
    page.goto(place.address("told at the end", "transcribe/"))
    page.locator("[data-seats] button").first.click()
    type_cards(page, ["SA", "HA", "DA", "CA"])
    expect(log).to_contain_text("Deal 1: – : –.")

    say(page, "Add the contract afterwards")
    say(page, "Seat A")
    say(page, "Shields")

    expect(log).to_contain_text("Deal 1: 514–0.")
    expect(log.locator(".gone")).to_have_count(1)
    expect(page.locator("[data-choices] button")).to_have_count(0)
    expect(page.locator("[data-undo]")).to_contain_text("names Shields")
    page.locator("[data-undo]").click()
    expect(page.get_by_role("button", name="Add the contract afterwards")).to_be_visible()


def test_an_auction_that_was_left_out_is_told_when_cards_lie(place: Place, page: Page) -> None:
    log = page.locator("[data-log]")
    place.sign_in(page)
    page.goto(place.address("auction forgotten", "transcribe/"))
    page.locator("[data-dealing] .row button").first.click()
    page.locator("[data-dealing] .button.primary").click()
    say(page, "The rest is unknown")
    page.locator("[data-seats] button").first.click()
    type_cards(page, ["S6", "S7"])
    expect(log).to_contain_text("plays seven of shields")

    say(page, "Add the auction afterwards")
    say(page, "Seat A")
    tell(page)
    say(page, "Seat B")
    tell(page, "won the auction with 65")
    expect(log).to_contain_text("Seat B plays for 65")
    expect(page.get_by_role("button", name="Add the auction afterwards")).to_have_count(0)
    say(page, "Add the contract afterwards")
    say(page, "Roses")
    expect(log).to_contain_text("Seat B names Roses")


def test_what_a_card_that_nobody_saw_made_trumps_is_said_when_it_is_known(place: Place, page: Page) -> None:
    log = page.locator("[data-log]")
    place.sign_in(page)
    page.goto(place.address("turned unseen", "transcribe/"))
    page.locator("[data-dealing] .row button").first.click()
    page.locator("[data-dealing] .button.primary").click()

    say(page, "Name the trumps")
    say(page, "Roses")

    expect(log).to_contain_text("The contract is Roses")
    expect(page.locator(".contract")).to_have_text("Roses")
    expect(page.get_by_role("button", name="Name the trumps")).to_have_count(0)


def test_a_meld_is_heard_shown_and_said_too_late(place: Place, page: Page) -> None:
    log, evidence = page.locator("[data-log]"), page.locator(".evidence li")
    seats, melds = page.locator("[data-seats] button"), page.locator("[data-melds]")
    place.sign_in(page)
    page.goto(place.address("melds", "transcribe/"))
    page.locator("[data-dealing] .row button").first.click()
    say(page, "Roses")
    melds.get_by_role("button", name="Declare a meld").click()
    melds.get_by_role("button", name="Only heard: 20", exact=True).click()
    type_cards(page, ["S6", "S7", "S8", "S9"])
    expect(evidence.filter(has_text="meld of 20")).to_have_attribute("data-status", "unknown")
    expect(log).to_contain_text("score 20 for melds")

    seats.nth(0).click()
    melds.get_by_role("button", name="Melds are shown").click()
    type_cards(page, ["H6", "H7", "H8"])
    melds.get_by_role("button", name="These 3 cards are shown").click()
    expect(evidence.filter(has_text="meld of 20")).to_have_attribute("data-status", "proven")
    seats.nth(1).click()
    melds.get_by_role("button", name="A meld declared afterwards").click()
    melds.get_by_role("button", name="Only heard: 50", exact=True).click()
    expect(log).to_contain_text("declared a meld too late")
    page.locator("[data-undo]").click()
    expect(evidence.filter(has_text="meld of 50")).to_have_count(0)
