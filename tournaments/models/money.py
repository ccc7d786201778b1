"""Money of a championship, in Rappen (hundredths of a franc): fees, tills, bookings, and the creditor of
bills.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.models.championship import Championship
from tournaments.models.entry import Entry


class Fee(models.Model):
    """The entry fee of one kind of person: members, guests, youth. The first fee of the list is the
    default.
    """

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="fees")
    position = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=40)
    amount = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["championship", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "label"], name="tournaments_fee_label")
        ]

    def __str__(self) -> str:
        return self.label


class Creditor(models.Model):
    """The bank account to which entry fees are paid, with its holder."""

    championship = models.OneToOneField(Championship, on_delete=models.CASCADE, related_name="creditor")
    name = models.CharField(max_length=70)
    street = models.CharField(max_length=70, blank=True, default="")
    postcode = models.CharField(max_length=10)
    town = models.CharField(max_length=35)
    country = models.CharField(max_length=2, default="CH")
    iban = models.CharField(max_length=34)

    def __str__(self) -> str:
        return self.name


class CashShift(models.Model):
    """The till of one person (`held_by`), from its opening to its counting.

    `float_amount`: cash at the start; `counted`: cash at the end, None while the till is open.
    """

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="cash_shifts")
    number = models.PositiveIntegerField()
    held_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="cash_shifts")
    float_amount = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    counted = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["championship", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["championship", "number"], name="tournaments_shift_number"),
            models.UniqueConstraint(
                fields=["championship", "held_by"],
                condition=models.Q(closed_at=None),
                name="tournaments_shift_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"shift {self.number} of {self.championship_id}"


class Booking(models.Model):
    """One line of the accounts. It never changes; another booking with the opposite amount can cancel it.

    `amount`: positive for income, negative for expenses. `prize`: line of the prize plan, for prize money;
    such a booking has no title. `shift`: the till of the person who booked; None if it was not open, and for
    a bank transfer. `cancels`: the booking that this one cancels.
    """

    class Kind(models.TextChoices):
        FEE = "fee", _("entry fee")
        INCOME = "income", _("other income")
        PRIZE = "prize", _("prize money")
        EXPENSE = "expense", _("other expense")

    class Method(models.TextChoices):
        CASH = "cash", _("cash")
        TWINT = "twint", _("TWINT")
        CARD = "card", _("card")
        TRANSFER = "transfer", _("bank transfer")

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="bookings")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    title = models.CharField(max_length=60)
    amount = models.IntegerField()
    method = models.CharField(max_length=8, choices=Method.choices, default=Method.CASH)
    entry = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="bookings"
    )
    prize = models.PositiveSmallIntegerField(null=True, blank=True)
    shift = models.ForeignKey(
        CashShift, null=True, blank=True, on_delete=models.PROTECT, related_name="bookings"
    )
    cancels = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="cancelled_by"
    )
    booked_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    booked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["championship", "pk"]

    def __str__(self) -> str:
        return f"{self.title} {self.amount}"

    @property
    def stands(self) -> bool:
        """Whether the booking counts: it is not cancelled, and cancels no other booking."""
        return self.cancels_id is None and not hasattr(self, "cancelled_by")
