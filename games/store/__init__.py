"""The log: streams of events. Events are appended after a known head, linked by hashes, and never changed.

Only this package writes the log.
"""

from games.store.append import append, create_stream, prepare, restore_original_result, write
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
    consistent_read,
    execute,
    load_claims,
    load_oldest_unsealed,
    lock_game,
)
from games.store.raw import (
    RawEvent,
    RawReceipt,
    StreamExists,
    read_hashes,
    read_raw_events,
    read_raw_receipts,
    restore_stream,
)
from games.store.reading import (
    count_events,
    decrypt_parts,
    decrypt_receipt,
    find_receipt,
    read,
    read_head,
    read_types,
)
from games.store.rotating import count_values_by_key, may_reencrypt, reencrypt_log, register_reencryption
from games.store.statements import Statement
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
    "RawEvent",
    "RawReceipt",
    "Receipt",
    "ReceiptRow",
    "Record",
    "Rows",
    "Statement",
    "StoredEvent",
    "StreamBusy",
    "StreamExists",
    "UnguardedLog",
    "UnknownStream",
    "append",
    "as_bytes",
    "commitment",
    "consistent_read",
    "count_events",
    "count_values_by_key",
    "create_stream",
    "decrypt_parts",
    "decrypt_receipt",
    "execute",
    "find_receipt",
    "load_claims",
    "load_oldest_unsealed",
    "lock_game",
    "may_reencrypt",
    "prepare",
    "read",
    "read_hashes",
    "read_head",
    "read_raw_events",
    "read_raw_receipts",
    "read_types",
    "reencrypt_log",
    "register_reencryption",
    "restore_original_result",
    "restore_stream",
    "verify",
    "write",
]
