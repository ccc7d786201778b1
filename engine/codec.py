"""JSON encoding of commands and events: one object per line, with a fixed order of keys."""

from typing import Any, Final, cast

import msgspec

from engine.commands import AnyCommand, Command
from engine.errors import CorruptLog, IllegalCommand
from engine.events import EVENTS, AnyEvent, Event
from engine.events.secrecy import secret_fields

_ENCODER: Final = msgspec.json.Encoder()
_COMMANDS: Final = msgspec.json.Decoder(AnyCommand)
_EVENTS: Final = msgspec.json.Decoder(AnyEvent)
_TYPES: Final = cast("dict[str, type[AnyEvent]]", {str(e.__struct_config__.tag): e for e in EVENTS})
_HEADS: Final[dict[type, bytes]] = {e: b',"type":"%s"' % tag.encode() for tag, e in _TYPES.items()}
_CUT: Final[dict[type, int]] = {e: len(b'{"type":"%s",' % tag.encode()) for tag, e in _TYPES.items()}


def encode(message: Command | Event) -> bytes:
    """Encode a message as one line of compact JSON, without a line end. An event starts with `seq` and
    `type`, a command with `cmd`.
    """
    raw = _ENCODER.encode(message)
    cut = _CUT.get(type(message))
    if cut is None:
        return raw
    end = raw.find(b",", cut)
    if end < 0:
        end = len(raw) - 1
    return b"{" + raw[cut:end] + _HEADS[type(message)] + raw[end:]


def to_dict(message: Command | Event) -> dict[str, Any]:
    """Convert a message to JSON values, with the keys in the order of `encode`."""
    plain: dict[str, Any] = msgspec.to_builtins(message)
    if isinstance(message, Event):
        return {"seq": plain.pop("seq"), **plain}
    return plain


def decode_command(data: bytes | str | dict[str, Any]) -> AnyCommand:
    """Decode a command from JSON text or from JSON values. Raises IllegalCommand `command/malformed`."""
    try:
        if isinstance(data, dict):
            command: AnyCommand = msgspec.convert(data, AnyCommand)
        else:
            command = _COMMANDS.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise IllegalCommand("command/malformed", _one_line(error), reason=_one_line(error)) from None
    return command


def decode_event(data: bytes | str | dict[str, Any]) -> AnyEvent:
    """Decode an event from JSON text or from JSON values. Raises CorruptLog `event/malformed`."""
    try:
        if isinstance(data, dict):
            event: AnyEvent = msgspec.convert(data, AnyEvent)
        else:
            event = _EVENTS.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise CorruptLog("event/malformed", _one_line(error), reason=_one_line(error)) from None
    return event


def decode_events(data: bytes) -> list[AnyEvent]:
    """Decode events from JSON Lines in one pass. Raises CorruptLog `event/malformed`, which names no line
    number.
    """
    try:
        events: list[AnyEvent] = _EVENTS.decode_lines(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise CorruptLog("event/malformed", _one_line(error), reason=_one_line(error)) from None
    return events


def public_body(event: Event) -> dict[str, Any]:
    """Return the public fields of an event as JSON values, without `seq` and `type`."""
    secret = secret_fields(type(event))
    plain: dict[str, Any] = msgspec.to_builtins(event)
    return {k: v for k, v in plain.items() if k not in secret and k not in ("seq", "type")}


def secret_parts(event: Event) -> dict[str, Any]:
    """Return the secret fields of an event whose values are known, by name, as JSON values."""
    secret = secret_fields(type(event))
    if not secret:
        return {}
    return {k: v for k in secret if (v := msgspec.to_builtins(getattr(event, k))) is not None}


def restore(seq: int, type: str, public: dict[str, Any], parts: dict[str, Any]) -> AnyEvent:
    """Rebuild an event from its stored public fields and secret parts. A missing secret part becomes None,
    which means unknown. Raises CorruptLog `event/unknown_type` or `event/malformed`.
    """
    event_type = _TYPES.get(type)
    if event_type is None:
        raise CorruptLog("event/unknown_type", f"no event is called {type!r}", type=type)
    secret = dict.fromkeys(secret_fields(event_type))
    try:
        # Converting to the union would make msgspec analyse its types at every call.
        return msgspec.convert({"seq": seq, "type": type, **public, **secret, **parts}, event_type)
    except msgspec.MsgspecError as error:
        raise CorruptLog("event/malformed", _one_line(error), reason=_one_line(error)) from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
