"""Which edition of a championship there is to see: marks that differ as soon as anything differs that its
pages show. Pages made for one edition are shared by all who see the same.

The marks are read off the database by a few sums, at most once in SECONDS a process and championship,
however many ask. Nobody has to remember to count anything up, and no row is written that all tables of a
championship would queue for.
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
from tournaments.dispute_states import shown_to_all
from tournaments.models import (
    Championship,
    Dispute,
    Entry,
    Official,
    Round,
    SitOut,
    StandingsSnapshot,
    Table,
)

SECONDS = 1.0
"""For so long an edition is taken to be the newest."""
OPEN: Final = Round.Status.OPEN
TOLD_LATE: Final = frozenset(
    {
        *("referee_called", "dispute_settled", "ruling_appealed", "appeal_decided"),
        *("hidden_cards_opened", "sheet_photo_kept", "sheet_photo_erased"),
    }
)
"""What stands in the stream of a round and happened at one of its tables: where they are shown late, nobody
without an office learns that there is anything to learn."""
MOST: Final = 500
"""Championships whose edition a process keeps in mind."""


class Edition(NamedTuple):
    """`frame`: the championship, its rounds, disputes and published rankings; `people`: entries and offices;
    `tables`: every event of every game; `results`: those that change what a game has given; `names`: how
    people are called in public, which is in every mark. All of that as it is shown to everybody: `office` is
    what at tables that are shown late only offices see.
    """

    championship: int
    public: bool
    frame: str
    people: str
    tables: str
    results: str
    names: str = "full"
    office: str = ""

    def marks(self, *names: str) -> str:
        """One mark for these parts of it: `edition.marks("frame", "people")`."""
        return _marks(self, names)


@lru_cache(maxsize=MOST)
def _marks(edition: Edition, names: tuple[str, ...]) -> str:
    """Asked for with each poll."""
    return _digest([(name, getattr(edition, name)) for name in ("names", *names)])


class _Known:
    """What a process knows of one championship. `asking`: one thread asks, others wait for its answer."""

    def __init__(self) -> None:
        self.asking = threading.Lock()
        self.edition: Edition | None = None
        self.at = float("-inf")


_known: dict[int, _Known] = {}


def edition_of(championship: int, *, fresh: bool = False) -> Edition | None:
    """The newest edition, at most SECONDS old; `fresh`: not older than this question. None: there is no such
    championship (any more).
    """
    asked_at = monotonic()
    known = _of(championship)
    oldest = asked_at if fresh else asked_at - SECONDS
    if known.at > oldest:
        return known.edition
    with known.asking:
        # Whoever held the lock may have begun to ask after we came.
        if known.at <= oldest:
            begun = monotonic()
            known.edition = _read(championship)
            known.at = begun
        return known.edition


def at_hand(championship: int) -> tuple[bool, Edition | None]:
    """Whether the edition is known without asking, and the edition. Never waits."""
    known = _known.get(championship)
    if known is None or monotonic() - known.at >= SECONDS:
        return False, None
    return True, known.edition


def forget_all() -> None:
    _known.clear()


def _of(championship: int) -> _Known:
    known = _known.get(championship)
    if known is None:
        while len(_known) >= MOST:
            _known.pop(next(iter(_known)), None)
        known = _known.setdefault(championship, _Known())
    return known


class _Joined(Aggregate):
    """All values of a column in one text, by the order of the rows' numbers."""

    name = "Joined"
    template = "GROUP_CONCAT(%(expressions)s, char(31))"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        template = 'md5(STRING_AGG(%(expressions)s, chr(31) ORDER BY "tournaments_entry"."id"))'
        return self.as_sql(compiler, connection, template=template, **more)


_SHOWN_OF_ENTRIES: Final = (
    "number", "name", "family_name", "club", "status", "user_id", "house", "cut", "lot", "withdrawn_from",
    "entrant_id", "merged_into_id",
)  # fmt: skip


def _read(pk: int) -> Edition | None:
    """Four questions, however large the championship."""
    row = (
        Championship.objects.filter(pk=pk)
        .values_list(
            *("public", "public_names", "stream", "stream__head_seq", "slug", "name", "place", "starts_at"),
            *("status", "regulations_version", "language", "archived_at"),
            *("announced", "announced_too"),
            *_beside(),
            _held_back(),
            _offices(),
        )
        .first()
    )
    if row is None:
        return None
    public, names = row[:2]
    *own, disputed_late, offices = row
    rounds, played = _rounds(pk)
    kinds, now, ahead = _tables(pk)
    before = [
        heads
        for (_pk, _number, status, *_), (*_, heads) in zip(rounds, played, strict=True)
        if status != OPEN
    ]
    return Edition(
        pk,
        public,
        frame=_digest((own, rounds)),
        people=_digest((offices, _entries(pk))),
        tables=_digest((played, kinds)),
        results=_digest((now, before)),
        names=names,
        office=_digest((disputed_late, ahead)),
    )


