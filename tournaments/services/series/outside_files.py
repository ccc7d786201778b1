"""Public files of championships on other installations: receiving them, and verifying them in a worker.

A sandboxed process verifies the file. The facts in it are stored in rows; then the file is deleted.
"""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, Final

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import Refused
from games.models import User
from games.timers.leases import LEASE_TIMEOUT, Lease, Work
from tournaments import regulation_checks
from tournaments.clubs import rolls
from tournaments.competition import write_number
from tournaments.errors import TournamentError, describe_for_storage
from tournaments.models import ClubEvent, ClubSeries, OutsideEvent, OutsidePerson
from tournaments.names import clean
from tournaments.names.public_names import FULL, INITIALS, NUMBERS
from tournaments.names.spelling import MAX_CLUB_LENGTH, MAX_NAME_LENGTH
from tournaments.sandbox.long_running import WALL_FACTOR, NoLongerWanted, run_long
from tournaments.sandbox.running import TookTooMuch
from tournaments.services.series.outside_matching import carry_over, propose, require_free
from tournaments.standings import RankingRow, write_figure

MAX_BYTES: Final = 32 * 1024 * 1024
MAX_UNCOUNTED: Final = 20
"""Largest number of files of a series that do not count. With so many, a keeper must delete one before
sending another.
"""
MEMORY: Final = 2 * 1024 * 1024 * 1024
SECONDS: Final = 600
"""Limit of a verification's processor time. A heat of a hundred people takes seconds, a hall of 1,000
minutes.
"""
WALL_SECONDS: Final = WALL_FACTOR * SECONDS
_ZIP: Final = b"PK\x03\x04"
_INITIALS: Final = re.compile(r"(\S\. )*\S\.( \(\d+\))?")
_NUMBER: Final = re.compile(r"№ \d+")
REASONS: Final = {
    "no_zip": _("it is not a zip file"),
    "incomplete": _("its parts are missing or damaged"),
    "other_format": _("its format is not known here"),
    "contents": _("its contents are not what was sealed"),
    "derived": _("a draw, a result or a ranking does not follow from what is recorded"),
}
"""Reasons why a file is refused, in the reader's language."""
_JSON_PATH: Final = re.compile(r"`(\$[^`]*)`")
_REFUSALS: Final = {
    one.code: one
    for one in (
        TournamentError(
            "series/no_file", _("This is not the public file of a championship: %(why)s"), why=""
        ),
        TournamentError(
            "series/secret_file",
            _("This is a backup with secret data. Ask for the public file from the page of the seals."),
        ),
        TournamentError(
            "series/file_changed",
            _(
                "This file differs from the sealed record, so it is refused. Ask for it again. First "
                "difference: %(why)s"
            ),
            why="",
        ),
        TournamentError(
            "series/newer_file",
            _(
                "A newer version of Puur made this file. Upgrade this installation, then send it again. "
                "Not known here: %(what)s"
            ),
            what="",
        ),
        TournamentError(
            "series/not_finished",
            _("This championship is not closed yet. Ask for the file once it is closed."),
        ),
        TournamentError("series/no_ranking", _("There is no ranking in this file.")),
        TournamentError(
            "series/file_too_heavy",
            _("This file takes more memory or time to verify than is allowed here."),
        ),
    )
}
"""Errors that the sandboxed process may return, by code."""


class OutsideEntry(msgspec.Struct, frozen=True):
    """A person entered in the championship of a file. `ref`: their reference in its streams."""

    number: int
    ref: str
    house: bool
    name: str
    club: str
    licence: str
    birth_year: int | None


class FileFacts(msgspec.Struct, frozen=True):
    """The facts of a verified file, as `tournaments.sandbox.championship_file` returns them."""

    format: str
    stream: str
    exported_at: datetime
    key: str
    checkpoints: list[str]
    words: str
    name: str
    place: str
    starts_at: datetime | None
    public: bool
    regulations: dict[str, Any]
    ranking: list[RankingRow]
    ranking_version: int
    ranking_digest: str
    entries: list[OutsideEntry]
    notes: list[str]
    unproven: list[str]

    @property
    def direction(self) -> int:
        """1 if the most points win, -1 if the fewest do. Raises TournamentError `series/newer_file`."""
        try:
            held = regulation_checks.decode_stored(self.regulations)
        except Refused as error:
            raise _refusal("series/newer_file", what=error.code, found=error.detail[:200]) from None
        return 1 if held.directions().total > 0 else -1


