"""The results of a series as JSON: its table, and its qualification."""

from collections.abc import Mapping
from typing import Any

from tournaments.competition import write_number
from tournaments.series.document import Series
from tournaments.series.qualification import Qualification, qualify
from tournaments.series.season_table import SeasonTable, compute_table


def write_table(series: Series) -> dict[str, Any]:
    """Return the ranked rows of the season table as data for JSON."""
    rows = []
    for row in compute_table(series).rows:
        plain = {
            "place": row.place,
            "ref": row.ref,
            "total": write_number(row.total),
            "events": {key: write_number(value) for key, value in row.events.items()},
            "dropped": list(row.dropped),
        }
        rows.append(plain if row.members is None else plain | {"members": list(row.members)})
    return {"table": rows}


def write_qualification(series: Series) -> dict[str, Any]:
    """Compute the qualification, and return tickets and waiting list as data for JSON."""
    return write_tickets(qualify(series))


def write_tickets(qualification: Qualification) -> dict[str, Any]:
    """Return the tickets and the waiting list as data for JSON."""
    return {
        "qualified": [
            {"ref": ticket.ref, "from": ticket.event, "place": ticket.place, "why": ticket.why}
            for ticket in qualification.qualified
        ],
        "waiting": list(qualification.waiting),
    }


def write_team_rows(table: SeasonTable, refs: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rows of teams in the published form, with the members who count.

    refs: the reference of each team in the stream, which orders teams with the same place.
    """
    rows = [
        {
            "place": row.place,
            "ref": refs[row.ref],
            "total": write_number(row.total),
            "members": list(row.members or ()),
        }
        for row in (*table.rows, *table.unranked)
    ]
    return sorted(rows, key=lambda row: (row["place"] is None, row["place"] or 0, row["ref"]))


def write_rows(table: SeasonTable) -> list[dict[str, Any]]:
    """Return the rows in the published form, without the values of single events. Rows without a place come
    last.
    """
    return [
        {"place": row.place, "ref": row.ref, "total": write_number(row.total)}
        for row in (*table.rows, *table.unranked)
    ]
