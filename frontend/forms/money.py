"""Amounts of money as typed: `25`, `25.50`, `25.-`, `1'200`; and the forms that contain them."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext_lazy as _

from frontend.forms.lines import LineField
from tournaments.models import Booking
from tournaments.services.money import bills, fees
from tournaments.services.money.bookings import MAX_AMOUNT

WRITTEN = re.compile(r"(\d{1,7})(?:[.,](\d{2}|\d|[-–—]{1,2}))?")


def parse_francs(text: str) -> int | None:
    """Parse an amount in francs and return it in Rappen; None if it is no amount."""
    match = WRITTEN.fullmatch(re.sub(r"[\s'’]|CHF|Fr\.?", "", text))
    if match is None:
        return None
    rest = (match[2] or "").strip("-–—")
    return int(match[1]) * 100 + int(rest.ljust(2, "0") or 0)


class FrancsField(forms.CharField):
    """A field for francs; its clean value is in Rappen, or None without input."""

    def __init__(self, *, most: int = MAX_AMOUNT, **more: Any) -> None:
        self.most = most
        attrs = {"inputmode": "decimal", "autocomplete": "off", "class": "amount"}
        super().__init__(max_length=14, widget=forms.TextInput(attrs=attrs), **more)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        found = parse_francs(text)
        if found is None or found > self.most:
            raise forms.ValidationError(
                _("An amount in francs, like 25 or 25.50, at most %(most)s."),
                code="money/amount",
                params={"most": self.most // 100},
            )
        return found

    def prepare_value(self, value: Any) -> Any:
        """Return a stored amount (an int, in Rappen) as text in francs; typed text is returned as it is."""
        return f"{Decimal(value) / 100:.2f}" if isinstance(value, int) else value


class FeeForm(forms.Form):
    label = forms.CharField(label=_("Who"), max_length=40, required=False)
    amount = FrancsField(label=_("Francs per person"), most=fees.MAX_FEE, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if bool(data.get("label")) != (data.get("amount") is not None) and not self.errors:
            raise forms.ValidationError(_("Enter both: who pays, and how much."))
        return data


FeesForm = formset_factory(FeeForm, extra=2, max_num=fees.MAX_FEES, absolute_max=2 * fees.MAX_FEES)


def parse_prices(listed: "BaseFormSet[FeeForm]") -> list[fees.Price]:
    """Return the prices of the rows that are filled in, in order."""
    rows = [form.cleaned_data for form in listed.forms]
    return [fees.Price(row["label"], row["amount"]) for row in rows if row.get("label")]


class CreditorForm(forms.Form):
    """The bank account and the person to whom bills are paid."""

    name = forms.CharField(label=_("Name of the account holder"), max_length=bills.MAX_NAME_LENGTH)
    iban = LineField(label=_("IBAN"), max_length=34)
    street = forms.CharField(label=_("Street and number"), max_length=bills.MAX_STREET_LENGTH, required=False)
    postcode = forms.CharField(label=_("Postcode"), max_length=10)
    town = forms.CharField(label=_("Town"), max_length=bills.MAX_TOWN_LENGTH)


class BookingForm(forms.Form):
    """A booking that is not an entry fee."""

    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (kind.value, kind.label)
            for kind in (Booking.Kind.EXPENSE, Booking.Kind.INCOME, Booking.Kind.PRIZE)
        ],
    )
    title = forms.CharField(label=_("Purpose"), max_length=60)
    amount = FrancsField(label=_("Francs"))
    method = forms.ChoiceField(label=_("Payment method"), choices=Booking.Method.choices)


class TillForm(forms.Form):
    """The counted amount in a till."""

    amount = FrancsField(label=_("Francs in the till"), required=False)
