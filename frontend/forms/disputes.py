"""A call from a table, and the referee's ruling on it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.presenters.rulings import BY_WORD, NEEDS
from frontend.presenters.vocabulary import SUITS, contract_word


class RaiseForm(forms.Form):
    deal = forms.IntegerField(
        label=_("Deal"),
        required=False,
        min_value=1,
        max_value=1000,
        help_text=_("Empty: just call the referee."),
    )
    trick = forms.IntegerField(label=_("Trick"), required=False, min_value=1, max_value=12)
    text = forms.CharField(
        label=_("What happened"), required=False, max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )


class FactsForm(forms.Form):
    """What a ruling is about. `names` by seat, `sides` by side; `deck`: whose names the suits have."""

    deal = forms.IntegerField(label=_("Deal"), required=False, min_value=1, max_value=1000)
    trick = forms.IntegerField(label=_("Trick"), required=False, min_value=1, max_value=12)
    against = forms.TypedChoiceField(label=_("Concerns"), required=False, coerce=int, empty_value=None)
    points = forms.IntegerField(label=_("Points taken off"), required=False, min_value=1, max_value=10_000)
    suit = forms.ChoiceField(label=_("Suit that may not be led"), required=False)

    def __init__(
        self, data: Any = None, *, names: list[str], sides: list[str], deck: str, **more: Any
    ) -> None:
        super().__init__(data, **more)
        self.fields["against"].choices = [("", "–"), *((i, name) for i, name in enumerate(names))]  # type: ignore[attr-defined]
        self.fields["suit"].choices = [("", "–"), *((suit, contract_word(suit, deck)) for suit in SUITS)]  # type: ignore[attr-defined]
        self.sides = len(sides)
        for side, name in enumerate(sides):
            self.fields[f"score_{side}"] = forms.IntegerField(
                label=_("New score of %(name)s") % {"name": name},
                required=False,
                min_value=-10_000,
                max_value=10_000,
            )

    def given(self) -> dict[str, Any]:
        """Only what was filled in, in the words of the engine; scores when all of them are there."""
        data = self.cleaned_data
        scores = [data.get(f"score_{side}") for side in range(self.sides)]
        return {
            "deal": data.get("deal"),
            "trick": data.get("trick"),
            "against": data.get("against"),
            "points": data.get("points"),
            "suit": data.get("suit") or None,
            "scores": scores if None not in scores else None,
        }


class RulingForm(forms.Form):
    remedy = forms.ChoiceField(choices=[(key, key) for key in (*NEEDS, BY_WORD)])
    article = forms.CharField(label=_("Article"), max_length=200, required=False)
    answer = forms.CharField(
        label=_("Reason, as it will be published"), max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )
    token = forms.RegexField(r"^[0-9a-f]{32}$")
