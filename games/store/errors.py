"""Refusals and faults of the log."""

from engine import Fault, Refused


class ConcurrencyError(Refused):
    """Another append has moved the stream: the caller reads the new events and decides again."""

    code = "games/stale_seq"


class CommandIdReused(ConcurrencyError):
    """The command_id belongs to a command with other contents, or of another sender."""

    code = "games/command_id_reused"


class StreamBusy(Fault):
    """Another transaction has locked the stream; the caller may try again."""

    code = "games/stream_busy"


class UnknownStream(Fault):
    """No stream with this id is stored."""

    code = "games/unknown_stream"


class UnguardedLog(Fault):
    """The database lacks the triggers that keep the log append-only: appends are refused."""

    code = "games/unguarded_log"


class AlteredLog(Fault):
    """The stored log differs from the log that was written. `seq`: an event with a difference."""

    code = "games/corrupt_log"

    def __init__(self, stream_id: str, seq: int, reason: str) -> None:
        super().__init__(f"stream {stream_id}, event {seq}: {reason}", stream=stream_id, seq=seq)
        self.stream_id = stream_id
        self.seq = seq
        self.reason = reason
