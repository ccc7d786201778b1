"""What the director says with a button: a reason, a force, and a draw made in the hall."""

import re

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.forms.championship import When


class CloseForm(forms.Form):
    force = forms.BooleanField(label=_("Break off the tables that still play"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class TimesForm(forms.Form):
    opens_at = When(label=_("Opens by itself"), required=False)
    closes_at = When(label=_("Closes by itself"), required=False)


class ByHandForm(forms.Form):
    """Lines of entry numbers, one table a line, in the order of play."""

    tables = forms.CharField(
        label=_("Seats drawn in the hall"),
        help_text=_("One table a line, the entry numbers in the order of play: 7 12 3 9"),
        widget=forms.Textarea(attrs={"rows": 6, "inputmode": "numeric"}),
        max_length=40_000,
    )

    def clean_tables(self) -> list[list[int]]:
        """Numbers by table."""
        lines = [line for line in str(self.cleaned_data["tables"]).splitlines() if line.strip()]
        for at, line in enumerate(lines, 1):
            if not re.fullmatch(r"[\d\s,;./-]+", line, re.ASCII):
                raise forms.ValidationError(
                    _("Line %(n)d is more than numbers.") % {"n": at}, code="draw/numbers"
                )
        return [[int(n) for n in re.findall(r"\d{1,6}", line)] for line in lines]
