"""Cache versions of championships: digests that change whenever data shown on pages changes.

A page rendered for one version is shared by all viewers with the same rights. A process computes the digests
from a few aggregates, and uses them for CACHE_SECONDS. Nothing has to be invalidated explicitly, and there is
no row that all tables of a championship would lock.
"""

import hashlib
import threading
from functools import lru_cache
from time import monotonic
from typing import Any, Final, NamedTuple

from django.db.models import Aggregate, Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Coalesce, Concat, Length

from games import store
from games.models import Game
from tournaments.dispute_states import public_filter
from tournaments.models import (
    Bye,
    Championship,
    Dispute,
    Entry,
    Official,
    QueuePlace,
    Round,
    StandingsSnapshot,
    Table,
)
from tournaments.names.public_names import find_name_kind
from tournaments.services.compiled_query import CompiledQuery

CACHE_SECONDS = 1.0
"""Time in seconds for which a process uses a cache version without checking the database."""
OPEN: Final = Round.Status.OPEN
DELAYED_EVENT_TYPES: Final = frozenset(
    {
        *("referee_called", "dispute_settled", "ruling_appealed", "appeal_decided"),
        *("hidden_cards_opened", "sheet_photo_kept", "sheet_photo_erased"),
    }
)
"""Types of the events in a round's stream whose effect only officials see while the table is delayed."""
MAX_CACHED: Final = 500
"""Largest number of championships whose cache version a process caches."""


class CacheVersion(NamedTuple):
    """The digests of a championship, and a few values beside them.

    `championship`: primary key; `public`: whether everybody may read the championship.

    Digests of what the public sees: `frame`: the championship, its rounds, byes, queues, disputes and
    rankings; `people`: entries and officials; `tables`: every event of every game; `results`: events that
    change a result. Digest of what only officials see of delayed tables: `office`.

    `names`: the kind of public names, part of every result of `marks`. `delay`: the longest delay of a table,
    in minutes.
    """

    championship: int
    public: bool
    frame: str
    people: str
    tables: str
    results: str
    names: str = "full"
    office: str = ""
    delay: int = 0

    def marks(self, *names: str) -> str:
        """Return one digest of the given fields and the field `names`, for example
        `cache_version.marks("frame", "people")`.
        """
        return _marks(self, names)


@lru_cache(maxsize=MAX_CACHED)
def _marks(cache_version: CacheVersion, names: tuple[str, ...]) -> str:
    """Return one digest of the named fields. The result is cached, since each poll needs it."""
    return _digest([(name, getattr(cache_version, name)) for name in ("names", *names)])


class _CacheSlot:
    """The cache version of one championship, as a process keeps it.

    `querying`: lock of the thread that queries the database, while other threads wait for its result; `at`:
    the monotonic time at which that query began.
    """

    def __init__(self) -> None:
        self.querying = threading.Lock()
        self.cache_version: CacheVersion | None = None
        self.at = float("-inf")


_cache: dict[int, _CacheSlot] = {}


def load_cache_version(championship: int, *, fresh: bool = False) -> CacheVersion | None:
    """Return the cache version of the championship, at most CACHE_SECONDS old or, if `fresh`, computed after
    this call began.

    None: the championship does not exist any more.
    """
    called_at = monotonic()
    slot = _cache_slot(championship)
    oldest = called_at if fresh else called_at - CACHE_SECONDS
    if slot.at > oldest:
        return slot.cache_version
    with slot.querying:
        # The thread that held the lock may have begun its query after this call.
        if slot.at <= oldest:
            begun = monotonic()
            slot.cache_version = _compute_cache_version(championship)
            slot.at = begun
        return slot.cache_version


def peek_cache_version(championship: int) -> tuple[bool, CacheVersion | None]:
    """Return (True, the cache version) if a current cache version is cached, otherwise (False, None).

    The cache version of a deleted championship is None. Never waits for the database.
    """
    slot = _cache.get(championship)
    if slot is None or monotonic() - slot.at >= CACHE_SECONDS:
        return False, None
    return True, slot.cache_version


def forget_all() -> None:
    _cache.clear()


