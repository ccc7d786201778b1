"""Audits, which verify streams and replay games.

An audit is split into parts. The parts are rows with leases (`games.timers.leases`) that several workers
process. Each worker stores its findings in the part, and the worker of the last part ends the audit. (A
Celery chord would need a result store; if that lost data, the audit would be lost too.)
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from engine import Refused
from engine.registry import VARIANTS
from games import sealing, store
from games.audit import audit as audit_game
from games.models import Game, Stream
from games.timers.leases import Lease, Work
from tournaments.dispute_states import WAITING
from tournaments.models import Audit, AuditPart, Championship, Dispute
from tournaments.permissions import Actor, require
from tournaments.services.audit import row_audit
from tournaments.services.championship_seals import list_streams

log = logging.getLogger(__name__)

GAMES_PER_PART: Final = 40
"""Most games of a part. They take a few seconds of work, far below the time limit of a task."""
NIGHT_HOUR: Final = 3
"""The hour, in the platform's time zone, from which the nightly audit is due."""
KEPT_NIGHTS: Final = 60
SHOWN_NIGHTS: Final = 10
"""Number of nightly audits that a championship's page lists."""

WRONG: Final = frozenset({"chain", "seal", "other_key", "rules", "cards", "rows", "crashed"})


class AuditFinding(msgspec.Struct, frozen=True):
    """A finding of an audit in one stream. `detail`: an English sentence; `variant`: the variant of the game.

    `kind` is one of: `chain` (the stored bytes are not those written), `seal` (a wrong checkpoint), `rules`
    (a consequence that does not follow from the rules), `cards` (a deal that does not follow from its seed),
    `rows` (rows that contradict the log), `other_rules` (a game played under another version of the rules),
    `other_key` (the last checkpoint is signed with another key than this platform's), `sealed_elsewhere`
    (earlier checkpoints are signed with another key, but this platform has sealed the stream since; not an
    error), `crashed` (the check itself failed).
    """

    stream: str
    kind: str
    detail: str
    variant: str = ""


class AuditProgress(msgspec.Struct, frozen=True):
    """Progress of an audit.

    `done`: number of streams checked so far, of `games` game streams and `streams` other streams. `events`:
    events read; `checkpoints`: checkpoints recomputed; `wrong`: findings that are errors.
    """

    done: int
    games: int
    streams: int
    events: int
    checkpoints: int
    wrong: int

    @property
    def total(self) -> int:
        return self.games + self.streams


def start_audit(
    championship: Championship | None = None,
    *,
    actor: Actor = None,
    games: Sequence[str] | None = None,
    night: date | None = None,
) -> Audit:
    """Start an audit of a championship, of the given games, or of everything but guest games. Workers run it.

    `games`: ids of games; `night`: the date of a nightly audit.
    """
    if championship is not None:
        require(actor, "audit", championship)
    with transaction.atomic():
        audit = Audit.objects.create(
            championship=championship,
            started_by=actor,
            night=night,
            rules={variant.key: variant.rules_version for variant in VARIANTS.values()},
        )
        AuditPart.objects.bulk_create(_build_parts(audit, championship, games))
        if not audit.parts.exists():
            _end_if_complete(audit)
    transaction.on_commit(lambda: send(list(audit.parts.values_list("pk", flat=True))), robust=True)
    return audit


