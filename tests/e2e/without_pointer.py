"""People without a pointer: one has a keyboard alone, one a line of words and what is read out to him."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.pressing import Fingers

STEPS = 150
POINTED = """
globalThis.pointed = 0;
for (const kind of ["pointerdown", "mousedown", "touchstart"])
  addEventListener(kind, () => { pointed += 1; }, { capture: true });
"""
"""Counts, in each page of a context, what comes from a pointer: `pointed`."""
FOCUSED = "element => element === document.activeElement"


def reach(wanted: Locator) -> None:
    """Go there by the tabulator, wherever one is."""
    for _ in range(STEPS):
        if wanted.evaluate(FOCUSED):
            return
        wanted.page.keyboard.press("Tab")
    raise AssertionError(f"no keyboard leads to {wanted}")


def press(wanted: Locator) -> None:
    """Go to a button and press it."""
    reach(wanted)
    wanted.page.keyboard.press("Enter")


def take(card: Locator) -> None:
    """Go to a card by its figure, to one that has none by arrows from the ninth, and play or choose it."""
    keyboard = card.page.keyboard
    figure = card.get_attribute("aria-keyshortcuts")
    keyboard.press(figure or "9")
    for _ in range(STEPS):
        if card.evaluate(FOCUSED):
            break
        assert figure is None
        keyboard.press("ArrowRight")
    keyboard.press("Enter")


def type_figure(page: Page, figures: str) -> None:
    """Into the field that asks for it."""
    reach(page.locator("input.figure"))
    page.keyboard.type(figures)


KEYS = Fingers(press=press, take=take, type=type_figure)


class Listener:
    """Somebody who knows of a table only what its line of words answers, and the last thing it read out."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line = page.locator("#by-words")
        self.told: list[str] = []
        page.keyboard.press("t")

    def ask(self, words: str) -> str:
        """Type into the line, from which nothing has taken the focus meanwhile; what it answers."""
        expect(self.line).to_be_focused()
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")
        told = self.page.locator("[data-answer]").text_content() or ""
        self.told.append(f"{words}: {told}")
        return told

    def act(self, bids: str) -> None:
        """Do what is asked: a bid while nobody has made one, a figure, the first thing offered, or a card."""
        asked = self.page.locator(".cloth-status").text_content() or ""
        told = self.ask("hand")
        offered = named(told, "You may say")
        if "say how many points" in asked:
            self.ask("40")
        elif "bid or pass" in asked:
            self.ask(bids if offered[0] == f"Bid {bids}" else "Pass")
        elif chosen := re.search(r"Choose (\d+) cards.* Chosen: (\d+)", told):
            self.choose(told, int(chosen[1]) - int(chosen[2]))
        elif "play a card" not in asked:
            self.ask(offered[0])
        else:
            self.ask((named(told, "You may play") or own_cards(told))[-1])

    def choose(self, told: str, count: int) -> None:
        """So many cards, then what may be said of them."""
        for card in own_cards(told)[:count]:
            self.ask(card)
        self.ask(named(self.ask("hand"), "You may say")[0])


def named(told: str, what: str) -> list[str]:
    """The names that an answer lists after these words."""
    found = re.search(rf"{what}: ([^.]*)\.", told)
    return found[1].split(", ") if found else []


def own_cards(told: str) -> list[str]:
    return [*named(told, "Your hand"), *named(told, "Open before you")]
