"""Which edition of a championship there is to see: marks that differ as soon as anything differs that its
pages show. Pages made for one edition are shared by all who see the same.

The marks are read off the database by a few sums, at most once in SECONDS a process and championship,
however many ask. Nobody has to remember to count anything up, and no row is written that all tables of a
championship would queue for.
"""

import hashlib
import threading
from time import monotonic
from typing import Any, Final, NamedTuple

from django.db.models import Aggregate, Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Coalesce, Length

from games.models import Game
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
MOST: Final = 500
"""Championships whose edition a process keeps in mind."""


class Edition(NamedTuple):
    """`frame`: the championship, its rounds, disputes and published rankings; `people`: entries and offices;
    `tables`: every event of every game; `results`: those that change what a game has given; `names`: how
    people are called in public, which is in every mark.
    """

    championship: int
    public: bool
    frame: str
    people: str
    tables: str
    results: str
    names: str = "full"

    def marks(self, *names: str) -> str:
        """One mark for these parts of it: `edition.marks("frame", "people")`."""
        return _digest([(name, getattr(self, name)) for name in ("names", *names)])


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
    row = (
        Championship.objects.filter(pk=pk)
        .values_list(
            *("public", "public_names", "stream", "stream__head_seq", "slug", "name", "place", "starts_at"),
            *("status", "regulations_version", "language", "archived_at"),
            *_beside(),
        )
        .first()
    )
    if row is None:
        return None
    rounds = Round.objects.filter(championship=pk).order_by("pk")
    in_rounds = list(
        rounds.values_list(
            *("pk", "number", "status", "opens_at", "closes_at", "opened_at", "closed_at", "draws"),
            "stream__head_seq",
        )
    )
    public, names = row[:2]
    frame = _digest((row, in_rounds))
    offices = list(Official.objects.filter(championship=pk).order_by("pk").values_list("pk", "user", "role"))
    tables, results = _tables(pk)
    return Edition(pk, public, frame, _digest((offices, _entries(pk))), tables, results, names)


def _beside() -> list[Subquery]:
    """What lies beside a championship's row and changes its frame, each as one value of that row."""
    disputes = Dispute.objects.filter(table__round__championship=OuterRef("pk"))
    snapshots = StandingsSnapshot.objects.filter(championship=OuterRef("pk"))
    sat_out = SitOut.objects.filter(round__championship=OuterRef("pk"))
    asked = (
        (disputes, "table__round__championship", Count("pk")),
        (disputes, "table__round__championship", Max("pk")),
        (disputes, "table__round__championship", Sum("version")),
        (disputes, "table__round__championship", Sum(Length("text"))),
        (snapshots, "championship", Max("version")),
        (sat_out, "round__championship", Count("points")),
        (sat_out, "round__championship", Sum("points")),
    )
    return [
        Subquery(rows.order_by().values(of).annotate(told=what).values("told")) for rows, of, what in asked
    ]


def _entries(pk: int) -> list[Any]:
    """Each column in one text: thousands of rows would take ten times as long."""
    found: QuerySet[Entry] = Entry.objects.filter(championship=pk).order_by()
    columns = {
        f"all_{name}": _Joined(Coalesce(Cast(name, TextField()), Value(""))) for name in _SHOWN_OF_ENTRIES
    }
    return list(found.aggregate(Count("pk"), **columns).values())


def _tables(pk: int) -> tuple[str, str]:
    """What is played where, and what it has given: a dealt game gives something when a deal is over; of
    others each event may be a correction."""
    tables = Table.objects.filter(round__championship=pk).order_by()
    is_open = Q(round__status=Round.Status.OPEN)
    sums = tables.aggregate(
        Count("pk"),
        Max("pk"),
        Count("game"),
        heads=Sum(F("game__head_seq") + 1),
        before=Sum(F("game__head_seq") + 1, filter=~is_open),
    )
    before = sums.pop("before")
    kinds = list(tables.filter(game=None).order_by("pk").values_list("pk", "mode"))
    now = (
        tables.filter(is_open, game__isnull=False)
        .order_by("pk")
        .values_list(
            "game__mode", "game__head_seq", "game__status", "game__deal", Cast("game__totals", TextField())
        )
    )
    given = [(None if mode == Game.Mode.DEALT else seq, *more) for mode, seq, *more in now]
    return _digest((sums, kinds)), _digest((given, before))


def _digest(what: object) -> str:
    return hashlib.blake2b(repr(what).encode(), digest_size=12).hexdigest()
