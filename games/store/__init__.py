"""The log: streams of events. Events are appended after a known head, linked by hashes, and never changed.

Only this package writes the log.
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
from games.store.queries import (
    ClaimKey,
    ClaimRow,
    LockedGame,
    ReceiptRow,
    Rows,
    ask,
    load_claims,
    load_oldest_unsealed,
    lock_game,
    one_moment,
)
from games.store.raw import (
    RawEvent,
    RawReceipt,
    StreamExists,
    hashes_at,
    raw_events,
    raw_receipts,
    restore_stream,
)
from games.store.reading import (
    count_events,
    decrypt_receipt,
    head_of,
    open_parts,
    read,
    read_types,
    receipt_of,
)
from games.store.rotating import close_again, close_again_too, keys_needed, may_close_again
from games.store.statements import Question
from games.store.types import Appended, Head, Receipt, Record, StoredEvent
from games.store.verifying import verify

__all__ = [
    "AlteredLog",
    "Appended",
    "Batch",
    "ClaimKey",
    "ClaimRow",
    "CommandIdReused",
    "ConcurrencyError",
    "Head",
    "LockedGame",
    "Part",
    "Question",
    "RawEvent",
    "RawReceipt",
    "Receipt",
    "ReceiptRow",
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
    "close_again",
    "close_again_too",
    "commitment",
    "count_events",
    "create_stream",
    "decrypt_receipt",
    "first_answer",
    "hashes_at",
    "head_of",
    "keys_needed",
    "load_claims",
    "load_oldest_unsealed",
    "lock_game",
    "may_close_again",
    "one_moment",
    "open_parts",
    "prepare",
    "raw_events",
    "raw_receipts",
    "read",
    "read_types",
    "receipt_of",
    "restore_stream",
    "verify",
    "write",
]
