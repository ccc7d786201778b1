"""The ranking: live from the results, and as published after a round or a correction."""

import hashlib

import msgspec
from django.db import transaction
from django.db.models import Max

from tournaments.chronicle import SERVER, record
from tournaments.events import StandingsPublished
from tournaments.models import Championship, Round, StandingsSnapshot
from tournaments.services import locks, results
from tournaments.services.championships import regulations_of
from tournaments.standings import Row, rank


def live(championship: Championship) -> list[Row]:
    """The ranking now, with rounds that are still played as far as they are known."""
    return _rank(championship, (Round.Status.OPEN, Round.Status.CLOSED))


def _rank(championship: Championship, statuses: tuple[Round.Status, ...]) -> list[Row]:
    regulations = regulations_of(championship)
    rounds = list(championship.rounds.filter(status__in=statuses))
    tables = results.of_rounds(rounds)
    entrants = results.entrants_of(championship, rounds, tables)
    return rank(entrants, regulations.counting, held=len(rounds), meetings=results.meetings_of(tables))


def latest(championship: Championship) -> StandingsSnapshot | None:
    """The ranking as it was published last."""
    return championship.snapshots.order_by("-version").first()


def rows_of(snapshot: StandingsSnapshot) -> list[Row]:
    """The rows of a published ranking."""
    return msgspec.convert(snapshot.rows, list[Row])


def publish(championship: Championship, *, reason: str, ref: str = SERVER) -> StandingsSnapshot:
    """Publish the ranking of the closed rounds; older ones stay. Nothing new: the last one is the answer."""
    with transaction.atomic():
        locks.championship(championship.pk)
        rows = msgspec.to_builtins(_rank(championship, (Round.Status.CLOSED,)))
        closed = championship.rounds.filter(status=Round.Status.CLOSED)
        after_round = closed.aggregate(last=Max("number"))["last"] or 0
        before = latest(championship)
        if before is not None and (before.rows, before.after_round) == (_as_stored(rows), after_round):
            return before
        snapshot = StandingsSnapshot.objects.create(
            championship=championship,
            after_round=after_round,
            version=before.version + 1 if before else 1,
            rows=rows,
            reason=reason,
        )
        digest = hashlib.sha256(msgspec.json.encode(rows)).hexdigest()
        event = StandingsPublished(
            after_round=after_round, version=snapshot.version, digest=digest, reason=reason
        )
        record(championship.stream_id, event, actor=ref)
    return snapshot


def _as_stored(rows: object) -> object:
    """Rows as JSON gives them back: lists where there were tuples."""
    return msgspec.json.decode(msgspec.json.encode(rows))
