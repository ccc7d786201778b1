"""The log: streams of events, appended at an expected end, chained by hashes, never changed.

The one place that writes it, and the only one with SQL of its own.
"""

from games.store.append import append, create_stream, first_answer
from games.store.errors import (
    CommandIdReused,
    ConcurrencyError,
    CorruptLog,
    StoreError,
    UnguardedLog,
    UnknownStream,
)
from games.store.layout import Part, commitment
from games.store.raw import (
    RawEvent,
    RawReceipt,
    StreamExists,
    hashes_at,
    raw_events,
    raw_receipts,
    restore_stream,
)
from games.store.reading import head_of, open_parts, read, receipt_of
from games.store.types import Appended, Head, Receipt, Record, StoredEvent
from games.store.verifying import as_bytes, verify

__all__ = [
    "Appended",
    "CommandIdReused",
    "ConcurrencyError",
    "CorruptLog",
    "Head",
    "Part",
    "RawEvent",
    "RawReceipt",
    "Receipt",
    "Record",
    "StoreError",
    "StoredEvent",
    "StreamExists",
    "UnguardedLog",
    "UnknownStream",
    "append",
    "as_bytes",
    "commitment",
    "create_stream",
    "first_answer",
    "hashes_at",
    "head_of",
    "open_parts",
    "raw_events",
    "raw_receipts",
    "read",
    "receipt_of",
    "restore_stream",
    "verify",
]
