"""Peers of the store's bench: bare drivers, the same writes by hand, the library `eventsourcing`."""

import secrets
import sqlite3
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict

BODY = b"x" * 140
TABLE = "CREATE TABLE peer (stream text, seq int, body {blob}, UNIQUE (stream, seq))"
BY_HAND = """
CREATE TABLE hand_head (id text PRIMARY KEY, seq int);
CREATE TABLE hand_receipt (stream text, command text, first int, PRIMARY KEY (stream, command));
CREATE TABLE hand_event (stream text, seq int, body bytea, PRIMARY KEY (stream, seq));
"""
THREE_WRITES = """
WITH head AS (UPDATE hand_head SET seq = %s WHERE id = %s AND seq = %s RETURNING id),
     receipt AS (INSERT INTO hand_receipt SELECT id, %s, %s FROM head)
INSERT INTO hand_event SELECT id, %s, %s::bytea FROM head
"""
Act = Callable[[int], object]
"""Stores the event with this number, counted from 0, in a stream of its own."""


def bare_postgresql(connection: psycopg.Connection) -> Act:
    """One row of 140 bytes, prepared, committed by itself."""
    stream, insert = secrets.token_hex(16), "INSERT INTO peer VALUES (%s, %s, %s)"
    return lambda seq: connection.execute(insert, (stream, seq, BODY), prepare=True)


def bare_sqlite(connection: sqlite3.Connection) -> Act:
    """The same on SQLite: WAL, synchronous=FULL."""
    stream, insert = secrets.token_hex(16), "INSERT INTO peer VALUES (?, ?, ?)"
    return lambda seq: connection.execute(insert, (stream, seq, BODY))


def by_hand(connection: psycopg.Connection) -> Act:
    """The writes that any log with heads and receipts needs, in one prepared statement and nothing beside
    it."""
    stream = secrets.token_hex(16)
    connection.execute("INSERT INTO hand_head VALUES (%s, -1)", (stream,))

    def act(seq: int) -> None:
        arguments = (seq, stream, seq - 1, f"c{seq}", seq, seq, BODY)
        connection.execute(THREE_WRITES, arguments, prepare=True)

    return act


def recorder(url: str, *, functions: bool) -> Act:
    """The recorder of `eventsourcing`: with its table lock (the default) or its database functions."""
    made = _recorder(url, functions)
    stream = uuid4()
    return lambda seq: made.insert_events([StoredEvent(stream, seq + 1, "bench:Played", BODY)])


def prepare_recorders(url: str) -> None:
    """Their tables and functions, made once and before several writers use them."""
    for functions in (False, True):
        made = _recorder(url, functions)
        made.create_table()
        made.datastore.close()


def _recorder(url: str, functions: bool) -> PostgresApplicationRecorder:
    table = "es_by_function" if functions else "es_by_lock"
    return PostgresApplicationRecorder(_datastore(url, functions), events_table_name=table)


class Table(Aggregate):
    """A game modelled with `eventsourcing`: cards are events, applied to the hands."""

    def __init__(self) -> None:
        self.played: list[str] = []
        self.turn = 0

    @event("Played")
    def play(self, seat: int, card: str) -> None:
        self.played.append(card)
        self.turn = (seat + 1) % 4


def application(url: str) -> Application[UUID]:
    """An application of `eventsourcing` on PostgreSQL, set up as in its documentation."""
    place: dict[str, Any] = conninfo_to_dict(url)
    environment = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": place["dbname"],
        "POSTGRES_HOST": place["host"],
        "POSTGRES_PORT": place.get("port", "5432"),
        "POSTGRES_USER": place["user"],
        "POSTGRES_PASSWORD": place.get("password", ""),
    }
    return Application(environment)


def _datastore(url: str, functions: bool) -> PostgresDatastore:
    place: dict[str, Any] = conninfo_to_dict(url)
    return PostgresDatastore(
        dbname=place["dbname"],
        host=place["host"],
        port=place.get("port", 5432),
        user=place["user"],
        password=place.get("password", ""),
        pool_size=1,
        enable_db_functions=functions,
    )
