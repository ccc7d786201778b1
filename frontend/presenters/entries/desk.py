"""The registration desk: one line for each person with its buttons, and how the present people fill
tables.
"""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from frontend.presenters.entries.entering import describe_entry_state
from tournaments.models import Championship, Entry, OwnPage, Seating
from tournaments.services.draw.left_over import Gap
from tournaments.services.entries.presence import EXPECTED
from tournaments.services.entries.waiting_list import has_to_wait
from tournaments.services.people.entry_persons import PERSON


@dataclass(frozen=True, slots=True)
class Act:
    """A button of a line. `name`: of the action in its URL. `key`: its keyboard shortcut while the line has
    the focus. `primary`: the Enter key presses it. `whole`: the action changes other lines too, so the whole
    page is loaded again.
    """

    name: str
    label: str
    key: str
    primary: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class DeskLine:
    entry: Entry
    acts: tuple[Act, ...]
    refusal: str = ""
    code: str = ""
    changed: bool = False
    empty_seat: Seating | None = None
    """The seat in a drawn or open round that becomes empty because the person was just marked as absent."""
    place: int | None = None
    """The position on the waiting list; None in other lists."""
    mail_failed: bool = False
    """Whether the newest mail to the person was not delivered."""

    @property
    def state(self) -> str:
        """The status of the entry, by which its label is found."""
        return describe_entry_state(self.entry)

    @property
    def wished(self) -> str:
        """The typed name of the wished partner, as long as that partner has no entry; else empty."""
        page = getattr(self.entry, "own_page", None)
        return page.wished if isinstance(page, OwnPage) and page.partner_id is None else ""


@dataclass(frozen=True, slots=True)
class DeskCounts:
    """Figures of the desk. `entered`, `here` and `limit` (None without one) count people, without players of
    the house. `paid`, `withdrawn`, `expected` (not yet present) and `waiting` (on the list) count entries.
    `gap`: how the present people fill tables.
    """

    entered: int
    here: int
    paid: int
    withdrawn: int
    expected: int
    gap: Gap
    waiting: int = 0
    limit: int | None = None


def count_desk_entries(championship: Championship, gap: Gap) -> DeskCounts:
    """Count people and entries of a championship, without bots. One query. `gap`: how the present people
    fill tables.
    """
    out, waits, house = Q(status=Entry.Status.WITHDRAWN), Entry.WAITS, Q(house=True)
    totals = championship.entries.filter(bot=False).aggregate(
        entered=Count(PERSON, filter=~out & ~house, distinct=True),
        here=Count(PERSON, filter=Q(status=Entry.Status.ARRIVED) & ~house, distinct=True),
        paid=Count("pk", filter=Q(paid=True) & ~out),
        withdrawn=Count("pk", filter=out & ~waits),
        waiting=Count("pk", filter=waits),
        expected=Count("pk", filter=Q(status__in=EXPECTED)),
    )
    return DeskCounts(gap=gap, limit=championship.entry_limit, **totals)


def desk_line(
    entry: Entry,
    *,
    refusal: str = "",
    code: str = "",
    seated: bool = False,
    changed: bool = False,
    absent: bool = False,
    empty_seat: Seating | None = None,
    place: int | None = None,
    returnable: bool = False,
) -> DeskLine:
    """Return the line of an entry. `seated`: the person sits in an open round, so they can withdraw only
    after it. `absent`: the list is one for marking absent people, so Enter marks the person as absent.
    `returnable`: the person may go back to the waiting list. The other arguments: as the fields of
    `DeskLine`.
    """
    mail_failed = bool(getattr(entry, "mail_failed", False))
    acts = tuple(_acts(entry, seated, absent, returnable))
    return DeskLine(entry, acts, refusal, code, changed, empty_seat, place, mail_failed)


def _acts(entry: Entry, seated: bool, absent: bool, returnable: bool) -> list[Act]:
    if entry.merged_into_id is not None:
        return []
    if entry.waits:
        return [
            Act("move-up", pgettext("waiting list", "Move up"), pgettext("key", "m"), whole=True),
            Act("withdraw", _("Take off the list"), pgettext("key", "w"), whole=True),
        ]
    if entry.status == Entry.Status.WITHDRAWN:
        return [Act("take-back", _("Take back"), pgettext("key", "u"))]
    acts = []
    if entry.status == Entry.Status.ARRIVED:
        acts.append(Act("leave", _("Not here"), pgettext("key", "u"), primary=absent))
    else:
        acts.append(Act("arrive", pgettext("desk", "Here"), pgettext("key", "h"), primary=not absent))
    if entry.paid:
        acts.append(Act("unpay", _("Not paid"), pgettext("key", "p")))
    else:
        acts.append(Act("pay", pgettext("desk", "Paid"), pgettext("key", "p")))
    if seated:
        acts.append(Act("withdraw-after", _("Leaves after this round"), pgettext("key", "w")))
    else:
        acts.append(Act("withdraw", _("Withdraw"), pgettext("key", "w")))
    if returnable and entry.status in EXPECTED:
        acts.append(Act("put-back", _("Back to the waiting list"), pgettext("key", "b"), whole=True))
    return acts


def initial_status(championship: Championship) -> str:
    """Return the status of a new entry. Before the day of a championship in draft it is registered, or
    `waiting` if one more person has to wait; otherwise it is present.
    """
    starts = championship.starts_at
    before = starts is not None and timezone.localdate(starts) > timezone.localdate()
    if not (before and championship.status == Championship.Status.DRAFT):
        return Entry.Status.ARRIVED.value
    return "waiting" if has_to_wait(championship, 1) else Entry.Status.REGISTERED.value
