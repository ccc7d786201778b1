"""Frames that a client sends: a command with its id, the seq from which to read again, or the side tables to
follow.
"""

from typing import Annotated, Any, Final
from urllib.parse import parse_qs

import msgspec

from games.errors import Malformed, TooLarge
from games.live.side_tables import MAX_SIDE_TABLES
from games.play.command_request import LARGEST_SEQ, MAX_BYTES, CommandRequest

MAX_ID_LENGTH: Final = 64
Seq = Annotated[int, msgspec.Meta(ge=-1, le=LARGEST_SEQ)]
GameId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]


class SinceRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for all events after this seq."""

    since: Seq


class AlsoRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to follow these side tables and no others: game id → last seq that the client holds."""

    also: Annotated[dict[GameId, Seq], msgspec.Meta(max_length=MAX_SIDE_TABLES)]


def read_request(message: dict[str, Any]) -> CommandRequest | SinceRequest | AlsoRequest:
    """Parse a frame from ASGI. Raises TooLarge `games/too_large`, Malformed `games/malformed`."""
    raw = message.get("bytes") or (message.get("text") or "").encode()
    if len(raw) > MAX_BYTES:
        raise TooLarge(f"a frame has at most {MAX_BYTES} bytes", most=MAX_BYTES)
    try:
        request = msgspec.json.decode(raw)
        if isinstance(request, dict) and "since" in request:
            return msgspec.json.decode(raw, type=SinceRequest)
        if isinstance(request, dict) and "also" in request:
            return msgspec.json.decode(raw, type=AlsoRequest)
        return msgspec.json.decode(raw, type=CommandRequest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Malformed(f"the frame cannot be read: {error}"[:300]) from None


def read_command_id(message: dict[str, Any]) -> str | None:
    """Return the command_id of a frame, also of a malformed one; None if there is no command_id to be
    read.
    """
    try:
        command_id = msgspec.json.decode(message.get("bytes") or message.get("text") or "")["command_id"]
    except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError, KeyError):
        return None
    return command_id if isinstance(command_id, str) and len(command_id) <= MAX_ID_LENGTH else None


def parse_since(query: bytes) -> int:
    """Return the `since` of a socket's query string; -1 if there is none. Raises Malformed
    `games/bad_parameter`.
    """
    values = parse_qs(query.decode("latin-1"), keep_blank_values=True).get("since", [])
    if not values:
        return -1
    text = values[0]
    digits = text[1:] if text.startswith("-") else text
    # The digits are limited: Python refuses to parse thousands of them.
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_SEQ))
    if len(values) > 1 or not is_number or not -1 <= int(text) <= LARGEST_SEQ:
        raise Malformed(
            f"since is a whole number from -1 to {LARGEST_SEQ}", code="games/bad_parameter", name="since"
        )
    return int(text)
