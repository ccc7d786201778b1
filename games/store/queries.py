"""The SQL of the store, except triggers (`guard`), VACUUM (`cleaning`) and privileges (`rotating`):
statements, types of their rows, and functions that send them.

On PostgreSQL the statements of one call are sent in one round trip, with the BEGIN of a transaction. Each
statement sees the rows that are committed when it starts.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

import psycopg
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import OperationalError
from django.utils import timezone

from games.models import Event, Game
from games.store import statements
from games.store.errors import StreamBusy
from games.store.statements import Statement
from games.store.types import Head

Rows = list[tuple[Any, ...]]
MAX_KEYS: Final = 500
MAX_CLAIMS: Final = 100
"""Largest number of claims in one statement on SQLite; each claim has five parameters."""
READ_ONLY_BEGIN: Final = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "sqlite": "BEGIN",  # not IMMEDIATE, which would block others
}

# Reading the log.

SELECT_HEAD: Final = "SELECT head_seq, head_hash FROM games_stream WHERE id = %s"
LOCK_CLAUSE: Final = " FOR NO KEY UPDATE"
SELECT_RECEIPT: Final = """
SELECT key, closed, first_seq, count FROM games_receipt WHERE stream_id = %s AND command_id = %s"""
SELECT_RECEIPTS: Final = """
SELECT first_seq, count, command_id, key, closed FROM games_receipt WHERE stream_id = %s ORDER BY first_seq"""
SELECT_EVENTS: Final = "SELECT seq, type, envelope, hash FROM games_event WHERE stream_id = %s ORDER BY seq"
SELECT_PARTS: Final = """
SELECT seq, name, key, closed FROM games_secretpart WHERE stream_id = %s ORDER BY seq, name"""
SELECT_PARTS_OF_EVENT: Final = """
SELECT name, key, closed FROM games_secretpart WHERE stream_id = %s AND seq = %s ORDER BY name"""
_READ_EVENTS: Final = """
SELECT seq, envelope, hash, NULL AS name, NULL AS key, NULL AS closed FROM games_event
WHERE stream_id = %s AND seq > %s AND seq <= %s"""
# One query brings the secret parts along, each after its event. A join would look them up once an event,
# which took as long as everything else.
_READ_PARTS: Final = """
UNION ALL SELECT seq, NULL, NULL, name, key, closed FROM games_secretpart
WHERE stream_id = %s AND seq > %s AND seq <= %s"""
_READ_ORDER: Final = " ORDER BY 1, 4 NULLS FIRST"
READ_EVENTS: Final = _READ_EVENTS + _READ_ORDER
READ_EVENTS_AND_PARTS: Final = _READ_EVENTS + _READ_PARTS + _READ_ORDER
SELECT_RAW_EVENTS: Final = """
SELECT e.seq, e.envelope, p.name, p.key, p.closed FROM games_event e
LEFT JOIN games_secretpart p ON p.stream_id = e.stream_id AND p.seq = e.seq
WHERE e.stream_id = %s AND e.seq <= %s ORDER BY e.seq, p.name"""
_SELECT_HASHES: Final = "SELECT stream_id, hash FROM games_event WHERE (stream_id, seq) IN (VALUES %s)"

# The first event of each stream that the last checkpoint does not cover. Checkpoints have what they cover as
# JSON; it is unpacked only where a checkpoint's number of events differs from what is stored.

_SELECT_OLDEST_UNSEALED: Final = """
WITH covered (stream_id, sealed_by) AS ({covered}),
stored AS (
    SELECT c.sealed_by, SUM(s.head_seq + 1) AS events
    FROM covered c JOIN games_stream s ON s.id = c.stream_id GROUP BY c.sealed_by
), moved AS (
    SELECT stored.sealed_by, k.heads
    FROM stored LEFT JOIN games_checkpoint k ON k.stream_id = stored.sealed_by
        AND k.number = (SELECT MAX(number) FROM games_checkpoint WHERE stream_id = stored.sealed_by)
    WHERE k.number IS NULL OR {sealed_events} <> stored.events
), sealed AS (
    SELECT head.key AS stream_id, CAST(head.value AS integer) AS seq
    FROM moved CROSS JOIN {each_head} WHERE moved.heads IS NOT NULL
)
SELECT MIN({recorded_at}) FROM moved
JOIN covered c ON c.sealed_by = moved.sealed_by
LEFT JOIN sealed ON sealed.stream_id = c.stream_id
JOIN games_event e ON e.stream_id = c.stream_id AND e.seq = COALESCE(sealed.seq, -1) + 1"""
_UNSEALED_BY_JSON: Final = {
    "postgresql": {
        "sealed_events": "CAST(convert_from(k.body, 'UTF8')::json ->> 'events' AS bigint)",
        "each_head": "LATERAL json_each_text(convert_from(moved.heads, 'UTF8')::json) head",
        "recorded_at": "convert_from(e.envelope, 'UTF8')::json ->> 'recorded_at'",
    },
    "sqlite": {
        "sealed_events": "json_extract(CAST(k.body AS text), '$.events')",
        "each_head": "json_each(CAST(moved.heads AS text)) head",
        "recorded_at": "json_extract(CAST(e.envelope AS text), '$.recorded_at')",
    },
}

# Appending on SQLite: four statements in one transaction, which IMMEDIATE lets only one writer begin.

MOVE_HEAD: Final = """
UPDATE games_stream SET head_seq = %s, head_hash = %s
WHERE id = %s AND head_seq = %s AND head_hash = %s
  AND NOT EXISTS (SELECT 1 FROM games_receipt WHERE stream_id = %s AND command_id = %s)"""
INSERT_RECEIPT: Final = """
INSERT INTO games_receipt (stream_id, command_id, key, closed, first_seq, count)
VALUES (%s, %s, %s, %s, %s, %s)"""
INSERT_EVENT: Final = """
INSERT INTO games_event (stream_id, seq, type, envelope, hash) VALUES (%s, %s, %s, %s, %s)"""
INSERT_PART: Final = """
INSERT INTO games_secretpart (stream_id, seq, name, key, closed) VALUES (%s, %s, %s, %s, %s)"""

# Appending on PostgreSQL: one prepared statement. `head` is empty when the stream has moved on or the command
# is known: then nothing is inserted at all.

_APPEND: Final = """
WITH head AS (
    UPDATE games_stream SET head_seq = %s, head_hash = %s
    WHERE id = %s AND head_seq = %s AND head_hash = %s
      AND NOT EXISTS (SELECT FROM games_receipt WHERE stream_id = %s AND command_id = %s)
    RETURNING id
), receipt AS (
    INSERT INTO games_receipt (stream_id, command_id, key, closed, first_seq, count)
    SELECT id, %s, %s, %s, %s, %s FROM head
)"""
_APPEND_PARTS: Final = """, part AS (
    INSERT INTO games_secretpart (stream_id, seq, name, key, closed) SELECT head.id, row.* FROM head, {rows}
)"""
_APPEND_EVENTS: Final = """
INSERT INTO games_event (stream_id, seq, type, envelope, hash) SELECT head.id, row.* FROM head, {rows}
"""
_PART: Final = "(%s::int, %s::text, %s::text, %s::bytea)"
_EVENT: Final = "(%s::int, %s::text, %s::bytea, %s::bytea)"

# Games, their deadlines, and claims on them.

GAME_COLUMNS: Final = (
    "id",
    "mode",
    "seat_count",
    "round_stream_id",
    "number",
    "deal_pause",
    "turn_seconds",
    "delay_minutes",
    "clock_waits",
    "turn_seq",
)
"""The columns of a game that a command needs, in the order of the model."""
SELECT_GAME: Final = f"SELECT {', '.join(GAME_COLUMNS)} FROM games_game WHERE id = %s"  # noqa: S608 - names from the code
WATCHED_COLUMNS: Final = (
    "id",
    "mode",
    "round_stream_id",
    "number",
    "seed_seq",
    "visibility",
    "hands_wait_deals",
    "hands_wait_minutes",
    "delay_minutes",
    "status",
    "ahead_seq",
    "ahead",
)
"""The columns of a game that decide how observers see it, in the order of the model."""
_SELECT_WATCHED: Final = f"SELECT {', '.join(WATCHED_COLUMNS)} FROM games_game WHERE id "  # noqa: S608 - names from the code
_SELECT_HEADS: Final = "SELECT id, head_seq FROM games_stream WHERE id "
_SELECT_SHOWN_HEADS: Final = "SELECT id, head_seq FROM games_game WHERE id "
SELECT_BOT_SEATS: Final = "SELECT number, bot_pace FROM games_seat WHERE game_id = %s AND bot <> ''"
JSON_COLUMNS: Final = frozenset({"totals", "sides", "winners", "ahead"})
UPSERT_DEADLINE: Final = """
INSERT INTO games_deadline (kind, stream_id, due_at, guard_seq) VALUES (%s, %s, %s, %s)
ON CONFLICT (stream_id, kind) DO UPDATE SET due_at = excluded.due_at, guard_seq = excluded.guard_seq"""
INSERT_DEADLINE: Final = """
INSERT INTO games_deadline (kind, stream_id, due_at) VALUES (%s, %s, %s)
ON CONFLICT (stream_id, kind) DO NOTHING"""
_CLAIM: Final = (
    "(CAST(%s AS integer), CAST(%s AS text), CAST(%s AS bigint), CAST(%s AS bigint), CAST(%s AS text))"
)
_CLAIM_ARRAYS: Final = """
SELECT * FROM unnest(%s::integer[], %s::text[], %s::bigint[], %s::bigint[], %s::text[])"""
_SELECT_CLAIMS: Final = """
WITH asked (number, session_key, user_id, token_id, game_id) AS ({asked})
SELECT asked.number, s.session_data, u.is_active, u.password, t.role, t.seat, t.ref,
    a.role, a.seat, a.tier, a.ref, a.opened_deal
