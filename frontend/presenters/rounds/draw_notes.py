"""The notes of a draw in sentences."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from frontend.presenters.names.playing_teams import load_teams_by_number
from frontend.presenters.words.writing_words import Words
from tournaments.models import Championship, Entry
from tournaments.services.entries.pairs import pair_name
from tournaments.services.scores.competition_document import is_ref, number_of

SENTENCES: Final[Words] = {
    "pairing/apart": _("%(names)s meet, although they should be kept apart."),
    "pairing/apart/soft": _("%(names)s meet: here they could not be kept apart."),
    "pairing/apart_broken": _("Meet, although they should be kept apart: %(pairs)s."),
    "pairing/apart_broken/soft": _("Meet, since they could not be kept apart: %(pairs)s."),
    "pairing/by_hand": _(
        "Drawn by hand: %(alike)s of %(tables)s tables are those of the draw by the regulations. Meetings "
        "that repeat: %(here)s, there %(own)s."
    ),
    "pairing/bye_again": _("%(names)s: a second bye."),
    "pairing/empty_chair": _("Table %(table)s: a player of the house has the seat of %(names)s."),
    "pairing/late": _("Arrived after the first round, and not in the bracket: %(names)s."),
    "pairing/level/lot": _("%(names)s were level; the lot has decided."),
    "pairing/level/points": _("%(names)s were level; the points of the rounds before have decided."),
    "pairing/level/ranking": _("%(names)s were level; the ranking has decided."),
    "pairing/many_rounds": _("%(rounds)s rounds are many for %(entrants)s: somebody may meet twice."),
    "pairing/met_again": _("Meet a second time, since no others are left: %(pairs)s."),
    "pairing/no_opponent": _("%(names)s: no opponent is left for this round."),
    "pairing/no_result/match": _("Without a result, to be played again: %(names)s."),
    "pairing/no_result/table": _("Table %(table)s of the last round has no result: nobody moves."),
    "pairing/no_seat": _("%(names)s: no place in the plan is free."),
    "pairing/no_table": _("%(names)s: the others of the table in the plan are not here."),
    "pairing/one_team": _("Table %(table)s: %(names)s belong together, and meet."),
    "pairing/plan_left": _("Round %(round)s was not drawn by the plan."),
    "pairing/repeats": _("Repeated meetings, since no others are left: %(meetings)s."),
    "pairing/replanned": _("Not everybody in the plan is here; the rest is planned again."),
    "pairing/same_table": _("Table %(table)s: the same people as once before."),
    "pairing/second_bye": _("%(names)s: a second bye."),
    "pairing/short_table": _("At a table with empty chairs: %(names)s."),
    "pairing/stand_in": _("%(names)s plays in the place of %(replaced)s."),
    "pairing/unmet": _("Meetings that no longer take place in the coming rounds: %(meetings)s."),
    "pairing/waiting": _("Waiting for a table: %(waiting)s."),
    "pairing/waits": _("Have advanced, and wait: %(names)s."),
    "pairing/walkover": _("%(names)s: %(winners)s advance without a game."),
    "pairing/walkover/nobody": _("%(names)s: nobody is here, so nobody advances."),
}


PRIVATE: Final = ("pairing/apart", "pairing/apart_broken")
"""Codes of notes that only officials read, because they tell who is kept apart from whom."""


def note_sentences(
    championship: Championship, cost: Mapping[str, Any] | None, *, officials: bool
) -> list[str]:
    """Return the sentences of the known notes of a draw. `cost`: the stored quality of the draw, with the
    notes. `officials`: whether the reader may know who is kept apart. At most two queries.
    """
    notes: Sequence[Mapping[str, Any]] = (cost or {}).get("notes", ())
    notes = [note for note in notes if officials or note["code"] not in PRIVATE]
    known = [(key, note) for one in notes for note in _split(one) if (key := _key(note)) in SENTENCES]
    if not known:
        return []
    named = name_entrants(championship, {ref for _key, note in known for ref in _list_refs(note)})
    return [str(SENTENCES[key]) % _values(note, named) for key, note in known]


def _split(note: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the note. If it lists pairs under strict rules and under wishes, yield one note for each of the
    two.
    """
    if note["code"] != "pairing/apart_broken":
        yield note
        return
    for how in ("hard", "soft"):
        if pairs := [pair for pair in note["pairs"] if pair[2] == how]:
            yield {**note, "pairs": pairs, "how": how}


def _key(note: Mapping[str, Any]) -> str:
    """Return the key of the note's sentence: its code, with a suffix that depends on the note's values."""
    code = str(note["code"])
    if code == "pairing/level":
        return f"{code}/{note.get('by', '')}"
    if code in ("pairing/apart", "pairing/apart_broken") and note.get("how") == "soft":
        return f"{code}/soft"
    if code == "pairing/no_result":
        return f"{code}/{'table' if 'table' in note else 'match'}"
    if code == "pairing/walkover" and not note.get("winners"):
        return f"{code}/nobody"
    return code


def _list_subjects(note: Mapping[str, Any]) -> list[str]:
    single = [note[name] for name in ("one", "other", "ref") if name in note]
    return [*note.get("refs", ()), *single]


def _list_refs(note: Mapping[str, Any]) -> list[str]:
    met = [ref for pair in note.get("pairs", ()) for ref in pair[:2]]
    return [*_list_subjects(note), *met, *note.get("winners", ()), *([note["for"]] if "for" in note else [])]


def _values(note: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, str]:
    def join(refs: Sequence[str]) -> str:
        return ", ".join(named.get(ref, "–") for ref in refs)

    plain = {name: str(value) for name, value in note.items() if isinstance(value, int)}
    return {
        **plain,
        "pairs": ", ".join(
            " – ".join(named.get(ref, "–") for ref in pair[:2]) for pair in note.get("pairs", ())
        ),
        "names": join(_list_subjects(note)),
        "winners": join(note.get("winners", ())),
        "replaced": join([note["for"]] if "for" in note else []),
    }


def name_entrants(championship: Championship, refs: Collection[str]) -> dict[str, str]:
    """Return reference → name of each known entrant: of the person, both in a pair, or the team. At most two
    queries.
    """
    numbers = {number_of(ref) for ref in refs if is_ref(ref)}
    if numbers and (teams := load_teams_by_number(championship)):
        return {ref: teams[number_of(ref)] for ref in refs if is_ref(ref) and number_of(ref) in teams}
    people: dict[int, list[Entry]] = {}
    rows = championship.entries.filter(Q(entrant__number__in=numbers) | Q(number__in=numbers))
    for entry in rows.select_related("entrant").order_by("number"):
        people.setdefault(entry.number if entry.entrant is None else entry.entrant.number, []).append(entry)
    return {ref: pair_name(people[n]) for ref in refs if is_ref(ref) and (n := number_of(ref)) in people}
