"""The text of a game's rules as plain blocks for print: headings, paragraphs, list items, table rows."""

from html.parser import HTMLParser
from typing import Final

from django.template.loader import render_to_string

from frontend.presenters.regulations.options import DEFAULT_DECK
from frontend.presenters.regulations.rules import rules_context

Block = dict[str, object]
"""`kind`: title, subtitle, text, point (an item with its `mark`) or row (`cells`; `head`: a row of headings);
`text`: its words.
"""
LEFT_OUT: Final = ("options", "variations", "source")
"""Sections that are not printed, because they describe variants in general; the regulations state this
championship's.
"""
DRAWN: Final = ("figure", "svg", "script", "style", "caption")
KINDS: Final = {"h2": "title", "h3": "subtitle", "h4": "subtitle", "p": "text", "li": "point"}


def rules_in_blocks(game: str) -> list[Block]:
    """Return the rules of a game in the active language. Raises KeyError for an unknown game."""
    context = rules_context(game, DEFAULT_DECK)
    reader = _Reader()
    reader.feed(render_to_string(context["rules_text"], context))
    reader.close()
    return reader.blocks


class _Reader(HTMLParser):
    """A parser of the rules' HTML. `_silent`: tags of the open elements that are not printed; `_lists`: a
    counter for each open list, None without numbers; `_head`: the open row has only headings so far.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._silent: list[str] = []
        self._lists: list[int | None] = []
        self._cells: list[str] = []
        self._head = False
        self._words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._silent or tag in DRAWN or (tag == "section" and dict(attrs).get("id") in LEFT_OUT):
            if tag in (*DRAWN, "section"):
                self._silent.append(tag)
            return
        if tag in ("ol", "ul"):
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "tr":
            self._cells, self._head = [], True
        elif tag in KINDS or tag in ("td", "th"):
            self._words = []
            self._head = self._head and tag != "td"

    def handle_endtag(self, tag: str) -> None:
        if self._silent:
            if tag == self._silent[-1]:
                self._silent.pop()
            return
        words = " ".join("".join(self._words).split())
        if tag in ("ol", "ul") and self._lists:
            self._lists.pop()
        elif tag in ("td", "th"):
            self._cells.append(words)
            self._words = []
        elif tag == "tr" and any(self._cells):
            self.blocks.append({"kind": "row", "cells": self._cells, "head": self._head})
        elif tag in KINDS:
            self._end(KINDS[tag], words)

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._words.append(data)

    def _end(self, kind: str, words: str) -> None:
        self._words = []
        if not words:
            return
        block: Block = {"kind": kind, "text": words}
        if kind == "point":
            number = self._lists[-1] if self._lists else None
            if number is not None:
                self._lists[-1] = number = number + 1
            block["mark"] = "–" if number is None else f"{number}."
        self.blocks.append(block)