FROM asked
LEFT JOIN django_session s ON s.session_key = asked.session_key AND s.expire_date > %s
LEFT JOIN games_user u ON u.id = asked.user_id
LEFT JOIN games_tabletoken t ON t.id = asked.token_id AND t.game_id = asked.game_id
    AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > %s)
LEFT JOIN games_access a ON a.user_id = u.id AND a.game_id = asked.game_id AND u.is_active
ORDER BY asked.number, a.id"""
SELECT_CLAIM: Final = _SELECT_CLAIMS.format(asked=f"VALUES {_CLAIM}")
SELECT_CLAIM_ARRAYS: Final = _SELECT_CLAIMS.format(asked=_CLAIM_ARRAYS)


class ReceiptRow(NamedTuple):
    """A row of SELECT_RECEIPT. `key`, `closed`: the encrypted hash of the command. `events`: the number of
    events that it caused.
    """

    key: str
    closed: bytes
    first_seq: int
    events: int


class ClaimKey(NamedTuple):
    """The keys by which a claim is looked up: row of a session, account, table token, and the game that it is
    for.
    """

    session: str | None
    user: int | None
    token: int | None
    game: str


class ClaimRow(NamedTuple):
    """A row of SELECT_CLAIM: the parts of a claim that are valid, and one role of its account at the game.

    `number`: the position of the claim among the queried claims. `code_…`: the role of the table token.
    Fields are None if their row does not exist.
    """

    number: int
    session_data: str | None
    is_active: bool | None
    password: str | None
    code_role: str | None
    code_seat: int | None
    code_ref: str | None
    role: str | None
    seat: int | None
    tier: str | None
    ref: str | None
    opened_deal: int | None


class LockedGame(NamedTuple):
    """A game whose stream and row are locked. `head`: the head of the stream. `game`: loaded with
    GAME_COLUMNS only. `answers`: the rows of each other statement.
    """

    head: Head
    game: Game
    answers: list[Rows]


def select_receipt(stream_id: str, command_id: str) -> Statement:
    """Return the statement that reads the receipt of a command."""
    return SELECT_RECEIPT, [stream_id, command_id]


def select_bot_seats(game_id: str) -> Statement:
    """Return the statement that reads the seats that bots play, each with its pace."""
    return SELECT_BOT_SEATS, [game_id]


def select_claim(key: ClaimKey) -> Statement:
    """Return the statement that reads which parts of one claim are valid. Its rows have the columns of
    ClaimRow.
    """
    now = adapt_time(timezone.now())
    return SELECT_CLAIM, [0, *key, now, now]


def upsert_deadline(kind: str, stream_id: str, due_at: datetime, guard_seq: int) -> Statement:
    """Return the statement that sets or moves the stream's deadline of this kind."""
    return UPSERT_DEADLINE, [kind, stream_id, adapt_time(due_at), guard_seq]


