"""Every game in a real browser: Anna answers every question of the table, bots have the other seats."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import VARIANTS
from tests import browsers
from tests import live_tree as trees
from tests.e2e.conftest import Place
from tests.e2e.pressing import ASKED, answer, at

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One platform with a table of each game."""
    with trees.running("serve", tmp_path_factory.mktemp("games")) as tree:
        yield Place(tree.url, tree.python("tests.e2e.all_games"))


THUMB = """cards => cards.map(card => {
    const {left, top} = card.getBoundingClientRect();
    const corners = [[0.2, 10], [32, 10], [32, 42], [0.2, 42]];
    return corners.every(([x, y]) => card.contains(document.elementFromPoint(left + x, top + y)));
})"""
"""Of each card, whether a square of 32 pixels at its left edge, below its round corner, is its own."""


@pytest.mark.parametrize(
    ("game", "cards"), [("bieter", 9), ("differenzler again", 12), ("coiffeur again", 12)]
)
def test_every_card_in_hand_can_be_hit_with_a_thumb_on_a_small_phone(
    place: Place, browser: Browser, game: str, cards: int
) -> None:
    with browsers.fresh_page(browser, viewport={"width": 360, "height": 640}, has_touch=True) as page:
        place.sign_in(page)
        page.goto(place.address(game, "play/"))
        expect(page.locator(".hand > li")).to_have_count(cards)
        if cards > 9:
            answer_until(page, lambda: page.locator(".hand-card.legal").count() > 0)
        page.locator(".hand > li").last.scroll_into_view_if_needed()
        assert page.locator(".hand > li").evaluate_all(THUMB) == [True] * cards
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


UPPER = """cards => cards.map(card => {
    const {left, top, height} = card.getBoundingClientRect();
    return card.contains(document.elementFromPoint(left + 6, top + height / 3));
})"""
"""Of each card, whether its upper third is in sight: the lower of two rows, raised, covers half the upper."""


OVER = """() => {
    const box = name => document.querySelector(name).getBoundingClientRect();
    const {scrollWidth, scrollHeight} = document.documentElement;
    return {
        over: box(".asking").height > 0 && box(".asking").bottom > box(".own-cards").top + 1,
        above: box(".asking").height > 0 && box(".asking").top < box(".table-board").top,
        below: box(".own-cards").bottom > innerHeight + 1,
        scrolls: scrollWidth > innerWidth || scrollHeight > innerHeight,
    };
}"""
"""Whether what is asked lies over the hand or beyond the cloth, the hand below the window, or it scrolls."""


@pytest.mark.parametrize(
    "size",
    [(320, 568), (390, 844), (1280, 720), (844, 390), (568, 320), (640, 400)],
    ids=["small phone", "phone", "laptop", "lying phone", "small lying phone", "laptop at 200 %"],
)
def test_whoever_is_asked_sees_the_hand_without_scrolling(
    place: Place, browser: Browser, size: tuple[int, int]
) -> None:
    window = {"width": size[0], "height": size[1]}
    with browsers.fresh_page(browser, viewport=window, reduced_motion="reduce") as page:
        place.sign_in(page)
        for game in VARIANTS:
            page.goto(place.address(game, "play/"))
            expect(page.locator(ASKED).first).to_be_visible()
            assert page.evaluate(OVER) == dict.fromkeys(("over", "above", "below", "scrolls"), False), game
            seen = page.locator(".hand > li").evaluate_all(UPPER)
            assert seen == [True] * len(seen), game
            assert seen


WORDS = {
    "schieber": ["plays"],
    "bieter": ["bids 500", "takes the talon", "discards 6 cards", "names"],
    "differenzler": ["Turned card", "predicts 40"],
    "coiffeur": ["plays Joker with Roses"],
    "la-pomme": ["Turned card", "exchanges 3 cards"],
    "plus-minus": ["takes the trick"],
    "lake-constance": ["bids 60", "plays for 60", "turns"],
}
"""What must be told in a game, beside that Anna comes to play a card."""


@pytest.mark.parametrize("game", VARIANTS)
def test_anna_answers_whatever_the_table_asks(place: Place, page: Page, game: str) -> None:
    words = WORDS.get(game, [])
    place.sign_in(page)
    page.goto(place.address(game, "play/"))
    log = page.locator("[data-log]")
    read: set[str] = set()  # the page keeps the latest lines only, and the others play on
    for _ in range(12):
        expect(page.locator(ASKED).first).to_be_visible()
        before = log.inner_text()
        answer(page)
        expect(log).not_to_have_text(before, use_inner_text=True)
        told = before + log.inner_text()
        read |= {word for word in words if word in told}
        if read == set(words) and page.locator(".hand-card.legal").count():
            break

    assert read == set(words)
    expect(page.locator(".table-status")).not_to_have_class(re.compile("reason"))


