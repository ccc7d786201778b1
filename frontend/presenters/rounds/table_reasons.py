"""Why a draw put these people at one table, in words: a collapsible part for each table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend.fragment_cache import ANYBODY, get_or_make_fragment
from frontend.presenters.rounds.bracket import PHASES
from frontend.presenters.rounds.draw_notes import name_entrants
from frontend.presenters.words.figures import format_figure
from frontend.presenters.words.writing_words import Words
from games.store import StoredEvent
from tournaments.competition import CompetitionError
from tournaments.models import Championship
from tournaments.pairing.reasons import explain_draw

MAX_FOLDS: Final = 200
"""Largest number of tables with a part of their own. The tables with the most reasons are chosen."""
SENTENCES: Final[Words] = {
    "why/met": gettext_lazy("%(nearest)s would be nearer, but has already met %(first)s."),
    "why/apart": gettext_lazy("%(nearest)s would be nearer, but is to be kept apart."),
    "why/bye": gettext_lazy("%(names)s: no table, as the lowest of the people with the fewest such rounds."),
    "why/free": gettext_lazy("%(nearest)s would be nearer, but has no table in this round."),
    "why/costs_more": gettext_lazy(
        "%(nearest)s would be nearer, but the whole draw would be worse: the exchange costs %(extra)s more."
    ),
    "why/breaks_met": gettext_lazy("%(nearest)s would be nearer, but then others would meet a second time."),
    "why/breaks_apart": gettext_lazy(
        "%(nearest)s would be nearer, but then others who are to be kept apart would meet."
    ),
    "why/none": gettext_lazy("%(nearest)s would have been nearer; the table was not drawn."),
    "why/group": gettext_lazy("Neighbours in the ranking: places %(best)s to %(last)s."),
    "why/up": gettext_lazy("Moved up: %(names)s."),
    "why/stayed": gettext_lazy("Stayed: %(names)s."),
    "why/down": gettext_lazy("Moved down: %(names)s."),
    "why/entered": gettext_lazy("By start rank or lot, or back from a round without a table: %(names)s."),
    "why/bracket": gettext_lazy(
        "The lot has given the places of the bracket to entrants without a start rank."
    ),
    "why/lot": gettext_lazy("The lot has given the places of the bracket."),
    "why/through": gettext_lazy("%(names)s: advance without a game."),
    "why/design": gettext_lazy(
        "Round %(round)s of a plan for %(entrants)s people, in which everybody partners everybody once and "
        "meets everybody twice; the lot has given the numbers."
    ),
    "why/circle": gettext_lazy(
        "Round %(round)s of a circle of %(entrants)s, in which everybody meets everybody; the lot has given "
        "the places."
    ),
    "why/by_hand": gettext_lazy("Drawn by hand in the hall: the platform has no reasons for it."),
}
PHASED: Final = ("why/seeded", "why/bracket", "why/lot")
"""Codes of the reasons that name the phase of a bracket."""


@dataclass(frozen=True, slots=True)
class TableFold:
    """The reasons for one table. title: names the table, and how far apart its people are ranked."""

    table: int
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawReasons:
    """The reasons for the tables of a draw. general: sentences on the whole round; folds: by table number;
    more: number of tables with reasons that are left out.
    """

    general: tuple[str, ...]
    folds: tuple[TableFold, ...]
    more: int


def load_reasons(
    championship: Championship, stream: str, events: Sequence[StoredEvent]
) -> DrawReasons | None:
    """Return the reasons for the current draw of a round; None if it is not drawn. `stream`, `events`: name
    and events of the round's stream. At most two queries, for names.
    """
    drawn = [event for event in events if event.type == "seats_drawn"]
    undone = [event for event in events if event.type == "draw_undone"]
    if not drawn or (undone and undone[-1].seq > drawn[-1].seq):
        return None
    event = drawn[-1]
    notes = get_or_make_fragment(
        "reasons", (ANYBODY, stream), str(event.seq), lambda: _explain(event.body), list[dict[str, Any]]
    )
    named = name_entrants(championship, {ref for note in notes for ref in _list_refs(note)})
    general: list[str] = []
    by_table: dict[int, list[Mapping[str, Any]]] = {}
    for note in notes:
        if "table" in note:
            by_table.setdefault(note["table"], []).append(note)
        else:
            general.append(_count(note) or _describe_note(note, named))
    shown = sorted(sorted(by_table, key=lambda table: (-len(by_table[table]), table))[:MAX_FOLDS])
    folds = tuple(_build_fold(table, by_table[table], named) for table in shown)
    return DrawReasons(tuple(filter(None, general)), folds, len(by_table) - len(folds))


def _explain(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    index = {player: at for at, player in enumerate(body["players"])}
    tables = [[index[player] for player in table] for table in body["tables"]]
    out = [index[player] for player in body["sit_out"]]
    try:
        notes = explain_draw(body["problem"], body["seed"], tables, out)
    except CompetitionError:  # a record that this version of a system cannot read again
        return []
    return [{"code": note.code, **note.params} for note in notes]


def _list_refs(note: Mapping[str, Any]) -> list[str]:
    single = [note[name] for name in ("ref", "nearest") if note.get(name)]
    return [*note.get("refs", ()), *single]


def _count(note: Mapping[str, Any]) -> str:
    """Return the sentence of a reason that counts tables; empty for other reasons."""
    code, n = note["code"], note.get("count", 0)
    if code == "why/new":
        return ngettext("%(n)d table: nobody meets again.", "%(n)d tables: nobody meets again.", n) % {"n": n}
    if code == "why/nearest":
        return ngettext(
            "%(n)d table brings together the nearest in the ranking.",
            "%(n)d tables bring together the nearest in the ranking.",
            n,
        ) % {"n": n}
    if code == "why/pulled":
        return ngettext(
            "At %(n)d table somebody is pulled up to a higher-ranked person.",
            "At %(n)d tables somebody is pulled up to a higher-ranked person.",
            n,
        ) % {"n": n}
    return ""


def _build_fold(table: int, notes: Sequence[Mapping[str, Any]], named: Mapping[str, str]) -> TableFold:
    parts = [_("Table %(n)d") % {"n": table}]
    parts += [part for note in notes if (part := _describe_distance(note))]
    parts += [_name_phase(note) for note in notes if note["code"] in PHASED]
    return TableFold(
        table, " · ".join(parts), tuple(filter(None, (_describe_note(note, named) for note in notes)))
    )


def _describe_distance(note: Mapping[str, Any]) -> str:
    """Return how far apart the places of a table's people are; empty if the reason has no places."""
    if "distance" not in note:
        return ""
    return _("places %(one)s and %(other)s, %(distance)s apart") % {
        "one": format_figure(note["ranks"][0]),
        "other": format_figure(note["ranks"][1]),
        "distance": format_figure(note["distance"]),
    }


