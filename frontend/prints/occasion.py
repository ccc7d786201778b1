"""What a document is printed for: a championship, a round of it, a language, a paper."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.presenters.sitting_out import SittingOut, sitting_out
from tournaments.models import Championship, Entry, Round
from tournaments.names.readers import reading_for
from tournaments.regulations import Regulations
from tournaments.services import public_names

Paper = Literal["a4", "a5"]


@dataclass(frozen=True)
class Occasion:
    """`round`: the one chosen; None before one is drawn. `address`: of the platform as people reach it, with
    its scheme and no slash at the end; empty where nobody reaches it but the machine itself. `public`: with
    names as everybody may read them.
    """

    championship: Championship
    regulations: Regulations
    round: Round | None
    language: str
    paper: Paper
    address: str
    public: bool = False

    @cached_property
    def people(self) -> list[Entry]:
        """Everybody who has not withdrawn, in the order of the names."""
        found = self.championship.entries.exclude(status=Entry.Status.WITHDRAWN)
        with self.reading():
            return list(found.order_by("sort_name", "number"))

    @cached_property
    def out(self) -> list[SittingOut]:
        if self.round is None:
            return []
        with self.reading():
            return sitting_out(self.round)

    def reading(self) -> AbstractContextManager[None]:
        """While it lasts, names are read as they are to be printed."""
        return reading_for(public_names.outsider(self.championship)) if self.public else nullcontext()

    @property
    def chips(self) -> int:
        return self.regulations.chips()

    @property
    def partners(self) -> bool:
        return self.regulations.play.format != "solo"

    @property
    def over(self) -> str:
        """The line above a title: which championship."""
        return self.championship.name

    @property
    def said(self) -> str:
        """Where and when, at the right of a title."""
        when = day(self.championship.starts_at) if self.championship.starts_at else ""
        return ", ".join(part for part in (self.championship.place, when) if part)

    @property
    def over_with_round(self) -> str:
        return f"{self.over} · {round_name(self.round)}" if self.round is not None else self.over


def day(moment: datetime) -> str:
    return date_format(localtime(moment), pgettext("date format", "j F Y"))


def round_name(round_: Round) -> str:
    return _("Round %(n)s") % {"n": round_.number}
