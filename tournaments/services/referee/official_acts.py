"""What officials did to a round beside running it, each act with its reason. Read from the streams.

Undone draws, looks at hands, reopenings, tables broken off, late tables, changed chairs, merged entries,
corrections, rulings.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from games import store
from games.store import StoredEvent
from tournaments.models import Round
from tournaments.regulations import Regulations
from tournaments.services import delays

GAME_ACTS: Final = ("game_closed", "game_resumed", "result_entered", "result_corrected", "ruling_made")
CHAMPIONSHIP_ACTS: Final = ("entries_merged", "entries_parted", "rounds_planned")


class OfficialAct(NamedTuple):
    """One act. `kind`: the type of its event; `table`: its number, 0 where none is meant; `reason`: as it was
    given; `details`: the body of the event.
    """

    at: datetime
    kind: str
    table: int
    reason: str
    details: dict[str, Any]


def acts_of_round(
    round_: Round, regulations: Regulations, events: Sequence[StoredEvent] | None = None
) -> list[OfficialAct]:
    """The acts of all draws of a round, in order. Of an open round only those in its own stream; while it is
    shown late only those that say nothing of what is played. `events`: of the round, where they are at hand.
    Two queries more for a closed round, however many tables.
    """
    told = store.read(round_.stream_id, parts=False) if events is None else events
    is_open = round_.status == Round.Status.OPEN
    if is_open and delays.minutes_of(round_, regulations):
        return sorted(_acts_of_draws(told), key=lambda act: act.at)
    found = [*_acts_of_draws(told), *_acts_of_tables(told)]
    if is_open:
        return sorted(found, key=lambda act: act.at)
    games = dict(round_.tables.filter(game__isnull=False).values_list("game_id", "number"))
    championship = round_.championship.stream_id
    drawn = {ref for event in told if event.type == "seats_drawn" for ref in event.body["players"]}
    for stream, event in store.read_types([championship, *games], [*GAME_ACTS, *CHAMPIONSHIP_ACTS]):
        body = event.body
        if stream == championship:
            if event.type == "rounds_planned" or {body["player"], body["other"]} & drawn:
                found.append(_act(event))
        elif not event.type.startswith("result_") or body.get("reason") is not None:
            found.append(_act(event, games[stream]))
    return sorted(found, key=lambda act: act.at)


def _act(event: StoredEvent, table: int = 0) -> OfficialAct:
    at = datetime.fromisoformat(event.recorded_at)
    return OfficialAct(at, event.type, table, event.body.get("reason") or "", event.body)


def _acts_of_draws(events: Sequence[StoredEvent]) -> Iterator[OfficialAct]:
    for event in events:
        if event.type in ("draw_undone", "round_reopened"):
            yield _act(event)
        elif event.type == "table_opened":
            yield _act(event, event.body["table"])


def _acts_of_tables(events: Sequence[StoredEvent]) -> Iterator[OfficialAct]:
    for event in events:
        if event.type == "hidden_cards_opened":
            yield _act(event, event.body["table"])
        elif (event.type == "seats_exchanged" and event.body.get("reason")) or (
            event.type == "round_closed" and event.body.get("unfinished")
        ):
            yield _act(event)
