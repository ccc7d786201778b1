"""The regulations as fields: what clubs change most; everything else stays as the preset has it."""

from collections.abc import Iterator
from typing import Any

import msgspec
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from frontend.presenters.regulations import complete_options
from frontend.presenters.vocabulary import MODES
from tournaments import regulations as rules

YES_NO_OPTIONS = ("stoeck", "melds", "partner_waits")
"""Options of the game that are a check box where the game knows them."""

GROUPS: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (_("Length"), ("rounds", "deals", "round_minutes")),
    (_("Points"), ("sweep_bonus", "stoeck", "melds", "partner_waits")),
    (_("Ranking"), ("counting", "counting_number")),
    (_("Seats"), ("chairs", "byes", "bye_points")),
    (_("Tables"), ("mode", "turn_seconds", "visibility")),
)


class RegulationsForm(forms.Form):
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=60)
    deals = forms.IntegerField(label=_("Deals a round"), min_value=1, max_value=48)
    sweep_bonus = forms.IntegerField(
        label=_("Bonus for a sweep"), min_value=0, max_value=1000, help_text=_("100, 50, or 0 for none.")
    )
    stoeck = forms.BooleanField(label=_("Stöck counts"), required=False)
    melds = forms.BooleanField(label=_("Melds count"), required=False)
    partner_waits = forms.BooleanField(
        label=_("The partner leaves the cards face down until forehand has chosen or pushed"), required=False
    )
    counting = forms.ChoiceField(
        label=_("What counts"),
        choices=[
            ("sum", _("the sum of all rounds")),
            ("drop_worst", _("the sum without the worst rounds")),
            ("best", _("only the best rounds")),
        ],
    )
    counting_number = forms.IntegerField(
        label=_("How many rounds"),
        required=False,
        min_value=0,
        max_value=60,
        help_text=_("Dropped, or counted as the best; empty for the sum of all."),
    )
    chairs = forms.ChoiceField(
        label=_("Seats are called by"),
        choices=[("letters", _("letters, A to D")), ("chips", _("numbered chips, even against odd"))],
    )
    byes = forms.ChoiceField(
        label=_("When people do not fill the tables"),
        choices=[
            ("sit_out/average", _("some sit out in turn, for the average of the round")),
            ("sit_out/fixed", _("some sit out in turn, for fixed points")),
            ("house/average", _("players of the house help out")),
        ],
    )
    bye_points = forms.IntegerField(label=_("Fixed points for sitting out"), required=False)
    mode = forms.ChoiceField(label=_("Tables"), choices=[(code, MODES[code]) for code in rules.MODES])
    turn_seconds = forms.IntegerField(
        label=_("Seconds for each card at online tables"),
        required=False,
        min_value=1,
        max_value=3600,
        help_text=_("Empty: no clock."),
    )
    round_minutes = forms.IntegerField(
        label=_("Minutes a round"),
        required=False,
        min_value=0,
        max_value=600,
        help_text=_("Empty: no limit."),
    )
    visibility = forms.ChoiceField(
        label=_("Spectators of online tables"),
        choices=[
            ("private", _("see no cards")),
            ("played", _("see the cards that have been played")),
            ("after_deal", _("see all hands once a deal is over")),
        ],
    )

    def __init__(self, data: Any = None, *, regulations: rules.Regulations) -> None:
        self.regulations = regulations
        known = complete_options(regulations)
        super().__init__(data, initial=_initial(regulations, known))
        for option in (*YES_NO_OPTIONS, "sweep_bonus"):
            if option not in known:
                del self.fields[option]

    def groups(self) -> Iterator[tuple[str | Promise, list[forms.BoundField]]]:
        """The fields under their headings, as far as the game has them."""
        for title, names in GROUPS:
            yield title, [self[name] for name in names if name in self.fields]

    def changed(self) -> rules.Regulations:
        """The regulations with what was typed in. The service checks whether they make sense."""
        data, was = self.cleaned_data, self.regulations
        options = dict(was.play.options)
        before = complete_options(was)
        for option in (*YES_NO_OPTIONS, "sweep_bonus"):
            if option in data and data[option] != before[option]:
                options[option] = data[option]
        policy, points = data["byes"].split("/")
        number = 0 if data["counting"] == "sum" else data["counting_number"] or 0
        replace = msgspec.structs.replace
        return replace(
            was,
            rounds=data["rounds"],
            deals=data["deals"],
            chairs=data["chairs"],
            visibility=data["visibility"],
            round_minutes=data["round_minutes"] or 0,
            play=replace(was.play, options=options, mode=data["mode"], turn_seconds=data["turn_seconds"]),
            byes=replace(was.byes, policy=policy, points=points, fixed=data["bye_points"] or 0),
            counting=replace(was.counting, what=data["counting"], number=number),
        )


def _initial(regulations: rules.Regulations, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "rounds": regulations.rounds,
        "deals": regulations.deals,
        "sweep_bonus": options.get("sweep_bonus"),
        **{option: options.get(option) for option in YES_NO_OPTIONS},
        "counting": regulations.counting.what,
        "counting_number": regulations.counting.number or None,
        "chairs": regulations.chairs,
        "byes": f"{regulations.byes.policy}/{regulations.byes.points}"
        if regulations.byes.policy == "sit_out"
        else "house/average",
        "bye_points": regulations.byes.fixed or None,
        "mode": regulations.play.mode,
        "turn_seconds": regulations.play.turn_seconds,
        "round_minutes": regulations.round_minutes or None,
        "visibility": regulations.visibility,
    }
