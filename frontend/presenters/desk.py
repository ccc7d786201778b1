"""The desk: one line a person with what can be done next, and how the tables fill."""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.models import Championship, Entry
from tournaments.services.desk.entries import Gap


@dataclass(frozen=True, slots=True)
class Act:
    """A button of a line. `key`: the letter that presses it while the line has the focus."""

    name: str
    label: str
    key: str
    primary: bool = False


@dataclass(frozen=True, slots=True)
class DeskLine:
    entry: Entry
    acts: tuple[Act, ...]
    refusal: str = ""
    code: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class DeskCounts:
    entered: int
    here: int
    paid: int
    withdrawn: int
    gap: Gap

    @property
    def summary(self) -> str:
        """ "16 here: 4 tables" or "13 here: 3 missing to table 4"."""
        tables = ngettext("%(n)d table", "%(n)d tables", self.gap.tables) % {"n": self.gap.tables}
        if not self.gap.missing:
            return _("%(here)d here: %(tables)s, all full") % {"here": self.here, "tables": tables}
        words = {"here": self.here, "missing": self.gap.missing, "next": self.gap.tables + 1}
        return (
            ngettext(
                "%(here)d here, %(missing)d missing to table %(next)d",
                "%(here)d here, %(missing)d missing to table %(next)d",
                self.gap.missing,
            )
            % words
        )


def counts(championship: Championship, gap: Gap) -> DeskCounts:
    """One query."""
    out = Q(status=Entry.Status.WITHDRAWN)
    found = championship.entries.aggregate(
        entered=Count("pk", filter=~out),
        here=Count("pk", filter=Q(status=Entry.Status.ARRIVED)),
        paid=Count("pk", filter=Q(paid=True) & ~out),
        withdrawn=Count("pk", filter=out),
    )
    return DeskCounts(gap=gap, **found)


def desk_line(
    entry: Entry, *, refusal: str = "", code: str = "", seated: bool = False, changed: bool = False
) -> DeskLine:
    """`seated`: he sits in an open round, so he can only go after it."""
    return DeskLine(entry, tuple(_acts(entry, seated)), refusal, code, changed)


def _acts(entry: Entry, seated: bool) -> list[Act]:
    if entry.status == Entry.Status.WITHDRAWN:
        return [Act("take-back", _("Take back"), pgettext("key", "u"))]
    acts = []
    if entry.status == Entry.Status.ARRIVED:
        acts.append(Act("leave", _("Not here"), pgettext("key", "u")))
    else:
        acts.append(Act("arrive", pgettext("desk", "Here"), pgettext("key", "h"), primary=True))
    if entry.paid:
        acts.append(Act("unpay", _("Not paid"), pgettext("key", "p")))
    else:
        acts.append(Act("pay", pgettext("desk", "Paid"), pgettext("key", "p")))
    if seated:
        acts.append(Act("withdraw-after", _("Gone after this round"), pgettext("key", "w")))
    else:
        acts.append(Act("withdraw", _("Withdraw"), pgettext("key", "w")))
    return acts
