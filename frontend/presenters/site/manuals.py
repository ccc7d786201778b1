"""The manuals of `docs/` as HTML pages, in German for readers of German, otherwise in English."""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token


class Manual(NamedTuple):
    """A manual: its link text, and the paths of its English and German files below `docs/`."""

    title: str | Promise
    english: str
    german: str

    def language(self) -> str:
        """Return the active language if the manual exists in it, else English."""
        return "de" if get_language() == "de" else "en"

    def file(self) -> Path:
        """Return the manual's file in the language that `language` returns."""
        name = self.german if self.language() == "de" else self.english
        return Path(settings.BASE_DIR) / "docs" / name


class ManualPage(NamedTuple):
    """A manual as a page: its heading, its chapters as (anchor, heading), and its text as HTML."""

    heading: str
    chapters: list[tuple[str, str]]
    html: SafeString


MANUALS: Final = {
    "organisers": Manual(_("The manual for organisers"), "organisers.md", "de/organisieren.md"),
    "players": Manual(_("The manual for players"), "players.md", "de/spielen.md"),
    "referees": Manual(_("The manual for referees"), "referees.md", "de/schiedsrichter.md"),
    "operators": Manual(_("The manual for operators"), "operators.md", "de/betreiben.md"),
}


def manual_page(key: str) -> ManualPage:
    """Return the manual with this key in its `Manual.language`. Raises KeyError for an unknown key."""
    return _render_file(MANUALS[key].file())


@cache
def _render_file(file: Path) -> ManualPage:
    """Render a file as HTML. The result is cached, because a manual changes only with the version of the
    program.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(file.read_text(encoding="utf-8"))
    heading, chapters = "", []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            text = _plain_text(tokens[at + 1])
            if token.tag == "h1":
                heading = heading or text
                token.hidden = tokens[at + 2].hidden = True
                tokens[at + 1].children = []
                continue
            anchor = slugify(text)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                chapters.append((anchor, text))
        if token.type == "inline":
            token.children = list(_rewrite_links(token.children or []))
    html = markdown.renderer.render(tokens, markdown.options, {})
    return ManualPage(heading, chapters, mark_safe(_wrap_tables(html)))  # noqa: S308 - the source is a file of the repository


def _plain_text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or [])


def _rewrite_links(children: list[Token]) -> list[Token]:
    """Rewrite links to manuals as URLs of their pages, turn links to other files into text, and remove
    pictures.
    """
    kept, inside = [], True
    for token in children:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href") or ""))
            inside = bool(address)
            if not inside:
                continue
            token.attrSet("href", address)
        if token.type == "link_close" and not inside:
            inside = True
            continue
        if token.type != "image":
            kept.append(token)
    return kept


def _address(href: str) -> str:
    if re.match(r"https?://|#", href):
        return href
    name, _hash, anchor = href.partition("#")
    for key, manual in MANUALS.items():
        if name in (manual.english, Path(manual.german).name):
            return reverse("manual", args=[key]) + (f"#{anchor}" if anchor else "")
    return ""


def _wrap_tables(html: str) -> str:
    """Wrap each table in an element that scrolls, for narrow phones."""
    wrapped = html.replace("<table>", '<div class="table-frame" tabindex="0"><table>')
    return wrapped.replace("</table>", "</table></div>")
