"""The files that static pages need: styles, fonts, textures, a script, and SVG symbols."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from django.utils.safestring import SafeString, mark_safe

STATIC: Final = Path(__file__).parent.parent / "static" / "puur"
ASSETS: Final = "files"
SCRIPT: Final = "verify-copy.js"
_SYMBOL: Final = re.compile(r'<symbol id="([\w-]+)".*?</symbol>', re.DOTALL)
_NEEDED: Final = (
    *("styles/base.css", "styles/championship.css", "styles/game-print.css", "styles/rules.css"),
    *("styles/stage.css", "fonts/*", "chalk-dust.svg", "weave.svg", "mark.svg", SCRIPT),
)


def assets() -> Iterator[tuple[str, Path]]:
    """Yield (path in the copy, source file) of each asset."""
    for pattern in _NEEDED:
        for path in sorted(STATIC.glob(pattern)):
            yield f"{ASSETS}/{path.relative_to(STATIC).as_posix()}", path


def load_symbols(names: Iterable[str]) -> SafeString:
    """Return these symbols as inline SVG, because a page opened as a file may not fetch other files. Raises
    KeyError for an unknown symbol.
    """
    return mark_safe("".join(_symbols()[name] for name in sorted(names)))  # noqa: S308 - the drawings are files of the repository


@cache
def _symbols() -> dict[str, str]:
    sheets = ((STATIC / "cards" / f"{deck}.svg").read_text() for deck in ("ch", "fr"))
    return {found[1]: found[0] for sheet in sheets for found in _SYMBOL.finditer(sheet)}
