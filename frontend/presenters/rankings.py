"""Rankings as they were published, and as they stand now. Rows are decoded from the stored text in one go:
with thousands of entries that is most of the page.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

import msgspec
from django.db.models import Max, QuerySet, TextField
from django.db.models.functions import Cast

from tournaments.models import Championship, Round, StandingsSnapshot
from tournaments.services.scores import ranking as services
from tournaments.standings import RankingRow


class RankedEntry(msgspec.Struct, frozen=True):
    """What the course of somebody needs of a row."""

    key: int
    place: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """`after`: rounds held; `version` and `made_at`: of a published one, None while it is live."""

    rows: Sequence[RankingRow]
    rounds: tuple[int, ...]
    after: int
    version: int | None = None
    made_at: datetime | None = None
    reason: str = ""

    @property
    def live(self) -> bool:
        return self.version is None


NONE = Ranking((), (), 0)


def published(championship: Championship, after: int | None = None) -> Ranking:
    """The newest version, or the newest after that round; NONE where there is none."""
    found = _with_text(championship.snapshots.all())
    if after is not None:
        found = found.filter(after_round=after)
    snapshot = found.order_by("-version").first()
    if snapshot is None:
        return NONE
    return Ranking(
        rows=msgspec.json.decode(_text(snapshot), type=list[RankingRow]),
        rounds=tuple(range(1, snapshot.after_round + 1)),
        after=snapshot.after_round,
        version=snapshot.version,
        made_at=snapshot.made_at,
        reason=snapshot.reason,
    )


class _Live:
    """The live ranking of one championship, and `until` when it is the newest whatever happens meanwhile."""

    def __init__(self) -> None:
        self.making = threading.Lock()
        self.mark = ""
        self.until = float("-inf")
        self.ranking = NONE


_live: dict[int, _Live] = {}
RESTS = 10
"""A live ranking is good for so many times as long as it took to make: thousands of people cost a tenth of a
core at most, and a few wait for no more than an instant."""
MOST_LIVE = 50


def live(championship: Championship, rounds: Sequence[Round], mark: str) -> tuple[Ranking, str]:
    """With what is known of the round being played, and the mark that it has: `mark` or one just before it.
    Made once for all who ask."""
    while len(_live) >= MOST_LIVE and championship.pk not in _live:
        _live.pop(next(iter(_live)), None)
    kept = _live.setdefault(championship.pk, _Live())
    with kept.making:
        if kept.mark != mark and monotonic() >= kept.until:
            begun = monotonic()
            kept.ranking, kept.mark = _made_live(championship, rounds), mark
            kept.until = begun + (monotonic() - begun) * (1 + RESTS) if RESTS else begun
        return kept.ranking, kept.mark


def forget_all() -> None:
    _live.clear()


def _made_live(championship: Championship, rounds: Sequence[Round]) -> Ranking:
    begun = (Round.Status.OPEN, Round.Status.CLOSED)
    held = tuple(r.number for r in rounds if r.status in begun)
    return Ranking(services.live(championship) if held else (), held, max(held, default=0))


def places_after(championship: Championship, after: int) -> dict[int, int]:
    """Number → place in the newest ranking after a round; empty where there is none."""
    found = _with_text(championship.snapshots.filter(after_round=after)).order_by("-version").first()
    return {} if found is None or after < 1 else _places(found)


def places_by_round(championship: Championship, upto: int) -> dict[int, dict[int, int]]:
    """Round → number → place, by the newest ranking after each round. Two queries."""
    newest = (
        championship.snapshots.filter(after_round__lte=upto, after_round__gt=0)
        .values("after_round")
        .annotate(last=Max("version"))
        .values_list("last", flat=True)
    )
    found = _with_text(championship.snapshots.filter(version__in=list(newest)))
    return {snapshot.after_round: _places(snapshot) for snapshot in found.order_by("after_round")}


def _places(snapshot: StandingsSnapshot) -> dict[int, int]:
    return {p.key: p.place for p in msgspec.json.decode(_text(snapshot), type=list[RankedEntry])}


def _with_text(snapshots: QuerySet[StandingsSnapshot]) -> QuerySet[StandingsSnapshot]:
    return snapshots.defer("rows").annotate(text=Cast("rows", TextField()))


def _text(snapshot: StandingsSnapshot) -> str:
    text: str = snapshot.text  # type: ignore[attr-defined] # annotated by _with_text
    return text
