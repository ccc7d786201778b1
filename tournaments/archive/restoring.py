"""Importing an exported championship, all or nothing."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import IO, Any

import msgspec
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import DateTimeField, Model
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import IllegalCommand
from engine.errors import CorruptLog as UnreadableEvents
from games import game_state, sealing, store
from games.models import Game, Stream, User
from games.projections import delayed_broadcast, delayed_projection, projection
from games.projections.projection import write_results
from games.sealing import Checkpoint, SealKeyError, checkpoints
from games.sealing.errors import BrokenSeal
from games.sealing.verifying import verify_checkpoints
from games.timers import deadlines, turn_deadlines
from tournaments.archive import contents
from tournaments.archive.errors import ArchiveError
from tournaments.archive.reading import Archive, unreadable_error
from tournaments.archive.rows import Ids, decode_row
from tournaments.archive.writing import BACKUP, CHECKPOINTS, NAMES, RECEIPTS, ROWS
from tournaments.models import Championship, Entry, Official, Round, Table
from tournaments.names import given_first
from tournaments.services.championship_seals import seal_championship
from tournaments.services.draw.seated import prefetch_people
from tournaments.services.entries import former_pairs
from tournaments.services.rounds import rounds
from tournaments.services.seats import seat_changes, table_rights
from tournaments.services.seats.seat_changes import Way

Accounts = Callable[[Collection[str]], Mapping[str, User]]
"""Maps names of accounts in a file to accounts of this platform; unknown names are left out."""


def map_nobody(names: Collection[str]) -> Mapping[str, User]:
    """Map no accounts: a name alone does not identify a person."""
    return {}


def map_by_username(names: Collection[str]) -> Mapping[str, User]:
    """Map each name to the local account with this name, for an import after a move to another machine."""
    return {user.username: user for user in User.objects.filter(username__in=names)}


class PartLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nonce: str
    body: str


class EventLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    envelope: str
    parts: dict[str, PartLine] = {}


class StreamLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stream: str
    kind: str


class CheckpointLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    body: str
    signature: str
    heads: dict[str, int]


class ReceiptLine(store.RawReceipt, frozen=True, forbid_unknown_fields=True, kw_only=True):
    stream: str


def import_championship(
    file: IO[bytes],
    *,
    owner: User,
    slug: str = "",
    key: str = "",
    trust_unknown_key: bool = False,
    accounts: Accounts = map_nobody,
) -> Championship:
    """Import a championship from a backup; `owner` becomes its owner and a director.

    `slug`: another slug for the championship. `key`: public key, in hex, that must have signed the file; if
    it is left out, this platform's own key must have signed it, unless `trust_unknown_key`. `accounts`: maps
    names in the file to accounts; an office without a mapped account is left out, a seat without one gets
    none. Raises ArchiveError; nothing is stored then.
    """
    archive = Archive(file)
    if archive.manifest.level != BACKUP:
        raise ArchiveError(
            "archive/not_complete", _("This file lacks the data that is still secret: use a backup.")
        )
    if key and archive.manifest.key != key:
        raise ArchiveError(
            "archive/signature", _("The file is signed with another key: %(key)s."), key=archive.manifest.key
        )
    if not key and not trust_unknown_key:
        _require_own_key(archive.manifest.key)
    try:
        with transaction.atomic():
            return _Import(archive, owner, slug, accounts).run()
    except store.StreamExists:
        raise ArchiveError("archive/exists", _("This championship is here already.")) from None
    except (store.AlteredLog, UnreadableEvents, IllegalCommand, BrokenSeal) as error:
        raise _contradiction_error("archive/corrupt", error) from None
    except (
        msgspec.MsgspecError,
        ValidationError,
        IntegrityError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        raise _contradiction_error("archive/rows", error) from None


def _require_own_key(key: str) -> None:
    """Require that this platform signed the file. The owner of another key could have forged all of it."""
    if not key:
        raise ArchiveError("archive/unsigned", _("Nobody has signed this file."))
    try:
        own = sealing.load_key_in_use().public.hex()
    except SealKeyError:
        own = ""
    if key != own:
        raise ArchiveError(
            "archive/unknown_key",
            _("The file is signed with a key that is not this platform's: %(key)s."),
            key=key,
        )


def _contradiction_error(code: str, error: Exception) -> ArchiveError:
    return ArchiveError(code, _("The file contradicts itself: %(why)s"), why=str(error)[:200])


class _Import:
    """One import, step by step, inside one transaction."""

    def __init__(self, archive: Archive, owner: User, slug: str, accounts: Accounts) -> None:
        self._archive = archive
        self._owner = owner
        self._slug = slug
        self._account_names = accounts
        self._ids: Ids = {}

    def run(self) -> Championship:
        ends = self._streams()
        self._checkpoints(ends)
        championship = self._rows()
        former_pairs.convert_pairs(championship)
        for game in Game.objects.filter(pk__in=ends):
            _recompute_game(game)
        _grant_access(championship, self._owner)
        _arm_deadlines(championship)
        _seal_on_arrival(championship)
        return championship

    def _streams(self) -> dict[str, store.Head]:
        receipts: dict[str, list[store.RawReceipt]] = {}
        for line in self._archive.read_lines(RECEIPTS):
            receipt = msgspec.convert(line, ReceiptLine)
            receipts.setdefault(receipt.stream, []).append(receipt)
        ends: dict[str, store.Head] = {}
        for name in self._archive.list_streams():
            lines = self._archive.read_lines(name)
            head = msgspec.convert(next(lines, None), StreamLine)
            if name != f"streams/{head.stream}.jsonl":
                raise unreadable_error(name)
            own = receipts.get(head.stream, [])
            ends[head.stream] = store.restore_stream(head.stream, head.kind, map(_decode_event, lines), own)
            store.verify(head.stream)
        self._ids[Stream] = self._ids[Game] = {stream: stream for stream in ends}
        return ends

    def _checkpoints(self, ends: dict[str, store.Head]) -> None:
        found = []
        for line in self._archive.read_lines(CHECKPOINTS):
            read = msgspec.convert(line, CheckpointLine)
            heads = checkpoints.encode(read.heads)
            found.append(Checkpoint(read.body.encode(), bytes.fromhex(read.signature), heads))
        seqs = {stream: head.seq for stream, head in ends.items()}
        verify_checkpoints(self._archive.manifest.championship, found, seqs)
        for checkpoint in found:
            checkpoints.keep_checkpoint(checkpoint, datetime.fromisoformat(checkpoint.says.made_at))

    def _rows(self) -> Championship:
        rows, names = self._archive.read_single(ROWS), self._archive.read_single(NAMES) or {}
        people = self._account_names(set(_account_names(names)))
        for model in contents.export_paths():
            label = contents.table_label(model)
            personal = names.get(label, {})
            numbers, made = [], []
            for row in rows.get(label, []):
                found = decode_row(model, row, personal.get(str(row["pk"]), {}), self._ids, people)
                if isinstance(found, Championship):
                    found.owner = self._owner
                    found.slug = self._slug or found.slug
                if isinstance(found, Entry) and not found.family_name:
                    found.call(given_first(found.name))  # an archive older than family names
                if isinstance(found, Official) and found.user_id is None:
                    continue
                numbers.append(row["pk"])
                made.append(found)
            _create_rows(model, made)
            if model is not Game:
                self._ids[model] = dict(zip(numbers, (one.pk for one in made), strict=True))
                self._set_inner_keys(model, rows.get(label, []), made)
        [number] = self._ids[Championship].values()
        championship = Championship.objects.get(pk=number)
        if championship.stream_id != self._archive.manifest.championship:
            raise unreadable_error(ROWS)
        Official.objects.get_or_create(
            championship=championship, user=self._owner, role=Official.Role.DIRECTOR
        )
        return championship

    def _set_inner_keys(self, model: type[Model], rows: list[Any], instances: list[Model]) -> None:
        """Set foreign keys within a table, once all of its rows exist."""
        ids, stored = self._ids[model], {one.pk: one for one in instances}
        for column in contents.inner_keys_of(model):
            pointing = [row for row in rows if row.get(column.name) is not None]
            for row in pointing:
                setattr(stored[ids[row["pk"]]], column.attname, ids[row[column.name]])
            changed = [stored[ids[row["pk"]]] for row in pointing]
            model._default_manager.bulk_update(changed, [column.name], 1000)


def _seal_on_arrival(championship: Championship) -> None:
    """Seal an imported championship with this platform's key.

    The new checkpoint confirms the keys of earlier checkpoints for every audit.
    """
    last = sealing.find_latest_checkpoint(championship.stream_id)
    if last is None:
        return
    with suppress(SealKeyError):  # Without a key here there is nothing to confirm with.
        if last.says.key != sealing.load_key_in_use().public.hex():
            seal_championship(championship, accepted_key=last.says.key)


def _decode_event(line: Any) -> store.RawEvent:
    read = msgspec.convert(line, EventLine)
    parts = tuple(
        store.Part(name, bytes.fromhex(part.nonce), part.body.encode()) for name, part in read.parts.items()
    )
    return store.RawEvent(read.envelope.encode(), parts)


def _account_names(names: Any) -> Iterator[str]:
    """Yield the names of accounts in the file of names."""
    for model in contents.export_paths():
        columns = contents.account_keys_of(model)
        for row in names.get(contents.table_label(model), {}).values():
            yield from (row[column] for column in columns if isinstance(row.get(column), str))


def _create_rows(model: type[Model], rows: list[Model]) -> None:
    """Create rows with their original creation times, which Django would overwrite."""
    stamps = [f.name for f in model._meta.concrete_fields if isinstance(f, DateTimeField) and f.auto_now_add]
    kept = [{name: getattr(row, name) for name in stamps} for row in rows]
    model._default_manager.bulk_create(rows, 1000)
    if not stamps:
        return
    for row, values in zip(rows, kept, strict=True):
        for name, value in values.items():
            setattr(row, name, value)
    model._default_manager.bulk_update(rows, stamps, 500)


def _recompute_game(game: Game) -> None:
    """Recompute the row of a game from its log, and arm the deadline of its turn.

    The row of a game with delayed display starts as the initial table; then the events older than the delay,
    by their recorded times, are applied.
    """
    now = game_state.load_snapshot(game.pk)
    shown = delayed_broadcast.load_shown_snapshot(game.pk, 0) if game.delay_minutes else now
    row = projection.columns(projection.summarise(shown.table))
    game.head_seq = shown.head.seq
    game.turn_seq = min(game.turn_seq, now.head.seq)
    for name, value in row.items():
        setattr(game, name, value)
    if shown is not now:
        moments = [datetime.fromisoformat(one.recorded_at) for one in store.read(game.pk, parts=False)]
        game.last_event_at, game.ahead_seq = moments[0], now.head.seq
        game.ahead = delayed_broadcast.build_ahead(now, moments[-1])
    game.save(update_fields=[*row, "head_seq", "turn_seq", "last_event_at", "ahead_seq", "ahead"])
    write_results(game.pk, shown.table)
    store.execute(*turn_deadlines.arm(game, now.table, timezone.now()))
    if shown is not now:
        delayed_projection.catch_up(game.pk)


def _grant_access(championship: Championship, owner: User) -> None:
    """Give the mapped accounts access to their tables, and record their seats."""
    officials = table_rights.list_officials(championship)
    tables = Table.objects.filter(round__championship=championship, game__isnull=False)
    for table in prefetch_people(tables.select_related("game")):
        table_rights.grant_table(table, officials)
        for seating in table.seatings.all():
            if (user := seating.entry.user) is not None:
                seat_changes.record_seat_change(
                    table, seating.seat, Way.ACCOUNT, actor=owner, ref="import", to=user
                )


def _arm_deadlines(championship: Championship) -> None:
    """Arm the scheduled opening and closing of rounds."""
    for round_ in championship.rounds.exclude(status=Round.Status.CLOSED):
        if round_.status == Round.Status.OPEN and round_.closes_at is not None:
            deadlines.arm(rounds.CLOSE, round_.stream_id, round_.closes_at)
        if round_.status != Round.Status.OPEN and round_.opens_at is not None:
            deadlines.arm(rounds.OPEN, round_.stream_id, round_.opens_at)
