"""Forms for a call to the referee, a dispute, an appeal, and the referee's ruling."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.presenters.disputes.rulings import BY_WORD, NEEDS, UPHOLD
from frontend.presenters.words.contract_names import TRUMP_SUITS, contract_name
from frontend.presenters.words.vocabulary import DISPUTED, word
from games.models import Game
from tournaments import incident_kinds

BETWEEN_TWO = 2
"""Number of sides at which no field asks who gets points, because only the other side can."""
NO_NAMES = _("Everybody can read this: enter no names.")
"""Hint of a text that a public log keeps; erasing a person does not change it."""


def _set_choices(form: forms.Form, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Set the choices of the field `name`, which depend on the game."""
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} offers no choice")
    field.choices = [*choices]


def possible_incidents(game: Game) -> list[str]:
    """Return the codes of the incidents that can happen in this game."""
    found = incident_kinds.table_incidents(game.mode, game.variant, game.seat_count, game.options)
    return [incident.code for incident in found]


class RaiseForm(forms.Form):
    """The form of a new dispute. `game`: determines which incidents are possible."""

    incident = forms.ChoiceField(label=_("What happened"), required=False, widget=forms.RadioSelect)
    deal = forms.IntegerField(
        label=_("Deal"),
        required=False,
        min_value=1,
        max_value=1000,
        help_text=_("Empty: just call the referee."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    trick = forms.IntegerField(
        label=_("Trick"),
        required=False,
        min_value=1,
        max_value=18,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    at_seq = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("In your words"), required=False, max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, data: Any = None, *, game: Game, **more: Any) -> None:
        super().__init__(data, **more)
        _set_choices(self, "incident", ((code, word(DISPUTED, code)) for code in possible_incidents(game)))

    def clean(self) -> dict[str, Any]:
        """Remove trick and card if there is no deal; the form then only calls the referee."""
        data = super().clean() or {}
        return data if data.get("deal") else {**data, "trick": None, "at_seq": None}


class AppealForm(forms.Form):
    version = forms.IntegerField(min_value=0)
    reason = forms.CharField(
        label=_("Why the ruling is wrong"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=NO_NAMES,
    )


class FactsForm(forms.Form):
    """The facts of a ruling. `names`: of the players by seat; `sides`: names of the sides; `deck`: key of the
    deck that names suits; `codes`: incidents that can be selected; `written`: ask for the card points on the
    sheet.
    """

    incident = forms.ChoiceField(label=_("Incident"), required=False)
    deal = forms.IntegerField(label=_("Deal"), required=False, min_value=1, max_value=1000)
    trick = forms.IntegerField(label=_("Trick"), required=False, min_value=1, max_value=18)
    against = forms.TypedChoiceField(label=_("Concerns"), required=False, coerce=int, empty_value=None)
    points = forms.IntegerField(label=_("Points taken off"), required=False, min_value=1, max_value=10_000)
    suit = forms.ChoiceField(label=_("Suit that may not be led"), required=False)
    to = forms.TypedChoiceField(
        label=_("Who gets the points (empty: all others, in equal shares)"),
        required=False,
        coerce=int,
        empty_value=None,
    )
    chosen_by = forms.TypedChoiceField(
        label=_("Which opponent has chosen"), required=False, coerce=int, empty_value=None
    )

    first = forms.TypedChoiceField(
        label=_("First to reach the target"), required=False, coerce=int, empty_value=None
    )

    def __init__(
        self,
        data: Any = None,
        *,
        names: list[str],
        sides: list[str],
        deck: str,
        codes: Iterable[str] = incident_kinds.CODES,
        written: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        offered: dict[str, list[tuple[Any, str]]] = {
            "incident": [(code, word(DISPUTED, code)) for code in codes],
            "against": list(enumerate(names)),
            "to": list(enumerate(sides)),
            "first": list(enumerate(sides)),
            "chosen_by": list(enumerate(names)),
            "suit": [(suit, contract_name(suit, deck)) for suit in TRUMP_SUITS],
        }
        for name, choices in offered.items():
            _set_choices(self, name, [("", "–"), *choices])
        if len(sides) == BETWEEN_TWO:
            del self.fields["to"]
        self.sides = len(sides)
        for side, name in enumerate(sides if written else []):
            self.fields[f"written_{side}"] = forms.IntegerField(
                label=_("Card points of %(name)s on the sheet") % {"name": name},
                required=False,
                min_value=0,
                max_value=1000,
            )
        for side, name in enumerate(sides):
            self.fields[f"score_{side}"] = forms.IntegerField(
                label=_("New score of %(name)s") % {"name": name},
                required=False,
                min_value=-10_000,
                max_value=10_000,
            )

    ALWAYS = ("incident", "deal", "trick", "against")
    BY_OUTCOME = ("first",)
    """Fields that are needed only if a remedy takes several sides to their targets."""

    @property
    def always(self) -> list[Any]:
        """The bound fields that every ruling has."""
        return [self[name] for name in self.ALWAYS]

    @property
    def others(self) -> list[Any]:
        """The bound fields that only some remedies need, except `first`."""
        return [self[name] for name in self._others]

    @property
    def first_at_target(self) -> Any:
        return self["first"]

    @property
    def _others(self) -> list[str]:
        return [name for name in self.fields if name not in (*self.ALWAYS, *self.BY_OUTCOME)]

    @property
    def more_given(self) -> bool:
        """Whether one of the fields in `others` is filled in."""
        return any(self[name].value() for name in self._others)

    def asks_more_for(self, kind: str, given: Mapping[str, Any]) -> bool:
        """Return whether a ruling of this kind needs a field in `others` that `given` does not hold."""
        needed = {name for key in NEEDS if key.partition("/")[0] == kind for name in NEEDS[key]}
        return any(given.get(name) is None for name in needed.difference(self.ALWAYS))

    def given(self) -> dict[str, Any]:
        """Return the facts under the names of the engine. An empty field is None; so are `scores` and
        `written` unless there is one for each side.
        """
        data = self.cleaned_data
        scores = [data.get(f"score_{side}") for side in range(self.sides)]
        written = [data.get(f"written_{side}") for side in range(self.sides)]
        return {
            "deal": data.get("deal"),
            "trick": data.get("trick"),
            "against": data.get("against"),
            "to": data.get("to"),
            "points": data.get("points"),
            "suit": data.get("suit") or None,
            "first": data.get("first"),
            "chosen_by": data.get("chosen_by"),
            "scores": scores if None not in scores else None,
            "written": written if None not in written else None,
        }


class RulingForm(forms.Form):
    remedy = forms.ChoiceField(choices=[(key, key) for key in (*NEEDS, BY_WORD, UPHOLD)])
    version = forms.IntegerField(min_value=0)
    counted = forms.CharField(required=False, max_length=200)
    article = forms.CharField(label=_("Article"), max_length=200, required=False)
    answer = forms.CharField(
        label=_("Reason, as it will be published"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=NO_NAMES,
    )
    token = forms.RegexField(r"^[0-9a-f]{32}$")
    odd_sum = forms.BooleanField(label=_("Count it anyway"), required=False)
