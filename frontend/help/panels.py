"""The structure of a help panel."""

import re
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

NAMED = re.compile(r"\*([^*]+)\*")
"""The name of a button, a field or a page."""


class Panel(NamedTuple):
    """A page's help: purpose, next step, common mistake, in three to six short sentences.

    sentences: for everybody who sees the page. officials: for officials, replacing all but the first of the
    sentences. manual: the manual to continue with, if officials have their own sentences (others get the
    players' manual); a key of `frontend.presenters.manuals.MANUALS`.
    """

    sentences: tuple[str | Promise, ...]
    officials: tuple[str | Promise, ...] = ()
    manual: str = "organisers"

    def said_to(self, *, official: bool) -> list[SafeString]:
        """Return the sentences for an official or for anybody else, in the reader's language, with names in
        bold.
        """
        said = (*self.sentences[:1], *self.officials) if official and self.officials else self.sentences
        return [in_bold(str(sentence)) for sentence in said]


def in_bold(sentence: str) -> SafeString:
    """Render `*Print*` as `<strong>Print</strong>`."""
    return mark_safe(NAMED.sub(r"<strong>\1</strong>", escape(sentence)))  # noqa: S308 - escape() comes first