def _cache_slot(championship: int) -> _CacheSlot:
    slot = _cache.get(championship)
    if slot is None:
        while len(_cache) >= MAX_CACHED:
            _cache.pop(next(iter(_cache)), None)
        slot = _cache.setdefault(championship, _CacheSlot())
    return slot


class JoinedText(Aggregate):
    """Aggregate that joins all values of a column into one text. On PostgreSQL: the MD5 digest of this text,
    with the values in order of the ids of `table`.
    """

    name = "Joined"
    template = "GROUP_CONCAT(%(expressions)s, char(31))"
    output_field = TextField()

    def __init__(self, *expressions: Any, table: str = "tournaments_entry", **more: Any) -> None:
        super().__init__(*expressions, table=table, **more)

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        template = 'md5(STRING_AGG(%(expressions)s, chr(31) ORDER BY "%(table)s"."id"))'
        return self.as_sql(compiler, connection, template=template, **more)


_SHOWN_OF_ENTRIES: Final = (
    "number", "name", "family_name", "club", "status", "user_id", "house", "cut", "lot", "withdrawn_from",
    "unnamed_since", "entrant_id", "merged_into_id", "team__name", "start_of_id", "waiting_since",
    "excused_rounds",
)  # fmt: skip


def _compute_cache_version(pk: int) -> CacheVersion | None:
    """Compute the cache version with four queries, and one for each delayed round with new events."""
    row = next(iter(_FRAME.fetch_rows(pk)), None)
    if row is None:
        return None
    public, names, someone_unnamed = row[:3]
    *own, disputed_late, offices = row
    rounds, played, delay = _round_rows(pk)
    kinds, now, ahead = _table_rows(pk)
    before = [
        heads
        for (_pk, _number, status, *_), (*_, heads) in zip(rounds, played, strict=True)
        if status != OPEN
    ]
    return CacheVersion(
        pk,
        bool(public),
        frame=_digest((own, rounds)),
        people=_digest((offices, _ENTRIES.fetch_rows(pk))),
        tables=_digest((played, kinds)),
        results=_digest((now, before)),
        names=find_name_kind(names, bool(someone_unnamed)),
        office=_digest((disputed_late, ahead)),
        delay=delay,
    )


def _frame_query(pk: int) -> QuerySet[Any, Any]:
    return Championship.objects.filter(pk=pk).values_list(
        *("public", "public_names", "someone_unnamed", "stream", "stream__head_seq", "slug", "name"),
        *("place", "starts_at"),
        *("status", "regulations_version", "language", "archived_at"),
        *("announced", "announced_too"),
        *_related_columns(),
        _delayed_disputes(),
        _officials(),
    )


def _related_columns() -> list[Subquery]:
    """Return the aggregates of related rows for the digest `frame`."""
    disputes = Dispute.objects.filter(public_filter(), table__round__championship=OuterRef("pk"))
    snapshots = StandingsSnapshot.objects.filter(championship=OuterRef("pk"))
    byes = Bye.objects.filter(round__championship=OuterRef("pk"))
    queued = QueuePlace.objects.filter(round__championship=OuterRef("pk"))
    aggregates = (Count("pk"), Max("pk"), Sum("version"), Sum(Length("text")))
    return [
        _joined_aggregates(disputes, "table__round__championship", *aggregates),
        _joined_aggregates(snapshots, "championship", Max("version")),
        _joined_aggregates(byes, "round__championship", Count("points")),
        _joined_aggregates(queued, "round__championship", Count("pk"), Max("pk"), Sum("pk")),
    ]


def _delayed_disputes() -> Subquery:
    """Return the aggregates of the disputes at delayed tables."""
    disputes = Dispute.objects.filter(
        table__game__delay_minutes__gt=0, table__round__championship=OuterRef("pk")
    )
    return _joined_aggregates(disputes, "table__round__championship", Count("pk"), Max("pk"), Sum("version"))


def _officials() -> Subquery:
    """Return the aggregates of the officials. Their rows are only added or removed, or lose their account."""
    offices = Official.objects.filter(championship=OuterRef("pk"))
    aggregates = (Count("pk"), Max("pk"), Sum("pk"), Count("user"), Sum("user"))
    return _joined_aggregates(offices, "championship", *aggregates)


