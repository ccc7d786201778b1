"""Prints for the prize-giving: prize list, calls in the projector's order, and certificates."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from frontend.presenters.money.prizes import CallLine, Names, describe_prize, prize_lines, step_line
from frontend.presenters.rounds.round_names import ranking_state
from frontend.presenters.words.figures import format_figure
from frontend.prints.occasion import Occasion
from frontend.prints.ranking_sheet import load_ranked_lines
from frontend.prints.typesetting import Part
from tournaments.models import Official
from tournaments.prizes import CallUp
from tournaments.services.prize_giving import Giving, load_giving
from tournaments.standings import Figure

CERTIFIED = 3
"""Number of places for which there are certificates."""


def prize_list(occasion: Occasion) -> Part:
    """Return the list of prizes: a line for each row of the ranking, blank where there is no prize, then the
    special prizes.
    """
    ranking, lines = load_ranked_lines(occasion)
    giving, names = load_giving(occasion.championship), Names(occasion.championship)
    gets = _prizes_by_key(_place_calls(giving))
    chosen = {key: giving.plan.table[thing] for key, thing in giving.taken.items()}
    choosing = {key for step in giving.steps if step.chooses for key in step.keys}
    special = [
        line
        for line, prize in zip(
            prize_lines(giving.plan, giving.awards, names), giving.plan.prizes, strict=True
        )
        if prize.kind != "place"
    ]
    return {
        "kind": "prize-list",
        "paper": occasion.paper,
        "over": occasion.over,
        "title": _("Prize list"),
        "said": " · ".join(part for part in (ranking_state(ranking), occasion.said) if part),
        "heads": [pgettext("ranking", "Place"), _("Name"), _("Total"), _("Prize"), _("Received")],
        "lines": [
            {
                "place": str(line.place),
                "name": line.name,
                "club": line.club,
                "total": line.sum,
                "prize": _prize_sentence(
                    [*gets.get(line.number, ()), chosen.get(line.number, "")],
                    _("from the table") if line.number in choosing and line.number not in chosen else "",
                ),
            }
            for line in lines
        ],
        "special": {
            "title": _("Special prizes") + (f" ({special[0].open_to})" if special else ""),
            "lines": [
                {"what": line.title, "name": one.name, "prize": _prize_sentence([one.what], one.note)}
                for line in special
                for one in line.won
            ],
        },
    }


def call_list(occasion: Occasion) -> Part:
    """Return the list of calls for the announcer, in the order of the prize-giving."""
    giving, names = load_giving(occasion.championship), Names(occasion.championship)
    calls = [step_line(giving, step, number, names) for number, step in enumerate(giving.steps, 1)]
    return {
        "kind": "call-list",
        "paper": occasion.paper,
        "over": occasion.over,
        "title": _("Award order"),
        "said": occasion.said,
        "heads": ["", _("For"), _("Name"), _("Prize"), _("awarded")],
        "calls": [
            {
                "number": str(call.number),
                "what": call.title,
                "names": _each_name(call),
                "club": ", ".join(call.clubs),
                "prize": _prize_sentence(
                    [*call.gets, call.chosen],
                    _("chooses from the table") if call.chooses and not call.chosen else "",
                ),
            }
            for call in calls
        ],
        "table": {
            "title": _("On the table, to choose from"),
            "things": [
                {"name": thing, "there": at in giving.left} for at, thing in enumerate(giving.plan.table)
            ],
        },
    }


def certificates(occasion: Occasion) -> Part:
    """Return certificates for the first CERTIFIED places and special prizes, with what each person won."""
    ranking, lines = load_ranked_lines(occasion)
    giving, names = load_giving(occasion.championship), Names(occasion.championship)
    gets = _prizes_by_key(_place_calls(giving))
    directors = occasion.championship.officials.filter(role=Official.Role.DIRECTOR).select_related("user")
    special = [step_line(giving, step, 0, names) for step in giving.steps if step.special]
    return {
        "kind": "certificates",
        "paper": occasion.paper,
        "title": _("Certificate"),
        "championship": occasion.championship.name,
        "said": occasion.said,
        "signatures": [row.user.display_name for row in directors[:3]],
        "office": _("Director"),
        "people": [
            {
                "names": line.name.split(" / "),
                "club": line.club,
                "place": describe_place(_("%(n)d. place") % {"n": line.place}, shared=line.shared),
                "points": _words_for_total(occasion, line.total, len(ranking.rounds)),
                "prize": _prize_sentence(gets.get(line.number, ())),
            }
            for line in lines
            if line.place <= CERTIFIED
        ]
        + [_special_certificate(call) for call in special],
    }


def describe_place(place: str, *, shared: bool) -> str:
    """Return the words for a place on a certificate: "1. place", or if `shared` "1. place, shared"."""
    return _("%(place)s, shared") % {"place": place} if shared else place


def _words_for_total(occasion: Occasion, total: Figure, rounds: int) -> str:
    """Describe the total of a line as the regulations count it: points, wins, or points against the
    field.
    """
    if occasion.regulations.play.credit == "wins":
        whole = int(total)  # 1.5 is plural
        sentence = ngettext("%(n)s win", "%(n)s wins", whole if whole != 1 or total == 1 else 2)
        return sentence % {"n": format_figure(total)}
    if occasion.regulations.counts_against_field:
        return _("%(total)s against the field") % {"total": format_figure(total)}
    points = format_figure(total)
    if occasion.regulations.counting.what == "average":
        return _("%(total)s points per round") % {"total": points}
    if occasion.regulations.has_queue:
        n = occasion.regulations.counting.number
        sentence = ngettext(
            "%(total)s points in the best start", "%(total)s points in the best %(n)d starts", n
        )
        return sentence % {"total": points, "n": n}
    sentence = ngettext(
        "%(total)s points in %(rounds)d round", "%(total)s points in %(rounds)d rounds", rounds
    )
    return sentence % {"total": points, "rounds": rounds}


def _special_certificate(call: CallLine) -> dict[str, object]:
    return {
        "names": _each_name(call),
        "club": ", ".join(call.clubs),
        "place": call.title,
        "points": "",
        "prize": _prize_sentence(call.gets),
    }


def _each_name(call: CallLine) -> list[str]:
    """Return the names of a call's people as separate lines; a pair gives two."""
    return [name for names in call.names for name in names.split(" / ")]


def _place_calls(giving: Giving) -> Iterable[CallUp]:
    return (step for step in giving.steps if not step.special)


def _prizes_by_key(calls: Iterable[CallUp]) -> dict[int, list[str]]:
    """Return key of a ranking's row → the prizes of its place."""
    return {
        key: [describe_prize(one.amount, one.thing) for one in call.awards]
        for call in calls
        for key in call.keys
    }


def _prize_sentence(what: Iterable[str], note: str = "") -> str:
    """Describe prizes: "CHF 50.– and Käse, divided by 2"."""
    return ", ".join(part for part in (*what, note) if part)
