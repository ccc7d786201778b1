"""Published and live rankings, as pages show them. `published_ranking` loads the published ones."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Final

import msgspec
from django.db.models import Max

from games.recently_used import RecentlyUsed
from tournaments.models import Championship, Round, StandingsSnapshot
from tournaments.services.cache_versions import CacheVersion
from tournaments.services.current_regulations import load_regulations
from tournaments.services.scores import published_ranking
from tournaments.services.scores.live_ranking import LiveRanking
from tournaments.services.scores.ranking_basis import STANDING
from tournaments.standings import RankingRow


class RankedEntry(msgspec.Struct, frozen=True):
    """The key and the place of a ranking's row, read without its rest."""

    key: int
    place: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking after `after` rounds. `rounds`: numbers of its columns; `version`, `made_at`, `reason`: of a
    published ranking, with `version` None for a live one; `have_swept`: whether anybody has made a sweep;
    `outdated`: results were corrected after it was published.
    """

    rows: Sequence[RankingRow]
    rounds: tuple[int, ...]
    after: int
    version: int | None = None
    made_at: datetime | None = None
    reason: str = ""
    have_swept: bool = False
    outdated: bool = False
    by_start: bool = False
    """Whether the columns are the starts of a person, and not rounds."""
    final: bool = False
    """Whether it is the newest ranking of a championship that has ended."""

    @property
    def live(self) -> bool:
        return self.version is None


NONE = Ranking((), (), 0)


def load_published(championship: Championship, after: int | None = None) -> Ranking:
    """Return the newest published ranking; with `after`, the newest one published after that round. `NONE` if
    there is none.
    """
    snapshot = published_ranking.load_latest_snapshot(championship, after, as_text=True)
    if snapshot is None:
        return NONE
    rows = published_ranking.decode_rows(snapshot)
    by_start = load_regulations(championship).has_queue
    columns = max((len(row.rounds) for row in rows), default=0) if by_start else snapshot.after_round
    return Ranking(
        rows=rows,
        rounds=tuple(range(1, columns + 1)),
        after=snapshot.after_round,
        version=snapshot.version,
        made_at=snapshot.made_at,
        reason=snapshot.reason,
        have_swept=any(row.sweeps for row in rows),
        outdated=_is_outdated(snapshot),
        by_start=by_start,
        final=is_final(championship, snapshot.after_round if after is not None else None),
    )


def is_final(championship: Championship, after: int | None) -> bool:
    """Return whether the championship has ended and no ranking was published after a later round than `after`
    (None: the newest ranking is meant). One query if the championship has ended and `after` is given.
    """
    if championship.status != Championship.Status.FINISHED:
        return False
    return after is None or not championship.snapshots.filter(after_round__gt=after).exists()


LIVE: Final = ("frame", "people", "results")
"""The parts of a cache version (`CacheVersion`) on which a live ranking depends."""
RESTS = 10
"""A live ranking is reused for this multiple of the time that computing it took. With thousands of entries
the computation thus uses at most a tenth of a core, and small rankings are hardly ever outdated.
"""
MAX_LIVE: Final = 50


class _Live:
    """The cached live ranking of one championship. `until`: end of its reuse, by the monotonic clock."""

    def __init__(self) -> None:
        self.making = threading.Lock()
        self.kept = LiveRanking()
        self.mark = ""
        self.until = float("-inf")
        self.ranking = NONE


KEPT: Final = RecentlyUsed[int, _Live](MAX_LIVE)


def load_live(
    championship: Championship, rounds: Sequence[Round], cache_version: CacheVersion
) -> tuple[Ranking, str]:
    """Return the live ranking, which includes the running round, and a mark, for cache keys, of the data from
    which it was computed. The ranking may be older than `cache_version` (`RESTS`).

    Concurrent requests share one computation.
    """
    live = KEPT.get_or_add(championship.pk, _Live)
    mark = cache_version.marks(*LIVE)
    with live.making:
        if live.mark != mark and monotonic() >= live.until:
            begun = monotonic()
            live.ranking, live.mark = _update_live(live.kept, championship, rounds, cache_version), mark
            live.until = begun + (monotonic() - begun) * (1 + RESTS) if RESTS else begun
        return live.ranking, live.mark


def _update_live(
    kept: LiveRanking, championship: Championship, rounds: Sequence[Round], cache_version: CacheVersion
) -> Ranking:
    standing_rounds = tuple(round_.number for round_ in rounds if round_.status in STANDING)
    if not standing_rounds:
        return NONE
    rows = kept.rows(championship, rounds, cache_version)
    if load_regulations(championship).has_queue:
        columns = tuple(range(1, rows.most_rounds + 1))
        return Ranking(rows, columns, max(standing_rounds), have_swept=rows.have_swept, by_start=True)
    return Ranking(rows, standing_rounds, max(standing_rounds), have_swept=rows.have_swept)


def find_played_round(rounds: Sequence[Round]) -> int | None:
    """Return the number of the first open round; None if no round is open."""
    return next((round_.number for round_ in rounds if round_.status == Round.Status.OPEN), None)


def places_after(championship: Championship, after: int) -> dict[int, int]:
    """Return row's key → place after round `after`, by the newest ranking published after it, with later
    corrections applied. Empty without such a ranking.
    """
    snapshot = published_ranking.load_latest_snapshot(championship, after, as_text=True)
    return {} if snapshot is None or after < 1 else _places(snapshot)


def places_by_round(championship: Championship, upto: int) -> dict[int, dict[int, int]]:
    """Return round → row's key → place, for each round up to and with `upto`, by the newest ranking published
    after it, with later corrections applied. Two queries if there are no corrections.
    """
    newest = (
        championship.snapshots.filter(after_round__lte=upto, after_round__gt=0)
        .values("after_round")
        .annotate(last=Max("version"))
        .values_list("last", flat=True)
    )
    snapshots = published_ranking.annotate_text(championship.snapshots.filter(version__in=list(newest)))
    return {snapshot.after_round: _places(snapshot) for snapshot in snapshots.order_by("after_round")}


def _places(snapshot: StandingsSnapshot) -> dict[int, int]:
    if _is_outdated(snapshot):
        return published_ranking.recompute_places(snapshot)
    return {p.key: p.place for p in msgspec.json.decode(_text(snapshot), type=list[RankedEntry])}


def _is_outdated(snapshot: StandingsSnapshot) -> bool:
    """Return whether results were corrected after this ranking was published."""
    changed: int | None = snapshot.changed  # type: ignore[attr-defined]  # annotated by annotate_text
    return (changed or 0) > snapshot.version


def _text(snapshot: StandingsSnapshot) -> str:
    text: str = snapshot.text  # type: ignore[attr-defined]  # annotated by annotate_text
    return text
