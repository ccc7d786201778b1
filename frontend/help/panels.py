"""A help panel, and its sentences for a reader."""

import re
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

NAMED = re.compile(r"\*([^*]+)\*")
"""Pattern of the name of a button, field or page, which a sentence marks with asterisks."""


class Panel(NamedTuple):
    """The help for a page: its purpose, the next step, and a common mistake, in three to six short sentences.

    sentences: for everybody who sees the page. officials: sentences for officials, which replace all but the
    first of `sentences`. manual: key of `frontend.presenters.site.manuals.MANUALS`, linked; if
    `officials` is not empty, others than officials get the players' manual.
    """

    sentences: tuple[str | Promise, ...]
    officials: tuple[str | Promise, ...] = ()
    manual: str = "organisers"

    def said_to(self, *, official: bool) -> list[SafeString]:
        """Return the sentences for an official, or for others, in the reader's language, as HTML."""
        said = (*self.sentences[:1], *self.officials) if official and self.officials else self.sentences
        return [in_bold(str(sentence)) for sentence in said]


def in_bold(sentence: str) -> SafeString:
    """Escape HTML, and render `*Print*` as `<strong>Print</strong>`."""
    return mark_safe(NAMED.sub(r"<strong>\1</strong>", escape(sentence)))  # noqa: S308 - escape() comes first
