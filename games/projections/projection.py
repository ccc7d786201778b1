"""Projections of a game for lists and standings: functions that compute rows from the engine's state, and
functions that write the rows of deals.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import Event, State, to_act
from engine.decider import to_game_context
from engine.ledger.state import DealRecord, SheetResult
from engine.rules import GameContext
from engine.scoring.ruled_sweeps import find_ruled_sweep
from engine.scoring.ruling_effects import is_annulled, is_final_result, list_deals, score_deals
from games.models import DealResult, Game
from games.randomness import round_seed

Points = list[int | None]
CHANGES_RESULTS = frozenset(
    {
        "deal_scored",
        "deal_annulled",
        "ruling_made",
        "result_entered",
        "result_corrected",
        "result_confirmed",
        "taken_back",
    }
)


class Summary(msgspec.Struct, frozen=True):
    """The columns of Game that follow from its log. `trick`: the number of the trick, counted from 1, while
    cards are played, else 0. `sides`: the side of each seat, as far as partnerships are known. The others are
    named as in Game.
    """

    status: str
    phase: str
    deal: int
    trick: int
    turn_seat: int | None
    totals: list[int]
    sides: list[int]
    winners: list[int] | None


class Result(msgspec.Struct, frozen=True):
    """The columns of DealResult. `card_points`, `scores`, `counted`: points by side, None if unknown;
    `counted` is after rulings. `sweep`, `stoeck`: the side that has it. `sweeps`, `stoecks`: numbers by side,
    if totals were entered. `by_desk`: the desk wrote the result. `witness`: the confirmation in place of a
    side's own. `ruled_sweep`: the side to which a ruling gives a sweep.
    """

    deal: int
    card_points: Points
    scores: Points
    counted: Points
    confirmed: bool
    annulled: bool
    sweep: int | None
    stoeck: int | None
    sweeps: list[int] | None = None
    stoecks: list[int] | None = None
    by_desk: bool = False
    witness: str = ""
    ruled_sweep: int | None = None


def summarise(at: State | GameContext) -> Summary:
    """Return the columns of the game's row."""
    context = to_game_context(at)
    state, turn = context.state, to_act(context)
    return Summary(
        status=_status(state),
        phase="over" if turn is None else turn.phase,
        deal=state.deal,
        trick=len(state.tricks) + 1 if turn is not None and turn.phase == "trick_play" else 0,
        turn_seat=None if turn is None else turn.seat,
        totals=list(state.totals),
        sides=list(context.rules.sides_of(state)),
        winners=list(state.winners) if state.over else None,
    )


def results(at: State | GameContext) -> list[Result]:
    """Return one row for each deal that is over or written down, in the order of deals."""
    context = to_game_context(at)
    state = context.state
    counted = [list(scored.scores) for scored in score_deals(context)]
    if state.mode == "sheet":
        found = [
            _from_sheet(state, deal, entry, counts)
            for deal, (entry, counts) in enumerate(zip(state.results, counted, strict=True), 1)
        ]
    else:
        found = [
            _from_record(context, record, counts)
            for record, counts in zip(state.records, counted, strict=True)
        ]
    if not state.rulings:
        return found
    return [
        row if row.annulled else replace(row, ruled_sweep=find_ruled_sweep(context, record, row.counted))
        for row, record in zip(found, list_deals(state), strict=True)
    ]


def changed(events: Sequence[Event]) -> bool:
    """Return whether any of these events can change the results of deals."""
    return any(str(event.__struct_config__.tag) in CHANGES_RESULTS for event in events)


def _status(state: State) -> str:
    if state.closed:
        return Game.Status.CLOSED
    if state.over:
        return Game.Status.ENDED
    return Game.Status.RUNNING if state.deal else Game.Status.WAITING


def _from_record(context: GameContext, record: DealRecord, counted: Points) -> Result:
    sides = context.rules.sides_of(context.state)
    takers = {None if trick.taker is None else sides[trick.taker] for trick in record.tricks}
    return Result(
        deal=record.deal,
        card_points=list(record.card_points),
        scores=list(record.scores),
        counted=counted,
        confirmed=True,
        annulled=is_annulled(context.state, record.deal),
        sweep=next(iter(takers)) if len(takers) == 1 else None,
        stoeck=next((sides[seat] for seat, _, _ in record.stoeck), None),
    )


def _from_sheet(state: State, deal: int, entry: SheetResult, counted: Points) -> Result:
    return Result(
        deal=deal,
        card_points=list(entry.card_points),
        scores=list(entry.scores),
        counted=counted,
        confirmed=is_final_result(state, deal),
        annulled=is_annulled(state, deal),
        sweep=entry.sweep,
        stoeck=entry.stoeck,
        sweeps=None if entry.sweeps is None else list(entry.sweeps),
        stoecks=None if entry.stoecks is None else list(entry.stoecks),
        by_desk=entry.side is None,
        witness=entry.by or "",
    )


def columns(row: Summary | Result) -> dict[str, Any]:
    """Return the fields of a row by name, as keyword arguments of its model."""
    plain: dict[str, Any] = msgspec.structs.asdict(row)
    return plain


def write_outcome(game: Game, before: GameContext, after: GameContext, events: Sequence[Event]) -> None:
    """Write the rows of deals that these events have changed. If the events end a game outside any
    championship, make its seed public. The caller has made the events visible to the public.
    """
    if changed(events):
        write_results(game.pk, after, before)
    if after.state.over and not before.state.over:
        round_seed.reveal_single_game(game.round_stream_id)


def write_results(game_id: str, now: State | GameContext, before: GameContext | None = None) -> None:
    """Write the results of all deals, as the log has them. With `before`, an earlier state, write only
    results that differ from it, and delete results of deals whose end was taken back since.
    """
    known = [] if before is None else results(before)
    rows = results(now)
    new = [row for row in rows if row not in known]
    gone = {row.deal for row in known} - {row.deal for row in rows}
    if gone:
        DealResult.objects.filter(game_id=game_id, deal__in=gone).delete()
    DealResult.objects.bulk_create(
        [DealResult(game_id=game_id, **columns(row)) for row in new],
        update_conflicts=True,
        unique_fields=["game", "deal"],
        update_fields=[name for name in Result.__struct_fields__ if name != "deal"],
    )
