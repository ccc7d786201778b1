"""People without a pointer: one uses only the keyboard, one the text interface and a screen reader."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.pressing import Fingers, settled

STEPS = 150
POINTED = """
globalThis.pointed = 0;
for (const kind of ["pointerdown", "mousedown", "touchstart"])
  addEventListener(kind, () => { pointed += 1; }, { capture: true });
"""
"""Counts pointer events in each page of a context: `pointed`."""
FOCUSED = "element => element === document.activeElement"


def reach(wanted: Locator) -> None:
    """Move the focus there by the tab key, from any element."""
    for _ in range(STEPS):
        if wanted.evaluate(FOCUSED):
            return
        wanted.page.keyboard.press("Tab")
    raise AssertionError(f"no keyboard leads to {wanted}")


def press(wanted: Locator) -> None:
    """Move to a button and press it."""
    reach(wanted)
    settled(wanted.page)
    wanted.page.keyboard.press("Enter")


def take(card: Locator) -> None:
    """Move to a card by its digit, or by arrows from the ninth, and play or choose it."""
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
    """Type into the field of the question."""
    reach(page.locator("input.figure"))
    page.keyboard.type(figures)


KEYS = Fingers(press=press, take=take, type=type_figure)


class Listener:
    """A person who knows only the answers of a table's text interface, and the last text read out."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line = page.locator("#by-words")
        self.told: list[str] = []
        page.keyboard.press("t")

    def ask(self, words: str) -> str:
        """Type into the line, which must still have the focus; return its answer."""
        expect(self.line).to_be_focused()
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")
        told = self.page.locator("[data-answer]").text_content() or ""
        self.told.append(f"{words}: {told}")
        return told

    def act(self, bids: str) -> None:
        """Answer the question: bid while there is no bid, type a figure, take the first offer, or play a
        card.
        """
        asked = self.page.locator(".table-status").text_content() or ""
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
        """Choose this many cards, then announce."""
        for card in own_cards(told)[:count]:
            self.ask(card)
        self.ask(named(self.ask("hand"), "You may say")[0])


def named(told: str, what: str) -> list[str]:
    """Return the names that an answer lists after these words."""
    found = re.search(rf"{what}: ([^.]*)\.", told)
    return found[1].split(", ") if found else []


def own_cards(told: str) -> list[str]:
    return [*named(told, "Your hand"), *named(told, "Open before you")]
