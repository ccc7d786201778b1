"""Forms for the prizes of a championship."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext_lazy as _

from frontend.forms.money import FrancsField, parse_francs
from frontend.presenters.money.prizes import KINDS, KINDS_IN_HEATS, SHARING
from tournaments.prizes import Prize, PrizePlan

MAX_PLACES = 400
MAX_LINES = 100


class PlanForm(forms.Form):
    """The money for the places in one line, the gifts to choose from (one in each line), and settings for all
    prizes.
    """

    places = forms.CharField(
        label=_("Money for the places, from the first on"),
        required=False,
        max_length=4000,
        help_text=_("In francs, separated by spaces: 200 150 100 80 60"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    sharing = forms.ChoiceField(label=_("People who are level"), choices=list(SHARING.items()))
    once = forms.BooleanField(
        label=_("People with a prize get no special prize; the next person gets it"), required=False
    )
    everybody = forms.BooleanField(
        label=_("Special prizes also for people who missed a round"), required=False
    )
    table = forms.CharField(
        label=_("Things to choose from, one a line"),
        required=False,
        max_length=40_000,
        help_text=_("For people without a prize for a place, in the order of the ranking."),
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def __init__(self, *given: Any, by_start: bool = False, **more: Any) -> None:
        super().__init__(*given, **more)
        if by_start:
            self.fields["everybody"].label = _("Special prizes also for people with fewer starts")

    def clean_places(self) -> tuple[int, ...]:
        words = str(self.cleaned_data["places"]).replace(";", " ").split()
        amounts = [parse_francs(word) for word in words]
        for word, amount in zip(words, amounts, strict=True):
            if amount is None:
                raise forms.ValidationError(
                    _("“%(word)s” is not an amount; write francs, separated by spaces."),
                    code="prizes/amount",
                    params={"word": word},
                )
        if len(words) > MAX_PLACES:
            raise forms.ValidationError(
                _("At most %(most)s places."), code="prizes/places", params={"most": MAX_PLACES}
            )
        return tuple(amount for amount in amounts if amount is not None)

    def clean_table(self) -> tuple[str, ...]:
        things = [line.strip() for line in str(self.cleaned_data["table"]).splitlines() if line.strip()]
        if long := next((thing for thing in things if len(thing) > 60), None):
            raise forms.ValidationError(
                _("“%(thing)s” is longer than 60 letters."), code="prizes/thing", params={"thing": long}
            )
        return tuple(things)


class PrizeForm(forms.Form):
    """The form of one prize. `sweeps`: the game has prizes for sweeps; `by_start`: the championship is an
    open heat.
    """

    kind = forms.ChoiceField(label=_("For"), choices=list(KINDS.items()), required=False)
    number = forms.IntegerField(
        label=_("Which"),
        min_value=1,
        max_value=4000,
        required=False,
        widget=forms.NumberInput(attrs={"class": "amount"}),
    )
    category = forms.CharField(label=_("Category"), max_length=60, required=False)
    amount = FrancsField(label=_("Francs"), required=False)
    thing = forms.CharField(label=_("Prize in kind"), max_length=60, required=False)

    def __init__(self, *given: Any, sweeps: bool = True, by_start: bool = False, **more: Any) -> None:
        super().__init__(*given, **more)
        words = KINDS_IN_HEATS if by_start else KINDS
        kinds = [(kind, word) for kind, word in words.items() if sweeps or kind != "sweeps"]
        kind = self.fields["kind"]
        if isinstance(kind, forms.ChoiceField):
            kind.choices = kinds


PrizesForm = formset_factory(PrizeForm, extra=3, max_num=MAX_LINES, absolute_max=MAX_LINES)


def parse_prizes(listed: "BaseFormSet[PrizeForm]") -> list[Prize]:
    """Return the prizes of all rows with an amount, a thing or a category."""
    return [
        Prize(
            kind=row["kind"],
            number=row.get("number") or 1,
            category=row.get("category") or "",
            amount=row.get("amount") or 0,
            thing=row.get("thing") or "",
        )
        for row in (form.cleaned_data for form in listed.forms)
        if row.get("amount") or row.get("thing") or row.get("category")
    ]


def plan_initial(plan: PrizePlan) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the initial data of `PlanForm`, with the money for places before the first gap, and of the rows
    of `PrizesForm`: all other prizes.
    """
    money = {prize.number: prize for prize in plan.prizes if _is_plain(prize)}
    line: list[Prize] = []
    while len(line) + 1 in money:
        line.append(money[len(line) + 1])
    rows = [prize for prize in plan.prizes if prize not in line]
    whole = {
        "places": " ".join(f"{prize.amount / 100:.2f}".removesuffix(".00") for prize in line),
        "sharing": plan.sharing,
        "once": plan.once,
        "everybody": not plan.complete,
        "table": "\n".join(plan.table),
    }
    return whole, [
        {
            "kind": p.kind,
            "number": p.number,
            "category": p.category,
            "amount": p.amount or None,
            "thing": p.thing,
        }
        for p in rows
    ]


def build_prize_plan(form: PlanForm, prizes: Sequence[Prize]) -> PrizePlan:
    """Return the plan from its form and the listed prizes. A thing for a place, without money, joins the
    place's money.
    """
    data = form.cleaned_data
    things = {prize.number: prize.thing for prize in prizes if prize.kind == "place" and not prize.amount}
    money = tuple(
        Prize(kind="place", number=number, amount=amount, thing=things.pop(number, ""))
        for number, amount in enumerate(data["places"], 1)
        if amount or number in things
    )
    rest = tuple(prize for prize in prizes if prize.kind != "place" or prize.amount or prize.number in things)
    return PrizePlan(
        prizes=(*money, *rest),
        sharing=data["sharing"],
        once=data["once"],
        complete=not data["everybody"],
        table=data["table"],
    )


def _is_plain(prize: Prize) -> bool:
    return prize.kind == "place" and bool(prize.amount) and not prize.thing
