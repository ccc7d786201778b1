"""A person at a table in a browser, who answers every question with the buttons of the page."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

ASKED = ".choice:not(:disabled), .hand-card.legal, .hand-card.to-pick, .pad"


def click(wanted: Locator) -> None:
    """Press with the mouse."""
    wanted.click()


def settled(page: Page) -> None:
    """Wait until no panel ignores presses as too early (`frontend/src/choices/settling.ts`)."""
    expect(page.locator("[data-settling]")).to_have_count(0)


def by_key(card: Locator) -> None:
    """Press with the keyboard, from any focus."""
    card.press("Enter")


def by_pad(page: Page, figures: str) -> None:
    """Type a figure with the keys of the page."""
    for figure in figures:
        page.locator(".pad").get_by_role("button", name=figure, exact=True).click()


@dataclass(frozen=True, slots=True)
class Fingers:
    """Input methods: pressing a button, taking a card, typing a figure."""

    press: Callable[[Locator], None] = click
    take: Callable[[Locator], None] = by_key
    type: Callable[[Page, str], None] = by_pad


MOUSE = Fingers()


def pick(page: Page, fingers: Fingers) -> None:
    """Choose the requested number of cards, and confirm."""
    say = page.locator(".choice.strong")
    found = re.search(r"\d+", say.inner_text())
    assert found is not None
    for _ in range(int(found[0]) - page.locator(".hand-card.to-pick.selected").count()):
        fingers.take(page.locator(".hand-card.to-pick:not(.selected)").first)
    expect(say).to_be_enabled()
    fingers.press(say)


def predict(page: Page, points: str = "40", fingers: Fingers = MOUSE) -> None:
    """Announce a figure."""
    fingers.type(page, points)
    fingers.press(page.get_by_role("button", name=f"Predict {points}"))


def name_a_joker(page: Page, fingers: Fingers) -> None:
    """Choose the contract of a joker."""
    fingers.press(page.get_by_role("button", name="Joker ×7"))
    fingers.press(page.get_by_role("button", name="Roses", exact=False).first)


def offers(page: Page, name: str) -> bool:
    """Return whether a button of that name is offered."""
    return page.get_by_role("button", name=name, exact=True).count() > 0


def answer(page: Page, fingers: Fingers = MOUSE) -> None:
    """Answer the question: by the first offer, or by a card."""
    if page.locator(".hand-card.to-pick").count():
        pick(page, fingers)
    elif page.locator(".pad").count():
        predict(page, fingers=fingers)
    elif page.get_by_role("button", name="Joker ×7").count():
        name_a_joker(page, fingers)
    elif page.locator(".spot-notes").filter(has_text=re.compile(r"^\D*\d{2,4}\D*$")).count() and offers(
        page, "Pass"
    ):
        fingers.press(page.get_by_role("button", name="Pass"))  # another player has bid
    elif page.locator(".choice").count():
        fingers.press(page.locator(".choice").first)
    else:
        fingers.take(page.locator(".hand-card.legal").last)


def is_asked(page: Page) -> bool:
    """Return whether the page waits for its player."""
    return page.locator(ASKED).count() > 0


def play_on(pages: list[Page], act: Callable[[Page], None] = answer, moves: int = 40) -> int:
    """Answer all questions until this many answers are given or the game is over; return their number."""
    for done in range(moves):
        asked = next_asked(pages)
        if asked is None:
            return done
        cloth = asked.locator("[data-cloth]")
        seq = cloth.get_attribute("data-seq")
        act(asked)
        expect(cloth).not_to_have_attribute("data-seq", seq or "")
    return moves


def next_asked(pages: list[Page]) -> Page | None:
    """Return the page of the player in turn, once the tables show it; None after the game."""
    newest = max(int(at(page, "seq")) for page in pages)
    for page in pages:
        page.wait_for_function(
            "seq => (({dataset}) => Number(dataset.seq) >= seq && dataset.turn !== '')"
            "(document.querySelector('[data-cloth]'))",
            arg=newest,
        )
    turn = at(pages[0], "turn")
    if turn == "over":
        return None
    asked = pages[int(turn)]
    asked.locator(ASKED).first.wait_for()
    return asked


def at(page: Page, what: str) -> str:
    """Return an attribute of the shown moment: its `seq`, or its `turn` (a seat, or "over")."""
    cloth = page.locator(f"[data-cloth][data-{what}]")
    return cloth.get_attribute(f"data-{what}") or ""
