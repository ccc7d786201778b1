"""Finding the table at which a start in the ranking of an open heat was played."""

from collections.abc import Sequence

from tournaments.models import Championship, Round, Seating, Table
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores.results import load_ranking_inputs


def find_table_of_start(
    championship: Championship, sessions: Sequence[Round], key: int, start: int
) -> Table | None:
    """Return the table of a start in these sessions; None if it was not played there.

    `key`: of the row in the ranking; `start`: number among the row's starts that have had a table, from 1.
    """
    inputs = load_ranking_inputs(championship, sessions, load_regulations(championship))
    numbers = [number for ranked, number in inputs.starts if ranked == key]
    own = Seating.objects.filter(
        entry__championship=championship, entry__number__in=numbers, round__in=sessions
    )
    seatings = own.select_related("table__round").order_by("entry__number")
    tables = list(dict.fromkeys(seating.table for seating in seatings))
    return tables[start - 1] if 0 < start <= len(tables) else None
