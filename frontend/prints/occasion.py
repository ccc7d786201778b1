"""The parameters with which the documents of a championship are printed."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.presenters.names.playing_teams import load_playing_teams
from frontend.presenters.rounds.byes import ByeRow, list_byes
from frontend.presenters.rounds.round_names import round_name
from frontend.presenters.rounds.seating import Seats, list_seats
from tournaments.models import Championship, Entry, Round
from tournaments.names.readers import reading_for
from tournaments.regulations import Regulations
from tournaments.services.people import name_visibility

Paper = Literal["a4", "a5"]


@dataclass(frozen=True)
class Occasion:
    """The parameters of a print. `round`: the selected round, None before the first draw; `address`: the
    platform's base URL without a trailing slash, empty if only this machine reaches it; `public`: print names
    as the public may read them.
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
        """All people who have not withdrawn, sorted by name. A person with several starts is listed once."""
        found = self.championship.entries.exclude(status=Entry.Status.WITHDRAWN).filter(start_of=None)
        with self.reading():
            return list(found.order_by("sort_name", "number"))

    @cached_property
    def out(self) -> list[ByeRow]:
        if self.round is None:
            return []
        with self.reading():
            return list_byes(self.round)

    def seatings(self) -> list[Seats]:
        """Return the seats at each table of the round; [] without a round."""
        if self.round is None:
            return []
        teams = load_playing_teams(self.championship, self.regulations)
        return list_seats(self.round, chips=self.chips, teams=teams)

    def reading(self) -> AbstractContextManager[None]:
        """Return a context manager in which names are read as this print needs them."""
        return reading_for(name_visibility.outsider(self.championship)) if self.public else nullcontext()

    @property
    def chips(self) -> int:
        return self.regulations.chips()

    @property
    def partners(self) -> bool:
        return self.regulations.play.format != "solo"

    @property
    def over(self) -> str:
        """The line above the title of a print: the name of the championship."""
        return self.championship.name

    @property
    def said(self) -> str:
        """The line to the right of the title of a print: place and day."""
        when = day(self.championship.starts_at) if self.championship.starts_at else ""
        return ", ".join(part for part in (self.championship.place, when) if part)

    @property
    def over_with_round(self) -> str:
        """The line above the title with championship and round. After a repeated draw it says that the sheet
        replaces older ones.
        """
        if self.round is None:
            return self.over
        parts = [self.over, round_name(self.round)]
        if self.round.draws > 1:
            parts.append(_("draw %(n)s, replaces older sheets") % {"n": self.round.draws})
        return " · ".join(parts)


def day(moment: datetime) -> str:
    return date_format(localtime(moment), pgettext("date format", "j F Y"))
