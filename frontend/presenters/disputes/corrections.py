"""The score sheet of a table for corrections: its results, past corrections, and the effects of a new one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from engine import State
from engine.registry import build_game_context
from engine.rules.sheet_fields import SheetField
from engine.scoring.ruling_effects import score_deals
from frontend.presenters.names.playing_teams import load_teams_by_number
from frontend.presenters.names.seat_names import load_official_names
from frontend.presenters.rounds.draw_notes import name_entrants
from frontend.presenters.standings.place_changes import PlaceChange, list_place_changes
from frontend.presenters.tables.commentary import join_points
from frontend.presenters.words.contract_names import contract_name
from games import game_state, store
from tournaments.models import Entry, Table
from tournaments.services.referee.corrections import Consequences
from tournaments.services.scores.bracket import BracketChange

MAX_MOVED = 12
"""Largest number of people at other tables who are listed because their place changes; further ones are
counted.
"""
WRITTEN = ("result_entered", "result_corrected")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the sheet. `points`: of the cards; `counts`: the score that counts, empty without a result.
    `ruled`: a ruling changed the score.
    """

    deal: int
    points: str
    counts: str
    contract: str
    confirmed: bool
    ruled: bool


@dataclass(frozen=True, slots=True)
class PastCorrection:
    deal: int
    before: str
    after: str
    reason: str
    by: str
    at: datetime
    replaced: int
    """Sequence number of the event whose result was replaced; -1 if there was none."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The values before and after a correction. `at_table`, `elsewhere`: people whose place or total changes,
    at this table and at others; `more`: number of lines left out of `elsewhere`. `ruled`: a ruling fixes the
    score.
    """

    deal_before: str
    deal_after: str
    totals_before: str
    totals_after: str
    winners_before: str
    winners_after: str
    at_table: tuple[PlaceChange, ...]
    elsewhere: tuple[PlaceChange, ...]
    more: int
    ruled: bool
    bracket: tuple[str, ...] = ()
    """Sentences on how the correction changes a knock-out."""
    contradicts: bool = False
    """Whether others would go on in a knock-out whose next round is played already."""

    @property
    def changes(self) -> bool:
        before = (self.deal_before, self.totals_before, self.winners_before)
        return before != (self.deal_after, self.totals_after, self.winners_after)


def list_sheet_rows(state: State, deck: str) -> list[SheetRow]:
    """Return a row for each result. Until the game is over, add an empty row for each missing result if the
    number of results is fixed.
    """
    table = build_game_context(state)
    counted = score_deals(table)
    rows = [
        SheetRow(
            deal,
            join_points(result.card_points),
            join_points(counted[deal - 1].scores),
            contract_name(result.contract, deck) if result.contract else "",
            result.confirmed,
            tuple(counted[deal - 1].scores) != result.scores,
        )
        for deal, result in enumerate(state.results, 1)
    ]
    lines = 1 if state.hand_in == "totals" else table.rules.deals or 0
    missing = range(len(rows) + 1, lines + 1) if not state.over else range(0)
    return rows + [SheetRow(deal, "", "", "", False, False) for deal in missing]


def load_sheet_values(
    table: Table, state: State, deal: int, sheet: Sequence[SheetField], seq: int | None
) -> dict[str, Any]:
    """Return the initial values of the fields `sheet` for a correction: those of the deal's current result,
    or those that the event `seq` recorded for this deal. Empty without a result.
    """
    result: Any = state.results[deal - 1] if deal <= len(state.results) else None
    if seq is not None:
        events = game_state.load_snapshot(str(table.game_id)).events
        event = events[seq] if seq < len(events) else None
        if event is not None and getattr(event, "card_points", None) and getattr(event, "deal", 0) == deal:
            result = event
    if result is None:
        return {}
    values = {field.name: getattr(result, field.name, None) for field in sheet}
    if "first" in values and values["first"] is None and state.first is not None:
        values["first"] = state.first[1] if state.first[0] == deal else None
    if "own_points" in values and result.chooser is not None:
        values["own_points"] = result.card_points[
            build_game_context(state).rules.sides_of(state)[result.chooser]
        ]
    derived = ("card_points" in values or "own_points" in values) and not result.by_hand
    return {**values, "scores": None} if derived else values


def list_past_corrections(table: Table, sides: Sequence[str]) -> list[PastCorrection]:
    """Return the results that officials wrote with a reason, newest first. `sides`: names of the sides."""
    written: dict[int, Any] = {}
    corrections: list[tuple[Any, Any]] = []
    for event in store.read(str(table.game_id), parts=False):
        if event.type not in WRITTEN:
            continue
        if event.body.get("reason") is not None:
            corrections.append((event, written.get(event.body.get("replaces", -1))))
        written[event.seq] = event.body
    names = load_official_names({event.actor for event, _before in corrections})
    return [
        PastCorrection(
            event.body["deal"],
            _score_text(before, sides) if before is not None else "–",
            _score_text(event.body, sides),
            event.body["reason"],
            names.get(event.actor, ""),
            datetime.fromisoformat(event.recorded_at),
            event.body.get("replaces", -1),
        )
        for event, before in reversed(corrections)
    ]


def _score_text(body: Mapping[str, Any], sides: Sequence[str]) -> str:
    """Return the score of a deal, and the side recorded as first at the target."""
    scores, first = join_points(body["scores"]), body.get("first")
    if first is None or first >= len(sides):
        return scores
    return f"{scores}, {_('{side} first to reach the target').format(side=sides[first])}"


def describe_consequences(table: Table, consequences: Consequences, sides: Sequence[str]) -> Outlook:
    """Return the effect of a correction, with the names of people. `sides`: the names of the sides."""
    elsewhere = sorted(consequences.movement.elsewhere, key=lambda shift: (shift.place_after, shift.number))
    shown = elsewhere[:MAX_MOVED]
    numbers = [number for shift in (*consequences.movement.at_table, *shown) for number in shift.numbers]
    entries = Entry.objects.filter(championship=table.round.championship_id, number__in=numbers)
    names = dict(entries.values_list("number", "name"))
    teams = load_teams_by_number(table.round.championship)
    return Outlook(
        join_points(consequences.scores_before) or "–",
        join_points(consequences.scores_after),
        join_points(consequences.totals_before),
        join_points(consequences.totals_after),
        ", ".join(sides[side] for side in consequences.winners_before) or "–",
        ", ".join(sides[side] for side in consequences.winners_after) or "–",
        list_place_changes(consequences.movement.at_table, names, teams),
        list_place_changes(shown, names, teams),
        len(elsewhere) - len(shown),
        consequences.ruled,
        tuple(_bracket_sentences(table, consequences.bracket)),
        consequences.bracket is not None
        and bool(consequences.bracket.instead)
        and consequences.bracket.played,
    )


def _bracket_sentences(table: Table, change: BracketChange | None) -> Iterator[str]:
    """Yield sentences on a knock-out: who would go on instead of whom, and whether the next round is already
    drawn or played. At most two queries.
    """
    if change is None or not (change.out or change.instead):
        return
    named = name_entrants(table.round.championship, {*change.out, *change.instead})

    def join(refs: Sequence[str]) -> str:
        return ", ".join(named.get(ref, "–") for ref in refs) or _("nobody")

    yield _("Knock-out: %(instead)s would advance instead of %(out)s.") % {
        "instead": join(change.instead),
        "out": join(change.out),
    }
    if change.played:
        yield _(
            "The next round has already been played: it does not change, and the bracket would "
            "contradict it. The referee decides."
        )
    elif change.drawn:
        yield _("The next round is already drawn: undo its draw before you correct, and draw again.")