def _name_phase(note: Mapping[str, Any]) -> str:
    if note.get("place", 1) > 1:
        return _("for place %(n)d") % {"n": note["place"]}
    matches = note.get("matches", 0)
    return str(PHASES.get(matches, _("a round of %(n)d matches") % {"n": matches}))


def _describe_note(note: Mapping[str, Any], named: Mapping[str, str]) -> str:
    """Return the sentence of a reason; empty for an unknown code."""
    code = note["code"]
    if code == "why/again":
        return _describe_repeats(note)
    if code == "why/avoided":
        n = note["pairs"]
        return ngettext(
            "%(n)d pair could not be kept apart without a repeated meeting.",
            "%(n)d pairs could not be kept apart without a repeated meeting.",
            n,
        ) % {"n": n}
    if code == "why/seeded":
        ranks = " – ".join(str(rank) for rank in note["ranks"])
        return _("Start ranks %(ranks)s, at their places of the bracket.") % {"ranks": ranks}
    if code == "why/bye" and "nearest" in note:
        code = "why/free"

    def name(ref: object) -> str:
        return named.get(str(ref), "–")

    refs = note.get("refs", [note["ref"]] if "ref" in note else [])
    exact = {key: format_figure(note[key]) for key in ("best", "last", "extra") if key in note}
    plain = {key: str(note[key]) for key in ("round", "entrants") if key in note}
    sentence = SENTENCES.get(code)
    return (
        ""
        if sentence is None
        else str(sentence)
        % {
            **exact,
            **plain,
            "names": ", ".join(map(name, refs)),
            "nearest": name(note.get("nearest")),
            "first": name(refs[0]) if refs else "–",
        }
    )


def _describe_repeats(note: Mapping[str, Any]) -> str:
    """Return sentences on the number of pairs of people who are partners or opponents again."""
    parts, partners, opponents = [], note["partners"], note["opponents"]
    if partners:
        words = ngettext("%(n)d repeated pair of partners.", "%(n)d repeated pairs of partners.", partners)
        parts.append(words % {"n": partners})
    if opponents:
        words = ngettext("%(n)d repeated pair of opponents.", "%(n)d repeated pairs of opponents.", opponents)
        parts.append(words % {"n": opponents})
    return " ".join(parts)
