"""Frames that the socket sends, by `kind`: `events`, `ack`, `error`, `resync`, `heartbeat`.

Frames with private information are padded with spaces to a length that follows from public facts alone: the
length of the spectator's frame, and the number of events that carry a secret.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, Literal, TypedDict

import msgspec

from engine import Event, Observer, encode, redact_events
from engine.events import AnyEvent
from engine.events.secrecy import secret_fields
from games.game_state import GameSnapshot
from games.observed import observed_game

PADDING_STEP_BYTES: Final = 512
SECRET_PADDING_BYTES: Final = 256
"""Bytes allowed for the secrets of one event; 36 cards need 216."""
PRIVATE_PADDING_BYTES: Final = 512
"""Bytes allowed for the fields `legal`, `why_not`, `beside` and `own_commands` of a Prompt."""
MIN_ANSWER_BYTES: Final = 1024
SPECTATOR: Final = Observer.spectator()


class EventsFrame(observed_game.Prompt):
    """The events since a seq, and whose turn it is now."""

    kind: Literal["events"]
    game: str
    seq: int
    events: list[AnyEvent]


class AckFrame(TypedDict):
    """The answer that a command is stored; `seq` is that of its last event."""

    kind: Literal["ack"]
    command_id: str
    seq: int


class ErrorFrame(TypedDict):
    """A refusal: a stable code, one English line, values for the translation."""

    kind: Literal["error"]
    command_id: str | None
    code: str
    detail: str
    params: dict[str, Any]


class ResyncFrame(TypedDict):
    """The client has to read again, because frames were dropped or its seq is unknown."""

    kind: Literal["resync"]
    game: str
    seq: int


class HeartbeatFrame(TypedDict):
    """The last seq of the game, so that clients notice a gap while no events come, and the approximate number
    of viewers.
    """

    kind: Literal["heartbeat"]
    game: str
    seq: int
    watching: int


Frame = EventsFrame | AckFrame | ErrorFrame | ResyncFrame | HeartbeatFrame


def is_private(observer: Observer) -> bool:
    """Return whether this observer sees private information, so that its texts have to be padded."""
    return observer.role != "spectator" or observer.opened is not None


def brings_secrets(now: GameSnapshot, since: int) -> bool:
    """Return whether any event after seq `since` has a secret part."""
    return any(secret_fields(type(event)) for event in now.events[since + 1 :])


class EventFrames:
    """The frames with the events after seq `since`, for any observer. The public frame is encoded once."""

    def __init__(self, now: GameSnapshot, since: int) -> None:
        self._now = now
        self._since = since
        self._new = now.events[since + 1 :]

    @cached_property
    def _public(self) -> str:
        seen = list(redact_events(self._new, SPECTATOR))
        return _events(self._now, seen, observed_game.build_prompt(self._now.table, SPECTATOR))

    def frame(self, observer: Observer) -> str:
        """Return the frame with these events and the present turn for an observer."""
        if observer == SPECTATOR:
            return self._public
        if observer.tier == "played" and observer.opened is None:
            seen: Sequence[Event] = list(redact_events(self._new, observer))
        else:
            seen = observed_game.list_observed_events(self._now, observer)[self._since + 1 :]
        text = _events(self._now, seen, observed_game.build_prompt(self._now.table, observer))
        if not is_private(observer):
            return text
        return padded(text, len(self._public) + padding_for(self._new))


def padding_for(new: Sequence[Event]) -> int:
    """Return a number of bytes that suffices for any observer's private information in the events `new`."""
    return (
        sum(bool(secret_fields(type(event))) for event in new) * SECRET_PADDING_BYTES + PRIVATE_PADDING_BYTES
    )


def ack(command_id: str, seq: int) -> str:
    """Return the text of an AckFrame."""
    return _encode_frame(AckFrame(kind="ack", command_id=command_id, seq=seq))


def error(command_id: str | None, code: str, detail: str, params: dict[str, Any] | None = None) -> str:
    """Return the text of an ErrorFrame."""
    return _encode_frame(
        ErrorFrame(kind="error", command_id=command_id, code=code, detail=detail, params=params or {})
    )


def resync(game_id: str, seq: int) -> str:
    """Return the text of a ResyncFrame."""
    return _encode_frame(ResyncFrame(kind="resync", game=game_id, seq=seq))


def heartbeat(game_id: str, seq: int, watching: int = 0) -> str:
    """Return the text of a HeartbeatFrame."""
    return _encode_frame(HeartbeatFrame(kind="heartbeat", game=game_id, seq=seq, watching=watching))


def padded(text: str, least: int) -> str:
    """Return the text padded with spaces: its length in characters becomes the lowest multiple of
    PADDING_STEP_BYTES that is at least its own and at least `least`.
    """
    length = -(-max(len(text), least) // PADDING_STEP_BYTES) * PADDING_STEP_BYTES
    return text.ljust(length)


def _events(now: GameSnapshot, seen: Sequence[Event], carried: observed_game.Prompt) -> str:
    row = ",".join(encode(event).decode() for event in seen)
    head = f'{{"kind":"events","game":"{now.game_id}","seq":{now.head.seq},"events":[{row}],'
    return head + _encode_frame(carried)[1:]


def _encode_frame(values: Frame | observed_game.Prompt) -> str:
    return msgspec.json.encode(values).decode()
