"""What the log refuses, and what can be wrong with it."""

from engine import Fault, Refused


class ConcurrencyError(Refused):
    """Somebody else has appended since: read on and decide again."""

    code = "games/stale_seq"


class CommandIdReused(ConcurrencyError):
    """The command_id has been used for a command with other contents, or by somebody else."""

    code = "games/command_id_reused"


class StreamBusy(Fault):
    """Somebody else holds the stream: try again."""

    code = "games/stream_busy"


class UnknownStream(Fault):
    """There is no such stream."""

    code = "games/unknown_stream"


class UnguardedLog(Fault):
    """The database lacks the triggers that keep the log append-only: nothing is written to it."""

    code = "games/unguarded_log"


class AlteredLog(Fault):
    """The stored log is not what was written. `seq`: the first event that is wrong; an alarm."""

    code = "games/corrupt_log"

    def __init__(self, stream_id: str, seq: int, reason: str) -> None:
        super().__init__(f"stream {stream_id}, event {seq}: {reason}", stream=stream_id, seq=seq)
        self.stream_id = stream_id
        self.seq = seq
        self.reason = reason