def insert_deadline(kind: str, stream_id: str, due_at: datetime) -> Statement:
    """Return the statement that sets the stream's deadline of this kind unless there is one."""
    return INSERT_DEADLINE, [kind, stream_id, adapt_time(due_at)]


def update_game(game_id: str, values: Mapping[str, Any]) -> Statement:
    """Return the statement that writes columns of a game's row."""
    stored = [
        json.dumps(value)
        if name in JSON_COLUMNS and value is not None
        else adapt_time(value)
        if isinstance(value, datetime)
        else value
        for name, value in values.items()
    ]
    columns = ", ".join(f"{name} = %s" for name in values)
    return f"UPDATE games_game SET {columns} WHERE id = %s", [*stored, game_id]  # noqa: S608 - names from the code


def select_hashes(places: Sequence[tuple[str, int]]) -> Statement:
    """Return the statement that reads the hashes of events, each named by stream and seq."""
    return _SELECT_HASHES % ", ".join(["(%s, %s)"] * len(places)), list(chain.from_iterable(places))


@lru_cache(maxsize=64)
def append_statement(events: int, parts: int) -> str:
    """Return the statement that appends this many events and secret parts on PostgreSQL.

    It has one parameter per value, because arrays take twice the time.
    """
    sealed = _APPEND_PARTS.format(rows=_values(_PART, parts)) if parts else ""
    return _APPEND + sealed + _APPEND_EVENTS.format(rows=_values(_EVENT, events))