SAID = {"predictions-0": "50", "predictions-1": "50", "predictions-2": "50"}
SHEETS: list[tuple[str, dict[str, str], list[str], str]] = [
    ("schieber", {"points-0": "100"}, ["stoeck='0'", "contract='spades'"], "240"),
    (
        "bieter",
        {"bid": "510", "points-0": "100", "points-1": "57"},
        ["chooser='1'", "contract='hearts'"],
        "100",
    ),
    (
        "differenzler",
        {
            "predictions-0": "50",
            "predictions-1": "50",
            "predictions-2": "50",
            "points-0": "60",
            "points-1": "57",
        },
        [],
        "10",
    ),
    ("coiffeur", {"own_points": "100"}, ["chooser='0'", "slot='joker7'"], "700"),
    ("la-pomme", {"points-0": "100", "points-1": "10"}, [], "−1"),
    ("plus-minus", {"points-0": "60", "points-1": "57"}, [], "1"),
    ("lake-constance", {"bid": "90", "points-0": "100", "points-1": "57"}, ["chooser='0'"], "1"),
]
"""Of each game: figures by field, what is tapped, and what then stands on the sheet."""


@pytest.mark.parametrize(("game", "figures", "taps", "counts"), SHEETS, ids=[sheet[0] for sheet in SHEETS])
def test_the_sheet_of_every_game_asks_for_what_its_score_needs(
    place: Place, page: Page, game: str, figures: dict[str, str], taps: list[str], counts: str
) -> None:
    place.sign_in(page)
    page.goto(place.address(f"{game} sheet", "sheet/"))
    for tap in taps:
        page.locator(f"[data-{tap}]").click()
    for field, figure in figures.items():
        page.locator(f"#{field}").fill(figure)
    expect(page.locator("[data-preview]")).to_contain_text(counts)
    page.locator("[data-signed]").uncheck()
    page.locator("[data-save]").click()

    row = page.locator("[data-rows] tr").first
    expect(row).to_contain_text("to be confirmed")
    expect(row).to_contain_text(counts)
    row.get_by_role("button", name="Everybody has signed on paper").click()
    expect(row.locator(".pill")).to_have_text("confirmed")


def test_a_deal_written_down_asks_for_the_card_that_was_turned(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("written", "transcribe/"))
    seats = page.locator(".segmented[data-seats] button")
    expect(seats).to_have_count(2)
    page.locator("[data-dealing] .row button").first.click()

    expect(page.locator("[data-place='turned']")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-picker]").get_by_label("king of roses", exact=True).click()
    expect(page.locator("[data-log]")).to_contain_text("Turned card: king of roses.")
    for card in ("six of bells", "seven of bells", "eight of bells"):
        page.locator("[data-picker]").get_by_label(card, exact=True).click()
    page.get_by_role("button", name="Exchange 3 cards").click()

    expect(page.locator("[data-log]")).to_contain_text("exchanges 3 cards")
    expect(page.locator(".places .spot")).to_have_count(2)


def test_a_transcript_is_typed_proven_and_taken_back(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("disputed", "transcribe/"))
    log, notice = page.locator("[data-log]"), page.locator("[data-notice]")
    page.locator("[data-some-known]").check()
    page.locator("[data-dealing] .row button").first.click()
    page.locator("[data-place='hand']").first.click()
    page.keyboard.type("h6h7")
    page.locator("[data-dealing] button.primary").click()
    page.locator("[data-choices]").get_by_role("button", name="Shields").click()
    hand = page.locator(".evidence li").filter(has_text="2 of 9 cards")
    expect(hand).to_have_count(1)

    page.get_by_role("button", name="Declare a meld").click()
    page.keyboard.type("h6h7h8")
    page.get_by_role("button", name="These 3 cards are the meld").click()
    page.keyboard.type("h8")
    page.keyboard.type("hk")
    page.keyboard.type("?")
    expect(log).to_contain_text("declares melds: 20")
    expect(log).to_contain_text("plays king of roses")
    expect(log).to_contain_text("plays an unknown card")

    page.locator("[data-undo]").click()
    expect(log.locator(".gone")).to_have_count(1)
    page.locator("[data-undo]").click()
    expect(log.locator(".gone")).to_have_count(2)
    page.keyboard.type("dk")
    expect(log).to_contain_text("plays king of bells")
    page.keyboard.type("hk")
    expect(log.locator("li").last).to_contain_text("plays king of roses")
    expect(notice).to_be_hidden()


def answer_until(page: Page, reached: Callable[[], bool], act: Callable[[Page], None] = answer) -> None:
    """Answer whatever is asked until a moment is reached at which Anna is asked again."""
    for _ in range(60):
        expect(page.locator(ASKED).first).to_be_visible()
        if reached():
            return
        seq = at(page, "seq")
        act(page)
        expect(page.locator("[data-cloth]")).not_to_have_attribute("data-seq", seq)
    pytest.fail("it never came to that")


