"""For the prize-giving: who gets what, the calls in their order as on the projector, and certificates."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from frontend.presenters.prizes import CallLine, Names, prize_lines, step_line, what_it_is
from frontend.prints.occasion import Occasion
from frontend.prints.ranking import ranked
from frontend.prints.typesetting import Part
from tournaments.models import Official
from tournaments.prizes import Award, CallUp
from tournaments.services.prizes import Giving, load_giving

CERTIFIED = 3
"""Places that get a certificate."""


def prize_list(occasion: Occasion) -> Part:
    """A line a place with what it gets, special prizes below; where no prizes are written down there is room
    to write them by hand."""
    found, lines = ranked(occasion)
    giving, names = load_giving(occasion.championship), Names(occasion.championship)
    gets = _by_key(_of_places(giving))
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
        "said": " · ".join(part for part in (_after(found.after), occasion.said) if part),
        "heads": [pgettext("ranking", "Place"), _("Name"), _("Total"), _("Prize"), _("Received")],
        "lines": [
            {
                "place": str(line.place),
                "name": line.name,
                "club": line.club,
                "total": line.sum,
                "prize": _told(
                    [*gets.get(line.number, ()), chosen.get(line.number, "")],
                    _("from the table") if line.number in choosing and line.number not in chosen else "",
                ),
            }
            for line in lines
        ],
        "special": {
            "title": _("Special prizes") + (f" ({special[0].open_to})" if special else ""),
            "lines": [
                {"what": line.title, "name": one.name, "prize": _told([one.what], one.note)}
                for line in special
                for one in line.won
            ],
        },
    }


def call_list(occasion: Occasion) -> Part:
    """Who is called when, for whoever speaks: as the projector will show it."""
    giving, names = load_giving(occasion.championship), Names(occasion.championship)
    calls = [step_line(giving, step, number, names) for number, step in enumerate(giving.steps, 1)]
    return {
        "kind": "call-list",
        "paper": occasion.paper,
        "over": occasion.over,
        "title": _("Order of giving"),
        "said": occasion.said,
        "heads": ["", _("For"), _("Name"), _("Prize"), _("given")],
        "calls": [
            {
                "number": str(call.number),
                "what": call.title,
                "names": _each_name(call),
                "club": ", ".join(call.clubs),
                "prize": _told(
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
    """For the first places and for special prizes, with what they got."""
    found, lines = ranked(occasion)
    giving, names = load_giving(occasion.championship), Names(occasion.championship)
    gets = _by_key(_of_places(giving))
    directors = occasion.championship.officials.filter(role=Official.Role.DIRECTOR).select_related("user")
    special = [step_line(giving, step, 0, names) for step in giving.steps if step.special]
    return {
        "kind": "certificates",
        "paper": occasion.paper,
        "title": _("Certificate"),
        "championship": occasion.championship.name,
        "said": occasion.said,
        "signatures": [row.user.get_full_name() or row.user.get_username() for row in directors[:3]],
        "office": _("Director"),
        "people": [
            {
                "names": line.name.split(" / "),
                "club": line.club,
                "place": _("%(n)d. place") % {"n": line.place},
                "points": _words_for_total(occasion, line.total, len(found.rounds)),
                "prize": _told(gets.get(line.number, ())),
            }
            for line in lines
            if line.place <= CERTIFIED
        ]
        + [_special_certificate(call) for call in special],
    }


def _words_for_total(occasion: Occasion, total: int, rounds: int) -> str:
    """The total of a line in words: points, or wins where the regulations count these."""
    if occasion.regulations.play.credit == "wins":
        return ngettext("%(n)d win", "%(n)d wins", total) % {"n": total}
    said = ngettext("%(total)d points in %(rounds)d round", "%(total)d points in %(rounds)d rounds", rounds)
    return said % {"total": total, "rounds": rounds}


def _special_certificate(call: CallLine) -> dict[str, object]:
    return {
        "names": _each_name(call),
        "club": ", ".join(call.clubs),
        "place": call.title,
        "points": "",
        "prize": _told(call.gets),
    }


def _each_name(call: CallLine) -> list[str]:
    """Those of a pair too stand on lines of their own."""
    return [name for names in call.names for name in names.split(" / ")]


def _of_places(giving: Giving) -> Iterable[CallUp]:
    return (step for step in giving.steps if not step.special)


def _by_key(calls: Iterable[CallUp]) -> dict[int, list[str]]:
    """The key of a ranking's line → what its place gives."""
    return {key: [_of_award(one) for one in call.awards] for call in calls for key in call.keys}


def _of_award(one: Award) -> str:
    return what_it_is(one.amount, one.thing)


def _told(what: Iterable[str], note: str = "") -> str:
    """ "CHF 50.– and Käse, divided by 2"."""
    return ", ".join(part for part in (*what, note) if part)


def _after(number: int) -> str:
    return _("After round %(n)s") % {"n": number}
