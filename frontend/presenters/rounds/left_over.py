"""The director's choices for people who do not fill a table, shown beside the draw with their effects."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import Refused
from frontend.presenters.regulations.regulations import table_of_three
from frontend.presenters.rounds.byes import group_into_pairs
from frontend.presenters.words.vocabulary import THREES, word
from tournaments.models import Entry, Round
from tournaments.regulations import Regulations
from tournaments.services.draw import drawing
from tournaments.services.draw.left_over import Choice, list_bye_candidates, list_choices, select_choice
from tournaments.services.entries.pairs import pair_name

NAMED = 12
"""Largest number of names for a choice. Of more candidates for a bye none is named."""


@dataclass(frozen=True, slots=True)
class LeftOverWay:
    """A choice for people who do not fill a table. `means`: its result; `whom`: names of the helpers who
    play, and of the people who can get the bye, unless all can; `chosen`: it is the present choice.
    """

    key: str
    label: str
    means: str
    whom: str
    chosen: bool


def left_over_ways(round_: Round, regulations: Regulations) -> list[LeftOverWay]:
    """Return the possible choices; empty if all fill tables or a pairing system decides."""
    here = Entry.objects.filter(championship=round_.championship_id, status=Entry.Status.ARRIVED)
    house = [entry.name for entry in here.filter(house=True, bot=False).order_by("sort_name", "number")]
    guests = here.filter(house=False).count()
    taken = select_choice(regulations, guests, len(house))
    return [
        LeftOverWay(
            choice.way,
            _label(choice),
            describe_choice(choice, regulations),
            ", ".join(_name_those_out(choice, round_, regulations, house)),
            choice == taken,
        )
        for choice in list_choices(regulations, guests, len(house))
    ]


def _label(choice: Choice) -> str:
    return {
        "three": _("Tables of three"),
        "house": _("Players of the house help out"),
        "bot": _("The computer fills the table"),
        "sit_out": _("Byes"),
    }[choice.way]


def describe_choice(choice: Choice, regulations: Regulations | None = None) -> str:
    """Describe the result of a choice: "4 full tables, 1 of the house plays; nobody sits out". With
    `regulations`, add how tables of three are scored.
    """
    tables = ngettext("%(n)d full table", "%(n)d full tables", choice.full) % {"n": choice.full}
    parts = [tables] if choice.full else []
    if choice.threes:
        parts.append(ngettext("%(n)d of three", "%(n)d of three", choice.threes) % {"n": choice.threes})
    if choice.house:
        parts.append(
            ngettext("%(n)d of the house plays", "%(n)d of the house play", choice.house)
            % {"n": choice.house}
        )
    if choice.bots:
        parts.append(
            ngettext("%(n)d computer plays", "%(n)d computers play", choice.bots) % {"n": choice.bots}
        )
        parts.append(_("computers are not ranked, and results of their tables count like any other"))
    out = ngettext("%(n)d bye", "%(n)d byes", choice.out) % {"n": choice.out}
    sentence = ", ".join(parts) + "; " + (out if choice.out else _("no byes"))
    if not choice.threes or regulations is None:
        return sentence
    counts = _("a table of three counts %(how)s") % {"how": word(THREES, regulations.byes.three)}
    return "; ".join(filter(None, [sentence, table_of_three(regulations), counts]))


def _name_those_out(
    choice: Choice, round_: Round, regulations: Regulations, house: list[str]
) -> Iterator[str]:
    if choice.house:
        yield from house[:NAMED]
    if not choice.out:
        return
    try:
        field = drawing.load_field(round_, regulations, choice.way)
    except Refused:
        return  # The official who draws selects them.
    if not isinstance(field, drawing.DrawField):
        return
    may = [field.entries[p] for p in list_bye_candidates(field.problem)]
    if len(may) == len(field.entries):
        return
    names = [pair_name(people) for people in group_into_pairs(may)]
    if len(names) <= NAMED:
        yield from names