def _values(row: str, count: int) -> str:
    return f"(VALUES {', '.join([row] * count)}) AS row"


def count_by_key(table: str) -> str:
    """Return the statement that counts the encrypted rows of a table by the id of their key."""
    return f"SELECT key, count(*) FROM {table} GROUP BY key"  # noqa: S608 - names from the code


def select_of_other_keys(table: str, columns: Sequence[str], limit: int, *, after: bool) -> str:
    """Return the statement that reads the next rows of a table that are encrypted with a key other than the
    newest. Its parameters are the id of the newest key and, with `after`, the values of `columns` in the last
    row read.

    `columns`: the primary key, which is also the order. `limit`: largest number of rows.
    """
    names = ", ".join(columns)
    behind = f"AND ({names}) > ({', '.join(['%s'] * len(columns))})" if after else ""
    return f"SELECT {names}, key, closed FROM {table} WHERE key <> %s {behind} ORDER BY {names} LIMIT {limit}"  # noqa: S608 - names from the code


def update_encrypted(table: str, columns: Sequence[str]) -> str:
    """Return the statement that replaces key and ciphertext of a row. The row is found by `columns` and its
    old key.
    """
    where = " AND ".join(f"{column} = %s" for column in (*columns, "key"))
    return f"UPDATE {table} SET key = %s, closed = %s WHERE {where}"  # noqa: S608 - names from the code


def execute(*questions: Statement) -> list[Rows]:
    """Send statements together, and return the rows of each; empty for a statement that only writes."""
    connection = _connection()
    if connection.vendor == "postgresql" and questions:
        return [answer.rows for answer in statements.send_together(connection, questions)]
    answers = []
    with connection.cursor() as cursor:
        for query, arguments in questions:
            cursor.execute(query, arguments)
            answers.append(cursor.fetchall() if cursor.description else [])
    return answers


def load_heads(stream_ids: Collection[str]) -> list[tuple[str, int]]:
    """Return (id, last seq) of these streams, if they exist."""
    return [(stream, seq) for stream, seq in _select_among(_SELECT_HEADS, stream_ids)]


def load_shown_heads(game_ids: Collection[str]) -> list[tuple[str, int]]:
    """Return (id, last shown seq) of these games."""
    return [(game, seq) for game, seq in _select_among(_SELECT_SHOWN_HEADS, game_ids)]


def load_watched(game_ids: Collection[str]) -> dict[str, Game]:
    """Return these games by id, with the columns WATCHED_COLUMNS."""
    return {
        row[0]: Game.from_db(None, WATCHED_COLUMNS, row) for row in _select_among(_SELECT_WATCHED, game_ids)
    }


