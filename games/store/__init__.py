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
from games.store.reading import head_of, open_parts, read, receipt_of
from games.store.types import Appended, Head, Receipt, Record, StoredEvent
from games.store.verifying import verify

__all__ = [
    "Appended",
    "CommandIdReused",
    "ConcurrencyError",
    "CorruptLog",
    "Head",
    "Receipt",
    "Record",
    "StoreError",
    "StoredEvent",
    "UnguardedLog",
    "UnknownStream",
    "append",
    "create_stream",
    "first_answer",
    "head_of",
    "open_parts",
    "read",
    "receipt_of",
    "verify",
]
