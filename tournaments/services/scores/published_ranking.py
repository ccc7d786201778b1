"""Rankings published after a round or a correction: publishing, and reading the published rows."""

import hashlib
from typing import Final

import msgspec
from django.db import transaction
from django.db.models import Max, OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from games.appending import SERVER, record
from tournaments.events import StandingsPublished
from tournaments.models import Championship, Round, StandingsSnapshot
from tournaments.services import locks
from tournaments.services.scores import stored_credits
from tournaments.services.scores.ranking_basis import load_basis, rank_basis, rank_basis_teams
from tournaments.standings import (
    COUNTING_VERSION,
    RankingRow,
    TeamRow,
    write_figure,
)


def load_latest_snapshot(
    championship: Championship, after: int | None = None, *, as_text: bool = False
) -> StandingsSnapshot | None:
    """Return the latest published ranking; with `after`, the latest one published after that round. None if
    there is none. `as_text`: its rows are loaded by `annotate_text`.
    """
    snapshots = championship.snapshots.order_by("-version")
    if after is not None:
        snapshots = snapshots.filter(after_round=after)
    return (annotate_text(snapshots) if as_text else snapshots).first()


def annotate_text(snapshots: QuerySet[StandingsSnapshot]) -> QuerySet[StandingsSnapshot]:
    """Annotate `text`, the stored text of the rows, instead of loading `rows`; and `changed`, as in
    `annotate_last_change`. With thousands of entries decoding takes most of a page's time.
    """
    return annotate_last_change(snapshots.defer("rows").annotate(text=Cast("rows", TextField())))


REASONS_KEEPING_RESULTS: Final = ("round_closed", "asked_for", "cut", "lot")
"""Reasons of a publication with which the results of earlier rounds have not changed."""


def annotate_last_change(snapshots: QuerySet[StandingsSnapshot]) -> QuerySet[StandingsSnapshot]:
    """Annotate `changed`: the version of the championship's latest ranking whose reason is not in
    REASONS_KEEPING_RESULTS. Results of earlier rounds may have changed in it. None if there is none.
    """
    changes = StandingsSnapshot.objects.filter(championship=OuterRef("championship"))
    last = changes.exclude(reason__in=REASONS_KEEPING_RESULTS).order_by("-version").values("version")[:1]
    return snapshots.annotate(changed=Subquery(last))


def recompute_places(snapshot: StandingsSnapshot) -> dict[int, int]:
    """Compute the places of an older ranking again from the present results. Return key of the row → place.

    Only keys of that ranking are returned.
    """
    basis = load_basis(snapshot.championship, (Round.Status.CLOSED,), upto=snapshot.after_round)
    listed = {row.key for row in decode_rows(snapshot)}
    return {row.key: row.place for row in rank_basis(basis) if row.key in listed}


def decode_rows(snapshot: StandingsSnapshot) -> list[RankingRow]:
    """Decode the rows of a published ranking, in one step if they were loaded by `annotate_text`."""
    text: str | None = getattr(snapshot, "text", None)
    if text is not None:
        return msgspec.json.decode(text, type=list[RankingRow])
    return msgspec.convert(snapshot.rows, list[RankingRow])


def decode_teams(snapshot: StandingsSnapshot) -> list[TeamRow] | None:
    """Decode the rows of a published ranking of teams; None if the snapshot has none."""
    return None if snapshot.teams is None else msgspec.convert(snapshot.teams, list[TeamRow])


def publish(championship: Championship, *, reason: str, ref: str = SERVER) -> StandingsSnapshot:
    """Publish the ranking of the closed rounds, and return it. If nothing has changed,
    return the latest one.
    """
    with transaction.atomic():
        locks.lock_championship(championship.pk)
        basis = load_basis(championship, (Round.Status.CLOSED,))
        ranked = rank_basis(basis)
        rows = msgspec.to_builtins(ranked, enc_hook=write_figure)
        teams = _as_stored(msgspec.to_builtins(rank_basis_teams(basis, ranked), enc_hook=write_figure))
        closed = championship.rounds.filter(status=Round.Status.CLOSED)
        after_round = closed.aggregate(last=Max("number"))["last"] or 0
        before = load_latest_snapshot(championship)
        stored = _as_stored(rows), teams, after_round
        if before is not None and (before.rows, before.teams, before.after_round) == stored:
            return before
        snapshot = StandingsSnapshot.objects.create(
            championship=championship,
            after_round=after_round,
            version=before.version + 1 if before else 1,
            rows=rows,
            teams=teams,
            reason=reason,
        )
        event = StandingsPublished(
            after_round=after_round,
            version=snapshot.version,
            digest=digest_rows(rows),
            reason=reason,
            counting_version=COUNTING_VERSION,
            teams_digest=msgspec.UNSET if teams is None else digest_rows(teams),
        )
        record(championship.stream_id, event, actor=ref)
    return snapshot


def republish(round_: Round, *, reason: str, ref: str) -> None:
    """Compute the points of byes again and publish the ranking, after a result of a closed
    round has changed.
    """
    stored_credits.recount_byes(round_, ref=ref)
    publish(round_.championship, reason=reason, ref=ref)


def republish_by_new_counting() -> int:
    """Republish the rankings of running championships that this version of the platform counts differently.

    Return their number. The points of byes of closed rounds are computed again first. Idempotent.
    """
    running = Championship.objects.filter(
        status=Championship.Status.RUNNING, archived_at=None, snapshots__isnull=False
    ).distinct()
    published = 0
    for championship in running:
        with transaction.atomic():
            locks.lock_championship(championship.pk)
            before = load_latest_snapshot(championship)
            for round_ in championship.rounds.filter(status=Round.Status.CLOSED):
                stored_credits.recount_byes(round_, ref=SERVER)
            published += publish(championship, reason="new_counting") != before
    return published


def digest_rows(rows: object) -> str:
    """Return the SHA-256 digest of a ranking's rows, as it is recorded in the stream."""
    return hashlib.sha256(msgspec.json.encode(rows, order="sorted")).hexdigest()


def _as_stored(rows: object) -> object:
    """Convert tuples to lists, as they are in stored JSON."""
    return msgspec.json.decode(msgspec.json.encode(rows))