def _select_among(query: str, keys: Collection[str]) -> Rows:
    """Return the rows for these keys. `query` ends with the name of a text column, and a condition on it is
    appended. PostgreSQL plans the query once for any number of keys. Without keys, nothing is sent.
    """
    key_list = list(keys)
    if key_list and _connection().vendor == "postgresql":
        return execute((f"{query}= ANY(%s::text[])", [key_list]))[0]
    rows: Rows = []
    for at in range(0, len(key_list), MAX_KEYS):
        batch = key_list[at : at + MAX_KEYS]
        rows += execute((f"{query}IN ({', '.join(['%s'] * len(batch))})", batch))[0]
    return rows


def load_oldest_unsealed(covered: Statement) -> str | None:
    """Return the time of the oldest event that no checkpoint covers (UTC, ISO 8601), None if all are covered.
    `covered`: a query with the id of each stream and of the stream whose checkpoints cover it.
    """
    query, arguments = covered
    words = _UNSEALED_BY_JSON[_connection().vendor]
    [[(oldest,)]] = execute((_SELECT_OLDEST_UNSEALED.format(covered=query, **words), arguments))
    return None if oldest is None else str(oldest)


def load_claims(keys: Sequence[ClaimKey]) -> list[list[ClaimRow]]:
    """Return the rows of each claim, in the order of `keys`. Each claim has at least one row. One statement;
    on SQLite one per MAX_CLAIMS claims.
    """
    if not keys:
        return []
    if len(keys) == 1:
        return [[ClaimRow._make(row) for row in execute(select_claim(keys[0]))[0]]]
    now = adapt_time(timezone.now())
    numbered = [(number, *key) for number, key in enumerate(keys)]
    numbered_rows: Rows = []
    if _connection().vendor == "postgresql":
        columns = [list(column) for column in zip(*numbered, strict=True)]
        [numbered_rows] = execute((SELECT_CLAIM_ARRAYS, [*columns, now, now]))
    else:
        for at in range(0, len(numbered), MAX_CLAIMS):
            batch = numbered[at : at + MAX_CLAIMS]
            query = _SELECT_CLAIMS.format(asked=f"VALUES {', '.join([_CLAIM] * len(batch))}")
            numbered_rows += execute((query, [*chain.from_iterable(batch), now, now]))[0]
    rows: list[list[ClaimRow]] = [[] for _ in keys]
    for row in numbered_rows:
        rows[row[0]].append(ClaimRow._make(row))
    return rows


def lock_game(game_id: str, *questions: Statement, wait: bool = True) -> LockedGame | None:
    """Lock the stream and the row of a game until the transaction ends, so that nobody else can append. Then
    send the statements `questions`. Returns None if there is no such game.

    Raises StreamBusy if `wait` is False and another transaction has locked the game.
    """
    connection = _connection()
    lock = ""
    if connection.features.has_select_for_update:
        lock = LOCK_CLAUSE if wait else f"{LOCK_CLAUSE} NOWAIT"
    try:
        heads, rows, *answers = execute(
            (SELECT_HEAD + lock, [game_id]), (SELECT_GAME + lock, [game_id]), *questions
        )
    except OperationalError as refusal:
        if not wait and isinstance(refusal.__cause__, psycopg.errors.LockNotAvailable):
            raise StreamBusy(f"somebody holds stream {game_id}", stream=game_id) from refusal
        raise
    if not heads or not rows:
        return None
    seq, digest = heads[0]
    return LockedGame(Head(seq, bytes(digest)), Game.from_db(None, GAME_COLUMNS, rows[0]), answers)


@contextmanager
def consistent_read() -> Iterator[None]:
    """Inside the block, read one consistent snapshot of the database, whatever others store meanwhile. So a
    stream and the rows beside it can be compared without locks. The block must not write. Inside a running
    transaction this has no effect.
    """
    connection = _connection()
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(READ_ONLY_BEGIN[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


def database_time() -> float:
    """Return the time by the clock of PostgreSQL, in seconds since 1970."""
    with _connection().cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return float(cursor.fetchone()[0])


def adapt_time(value: datetime) -> Any:
    """Convert a time to the value that a statement takes for a column."""
    return _connection().ops.adapt_datetimefield_value(value)


def _connection() -> BaseDatabaseWrapper:
    return connections[router.db_for_write(Event)]