def _beside() -> list[Subquery]:
    """What lies beside a championship's row and changes its frame."""
    disputes = Dispute.objects.filter(shown_to_all(), table__round__championship=OuterRef("pk"))
    snapshots = StandingsSnapshot.objects.filter(championship=OuterRef("pk"))
    sat_out = SitOut.objects.filter(round__championship=OuterRef("pk"))
    told = (Count("pk"), Max("pk"), Sum("version"), Sum(Length("text")))
    return [
        _one_value(disputes, "table__round__championship", *told),
        _one_value(snapshots, "championship", Max("version")),
        _one_value(sat_out, "round__championship", Count("points"), Sum("points")),
    ]


def _held_back() -> Subquery:
    """Disputes at tables that are shown late, likewise."""
    disputes = Dispute.objects.filter(
        table__game__delay_minutes__gt=0, table__round__championship=OuterRef("pk")
    )
    return _one_value(disputes, "table__round__championship", Count("pk"), Max("pk"), Sum("version"))


def _offices() -> Subquery:
    """Who holds one: a row comes and goes, and is never changed but for the account that is gone."""
    held = Official.objects.filter(championship=OuterRef("pk"))
    told = (Count("pk"), Max("pk"), Sum("pk"), Count("user"), Sum("user"))
    return _one_value(held, "championship", *told)


def _one_value(rows: QuerySet[Any], of: str, *what: Aggregate) -> Subquery:
    """All of them in one text, so that the rows are looked through once."""
    point = Value(".", output_field=TextField())
    parts = [part for each in what for part in (Cast(each, TextField()), point)]
    told = Concat(*parts, output_field=TextField())
    return Subquery(rows.order_by().values(of).annotate(told=told).values("told"))


def _entries(pk: int) -> list[Any]:
    """Each column in one text: thousands of rows would take ten times as long."""
    found: QuerySet[Entry] = Entry.objects.filter(championship=pk).order_by()
    columns = {
        f"all_{name}": _Joined(Coalesce(Cast(name, TextField()), Value(""))) for name in _SHOWN_OF_ENTRIES
    }
    return list(found.aggregate(Count("pk"), **columns).values())


def _rounds(pk: int) -> tuple[list[Any], list[Any]]:
    """Each round as its frame shows it, and what is played in it: tables, and events of their games."""
    found = (
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
            *("delay_minutes", "featured"),
            "stream__head_seq",
            *("count", "newest", "games", "heads"),
            *("delay", "stream", "stream__head_hash"),
        )
    )
    frames, played = [], []
    for *frame, seq, count, newest, games, heads, delay, stream, hash_ in found:
        head = store.Head(seq, bytes(hash_))
        frames.append((*frame, _told_by(stream, head) if delay else seq))
        played.append((count, newest, games, heads))
    return frames, played


@lru_cache(maxsize=MOST)
def _told_by(stream: str, head: store.Head) -> int:
    """How much the stream of a round tells whose tables are shown late, apart from what happened at them;
    `head` names the bytes: read once for each end that it has."""
    events = store.read(stream, upto=head.seq, parts=False)
    return sum(event.type not in TOLD_LATE for event in events)


def _tables(pk: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Of what kind tables without a game are, and what those of open rounds have given: a dealt game gives
    something when a deal is over; of others each event may be a correction. And how far the games have come
    that are shown late."""
    found = (
        Table.objects.filter(round__championship=pk)
        .filter(Q(game=None) | Q(round__status=OPEN))
        .order_by("pk")
        .values_list(
            *("pk", "mode", "game", "game__ahead_seq"),
            *(
                "game__mode",
                "game__head_seq",
                "game__status",
                "game__deal",
                Cast("game__totals", TextField()),
            ),
        )
    )
    kinds, now, ahead = [], [], []
    for key, kind, game, ahead_seq, mode, seq, *more in found:
        if game is None:
            kinds.append((key, kind))
        else:
            now.append((None if mode == Game.Mode.DEALT else seq, *more))
        if ahead_seq is not None:
            ahead.append((key, ahead_seq))
    return kinds, now, ahead


def _digest(what: object) -> str:
    return hashlib.blake2b(repr(what).encode(), digest_size=12).hexdigest()
