"""Points of byes: the figure of the regulations, or the average of the round."""

from collections.abc import Iterable

from games.appending import record
from tournaments.events import SittingOutCounted
from tournaments.models import Round
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import regulations_of
from tournaments.services.scores.results import load_encounters
from tournaments.standings import TableResult
from tournaments.standings.match_points import WIN


def store_bye_points(round_: Round) -> None:
    """Store the points of byes: the figure of the regulations, or the average of the round."""
    held = regulations_of(round_.championship)
    round_.sit_outs.update(points=compute_bye_points(held, load_encounters([round_], held)))


def compute_bye_points(held: Regulations, tables: Iterable[TableResult]) -> int | None:
    """Return the points of a bye in a round with these tables or encounters, half a point rounded up.

    The average is that of the seats with a final result; if there is none, of all seats with points; None
    without any. That of the winners is the average of those who lead their tables, if there are any; a match
    won is always the same. Where the average of own rounds counts, this is that of people without any.
    """
    if held.byes.points == "fixed":
        return held.byes.fixed
    if held.byes.points == "win" and held.counting.what == "matches":
        return WIN
    crediting = held.crediting()
    credits = [
        (one.complete, one.leads(seat, crediting.direction), points)
        for one in tables
        for seat in range(len(one.entries))
        if (points := one.worth(seat, crediting)) is not None
    ]
    there = [one for one in credits if one[0]] or credits
    if held.byes.points == "win":
        there = [one for one in there if one[1]] or there
    given = [points for _, _, points in there]
    return (2 * sum(given) + len(given)) // (2 * len(given)) if given else None


def recount_byes(round_: Round, *, ref: str) -> None:
    """Store the points of byes in a closed round again after a result changed."""
    sat_out = round_.sit_outs.values_list("points", flat=True)
    held = regulations_of(round_.championship)
    worth = compute_bye_points(held, load_encounters([round_], held))
    if set(sat_out) - {worth}:
        round_.sit_outs.update(points=worth)
        record(round_.stream_id, SittingOutCounted(points=worth), actor=ref)
