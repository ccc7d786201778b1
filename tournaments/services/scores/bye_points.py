"""Points of byes: the figure of the regulations, or the average of the round."""

from collections.abc import Iterable

from games.appending import record
from tournaments.events import SittingOutCounted
from tournaments.models import Round
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import regulations_of
from tournaments.services.scores.results import load_results
from tournaments.standings import TableResult


def store_bye_points(round_: Round, regulations: Regulations | None = None) -> None:
    """Store the points of byes: the figure of the regulations, or the average of the round."""
    held = regulations or regulations_of(round_.championship)
    round_.sit_outs.update(points=compute_bye_points(held, load_results([round_], held=held)))


def compute_bye_points(held: Regulations, tables: Iterable[TableResult]) -> int | None:
    """Return the points of a bye in a round with these tables, half a point rounded up.

    The average is that of the seats with a final result; if there is none, of all seats with points; None
    without any.
    """
    if held.byes.points == "fixed":
        return held.byes.fixed
    credits = [
        (one.complete, points)
        for one in tables
        for seat in range(len(one.entries))
        if (points := one.credit(seat, held.play.credit)) is not None
    ]
    final = [points for complete, points in credits if complete] or [points for _, points in credits]
    return (2 * sum(final) + len(final)) // (2 * len(final)) if final else None


def recount_byes(round_: Round, *, ref: str) -> None:
    """Store the points of byes in a closed round again after a result changed."""
    sat_out = round_.sit_outs.values_list("points", flat=True)
    held = regulations_of(round_.championship)
    worth = compute_bye_points(held, load_results([round_], held=held))
    if set(sat_out) - {worth}:
        round_.sit_outs.update(points=worth)
        record(round_.stream_id, SittingOutCounted(points=worth), actor=ref)
