"""Places and the waiting list, as people see them when they enter and on their own pages."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from stdnum import iban, iso11649
from stdnum.ch import esr

from frontend.presenters.entries.persons_evening import PersonsEvening, load_evening
from tournaments.models import Championship, Creditor, Entry, Fee, OwnPage, Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import own_pages, own_partner, pairs, waiting_list
from tournaments.services.money import bills
from tournaments.services.money.fees import find_fee
from tournaments.services.open_heat.starts import list_starts


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a championship. `limit`, `free`: None if their number is not limited; `waiting`: people
    on the waiting list; `of_pairs`: partners stay together; `full`: one more person has to wait.
    """

    limit: int | None
    free: int | None
    waiting: int
    of_pairs: bool
    full: bool

    @property
    def sentence(self) -> str:
        """A sentence on the free places and the waiting people; "" if places are not limited."""
        if self.limit is None or self.free is None:
            return ""
        if self.free == 0 and not self.waiting:
            said = _("All %(n)d places are taken. New entries go on the waiting list.")
        elif self.free == 0:
            said = ngettext(
                "All %(n)d places are taken; %(waiting)d person is waiting. New entries go on the "
                "waiting list.",
                "All %(n)d places are taken; %(waiting)d people are waiting. New entries go on the "
                "waiting list.",
                self.waiting,
            )
        elif self.full:
            said = ngettext(
                "%(waiting)d person is waiting for a place. New entries come afterwards.",
                "%(waiting)d people are waiting for a place. New entries come afterwards.",
                self.waiting,
            )
        else:
            said = ngettext(
                "%(free)d of %(n)d place is free.", "%(free)d of %(n)d places are free.", self.limit
            )
        return said % {"free": self.free, "n": self.limit, "waiting": self.waiting}


def count_places(championship: Championship) -> Places:
    """Count the places of a championship. Three queries; at most six if somebody waits."""
    waiting = championship.entries.filter(Entry.WAITS).count()
    of_pairs = pairs.has_fixed_pairs(championship)
    free = waiting_list.count_free(championship)
    full = free == 0 or (waiting > 0 and waiting_list.has_to_wait(championship, 1))
    return Places(championship.entry_limit, free, waiting, of_pairs, full)


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """The data of a person's own page. `place`: on the waiting list; `limit`: number of places in the
    championship; `wished`: typed name of a partner without entry; `askers`: people who have named this person
    as partner; `bill`: labels and texts for a payment, empty if nothing is to be paid now; `can_change`: the
    person may withdraw or change their partner; `evening`: None before the first draw; `starts`: numbers of
    the person's starts in an open heat, if there are several.
    """

    entry: Entry
    place: int | None
    limit: int | None
    of_pairs: bool
    partner: Entry | None
    partner_waits: bool
    wished: str
    askers: tuple[Entry, ...]
    fee: Fee | None
    bill: tuple[tuple[str, str], ...]
    can_change: bool
    evening: PersonsEvening | None
    starts: tuple[int, ...] = ()

    @property
    def to_pay(self) -> bool:
        """Whether there is a bill to show."""
        return bool(self.bill)

    @property
    def unlikely(self) -> bool:
        return self.place is not None and self.limit is not None and self.place > self.limit

    @property
    def state(self) -> str:
        """The status of the entry, by which its label is found."""
        return describe_entry_state(self.entry)

    @property
    def sentence(self) -> str:
        """One sentence: the place on the waiting list, or that the person has withdrawn, or the entry's
        number.
        """
        if self.place is not None:
            return _("You are number %(n)d on the waiting list.") % {"n": self.place}
        if self.entry.status == Entry.Status.WITHDRAWN:
            return _("You have withdrawn.")
        return _("You are entered, number %(n)d.") % {"n": self.entry.number}


def describe_entry_state(entry: Entry) -> str:
    """Return the status of an entry, by which its label is found; `waiting` for one on the waiting list."""
    return "waiting" if entry.waits else str(entry.status)


def _bill_facts(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return account and reference of the payment, each as (label, text); empty if the championship has no
    complete account.
    """
    creditor = Creditor.objects.filter(championship=entry.championship_id).first()
    if creditor is None or bills.list_missing_fields(creditor):
        return ()
    reference = bills.make_payment_reference(entry, creditor.iban)
    written = iso11649.format(reference) if reference.startswith("RF") else esr.format(reference)
    return (
        (pgettext("money", "Account"), f"{creditor.name}, {iban.format(creditor.iban)}"),
        (_("Reference"), written),
    )


def load_own_entry(page: OwnPage) -> OwnEntry:
    """Return the data of a person's own page."""
    entry = page.entry
    championship = entry.championship
    of_pairs = pairs.has_fixed_pairs(championship)
    there = entry.status != Entry.Status.WITHDRAWN
    groups = waiting_list.list_groups(championship) if entry.waits else []
    partner = (pairs.find_partner(entry) or page.partner) if of_pairs and (there or entry.waits) else None
    fee = find_fee(entry, list(championship.fees.all()))
    regulations = load_regulations(championship)
    begun = championship.rounds.exclude(status=Round.Status.PLANNED).exists()
    can_change = own_pages.can_withdraw(page) and (there or entry.waits)
    needs_partner = of_pairs and partner is None and can_change
    return OwnEntry(
        entry=entry,
        place=waiting_list.place_on_list(groups, entry),
        limit=championship.entry_limit,
        of_pairs=of_pairs,
        partner=partner,
        partner_waits=partner is not None and partner.waits,
        wished=page.wished if partner is None else "",
        askers=tuple(one.entry for one in own_partner.list_askers(page)) if needs_partner else (),
        fee=fee if fee is not None and fee.amount else None,
        bill=_bill_facts(entry) if there and not entry.paid and fee is not None and fee.amount else (),
        can_change=can_change,
        evening=load_evening(championship, entry, regulations) if begun else None,
        starts=_start_numbers(entry) if regulations.has_queue else (),
    )


def _start_numbers(entry: Entry) -> tuple[int, ...]:
    """Return the numbers of the person's starts; empty if there is only one."""
    standing = [one.entry for one in list_starts(entry) if one.entry.status != Entry.Status.WITHDRAWN]
    return tuple(one.number for one in standing) if len(standing) > 1 else ()