def receive_file(
    series: ClubSeries,
    data: bytes,
    *,
    actor: User,
    source: str = "",
    event: ClubEvent | None = None,
) -> OutsideEvent:
    """Store a file for verification. `source`: who sent it; `event`: the planned event that it belongs to.

    Raises NotAllowed `clubs/not_keeper`, TournamentError `series/file_too_large`, `series/no_file`,
    `series/file_twice`, `series/event_taken`, `series/event_withdrawn`, `series/too_many_files`, `names/…`.
    """
    rolls.require_keeper(actor, series.club)
    if len(data) > MAX_BYTES:
        raise make_outside_too_large_error()
    if not data.startswith(_ZIP):
        raise _refusal("series/no_file", reason="no_zip")
    source = clean(source, longest=80, field="source")
    digest = hashlib.sha256(data).hexdigest()
    with transaction.atomic():
        locked_series = ClubSeries.objects.select_for_update().get(pk=series.pk)
        kept = locked_series.outside.exclude(state=OutsideEvent.State.FAILED)
        if kept.filter(digest=digest).exists():
            raise _twice_error()
        if kept.filter(counts=False, replaced_by=None).count() >= MAX_UNCOUNTED:
            raise TournamentError(
                "series/too_many_files",
                _("First discard files that do not count: there are %(most)s of them."),
                most=MAX_UNCOUNTED,
            )
        if event is not None:
            require_free(event)
        outside = OutsideEvent.objects.create(
            series=locked_series,
            event=event,
            source=source,
            sent_by=actor,
            digest=digest,
            size=len(data),
            data=data,
        )
        transaction.on_commit(lambda: send([outside.pk]), robust=True)
    return outside


def make_outside_too_large_error() -> TournamentError:
    """Return the error for a file that is larger than MAX_BYTES."""
    return TournamentError(
        "series/file_too_large",
        _("The file has more than %(most)s megabytes."),
        most=MAX_BYTES // (1024 * 1024),
    )


def _twice_error() -> TournamentError:
    return TournamentError("series/file_twice", _("This file is already here, in the same version."))


def _refusal(code: str, *, reason: str = "", **params: Any) -> TournamentError:
    if reason:
        params["why"] = REASONS[reason]
    return TournamentError(code, _REFUSALS[code].sentence, **params)


class _Files(Work[OutsideEvent]):
    task = "tournaments.verify_outside"
    begun: ClassVar = {"state": OutsideEvent.State.RUNNING}
    left: ClassVar = {"state": OutsideEvent.State.QUEUED}

    def rows(self) -> QuerySet[OutsideEvent]:
        return OutsideEvent.objects.select_related("series__club", "event")

    def may_begin(self, rows: QuerySet[OutsideEvent]) -> QuerySet[OutsideEvent]:
        """Return the rows whose verification may begin: none while another file is verified. The sweep tries
        them again.
        """
        since = timezone.now() - LEASE_TIMEOUT
        at_it = OutsideEvent.objects.filter(state=OutsideEvent.State.RUNNING, beat_at__gte=since)
        return rows.none() if at_it.exists() else rows

    def do(self, lease: Lease[OutsideEvent]) -> None:
        try:
            facts = _verify(lease)
        except NoLongerWanted:
            return
        with transaction.atomic():
            ClubSeries.objects.select_for_update().get(pk=lease.row.series_id)
            if lease.held():
                _store(lease.row, facts)
                lease.end(state=OutsideEvent.State.DONE)

    def refused(self, lease: Lease[OutsideEvent], refusal: Refused) -> None:
        lease.end(
            state=OutsideEvent.State.FAILED,
            message=refusal.code,
            message_params=describe_for_storage(refusal),
            data=None,
        )

    def given_up(self, lease: Lease[OutsideEvent]) -> None:
        lease.end(state=OutsideEvent.State.FAILED, message="jobs/crashed", data=None)


