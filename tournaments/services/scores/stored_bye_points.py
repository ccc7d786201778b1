"""Points of byes, stored when a round closes and after a correction."""

from games.appending import record
from tournaments.competition import write_number
from tournaments.events import ByePointsCounted
from tournaments.models import Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores.results import load_encounters
from tournaments.services.scores.unplayed_credits import compute_points_by_rule


def store_bye_points(round_: Round) -> None:
    """Store the points of the round's byes by the regulations, such as a fixed number or the average of the
    round.
    """
    round_.byes.update(points=_compute_stored_points(round_))


def recount_byes(round_: Round, *, ref: str) -> None:
    """Compute the points of byes in a closed round again after a result changed. Store and record them if
    they differ.
    """
    points = round_.byes.values_list("points", flat=True)
    recounted = _compute_stored_points(round_)
    if set(points) - {recounted}:
        round_.byes.update(points=recounted)
        record(round_.stream_id, ByePointsCounted(points=recounted), actor=ref)


def _compute_stored_points(round_: Round) -> int | str | None:
    """Compute the points of a bye of the round, as they are stored; None if there are none."""
    regulations = load_regulations(round_.championship)
    points = compute_points_by_rule(regulations.byes, regulations, load_encounters([round_], regulations))
    return None if points is None else write_number(points)
