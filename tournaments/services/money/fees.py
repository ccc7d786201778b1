"""Entry fees, which may differ by kind of person."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Fee, Round, Seating
from tournaments.names import clean
from tournaments.permissions import Actor, require
from tournaments.services import locks

MAX_FEES: Final = 12
MAX_FEE: Final = 100_000


class Price(NamedTuple):
    """A kind of person (`label`) and its fee (`amount`, in Rappen)."""

    label: str
    amount: int


def load_prices(championship: Championship) -> list[Price]:
    """Load the list of fees of a championship, in order."""
    return [Price(fee.label, fee.amount) for fee in championship.fees.order_by("position", "pk")]


def form_digest(stored: object) -> str:
    """Return the digest of a form's values, by which concurrent changes are detected."""
    return blake2b(repr(stored).encode(), digest_size=8).hexdigest()


def set_fees(
    championship: Championship, prices: Sequence[Price], *, actor: Actor, seen: str | None = None
) -> None:
    """Replace the list of fees. Existing bookings are not changed.

    `seen`: digest of the displayed list; None skips the check for concurrent changes. Raises TournamentError
    `money/fees`, `money/fee_twice`, `money/changed_since`, `names/…`.
    """
    require(actor, "prizes", championship)
    wanted = [Price(clean(label, longest=40, needed=True, field="fee"), amount) for label, amount in prices]
    if len(wanted) > MAX_FEES or any(not 0 <= price.amount <= MAX_FEE for price in wanted):
        raise TournamentError(
            "money/fees",
            _("There are at most %(most)s fees, each of at most %(dearest)s francs."),
            most=MAX_FEES,
            dearest=MAX_FEE // 100,
        )
    labels = [price.label for price in wanted]
    if double := next((label for label in labels if labels.count(label) > 1), None):
        raise TournamentError("money/fee_twice", _("“%(label)s” is listed twice."), label=double)
    with locks.locked_for(championship, actor, "prizes") as locked:
        require_unchanged(load_prices(locked), wanted, seen)
        locked.fees.exclude(label__in=labels).delete()
        for position, price in enumerate(wanted):
            columns = {"position": position, "amount": price.amount}
            Fee.objects.update_or_create(championship=locked, label=price.label, defaults=columns)


def require_unchanged(stored: object, wanted: object, seen: str | None) -> None:
    """Raise TournamentError `money/changed_since` if the stored values (`held`) differ from the displayed
    ones.

    `seen`: the digest of the displayed values; None skips the check. `wanted`: the new values; nothing is
    raised if they equal the stored ones.
    """
    if seen is not None and stored != wanted and form_digest(stored) != seen:
        raise TournamentError(
            "money/changed_since",
            _(
                "Somebody else has changed this in the meantime. The present values are below; save "
                "again to replace them."
            ),
        )


def set_fee(entry: Entry, fee: Fee, *, actor: Actor) -> None:
    """Set the fee of an entry. Raises TournamentError `money/paid_already` if another is paid, ValueError for
    one of another championship.
    """
    locks.require_official_unlocked(entry.championship, actor, "enter")
    if fee.championship_id != entry.championship_id:
        raise ValueError(f"a fee of another championship: {fee.pk}")
    if entry.paid and entry.fee_id != fee.pk:
        raise TournamentError(
            "money/paid_already", _("%(name)s has already paid; pay that back first."), name=entry.name
        )
    entry.fee = fee
    entry.save(update_fields=["fee"])


def unpaid(championship: Championship) -> QuerySet[Entry]:
    """Return the unpaid entries, without the house. Withdrawn ones are included only if they have played."""
    played = Seating.objects.filter(
        entry=OuterRef("pk"), round__status__in=(Round.Status.OPEN, Round.Status.CLOSED)
    )
    takes_part = ~Q(status=Entry.Status.WITHDRAWN) | Exists(played)
    return championship.entries.filter(takes_part, paid=False, house=False, merged_into=None)


def find_fee(entry: Entry, fees: Sequence[Fee]) -> Fee | None:
    """Return the fee of an entry, by default the first of `fees`; None for the house or without fees. `fees`:
    all of the championship.
    """
    if entry.house or not fees:
        return None
    return next((fee for fee in fees if fee.pk == entry.fee_id), fees[0])
