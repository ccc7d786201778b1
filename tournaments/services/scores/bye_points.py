"""Points of byes, stored when a round closes and after a correction."""

from collections.abc import Iterable

from games.appending import record
from tournaments.competition import write_number
from tournaments.events import ByePointsCounted
from tournaments.models import Round
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import regulations_of
from tournaments.services.scores.results import load_encounters
from tournaments.services.scores.unplayed_rounds import value_round
from tournaments.standings import Figure, TableResult


def store_bye_points(round_: Round) -> None:
    """Store the points of the round's byes by the regulations, such as a fixed number or the average of the
    round.
    """
    regulations = regulations_of(round_.championship)
    round_.byes.update(points=_write(compute_bye_points(regulations, load_encounters([round_], regulations))))


def compute_bye_points(regulations: Regulations, tables: Iterable[TableResult]) -> Figure | None:
    """Return the points of a bye in a round with these results of tables or encounters.

    None as long as the regulations or the results give no points.
    """
    return value_round(regulations.byes, regulations, tables)


def recount_byes(round_: Round, *, ref: str) -> None:
    """Compute the points of byes in a closed round again after a result changed. Store and record them if
    they differ.
    """
    points = round_.byes.values_list("points", flat=True)
    regulations = regulations_of(round_.championship)
    worth = _write(compute_bye_points(regulations, load_encounters([round_], regulations)))
    if set(points) - {worth}:
        round_.byes.update(points=worth)
        record(round_.stream_id, ByePointsCounted(points=worth), actor=ref)


def _write(worth: Figure | None) -> int | str | None:
    return None if worth is None else write_number(worth)
