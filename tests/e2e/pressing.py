"""A person at a table in a browser who answers whatever is asked there, by pressing what the page offers."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

BID = re.compile(r"^\d{2,4}$")
ASKED = ".choice:not(:disabled), .hand-card.legal, .hand-card.to-pick, .pad"


def pick(page: Page) -> None:
    """Choose as many cards as are asked for, and say so."""
    say = page.locator(".choice.strong")
    found = re.search(r"\d+", say.inner_text())
    assert found is not None
    for _ in range(int(found[0]) - page.locator(".hand-card.to-pick.selected").count()):
        page.locator(".hand-card.to-pick:not(.selected)").first.press("Enter")
    expect(say).to_be_enabled()
    say.click()


def predict(page: Page, points: str = "40") -> None:
    """Type a figure with the keys of the page."""
    pad = page.locator(".pad")
    for figure in points:
        pad.get_by_role("button", name=figure, exact=True).click()
    page.get_by_role("button", name=f"Predict {points}").click()


def name_a_joker(page: Page) -> None:
    """A joker asks for its contract."""
    page.get_by_role("button", name="Joker ×7").click()
    page.get_by_role("button", name="Roses", exact=False).first.click()


def offers(page: Page, name: str) -> bool:
    """Whether a button of that name is offered."""
    return page.get_by_role("button", name=name, exact=True).count() > 0


def by_key(page: Page) -> None:
    """Play the last card that may be played, with the keyboard."""
    page.locator(".hand-card.legal").last.press("Enter")


def answer(page: Page, play: Callable[[Page], None] = by_key) -> None:
    """Do what is asked: the first thing offered, or a card, played as is said."""
    if page.locator(".hand-card.to-pick").count():
        pick(page)
    elif page.locator(".pad").count():
        predict(page)
    elif page.get_by_role("button", name="Joker ×7").count():
        name_a_joker(page)
    elif page.locator(".spot-notes").filter(has_text=re.compile(r"^\D*\d{2,4}\D*$")).count() and offers(
        page, "Pass"
    ):
        page.get_by_role("button", name="Pass").click()  # somebody has bid
    elif page.locator(".choice").count():
        page.locator(".choice").first.click()
    else:
        play(page)


def is_asked(page: Page) -> bool:
    """Whether the page waits for who sits before it."""
    return page.locator(ASKED).count() > 0


def play_on(pages: list[Page], act: Callable[[Page], None] = answer, moves: int = 40) -> int:
    """Whoever is asked answers, until so many answers were given or the game is over; how many there were."""
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
    """The page of whose turn it is, once the tables have said so; None when the game is over."""
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
    """What the cloth says of the moment that it shows: `seq`, and `turn` (a seat, or "over")."""
    cloth = page.locator(f"[data-cloth][data-{what}]")
    return cloth.get_attribute(f"data-{what}") or ""
