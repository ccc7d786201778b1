"""The compressed size of a page's resources."""

import gzip
import re
from functools import cache

from tests.frontend.catalogues import ROOT

STATIC = ROOT / "frontend" / "static"
PUUR = STATIC / "puur"


def loaded(names: set[str]) -> set[str]:
    """Return these scripts and the parts they import."""
    found, waiting = set[str](), set(names)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= set(re.findall(r'"\./([\w-]+\.js)"', (PUUR / name).read_text())) - found
    return found


@cache
def size(name: str) -> int:
    """Return the size of one of our files; a font is compressed already."""
    content = (PUUR / name).read_bytes()
    return len(content) if name.endswith(".woff2") else len(gzip.compress(content))


def compressed(names: set[str]) -> int:
    return sum(size(name) for name in names)


def sheets(html: str) -> list[str]:
    return re.findall(r'<link rel="stylesheet" href="/static/puur/([^"]+)"', html)


def weight(html: str) -> int:
    """Return the size of a page with its style sheets, scripts and fonts."""
    fonts = [f"fonts/{name}.woff2" for name in ("hanken-grotesk", "vollkorn")]
    scripts = loaded(set(re.findall(r'<script src="/static/puur/([^"]+)"', html)))
    return len(gzip.compress(html.encode())) + compressed({*sheets(html), *fonts, *scripts})