def _verify(lease: Lease[OutsideEvent]) -> FileFacts:
    try:
        done = run_long(
            "championship_file",
            bytes(lease.row.data or b""),
            memory=MEMORY,
            seconds=SECONDS,
            wanted=lease.live,
        )
    except TookTooMuch:
        raise _refusal("series/file_too_heavy") from None
    if done.code:
        raise _refusal(done.code, **done.params)
    try:
        return msgspec.convert(done.head, FileFacts)
    except msgspec.ValidationError as error:
        where = _JSON_PATH.search(str(error))
        what = where[1] if where is not None else "$"
        raise _refusal("series/newer_file", what=what, found=str(error)[:200]) from None


def _store(outside: OutsideEvent, facts: FileFacts) -> None:
    """Store the facts of a file, and propose persons of the roll. Raises TournamentError if the series cannot
    take it.
    """
    if outside.series.events.filter(championship__stream=facts.stream).exists():
        raise TournamentError("series/event_twice", _("%(name)s is already in this series."), name=facts.name)
    before = outside.series.outside.filter(stream=facts.stream, counts=True).first()
    if before is not None:
        _require_newer(facts, before)
        outside.event, outside.source = before.event, outside.source or before.source
    outside.format, outside.stream, outside.key = facts.format[:40], facts.stream, facts.key
    outside.checkpoint, outside.seal = len(facts.checkpoints), facts.checkpoints[-1]
    outside.words, outside.name, outside.place = facts.words, facts.name[:80], facts.place[:80]
    outside.starts_at, outside.exported_at = facts.starts_at, facts.exported_at
    outside.public, outside.direction = facts.public, facts.direction
    outside.names = find_kind([one.name for one in facts.entries if not one.house])
    outside.ranking = msgspec.to_builtins(facts.ranking, enc_hook=write_figure)
    outside.ranking_version, outside.ranking_digest = facts.ranking_version, facts.ranking_digest
    outside.notes = [*facts.notes, *facts.unproven]
    outside.data = None
    outside.save()
    people = _list_people(outside, facts)
    propose(outside.series.club, people)
    if before is not None:
        carry_over(before, people)
    outside.people.all().delete()
    OutsidePerson.objects.bulk_create(people, 500)


def _require_newer(facts: FileFacts, before: OutsideEvent) -> None:
    """Raise TournamentError unless the file continues the history of `before`, the version that counts.

    Another key is refused too: anybody could copy the beginning and continue it with a key of their own. Only
    the owner of the key knows whether a new key is right.
    """
    if facts.key != before.key:
        raise TournamentError(
            "series/other_key",
            _(
                "Another key has signed this version of %(name)s. Ask whether that installation has a new "
                "key; if so, take the old version out first."
            ),
            name=before.name,
        )
    if facts.checkpoints[-1] == before.seal:
        raise _twice_error()
    if len(facts.checkpoints) <= before.checkpoint:
        raise TournamentError(
            "series/older_file", _("A newer version of %(name)s already counts."), name=before.name
        )
    if facts.checkpoints[before.checkpoint - 1] != before.seal:
        raise TournamentError(
            "series/other_history",
            _("This file contradicts the version of %(name)s that counts: ask about its origin."),
            name=before.name,
        )


def find_kind(names: Sequence[str]) -> str:
    """Return how the names in a file are written: a kind of `tournaments.names.public_names`."""
    written = [name for name in names if name and not _NUMBER.fullmatch(name)]
    if not written:
        return NUMBERS
    return INITIALS if all(_INITIALS.fullmatch(name) for name in written) else FULL


def _list_people(outside: OutsideEvent, facts: FileFacts) -> list[OutsidePerson]:
    """Build an unsaved row for each person with a result. Partners have a row each."""
    entries = {one.number: one for one in facts.entries}
    people: dict[int, OutsidePerson] = {}
    for row in facts.ranking:
        for number in row.numbers if row.has_result else ():
            entry = entries.get(number)
            if entry is None or number in people:
                continue
            year = entry.birth_year
            people[number] = OutsidePerson(
                outside=outside,
                number=number,
                entry=entry.ref[:32],
                name=entry.name[:MAX_NAME_LENGTH],
                club=entry.club[:MAX_CLUB_LENGTH],
                licence=entry.licence[:20],
                birth_year=year if year is not None and 1900 <= year <= 2100 else None,
                place=row.place,
                total=write_number(row.total),
                choice=OutsidePerson.Choice.NOBODY if entry.house else OutsidePerson.Choice.OPEN,
            )
    return list(people.values())


_files: Final = _Files()
send, due, verify = _files.send, _files.due, _files.run
