"""Acts of officials in a round beyond its normal course, with their reasons, read from the streams.

Acts are: undone draws, printed and opened hands, reopened rounds, rounds closed with unfinished tables,
changed numbers of rounds, tables closed, resumed, added or taken back, chairs exchanged with a reason,
entries merged or parted, results with a reason, rulings.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from games import store
from games.store import StoredEvent
from tournaments.models import Round
from tournaments.regulations import Regulations
from tournaments.services import broadcast_delay

GAME_ACTS: Final = ("game_closed", "game_resumed", "result_entered", "result_corrected", "ruling_made")
CHAMPIONSHIP_ACTS: Final = ("entries_merged", "entries_parted", "rounds_planned")


class OfficialAct(NamedTuple):
    """One act of an official.

    `at`: its time; `kind`: type of its event; `table`: number of the table, 0 if it concerns none; `reason`:
    may be empty; `details`: body of the event.
    """

    at: datetime
    kind: str
    table: int
    reason: str
    details: dict[str, Any]


def list_acts(
    round_: Round, regulations: Regulations, events: Sequence[StoredEvent] | None = None
) -> list[OfficialAct]:
    """List the acts in a round by time, including acts before an undone draw.

    For an open round, only acts in the round's own stream are listed; while the round is delayed, only acts
    that reveal nothing of the play. `events`: events of the round, if loaded already.
    """
    round_events = store.read(round_.stream_id, parts=False) if events is None else events
    is_open = round_.status == Round.Status.OPEN
    if is_open and broadcast_delay.compute_effective_delay(round_, regulations):
        return sorted(_draw_acts(round_events), key=lambda act: act.at)
    found = [*_draw_acts(round_events), *_table_acts(round_events)]
    if is_open:
        return sorted(found, key=lambda act: act.at)
    games = dict(round_.tables.filter(game__isnull=False).values_list("game_id", "number"))
    championship = round_.championship.stream_id
    draws = ("seats_drawn", "tables_drawn")
    drawn = {ref for event in round_events if event.type in draws for ref in event.body["players"]}
    for stream, event in store.read_types([championship, *games], [*GAME_ACTS, *CHAMPIONSHIP_ACTS]):
        body = event.body
        if stream == championship:
            if event.type == "rounds_planned" or {body["player"], body["other"]} & drawn:
                found.append(_build_act(event))
        elif not event.type.startswith("result_") or body.get("reason") is not None:
            found.append(_build_act(event, games[stream]))
    return sorted(found, key=lambda act: act.at)


def _build_act(event: StoredEvent, table: int = 0) -> OfficialAct:
    at = datetime.fromisoformat(event.recorded_at)
    return OfficialAct(at, event.type, table, event.body.get("reason") or "", event.body)


def _draw_acts(events: Sequence[StoredEvent]) -> Iterator[OfficialAct]:
    from_queue = 0
    for event in events:
        if event.type in ("draw_undone", "round_reopened"):
            yield _build_act(event)
        elif event.type == "tables_drawn":
            from_queue = event.body["first"] + len(event.body["tables"]) - 1
        elif event.type == "table_taken_back" or (
            event.type == "table_opened" and event.body["table"] > from_queue
        ):
            yield _build_act(event, event.body["table"])
        elif event.type == "hands_printed":
            yield _build_act(event)


def _table_acts(events: Sequence[StoredEvent]) -> Iterator[OfficialAct]:
    for event in events:
        if event.type == "hidden_cards_opened":
            yield _build_act(event, event.body["table"])
        elif (event.type == "seats_exchanged" and event.body.get("reason")) or (
            event.type == "round_closed" and event.body.get("unfinished")
        ):
            yield _build_act(event)
