"""The log: streams of events, appended at an expected end, chained by hashes, never changed.

The one place that writes it, and the only one with SQL of its own.
"""

from games.store.append import append, create_stream, first_answer, prepare, write
from games.store.batch import Batch
from games.store.errors import (
    AlteredLog,
    CommandIdReused,
    ConcurrencyError,
    StreamBusy,
    UnguardedLog,
    UnknownStream,
)
from games.store.layout import Part, as_bytes, commitment
from games.store.queries import Rows, ask, ask_among, hold, one_moment, stored_moment
from games.store.raw import (
    RawEvent,
    RawReceipt,
    StreamExists,
    hashes_at,
    raw_events,
    raw_receipts,
    restore_stream,
)
from games.store.reading import RECEIPT, head_of, open_parts, read, read_types, receipt_in, receipt_of
from games.store.rotating import close_again, close_again_too, keys_needed
from games.store.statements import Question
from games.store.types import Appended, Head, Receipt, Record, StoredEvent
from games.store.verifying import verify

__all__ = [
    "RECEIPT",
    "AlteredLog",
    "Appended",
    "Batch",
    "CommandIdReused",
    "ConcurrencyError",
    "Head",
    "Part",
    "Question",
    "RawEvent",
    "RawReceipt",
    "Receipt",
    "Record",
    "Rows",
    "StoredEvent",
    "StreamBusy",
    "StreamExists",
    "UnguardedLog",
    "UnknownStream",
    "append",
    "as_bytes",
    "ask",
    "ask_among",
    "close_again",
    "close_again_too",
    "commitment",
    "create_stream",
    "first_answer",
    "hashes_at",
    "head_of",
    "hold",
    "keys_needed",
    "one_moment",
    "open_parts",
    "prepare",
    "raw_events",
    "raw_receipts",
    "read",
    "read_types",
    "receipt_in",
    "receipt_of",
    "restore_stream",
    "stored_moment",
    "verify",
    "write",
]
