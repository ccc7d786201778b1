"""What a panel of help is made of."""

import re
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

NAMED = re.compile(r"\*([^*]+)\*")
"""A button, a field or a page, as it is called there."""


class Panel(NamedTuple):
    """A page's help: what it is for, the next step, the usual slip, in three to six short sentences.

    sentences: for everybody who sees the page.
    officials: for whoever holds an office, after the first of the sentences, in place of the others.
    manual: which manual goes on from here, where officials have sentences of their own for them (others get
    that for players); a key of `frontend.presenters.manuals.MANUALS`.
    """

    sentences: tuple[str | Promise, ...]
    officials: tuple[str | Promise, ...] = ()
    manual: str = "organisers"

    def said_to(self, *, official: bool) -> list[SafeString]:
        """The sentences in the reader's language, names in bold."""
        said = (*self.sentences[:1], *self.officials) if official and self.officials else self.sentences
        return [in_bold(str(sentence)) for sentence in said]


def in_bold(sentence: str) -> SafeString:
    """`*Print*` as `<strong>Print</strong>`."""
    return mark_safe(NAMED.sub(r"<strong>\1</strong>", escape(sentence)))  # noqa: S308 - escaped before
