"""The regulations as form fields. A preset determines the chain of tie-breaks, except Buchholz."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import inspect

from engine import get_variant
from frontend.forms import pairing, team_rules
from frontend.forms.match_scale import ScaleField, write_scale
from frontend.forms.options import build_option_fields, option_initial, option_names, parse_option
from frontend.presenters.regulations.options import DEFAULT_DECK, Option, describe_options, merge_options
from frontend.presenters.regulations.regulations import complete_options
from frontend.presenters.words.refusals import refusal_sentence
from frontend.presenters.words.vocabulary import (
    CONFIRMATIONS,
    CORRECTING,
    CREDITS,
    HAND_INS,
    INCIDENTS,
    MODES,
    PARTNERS,
    REMEDIES,
    START_HAND_INS,
    START_PARTNERS,
    THREES,
    UNPLAYED_WORTHS,
    WRONG_SUMS,
)
from frontend.presenters.words.writing_words import Words
from tournaments import regulations as rules
from tournaments.errors import TournamentError
from tournaments.incident_kinds import regulations_incidents
from tournaments.regulation_checks import ALLOWED_VALUES
from tournaments.standings.counting_rules import BUCHHOLZ, MAX_SEALED, PLAIN
from tournaments.standings.match_points import DEFAULT_SCALE

SPECTATORS: Final = ("visibility", "hands_wait_deals", "hands_wait_minutes", "delay_minutes")
UNPLAYED: Final = {
    "absences": ("absences", "absence_points", "absences_most", "absences_excused"),
    "broken_off": ("broken_off", "broken_off_points", "broken_off_most"),
}
"""Name in the regulations → the fields for the worth of such rounds: how, fixed points, how often, only if
excused.
"""
FIXED: Final = {
    "byes": ("sit_out/fixed", "bye_points"),
    "absences": ("fixed", "absence_points"),
    "broken_off": ("fixed", "broken_off_points"),
}
"""Field → the choice for which it needs fixed points, and the field of these points."""
OF_STARTS: Final = {
    "rounds": _("Sessions"),
    "deals": _("Deals per start"),
    "round_minutes": _("Minutes per start"),
    "counting_number": _("Number of starts"),
    "system": _("How tables are made up"),
}
"""Labels of fields in an open heat."""
CHOICES_OF_STARTS: Final[Mapping[str, Words]] = {
    "counting": {"best": _("only the best starts")},
    "format": START_PARTNERS,
    "hand_in": START_HAND_INS,
}
Group = tuple[str | Promise, tuple[str, ...]]
LENGTH: Final[Group] = (_("Length"), ("rounds", "deals", "round_minutes"))
OTHERS: Final[tuple[Group, ...]] = (
    (
        _("Ranking"),
        (
            "credit",
            "same_cards",
            "counting",
            "counting_number",
            "starts",
            "scale",
            "buchholz",
            "buchholz_unplayed",
            "sealed_least",
            "sealed_most",
        ),
    ),
    (_("Teams"), team_rules.NAMES),
    (
        _("Seats"),
        ("seats", "format", "system", "chairs", "byes", "bye_points", "three", *UNPLAYED["absences"]),
    ),
    (
        _("Tables"),
        (
            "mode",
            "hand_in",
            "confirmation",
            "silence_minutes",
            "correcting",
            "turn_seconds",
            *UNPLAYED["broken_off"],
            *SPECTATORS,
            "appeal_minutes",
        ),
    ),
)
ELSEWHERE: Final = {"deals"}
"""Options of games for which the regulations have their own field."""
NO_REMEDY: Final = "-"
OWN: Final = ("rounds", "deals", "chairs", *SPECTATORS, "round_minutes", "silence_minutes", "appeal_minutes")
"""Names of values in the regulations whose field has the same name. 0 is shown as an empty field."""
OF_PLAY: Final = ("seats", "credit", "mode", "turn_seconds")
FIELDS: Final = {
    "fixed": "bye_points",
    "policy": "byes",
    "counting": "counting_number",
    "what": "counting",
    "pairing": "system",
    **team_rules.FIELDS,
}
"""Name of a value in the regulations → name of its field, where these differ."""


CHAIRS: Final = {"letters": _("letters, A to D"), "chips": _("numbered chips, even against odd")}
SEEN: Final = {
    "private": _("see no cards"),
    "played": _("see the played cards"),
    "after_deal": _("see all hands once a deal is over"),
}


def _number(
    path: str, label: Any, help_text: Any = "", *, least: int | None = None, required: bool = False
) -> forms.IntegerField:
    """Return a number field with the bounds that the regulations have for `path`; `least` replaces the lower
    bound where an empty field stands for 0. Labels are lazy translations.
    """
    stated = ALLOWED_VALUES[path]
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        required=required,
        min_value=stated.least if least is None else least,
        max_value=stated.most,
    )


def _choice(
    path: str, label: Any, words: Mapping[str, str | Promise], help_text: Any = ""
) -> forms.ChoiceField:
    """Return a choice field with the values that the regulations allow for `path`."""
    choices = [(code, words[code]) for code in ALLOWED_VALUES[path].choices]
    return forms.ChoiceField(label=label, choices=choices, help_text=help_text)


class RegulationsForm(forms.Form):
    rounds = _number("rounds", _("Rounds"), required=True)
    deals = _number(
        "deals", _("Deals per round"), _("Empty: a round is one game, which ends as its rules say."), least=1
    )
    round_minutes = _number("round_minutes", _("Minutes per round"), _("Empty: no limit."))
    credit = _choice("play.credit", _("A table's result"), CREDITS)
    same_cards = forms.BooleanField(
        label=_("All tables of a round play the same cards"),
        required=False,
        help_text=_(
            "Nobody sees a deal that they have yet to play: it is shown when the last table has "
            "played it. Required if tables are compared."
        ),
    )
    counting = forms.ChoiceField(
        label=_("What counts"),
        choices=[
            ("sum", _("the sum of all rounds")),
            ("drop_worst", _("the sum without the worst rounds")),
            ("best", _("only the best rounds")),
            ("nearest", _("the person nearest to a sealed number")),
            ("average", _("the average of the rounds played")),
            ("victory_points", _("victory points, by the difference at a table")),
            ("matches", _("tables won: 2 points, drawn: 1")),
            ("last_round", _("the place in the last round, by table and points there")),
        ],
    )
    starts = _number("starts", _("Starts per person"), _("Empty: as many as they like."))
    counting_number = forms.IntegerField(
        label=_("Number of rounds"),
        required=False,
        min_value=0,
        max_value=ALLOWED_VALUES["rounds"].most,
        help_text=_(
            "Rounds dropped, counted as the best, or needed for an average; empty for the sum of all."
        ),
    )
    scale = ScaleField(
        label=_("Scale of victory points"),
        required=False,
        help_text=_(
            "A line for each step: the lead in points, then the victory points of the better and of "
            "the other side. Empty: the usual scale of 20 points."
        ),
    )
    buchholz = forms.BooleanField(
        label=_("If level, stronger opponents decide (Buchholz)"),
        required=False,
        help_text=_("The sum of the opponents’ totals decides first."),
    )
    buchholz_unplayed = _number(
        "counting.buchholz_unplayed",
        _("Value of a round that an opponent did not play"),
        _("For the total of an opponent in Buchholz. Empty: the points that it gave them."),
    )
    sealed_least = forms.IntegerField(
        label=_("Sealed number from"), required=False, min_value=0, max_value=MAX_SEALED
    )
    sealed_most = forms.IntegerField(
        label=_("Sealed number to"),
        required=False,
        min_value=0,
        max_value=MAX_SEALED,
        help_text=_("Only if the nearest person wins. Nobody knows it before the last round is closed."),
    )
    seats = forms.TypedChoiceField(label=_("People at a table"), coerce=int)
    format = forms.ChoiceField(label=_("Partners"), choices=list(PARTNERS.items()))
    chairs = _choice("chairs", _("Seats are named by"), CHAIRS)
    byes = forms.ChoiceField(
        label=_("When people do not fill the tables"),
        choices=[
            ("sit_out/average", _("some have a bye in turn, for the average of the round")),
            ("sit_out/win", _("some have a bye in turn, for the average of the round's winners")),
            ("sit_out/own", _("some have a bye in turn, for the average of their own rounds")),
            ("sit_out/fixed", _("some have a bye in turn, for fixed points")),
            ("house/average", _("players of the house help out")),
            ("three/average", _("some tables have three people, if the game allows it")),
        ],
        help_text=_("Other draws than the draw of each round can be chosen here."),
    )
    three = _choice(
        "byes.three",
        _("A table of three counts"),
        THREES,
        _("It plays as many fewer deals as it has fewer people: scaled, it counts like a table of four."),
    )
    bye_points = _number("byes.fixed", _("Fixed points for a bye"))
    absences = forms.ChoiceField(
        label=_("A missed round gives"),
        choices=[("", _("nothing")), *UNPLAYED_WORTHS.items()],
        required=False,
        help_text=_("For people who played before it. After a withdrawal a missed round gives nothing."),
    )
    absence_points = _number("absences.fixed", _("Fixed points for a missed round"))
    absences_most = _number("absences.most", _("Missed rounds that count"), _("The first ones. Empty: one."))
    absences_excused = forms.BooleanField(
        label=_("Only excused absences: the desk notes them before the round is drawn"), required=False
    )
    broken_off = forms.ChoiceField(
        label=_("A table that was finished early counts"),
        choices=[("", _("its present points")), *UNPLAYED_WORTHS.items()],
        required=False,
        help_text=_("A table that was ended before its last deal, in a round that is closed."),
    )
    broken_off_points = _number("broken_off.fixed", _("Fixed points for a table that was finished early"))
    broken_off_most = _number(
        "broken_off.most",
        _("Tables finished early that count like this"),
        _("The first ones of a person. Empty: one."),
    )
    mode = _choice("play.mode", _("Tables"), MODES)
    hand_in = _choice("hand_in", _("A table with real cards reports"), HAND_INS)
    confirmation = _choice("confirmation", _("A result is confirmed by"), CONFIRMATIONS)
    silence_minutes = _number(
        "silence_minutes",
        _("Minutes until silence confirms"),
        _("Only if silence confirms: for this time anybody at the table can object."),
    )
    correcting = _choice("correcting", _("A confirmed result is corrected by"), CORRECTING)
    turn_seconds = _number(
        "play.turn_seconds", _("Seconds for each card at online tables"), _("Empty: no clock.")
    )
    visibility = _choice("visibility", _("Spectators of online tables"), SEEN)
    hands_wait_deals = _number(
        "hands_wait_deals",
        _("Deals until hands are shown"),
        _("For people who see all hands. Empty: when the deal is over."),
    )
    hands_wait_minutes = _number("hands_wait_minutes", _("Minutes until hands are shown"))
    delay_minutes = _number(
        "delay_minutes",
        _("Delay of everything shown, in minutes"),
        _("For people without a part in a table. Empty: at once. The director can change it on the evening."),
    )
    wrong_sum = _choice("wrong_sum", _("A sheet that does not add up"), WRONG_SUMS)
    hint_points = _number(
        "remedies.*.points",
        _("Points off for a hint after a warning"),
        _("If a hint is a warning. Empty: another warning."),
    )
    appeal_minutes = _number(
        "appeal_minutes",
        _("Minutes for objections and appeals"),
        _("After a round is closed, and after a ruling. Empty: until the championship is closed."),
    )

    def __init__(self, data: Any = None, *, regulations: rules.Regulations, deck: str = DEFAULT_DECK) -> None:
        self.regulations = regulations
        game = get_variant(regulations.play.variant)
        self.options: list[Option] = [o for o in describe_options(game.key, deck) if o.name not in ELSEWHERE]
        options = complete_options(regulations)
        initial = _initial(regulations)
        for option in self.options:
            initial |= option_initial(option, options[option.name])
        initial |= pairing.pairing_initial(regulations.pairing)
        initial |= team_rules.team_rules_initial(regulations.teams)
        initial |= {"entrants": regulations.entrants or "", "team_size": regulations.team_size or None}
        super().__init__(data, initial=initial)
        for option in self.options:
            self.fields.update(build_option_fields(option, deck))
        kinds = frozenset(kind for seats in game.seats for kind in rules.entrant_kinds(game, seats))
        self.fields["system"] = pairing.system_field(game.seats, kinds)
        self.fields.update(pairing.option_fields(regulations.pairing_system))
        self.fields.update(team_rules.team_rule_fields())
        self.incidents = [one.code for one in regulations_incidents(regulations) if one.code in INCIDENTS]
        self.fields.update(_remedy_fields(self.incidents))
        cast(forms.TypedChoiceField, self.fields["seats"]).choices = [(n, n) for n in game.seats]
        if not regulations.has_queue:
            del self.fields["starts"]
        if regulations.has_queue:
            for name, label in OF_STARTS.items():
                self.fields[name].label = label
            self.fields["deals"].help_text = _("Empty: a start is one game, which ends as its rules say.")
            self.fields["counting_number"].help_text = _("The best ones of each person.")
            self.fields["appeal_minutes"].help_text = _(
                "After a session is closed, and after a ruling. Empty: until the championship is closed."
            )
            for name, words in CHOICES_OF_STARTS.items():
                field = cast(forms.ChoiceField, self.fields[name])
                field.choices = [(code, words.get(code, label)) for code, label in cast(Any, field.choices)]
            for name in itertools.chain(*UNPLAYED.values()):
                del self.fields[name]
        if not rules.counts_deals(game):
            del self.fields["deals"]
        if game.recounted:
            del self.fields["wrong_sum"]
        if not rules.takes_totals(regulations):
            del self.fields["hand_in"]
        if not any(rules.has_partners(game, seats) for seats in game.seats):
            del self.fields["format"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for name, (fixed, points) in FIXED.items():
            if data.get(name) == fixed and data.get(points) is None and points not in self.errors:
                self.add_error(points, _("Enter the fixed points that you have chosen. 0 is allowed."))
        sized = data.get("teams_size") or self.regulations.teams is not msgspec.UNSET
        if data.get("teams_best") and not sized and "teams_size" not in self.errors:
            self.add_error("teams_size", _("Enter how many members a team has at most, or leave both empty."))
        return data

    def groups(self) -> Iterator[tuple[str | Promise, list[forms.BoundField]]]:
        """Yield (heading, bound fields) for each group of fields that this game needs."""
        several = [o for o in self.options if isinstance(o.type, inspect.DictType | inspect.ListType)]
        single = tuple(o.name for o in self.options if o not in several)
        more = tuple(name for option in several for name in option_names(option))
        remedies = tuple(name for code in self.incidents for name in (f"remedy.{code}", f"article.{code}"))
        for title, names in (
            LENGTH,
            (_("The game"), single),
            (_("Contracts of the game"), more),
            *OTHERS,
            (_("Choices of the draw"), pairing.pairing_option_names(self.regulations.pairing_system)),
            (_("Penalties for incidents"), (*remedies, "hint_points", "wrong_sum")),
        ):
            if found := [self[name] for name in names if name in self.fields]:
                yield title, found

    def place(self, error: TournamentError) -> None:
        """Add a refusal of the service as an error to the field that it names, if the form has that field and
        it has no error yet.
        """
        path = str(error.params.get("field", ""))
        name = path.rpartition(".")[2]
        name = FIELDS.get(name, name)
        if name in self.fields and name not in self.errors:
            self.add_error(name, refusal_sentence(error))

    def changed(self) -> rules.Regulations:
        """Return the regulations as the form changes them. The service validates them."""
        data, was = self.cleaned_data, self.regulations
        replace = msgspec.structs.replace
        policy, points = data["byes"].split("/")
        what, unplayed = data["counting"], data["buchholz_unplayed"]
        chosen = pairing.parse_pairing_choice(data, was.pairing)
        return replace(
            was,
            **{name: data.get(name) or 0 for name in OWN},
            play=self._play(),
            same_cards=(data["same_cards"] or data["credit"] == "field") or msgspec.UNSET,
            pairing=chosen,
            starts=self._starts(chosen),
            teams=team_rules.parse_team_rules(data),
            **team_rules.parse_drawn_teams(data),
            hand_in=data.get("hand_in", was.hand_in),
            confirmation=data["confirmation"],
            correcting=data["correcting"],
            wrong_sum=data.get("wrong_sum", was.wrong_sum),
            byes=replace(
                was.byes, policy=policy, points=points, fixed=data["bye_points"] or 0, three=data["three"]
            ),
            absences=self._absences(),
            broken_off=self._unplayed("broken_off"),
            counting=replace(
                was.counting,
                what=what,
                number=0 if what in PLAIN else data["counting_number"] or 0,
                scale=(data["scale"] or DEFAULT_SCALE) if what == "victory_points" else msgspec.UNSET,
                tie_breaks=self._tie_breaks(),
                buchholz_unplayed=msgspec.UNSET if unplayed is None else unplayed,
                least=(data["sealed_least"] or 0) if what == "nearest" else 0,
                most=(data["sealed_most"] or 0) if what == "nearest" else 0,
            ),
            remedies={code: remedy for code, remedy in was.remedies.items() if code not in self.incidents}
            | {code: self._remedy(code) for code in self.incidents if data[f"remedy.{code}"] != NO_REMEDY},
        )

    def _tie_breaks(self) -> tuple[str, ...]:
        """Return the present chain of tie-breaks, with Buchholz added in front or removed as the form
        says.
        """
        chain, chosen = self.regulations.counting.tie_breaks, self.cleaned_data["buchholz"]
        if chosen == (BUCHHOLZ in chain):
            return chain
        return (BUCHHOLZ, *chain) if chosen else tuple(name for name in chain if name != BUCHHOLZ)

    def _absences(self) -> rules.Absences | msgspec.UnsetType:
        """Return what missed rounds are worth; unset if they give nothing."""
        rule = self._unplayed("absences")
        if rule is msgspec.UNSET:
            return msgspec.UNSET
        excused = self.cleaned_data.get("absences_excused") or msgspec.UNSET
        return rules.Absences(points=rule.points, fixed=rule.fixed, most=rule.most, excused=excused)

    def _unplayed(self, name: str) -> rules.UnplayedRule | msgspec.UnsetType:
        """Return what unplayed rounds of this kind are worth; unset if the form chooses nothing."""
        points, fixed, most = (self.cleaned_data.get(field) for field in UNPLAYED[name][:3])
        if not points:
            return msgspec.UNSET
        return rules.UnplayedRule(
            points=points, fixed=(fixed or 0) if points == "fixed" else 0, most=most or 1
        )

    def _starts(self, chosen: pairing.Choice) -> int | msgspec.UnsetType:
        """Return the largest number of starts for a person; unset if it is not limited or the form changes
        the pairing system.
        """
        same = chosen is not msgspec.UNSET and chosen.system == self.regulations.pairing_system
        return (self.cleaned_data.get("starts") or msgspec.UNSET) if same else msgspec.UNSET

    def _remedy(self, code: str) -> rules.Remedy:
        data, was = self.cleaned_data, self.regulations.remedies.get(code)
        points = (data["hint_points"] or 0) if code == "hint" else was.points if was is not None else 0
        return rules.Remedy(ruling=data[f"remedy.{code}"], article=data[f"article.{code}"], points=points)

    def _play(self) -> rules.GameChoice:
        """Return the choice of the game. It contains only options that differ from the values of the game's
        preset.
        """
        data, was = self.cleaned_data, self.regulations.play
        base = merge_options(was.variant, was.preset, {})
        wanted = {option.name: parse_option(option, data) for option in self.options}
        alone = not rules.has_partners(get_variant(was.variant), data["seats"])
        return msgspec.structs.replace(
            was,
            options={name: value for name, value in wanted.items() if value != base[name]},
            format="solo" if alone else "pairs" if data["entrants"] else data["format"],
            **{name: data[name] for name in OF_PLAY},
        )


def _remedy_fields(codes: Sequence[str]) -> Iterator[tuple[str, forms.Field]]:
    nothing = (NO_REMEDY, _("nothing is set"))
    for code in codes:
        incident = INCIDENTS[code]
        choices = [
            nothing,
            *((kind, REMEDIES[kind]) for kind in ALLOWED_VALUES["remedies.*.ruling"].choices),
        ]
        yield f"remedy.{code}", forms.ChoiceField(label=str(incident), choices=choices)
        label = _("%(incident)s: article") % {"incident": incident}
        yield f"article.{code}", forms.CharField(label=label, required=False, max_length=80)


def _initial_unplayed(name: str, rule: rules.UnplayedRule | msgspec.UnsetType) -> dict[str, Any]:
    what, fixed, most = UNPLAYED[name][:3]
    if rule is msgspec.UNSET:
        return {what: "", fixed: None, most: None}
    return {what: rule.points, fixed: rule.fixed if rule.points == "fixed" else None, most: rule.most}


def _initial(regulations: rules.Regulations) -> dict[str, Any]:
    play, counting, byes = regulations.play, regulations.counting, regulations.byes
    remedies = {code: regulations.remedies.get(code) for code in INCIDENTS}
    return {
        **{name: getattr(regulations, name) or None for name in OWN},
        **{name: getattr(play, name) for name in OF_PLAY},
        "same_cards": regulations.plays_same_cards,
        "counting": counting.what,
        "counting_number": counting.number or None,
        "scale": write_scale(DEFAULT_SCALE if counting.scale is msgspec.UNSET else counting.scale),
        "buchholz": BUCHHOLZ in counting.tie_breaks,
        "buchholz_unplayed": None
        if counting.buchholz_unplayed is msgspec.UNSET
        else counting.buchholz_unplayed,
        "starts": regulations.starts or None,
        "sealed_least": counting.least or None,
        "sealed_most": counting.most or None,
        "format": play.format,
        "byes": f"{byes.policy}/{byes.points}" if byes.policy == "sit_out" else f"{byes.policy}/average",
        "three": byes.three,
        "bye_points": byes.fixed if (byes.policy, byes.points) == ("sit_out", "fixed") else None,
        **_initial_unplayed("absences", regulations.absences),
        "absences_excused": regulations.credits_excused,
        **_initial_unplayed("broken_off", regulations.broken_off),
        "hand_in": regulations.hand_in,
        "confirmation": regulations.confirmation,
        "correcting": regulations.correcting,
        "wrong_sum": regulations.wrong_sum,
        "hint_points": (hint.points or None) if (hint := remedies["hint"]) else None,
        **{f"remedy.{code}": remedy.ruling if remedy else NO_REMEDY for code, remedy in remedies.items()},
        **{f"article.{code}": remedy.article if remedy else "" for code, remedy in remedies.items()},
    }
