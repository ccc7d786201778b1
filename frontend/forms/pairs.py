"""Entering pairs, one line each."""

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_TEXT = 200_000


class PairLinesForm(forms.Form):
    text = forms.CharField(
        label=_("Pairs, one a line"),
        max_length=MOST_TEXT,
        help_text=_(
            "Two names with /, &, + or “and” between them. "
            "A number, or the whole name, means somebody entered."
        ),
        widget=forms.Textarea(
            attrs={
                "rows": 8, "spellcheck": "false", "autocomplete": "off",
                "placeholder": "Müller Fredi / Meier Heidi", "autofocus": True,
            }
        ),
    )  # fmt: skip
    status = forms.ChoiceField(
        label=_("Status"),
        choices=[
            ("registered", _("entered")),
            ("paid", _("entered and paid")),
            ("arrived", _("here")),
        ],
        initial="arrived",
    )
