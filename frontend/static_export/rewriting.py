"""The main part of a page as static HTML. Its links lead to other files or become text, and the result cannot
send, run or fetch anything.

The output is built from an allowlist of elements and attributes, so that anything added to pages later is
left out by default.
"""

from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from typing import Final, NamedTuple

Attributes = list[tuple[str, str | None]]
Leads = Callable[[str], str | None]

VOID: Final = frozenset({"br", "hr", "wbr", "col"})
KEPT_TAGS: Final = frozenset(
    {
        *("a", "abbr", "article", "aside", "b", "blockquote", "br", "caption", "code", "col", "colgroup"),
        *("dd", "del", "details", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4"),
        *("header", "hr", "i", "ins", "li", "ol", "p", "pre", "s", "section", "small", "span", "strong"),
        *("sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u", "ul"),
        *("wbr", "svg", "g", "path", "rect", "circle", "line", "polyline", "polygon"),
        *("text", "title", "use"),
    }
)
"""Allowed elements. All other elements are removed with their contents."""
LEFT_OUT: Final = frozenset({"no-print", "not-copied", "breadcrumb", "tabs", "menu", "qr"})
"""Classes of elements that are removed: buttons, navigation, network addresses."""
PLAIN: Final = frozenset(
    {
        *("class", "id", "title", "lang", "dir", "translate", "role", "scope", "colspan", "rowspan"),
        *("value", "datetime", "tabindex", "open", "start", "data-label", "viewbox", "width", "height"),
        *("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "d", "points", "transform"),
        *("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray"),
        *("text-anchor", "focusable", "data-at", "data-players"),
    }
)
"""Allowed attributes. None of them makes a page do anything; attributes of ARIA are allowed too."""


class StaticPart(NamedTuple):
    """The main part of a page as static HTML. `symbols`: ids of the SVG symbols that it uses, which the page
    must contain.
    """

    html: str
    symbols: frozenset[str]


def make_static(page: str, leads: Leads, *, heading: bool = True) -> StaticPart:
    """Rewrite the contents of `<main>`. `leads`: function that returns the file to which a URL leads, or None
    for a link to drop; `heading`: keep the heading. Raises ValueError without a whole `<main>`.
    """
    found = _Rewriting(leads, heading=heading)
    found.feed(page)
    found.close()
    if found.stack or not found.seen:
        raise ValueError("the page has no whole <main>")
    return StaticPart("".join(found.written), frozenset(found.symbols))


class _Rewriting(HTMLParser):
    def __init__(self, leads: Leads, *, heading: bool) -> None:
        super().__init__(convert_charrefs=False)
        self._leads = leads
        self._left_out = LEFT_OUT if heading else LEFT_OUT | {"page-head"}
        self.seen = False
        self.stack: list[tuple[str, str | None]] = []
        """The open elements in `<main>`: the tag of each, and the tag that was written (None: the element is
        removed).
        """
        self.written: list[str] = []
        self.symbols: set[str] = set()

    @property
    def _inside(self) -> bool:
        return bool(self.stack)

    @property
    def _shown(self) -> bool:
        return bool(self.stack) and self.stack[-1][1] is not None

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if not self._inside:
            if tag == "main":
                self.seen = True
                self.stack.append((tag, ""))
            return
        opening_tag = self._open_tag(tag, attrs) if self._shown else None
        if tag in _NEVER_CLOSED:
            return
        self.stack.append((tag, opening_tag))

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if self._shown and (opening_tag := self._open_tag(tag, attrs)):
            self.written.append(f"</{opening_tag}>" if tag not in VOID else "")

    def handle_endtag(self, tag: str) -> None:
        if not self._inside or tag in _NEVER_CLOSED:
            return
        opened, was_written = self.stack.pop()
        if opened != tag:
            raise ValueError(f"<{opened}> is closed by </{tag}>")
        if was_written:
            self.written.append(f"</{was_written}>")

    def handle_data(self, data: str) -> None:
        if self._shown:
            self.written.append(escape(data, quote=False))

    def handle_entityref(self, name: str) -> None:
        if self._shown:
            self.written.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        if self._shown:
            self.written.append(f"&#{name};")

    def _open_tag(self, tag: str, attrs: Attributes) -> str | None:
        """Write a start tag and return the written tag; None if the element is removed."""
        attributes = {name: value or "" for name, value in attrs}
        classes = set(attributes.get("class", "").split())
        if (
            tag not in KEPT_TAGS
            or classes & self._left_out
            or attributes.get("id") == "messages"
            or "hidden" in attributes
        ):
            return None
        plain = {
            name: value for name, value in attributes.items() if name in PLAIN or name.startswith("aria-")
        }
        if "table-frame" in classes:
            plain.setdefault("tabindex", "0")  # It scrolls, also by keyboard.
        if tag == "a":
            href = self._leads(attributes.get("href", ""))
            if href is None:
                if "button" in classes:
                    return None
                tag = "span"
            else:
                plain["href"] = href
        elif tag == "use":
            symbol = attributes.get("href", "").partition("#")[2]
            self.symbols.add(symbol)
            plain["href"] = f"#{symbol}"
        attribute_text = "".join(f' {name}="{escape(value)}"' for name, value in plain.items())
        self.written.append(f"<{tag}{attribute_text}>")
        return tag


_NEVER_CLOSED: Final = VOID | {"input", "img", "meta", "link", "source", "area", "base", "embed", "track"}