def bid(page: Page) -> None:
    """Bid more than the others, whatever the hand."""
    higher = page.get_by_role("button", name=re.compile("^Bid "))
    if higher.count():
        higher.click()
    else:
        answer(page)


BOX = """hand => {
    const {top, height} = hand.getBoundingClientRect();
    return [Math.round(top + scrollY), Math.round(height)];
}"""


@pytest.mark.parametrize("height", [640, 844])
def test_the_hand_keeps_its_place_and_its_rows_while_a_deal_is_played(
    place: Place, browser: Browser, height: int
) -> None:
    width = {640: 360, 844: 390}[height]
    with browsers.fresh_page(browser, viewport={"width": width, "height": height}, has_touch=True) as page:
        place.sign_in(page)
        page.goto(place.address("differenzler again", "play/"))
        held, lit = page.locator(".hand > li"), page.locator(".hand-card.legal")
        answer_until(page, lambda: lit.count() > 0 and held.count() == 12)
        boxes = {}
        for left in range(12, 4, -1):
            expect(lit.first).to_be_visible()
            boxes[f"{left}, asked"] = page.locator(".hand").evaluate(BOX)
            lit.last.press("Enter")
            expect(held).to_have_count(left - 1)
            boxes[f"{left}, played"] = page.locator(".hand").evaluate(BOX)
        tops, heights = zip(*boxes.values(), strict=True)
        assert max(tops) - min(tops) <= 2, boxes
        assert len(set(heights)) == 1, boxes


def test_fifteen_cards_can_be_hit_with_a_thumb_on_a_small_phone(place: Place, browser: Browser) -> None:
    with browsers.fresh_page(browser, viewport={"width": 360, "height": 640}, has_touch=True) as page:
        place.sign_in(page)
        page.goto(place.address("bieter again", "play/"))
        held = page.locator(".hand > li")
        answer_until(page, lambda: held.count() == 15, bid)
        held.last.scroll_into_view_if_needed()
        assert held.evaluate_all(THUMB) == [True] * 15
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_trumps_are_asked_about_once_more_where_one_wishes(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("schieber again", "play/"))
    wish(page, "Ask once more before I name trumps, bid or pass")
    trumps = page.locator(".choices > .choice:has(svg)")
    answer_until(page, lambda: trumps.count() > 0, sure)
    asked = at(page, "seq")
    trumps.first.click()
    expect(page.locator("[data-confirm]")).to_have_count(1)
    trumps.last.click()  # another one: the first is as it was
    expect(page.locator("[data-confirm]")).to_have_count(1)
    assert at(page, "seq") == asked
    page.locator("[data-confirm]").click()
    expect(page.locator("[data-cloth]")).not_to_have_attribute("data-seq", asked)


def test_a_forced_card_plays_itself_where_one_wishes(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("differenzler", "play/"))  # there is no Stöck, of which the player would be asked
    wish(page, "Play a card automatically if only one may be played")
    held = page.locator(".hand > li")
    answer_until(page, lambda: held.count() == 2)
    answer(page)
    expect(held).not_to_have_count(2)
    expect(held).not_to_have_count(1)


def wish(page: Page, name: str) -> None:
    """Tick it in the menu; it is remembered."""
    page.locator(".stage-menu > summary").click()
    page.get_by_label(name).check()
    page.reload()


def sure(page: Page) -> None:
    """Answer, also where that is asked about once more."""
    answer(page)
    asked = page.locator("[data-confirm]")
    if asked.count():
        asked.click()


def test_who_sees_no_cards_names_trumps_and_plays_by_words(place: Place, page: Page) -> None:
    place.sign_in(page)
    page.goto(place.address("schieber", "play/"))
    answer_until(page, lambda: page.locator(".choice:has(svg)").count() > 0)
    page.keyboard.press("t")
    line, answered = page.locator("#by-words"), page.locator("[data-answer]")

    def say(words: str, told: str | re.Pattern[str]) -> None:
        line.press_sequentially(words)
        line.press("Enter")
        expect(answered).to_contain_text(told)

    say("hand", re.compile(r"Your hand: .+\. You may say: .*Shields.*"))
    suit = (page.locator(".hand-card").first.get_attribute("aria-label") or "").split()[-1].capitalize()
    say(suit[:4].lower(), "Which one?")  # a card of the suit, or the suit as trumps: one has to say more, or
    line.press("Escape")  # the line lies over the choices
    page.locator(".choice", has_text=suit).first.click()
    expect(page.locator(".hand-card.legal").first).to_be_visible()
    page.keyboard.press("t")
    say("trick", re.compile("trick 1: "))
    say("score", "Deal")
    say("last", "No trick has been taken yet.")
    card = page.locator(".hand-card.legal").last.get_attribute("data-card") or ""
    say(card, re.compile("."))
    expect(page.locator(f".hand-card[data-card='{card}']")).to_have_count(0)