def _build_parts(
    audit: Audit, championship: Championship | None, games: Sequence[str] | None
) -> list[AuditPart]:
    """Split the audit into parts.

    Games of one round stay together as far as a part has room. The round's stream is in the same part as the
    first of these games, so that it is read once.
    """
    rows, streams = Game.objects.filter(guest_table=None).order_by("created_at"), list[str]()
    if games is not None:
        rows = rows.filter(pk__in=games)
    elif championship is not None:
        streams = list_streams(championship)
        rows = rows.filter(pk__in=streams)
    else:
        streams = list(_other_streams(rows).order_by("pk").values_list("pk", flat=True))
    of_round: dict[str, list[str]] = {}
    for game, round_ in rows.values_list("pk", "round_stream_id"):
        of_round.setdefault(round_, []).append(game)
    parts = [AuditPart(audit=audit, number=1)]
    asked = set(streams)
    for round_, its in of_round.items():
        for at in range(0, len(its), GAMES_PER_PART):
            some = its[at : at + GAMES_PER_PART]
            if len(parts[-1].games) + len(some) > GAMES_PER_PART:
                parts.append(AuditPart(audit=audit, number=len(parts) + 1))
            parts[-1].games += some
            if at == 0 and round_ in asked:
                parts[-1].streams.append(round_)
    alone = asked.difference(of_round, *of_round.values())
    for at, stream in enumerate(one for one in streams if one in alone):
        if at // GAMES_PER_PART == len(parts):
            parts.append(AuditPart(audit=audit, number=len(parts) + 1))
        parts[at // GAMES_PER_PART].streams.append(stream)
    return [part for part in parts if part.games or part.streams]


def _other_streams(games: QuerySet[Game]) -> QuerySet[Stream]:
    """Return the streams to check besides those of `games`.

    Streams of games are left out, and so are streams of rounds that have no row and none of these games.
    Guest games and deleted games leave such rounds.
    """
    used = Q(round__isnull=False) | Q(Exists(games.filter(round_stream=OuterRef("pk"))))
    return Stream.objects.exclude(kind=Stream.Kind.GAME).filter(~Q(kind=Stream.Kind.ROUND) | used)


class _Parts(Work[AuditPart]):
    task = "tournaments.audit_part"
    begun: ClassVar = {"checked": 0, "events": 0, "checkpoints": 0, "findings": []}
    left: ClassVar[dict[str, Any]] = {}

    def rows(self) -> QuerySet[AuditPart]:
        return AuditPart.objects.select_related("audit__championship")

    def do(self, lease: Lease[AuditPart]) -> None:
        part = lease.row
        found_here: list[AuditFinding] = []
        started_at = timezone.now()
        for step in _check_part(part):
            found_here += step.findings
            part.checked += step.checked
            part.events += step.events
            part.checkpoints += step.checkpoints
            now = timezone.now()
            if now - started_at > timedelta(seconds=0.5):
                lease.live(**_counters(part))
                started_at = now
        lease.end(**_counters(part), findings=[msgspec.to_builtins(finding) for finding in found_here])
        _end_if_complete(part.audit)

    def refused(self, lease: Lease[AuditPart], refusal: Refused) -> None:
        self.given_up(lease)

    def given_up(self, lease: Lease[AuditPart]) -> None:
        """Report the streams of the part as findings of kind `crashed`; other parts of the audit continue."""
        part = lease.row
        missing = [*part.games, *part.streams]
        found = [
            AuditFinding(stream, "crashed", "the audit itself failed; see the log") for stream in missing
        ]
        lease.end(checked=len(missing), findings=[msgspec.to_builtins(finding) for finding in found])
        _end_if_complete(part.audit)


def _counters(part: AuditPart) -> dict[str, int]:
    return {"checked": part.checked, "events": part.events, "checkpoints": part.checkpoints}


_parts_work: Final = _Parts()
send, due, check = _parts_work.send, _parts_work.due, _parts_work.run


def check_next(audit: Audit) -> bool:
    """Check a free part of the audit in this process; return whether one was taken."""
    return any(
        check(part) for part in _parts_work.free().filter(audit=audit).values_list("pk", flat=True)[:1]
    )


def wait_for_others(audit: Audit) -> None:
    """Sleep for 0.2 seconds, while other workers check parts."""
    time.sleep(0.2)


def load_progress(audit: Audit) -> AuditProgress:
    """Compute the progress of the audit from its parts, which the caller may have prefetched."""
    parts = list(audit.parts.all())
    games = sum(len(part.games) for part in parts)
    streams = sum(len(part.streams) for part in parts)
    return AuditProgress(
        done=sum(part.checked for part in parts),
        games=games,
        streams=streams,
        events=sum(part.events for part in parts),
        checkpoints=sum(part.checkpoints for part in parts),
        wrong=sum(finding["kind"] in WRONG for part in parts for finding in part.findings),
    )


def load_findings(audit: Audit) -> list[AuditFinding]:
    """List all findings of an audit, in the order of its parts."""
    found: list[Any] = [row for part in audit.parts.all() for row in part.findings]
    return msgspec.convert(found, list[AuditFinding])


def last_night() -> Audit | None:
    """Return the latest finished nightly audit."""
    return Audit.objects.exclude(night=None).exclude(ended_at=None).order_by("-night").first()


def list_nights(championship: Championship) -> list[Audit]:
    """List the latest SHOWN_NIGHTS finished nightly audits since the championship was
    created, latest first.
    """
    nights = Audit.objects.exclude(night=None).exclude(ended_at=None)
    return list(nights.filter(started_at__gte=championship.created_at).order_by("-night")[:SHOWN_NIGHTS])


def load_night_findings(championship: Championship, nights: Sequence[Audit]) -> dict[str, list[AuditFinding]]:
    """Return id of a nightly audit → its findings in this championship. Only parts with findings are read."""
    parts = AuditPart.objects.filter(audit__in=nights).exclude(findings=[]).order_by("audit", "number")
    rows = list(parts.values_list("audit", "findings"))
    mine = set(list_streams(championship)) if rows else set()
    found: dict[str, list[AuditFinding]] = {audit.pk: [] for audit in nights}
    for audit, of_part in rows:
        found[audit] += [f for f in msgspec.convert(of_part, list[AuditFinding]) if f.stream in mine]
    return found


def start_nightly() -> Audit | None:
    """Start the nightly audit of everything.

    Also delete nightly audits from more than KEPT_NIGHTS days ago. Return None before NIGHT_HOUR (local
    time), if today's audit was started already, or if only guest games were created before that hour. Every
    sweep calls this function, so that a machine that was off at NIGHT_HOUR starts the audit later.
    """
    now = timezone.localtime()
    today = now.date()
    night = now.replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
    yesterday = Game.objects.filter(created_at__lt=night, guest_table=None)
    if now < night or Audit.objects.filter(night=today).exists() or not yesterday.exists():
        return None
    try:
        with transaction.atomic():
            audit = start_audit(night=today)
    except IntegrityError:  # another worker was faster
        return None
    Audit.objects.filter(night__lt=today - timedelta(days=KEPT_NIGHTS)).delete()
    return audit


class _Step(msgspec.Struct, frozen=True):
    """The result of one step in checking a part.

    `events`, `checkpoints`: numbers of those checked in this step; `checked`: 1 if the step completes a
    stream, otherwise 0.
    """

    findings: Sequence[AuditFinding] = ()
    events: int = 0
    checkpoints: int = 0
    checked: int = 0


class _VerifiedStreams:
    """Cache of the verified round streams of a part: its games share them."""

    def __init__(self) -> None:
        self._known: dict[str, list[store.StoredEvent] | store.AlteredLog] = {}

    def events(self, stream: str) -> list[store.StoredEvent]:
        """Return the verified events of a stream. Raises AlteredLog on every call for an altered stream."""
        if stream not in self._known:
            try:
                self._known[stream] = store.verify(stream)
            except store.AlteredLog as corrupt:
                self._known[stream] = corrupt
        found = self._known[stream]
        if isinstance(found, store.AlteredLog):
            raise found
        return found


def _check_part(part: AuditPart) -> Iterator[_Step]:
    verified = _VerifiedStreams()
    games = Game.objects.in_bulk(part.games)
    for stream in part.streams:
        yield _run_check(stream, "", partial(_check_stream, stream, verified))
        yield from _check_seals(stream)
    for game in (games[key] for key in part.games):
        yield _run_check(game.pk, game.variant, partial(_check_game, game, verified))


def _run_check(stream: str, variant: str, check: Callable[[], _Step]) -> _Step:
    """Run a check of a stream. Any exception becomes a finding, so that other streams are still checked."""
    try:
        return check()
    except store.AlteredLog as corrupt:
        return _Step([AuditFinding(stream, "chain", corrupt.detail, variant)], checked=1)
    except Exception:
        log.exception("audit failed", extra={"stream": stream})
        crashed = AuditFinding(stream, "crashed", "the audit itself failed; see the log", variant)
        return _Step([crashed], checked=1)


def _check_stream(stream: str, verified: _VerifiedStreams) -> _Step:
    with store.consistent_read():
        events = verified.events(stream)
        wrong = list(row_audit.find_stream_differences(stream, events))
    return _Step([AuditFinding(stream, "rows", detail) for detail in wrong], events=len(events), checked=1)


def _check_seals(stream: str) -> Iterator[_Step]:
    """Check every checkpoint of the stream of a championship or series. Other streams have no checkpoints.

    The same error in consecutive checkpoints is one finding; all checkpoints after a forged event have it.
    """
    run, first, number = "", 0, 0
    signed: dict[str, int] = {}
    for number, (checkpoint, wrong) in enumerate(sealing.compared(stream, sealing.each(stream)), 1):
        if not wrong:
            signed[checkpoint.says.key] = number
        told = [_seal_finding(stream, first, number - 1, run)] if run and wrong != run else []
        run, first = wrong, first if wrong == run else number
        yield _Step(told, checkpoints=1)
    if run:
        yield _Step([_seal_finding(stream, first, number, run)])
    yield _Step(list(_key_findings(stream, signed)))


def _seal_finding(stream: str, first: int, last: int, wrong: str) -> AuditFinding:
    which = f"checkpoint {first}" if first == last else f"checkpoints {first} to {last}"
    return AuditFinding(stream, "seal", f"{which}: {wrong}")


def _key_findings(stream: str, signed: Mapping[str, int]) -> Iterator[AuditFinding]:
    """Yield a finding for each key, other than this platform's, that has signed checkpoints of the stream.

    `signed`: key → number of the last checkpoint that it has signed. Each checkpoint contains the hash of the
    previous one. Therefore a last checkpoint signed by this platform confirms all earlier ones. If this
    platform has no key, nothing is compared.
    """
    try:
        own = sealing.load_key_in_use().public.hex()
    except sealing.SealKeyError:
        return
    latest = max(signed.values(), default=0)
    for key, number in signed.items():
        if key == own:
            continue
        if number == latest:
            detail = f"the last checkpoint is signed with the key {key}; --accept-key says that you trust it"
            yield AuditFinding(stream, "other_key", detail)
        else:
            detail = f"until checkpoint {number}, by another installation's key {key}"
            yield AuditFinding(stream, "sealed_elsewhere", detail)


def _check_game(game: Game, verified: _VerifiedStreams) -> _Step:
    report = audit_game(game, verified.events(game.round_stream_id))
    kind = "other_rules" if report.other_rules else "rules"
    cards = [f"the hands of deal {deal} do not follow from the round's seed" for deal in report.wrong_deals]
    details = {kind: report.differences, "cards": cards, "rows": report.wrong_rows}
    found = [
        AuditFinding(game.pk, kind, detail, game.variant) for kind in details for detail in details[kind]
    ]
    return _Step(found, events=report.events, checked=1)


def _end_if_complete(audit: Audit) -> None:
    """End the audit once its last part has ended."""
    with transaction.atomic():
        counted = audit.parts.aggregate(all=Count("pk"), over=Count("pk", filter=~Q(ended_at=None)))
        if counted["all"] != counted["over"]:
            return
        waiting = Dispute.objects.filter(status__in=WAITING)
        if audit.championship is not None:
            waiting = waiting.filter(table__round__championship=audit.championship)
        ended = Audit.objects.filter(pk=audit.pk, ended_at=None).update(
            ended_at=timezone.now(), open_disputes=waiting.count()
        )
    wrong = load_progress(audit).wrong if ended else 0
    if wrong:
        # A nightly audit has no reader, so the log names its page.
        where = "manage.py audit --night" if audit.night else "its page, or what manage.py audit printed"
        log.error("audit %s ended with %d difference(s); see %s", audit.pk, wrong, where)
