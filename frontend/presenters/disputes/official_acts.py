"""Acts of officials in a round as sentences with their reasons, for the pages of the round and the
projector.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from frontend.presenters.tables.commentary import join_points
from games.store import StoredEvent
from tournaments.models import Entry, Round
from tournaments.regulations import Regulations
from tournaments.services.referee.official_acts import OfficialAct, list_acts


class ActLine(NamedTuple):
    """One act of an official: its time, a sentence, and the typed reason (empty for none)."""

    at: Any
    text: str
    reason: str


def act_lines(
    round_: Round, regulations: Regulations, events: Sequence[StoredEvent] | None = None
) -> list[ActLine]:
    """Return the acts of officials in a round. `events`: of the round's stream, read if None. One query for
    names.
    """
    acts = list_acts(round_, regulations, events)
    refs = {ref for act in acts for ref in _refs(act)}
    named = Entry.objects.filter(championship=round_.championship_id, player_ref__in=refs) if refs else ()
    names = {entry.player_ref: entry.name for entry in named}
    return [ActLine(act.at, _sentence(act, names), act.reason) for act in acts]


def _refs(act: OfficialAct) -> tuple[str, ...]:
    if act.kind == "seats_exchanged":
        return tuple(act.details["players"])
    if act.kind in ("entries_merged", "entries_parted"):
        return act.details["player"], act.details["other"]
    return ()


def _sentence(act: OfficialAct, names: dict[str, str]) -> str:
    one, other = (*(names.get(ref, "?") for ref in _refs(act)), "", "")[:2]
    said: dict[str, Any] = {"table": act.table, "one": one, "other": other, **_sentence_params(act)}
    return str(SENTENCES[act.kind]()) % said


def _sentence_params(act: OfficialAct) -> dict[str, Any]:
    body = act.details
    return {
        "draw": body.get("draw"),
        "deal": body.get("deal") or "–",
        "rounds": body.get("rounds"),
        "scores": join_points(body.get("scores")),
        "totals": join_points(body.get("totals")),
        "tables": ", ".join(map(str, body.get("unfinished") or body.get("tables") or ())),
    }


SENTENCES: dict[str, Any] = {
    "draw_undone": lambda: _("Draw %(draw)s was undone."),
    "round_reopened": lambda: _("Play was opened again after the close."),
    "round_closed": lambda: _("Tables were still playing at the close: %(tables)s."),
    "hands_printed": lambda: _("An official printed the hands, for tables that deal by hand."),
    "hidden_cards_opened": lambda: _("Table %(table)s: an official looked at the hands of deal %(deal)s."),
    "seats_exchanged": lambda: _("%(one)s and %(other)s changed chairs after results had been entered."),
    "table_taken_back": lambda: _("Table %(table)s was undone; its people returned to the queue."),
    "table_opened": lambda: _("Table %(table)s: late arrivals sat down after the opening."),
    "game_closed": lambda: _("Table %(table)s was finished early."),
    "game_resumed": lambda: _("Table %(table)s was resumed."),
    "result_entered": lambda: _("Table %(table)s: an official entered deal %(deal)s, %(scores)s."),
    "result_corrected": lambda: _("Table %(table)s: an official corrected deal %(deal)s to %(scores)s."),
    "ruling_made": lambda: _("Table %(table)s: a ruling on deal %(deal)s, totals %(totals)s."),
    "entries_merged": lambda: _("%(one)s and %(other)s were merged into one entry."),
    "entries_parted": lambda: _("%(one)s and %(other)s were separated again."),
    "rounds_planned": lambda: _("The number of rounds was changed to %(rounds)s."),
}
"""Type of event → function that returns its sentence."""