def _joined_aggregates(rows: QuerySet[Any], of: str, *what: Aggregate) -> Subquery:
    """Join several aggregates into one text, so that the rows are scanned once."""
    point = Value(".", output_field=TextField())
    parts = [part for each in what for part in (Cast(each, TextField()), point)]
    joined = Concat(*parts, output_field=TextField())
    return Subquery(rows.order_by().values(of).annotate(joined=joined).values("joined"))


def _entry_query(pk: int) -> QuerySet[Any, Any]:
    """Return the query that joins each column of all entries into one text.

    Reading thousands of rows would take ten times as long.
    """
    columns = {
        f"all_{name.replace('__', '_')}": JoinedText(Coalesce(Cast(name, TextField()), Value("")))
        for name in _SHOWN_OF_ENTRIES
    }
    entries = Entry.objects.filter(championship=pk).order_by().values("championship")
    return entries.annotate(count=Count("pk"), **columns).values_list("count", *columns)


def _round_query(pk: int) -> QuerySet[Any, Any]:
    return (
        Round.objects.filter(championship=pk)
        .order_by("pk")
        .annotate(
            count=Count("tables"),
            newest=Max("tables"),
            games=Count("tables__game"),
            heads=Sum(F("tables__game__head_seq") + 1),
            delay=Max("tables__game__delay_minutes"),
        )
        .values_list(
            *("pk", "number", "status", "opens_at", "closes_at", "opened_at", "closed_at", "draws"),
            *("delay_minutes", "featured", "place", "starts_at"),
            "stream__head_seq",
            *("count", "newest", "games", "heads"),
            *("delay", "stream", "stream__head_hash"),
        )
    )


def _round_rows(pk: int) -> tuple[list[Any], list[Any], int]:
    """Return three values: the shown data of each round; numbers of each round's tables and of its games'
    events; the longest delay in minutes.
    """
    frames, played, most = [], [], 0
    for row in _ROUNDS.fetch_rows(pk):
        *frame, seq, count, newest, games, heads, delay, stream, hash_ = row
        head = store.Head(seq, bytes(hash_))
        frames.append((*frame, _count_public_events(stream, head) if delay else seq))
        played.append((count, newest, games, heads))
        most = max(most, delay or 0)
    return frames, played, most


@lru_cache(maxsize=MAX_CACHED)
def _count_public_events(stream: str, head: store.Head) -> int:
    """Count the events in the stream of a delayed round that do not concern single tables.

    `head` identifies the contents of the stream, so each head is read once.
    """
    events = store.read(stream, upto=head.seq, parts=False)
    return sum(event.type not in DELAYED_EVENT_TYPES for event in events)


def _table_query(pk: int) -> QuerySet[Any, Any]:
    return (
        Table.objects.filter(round__championship=pk)
        .filter(Q(game=None) | Q(round__status=OPEN))
        .order_by("pk")
        .values_list(
            *("pk", "mode", "game", "game__ahead_seq"),
            *("game__mode", "game__head_seq", "game__status", "game__deal"),
            Cast("game__totals", TextField()),
        )
    )


def _table_rows(pk: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Query the tables. Return three lists: modes of tables without a game, results at tables of open rounds,
    heads of delayed games.

    The result of a dealt game changes when a deal ends. In any other game each event may be a correction, so
    its head belongs to the result.
    """
    kinds, now, ahead = [], [], []
    for key, kind, game, ahead_seq, mode, seq, *more in _TABLES.fetch_rows(pk):
        if game is None:
            kinds.append((key, kind))
        else:
            now.append((None if mode == Game.Mode.DEALT else seq, *more))
        if ahead_seq is not None:
            ahead.append((key, ahead_seq))
    return kinds, now, ahead


_UNUSED_KEY: Final = -(2**31) + 1
_FRAME: Final = CompiledQuery(_frame_query, _UNUSED_KEY)
_ENTRIES: Final = CompiledQuery(_entry_query, _UNUSED_KEY)
_ROUNDS: Final = CompiledQuery(_round_query, _UNUSED_KEY)
_TABLES: Final = CompiledQuery(_table_query, _UNUSED_KEY)


def _digest(what: object) -> str:
    return hashlib.blake2b(repr(what).encode(), digest_size=12).hexdigest()
