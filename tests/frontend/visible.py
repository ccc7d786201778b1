"""The visible text of a page, and words that reveal its language."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

SPOKEN: Final = frozenset({"aria-label", "title", "placeholder", "alt"})
EMPTY: Final = frozenset({"input", "meta", "link", "br", "img", "hr", "use", "wbr", "source"})
NOT_READ: Final = frozenset({"script", "style", "code", "kbd", "template"})
ENGLISH: Final = frozenset(
    re.findall(
        r"\w+",
        """the and of is are with this that these you your has have had been what who which cannot from to by
        it its not there can could would should they their them at be or but when where why how only yet
        please try again no yes choose enter here everybody nobody somebody""",
    )
)
"""Frequent words of English sentences that German ones do not have."""
GERMAN: Final = frozenset(
    re.findall(
        r"\w+", "und ist nicht wird werden sind noch keine der dich dein deine für vom zum zur auf wenn"
    )
)
"""Words of German sentences that French, Italian and Spanish do not have."""
ALSO: Final = {
    "fr": frozenset({"or", "but"}),
    "it": frozenset({"no", "it"}),  # the second is in the menu
    "es": frozenset({"no", "has"}),
}
"""Words that look English and are not."""
CODE: Final = re.compile(r"\b[a-z]{3,}[a-z_]*/[a-z_]{3,}\b")
"""`area/what_happened`."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.path: list[tuple[str, bool]] = []
        self.read: list[str] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.read += [value for name in SPOKEN if (value := given.get(name))]
        if tag == "input" and given.get("type") == "submit" and given.get("value"):
            self.read.append(str(given["value"]))
        if tag not in EMPTY:
            hidden = tag in NOT_READ or given.get("translate") == "no" or bool(given.get("lang"))
            self.path.append((tag, hidden and tag != "html"))

    def handle_endtag(self, tag: str) -> None:
        while self.path and self.path.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(hidden for _tag, hidden in self.path):
            self.read.append(" ".join(data.split()))


def visible(html: str) -> list[str]:
    """Return every text of a page, its labels, and the sentences of its script."""
    reader = _Reader()
    reader.feed(html)
    words = re.search(r'<script id="words" type="application/json">(.*?)</script>', html, re.DOTALL)
    return reader.read + (
        [re.sub(r"\{\w+\}", "", text) for text in json.loads(words[1]).values()] if words else []
    )


def english(html: str, language: str = "de") -> Iterator[str]:
    """Return the texts of a page in `language` with two English words, or with one among at most three."""
    foreign = ENGLISH - ALSO.get(language, frozenset())
    for text in visible(html):
        said = re.findall(r"\w+", text.lower())
        found = [word for word in said if word in foreign]
        if len(found) > 1 or (found and len(said) < 4):
            yield text


def german(html: str) -> Iterator[str]:
    """Return the texts with two German words, on a page that is not German."""
    for text in visible(html):
        if sum(word in GERMAN for word in re.findall(r"\w+", text.lower())) > 1:
            yield text


def codes(html: str) -> Iterator[str]:
    """Return codes of refusals in the visible text."""
    for text in visible(html):
        yield from CODE.findall(text)
