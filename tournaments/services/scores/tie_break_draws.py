"""Separating ties that remain after all other tie breaks, by cut cards or by drawn lots."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import SeparatorRecorded
from tournaments.models import Championship, Entry, SideConstraint
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import published_ranking
from tournaments.standings import RankingRow

KINDS = ("cut", "lot")


def draw_kind(championship: Championship) -> str | None:
    """Return the first of KINDS among the regulations' tie breaks, None if there is none."""
    return next((name for name in load_regulations(championship).counting.tie_breaks if name in KINDS), None)


def list_ties(championship: Championship) -> list[list[RankingRow]]:
    """List the groups of rows in the latest published ranking that at most a cut or a lot separates, best
    place first.

    The two partners of a fixed pair are not a group.
    """
    snapshot = published_ranking.load_latest_snapshot(championship)
    groups: list[list[RankingRow]] = []
    for row in [] if snapshot is None else published_ranking.decode_rows(snapshot):
        if groups and _is_level(groups[-1][-1], row):
            groups[-1].append(row)
        else:
            groups.append([row])
    together = {
        frozenset(pair)
        for pair in championship.side_constraints.filter(kind=SideConstraint.Kind.FIXED_PAIR).values_list(
            "one__number", "other__number"
        )
    }
    return [group for group in groups if len(group) > 1 and {row.key for row in group} not in together]


def _is_level(above: RankingRow, row: RankingRow) -> bool:
    why = row.separation
    by_hand = why is not None and why.tie_break in KINDS and why.against == above.key
    return row.place == above.place or by_hand


def record_tie_break(
    championship: Championship, kind: str, values: Mapping[int, int], *, actor: Actor
) -> None:
    """Record the cut cards (`cut`, the highest is best) or the lots (`lot`, 1 is best).

    Publish the ranking again if one is published. `values`: entry number → value. Raises NotAllowed,
    ValueError for another kind, TournamentError `entries/unknown` for an unknown number.
    """
    ref = require(actor, "edit", championship)
    if kind not in KINDS:
        raise ValueError(f"neither cut nor lot: {kind!r}")
    with locks.locked_for(championship, actor, "edit") as locked:
        found = {entry.number: entry for entry in locked.entries.filter(number__in=values)}
        if missing := sorted(set(values) - set(found)):
            raise TournamentError("entries/unknown", _("There is no entry %(number)s."), number=missing[0])
        for number, entry in found.items():
            setattr(entry, kind, values[number])
        Entry.objects.bulk_update(found.values(), [kind])
        by_ref = {found[number].player_ref: value for number, value in sorted(values.items())}
        record(locked.stream_id, SeparatorRecorded(kind=kind, values=by_ref), actor=ref)
        if published_ranking.load_latest_snapshot(locked) is not None:
            published_ranking.publish(locked, reason=kind, ref=ref)
