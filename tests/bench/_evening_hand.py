"""A user of the platform's pages whose actions are counted: presses, numbers, words and keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from playwright.sync_api import Locator, Page, expect


@dataclass
class Counts:
    """Presses of the mouse; numbers keyed (712 is one); words typed (a name, a list, a reason are one each);
    other keys (Enter, letters that are commands)."""

    clicks: int = 0
    numbers: int = 0
    words: int = 0
    keys: int = 0

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(
            self.clicks - other.clicks,
            self.numbers - other.numbers,
            self.words - other.words,
            self.keys - other.keys,
        )


class Hand:
    """A user of a page. Actions through `page` are not counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.counts = Counts()

    def press(self, where: str | Locator) -> None:
        """One click; where it leads to another page, the method waits for that page."""
        self.counts.clicks += 1
        self._one(where).click()

    def number(self, value: int, where: str | Locator | None = None) -> None:
        """A number keyed at the cursor, or in a field that takes it without a press: the page must have put
        the cursor there."""
        if where is not None:
            expect(self._one(where)).to_be_focused()
        self.counts.numbers += 1
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(str(value))

    def words(self, text: str, where: str | Locator) -> None:
        """Type into a field after pressing it, unless the cursor is there."""
        field = self._one(where)
        if not field.evaluate("field => field === document.activeElement"):
            self.press(field)
        self.counts.words += 1
        field.fill(text)

    def choose(self, value: str, where: str | Locator) -> None:
        """Choose from a list: a press to open it and one to take a choice."""
        self.counts.clicks += 2
        self._one(where).select_option(value)

    def key(self, name: str) -> None:
        self.counts.keys += 1
        self.page.keyboard.press(name)

    def _one(self, where: str | Locator) -> Locator:
        found = self.page.locator(where) if isinstance(where, str) else where
        return found.locator("visible=true").first

    @contextmanager
    def counted(self) -> Iterator[Counts]:
        """Count the actions within the block; the figures are complete afterwards."""
        before, made = replace(self.counts), Counts()
        yield made
        done = self.counts - before
        made.clicks, made.numbers, made.words, made.keys = done.clicks, done.numbers, done.words, done.keys
