"""Parse request bodies and query parameters, with limits of size and value. Bad input is refused with a
code.
"""

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import IO, Annotated, Any, NamedTuple, TypeVar

import msgspec
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from games.errors import Malformed, TooLarge
from games.play.command_request import MAX_BYTES, CommandRequest

Body = TypeVar("Body")
FORMAT = "format"
"""Query parameter that Django REST framework itself reads; `json` is its only value."""


class TokenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that exchanges the token of a slip or poster."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]


class Cursor(NamedTuple):
    """The last row of a page of games sorted by their latest event, newest first."""

    last_event_at: datetime | None
    game_id: str

    def __str__(self) -> str:
        at = "" if self.last_event_at is None else self.last_event_at.isoformat()
        return urlsafe_base64_encode(f"{at}|{self.game_id}".encode())


class BoundedJson(BaseParser):
    """Parser that reads a JSON body of at most 4 KiB as bytes. `command_request` and `token_request` decode
    them.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, bytes]:
        raw: bytes = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise TooLarge(f"a request has at most {MAX_BYTES} bytes", most=MAX_BYTES)
        return {"raw": raw}


def command_request(request: Request) -> CommandRequest:
    """Decode the body of a request that sends a command. Raises Malformed, TooLarge."""
    return _decode(request, CommandRequest)


def token_request(request: Request) -> TokenRequest:
    """Decode the body of a request that exchanges a table token. Raises Malformed, TooLarge."""
    return _decode(request, TokenRequest)


def refuse_unknown_parameters(request: Request, known: Collection[str]) -> None:
    """Refuse repeated parameters, and those that are neither in `known` nor FORMAT. Raises Malformed
    `games/unknown_parameter`, `games/bad_parameter`.
    """
    for name, values in request.query_params.lists():
        if name not in known and name != FORMAT:
            raise Malformed(
                f"there is no parameter {name[:40]!r} here",
                code="games/unknown_parameter",
                name=name[:40],
                known=sorted(known),
            )
        if len(values) > 1:
            raise Malformed(f"{name} is given twice", code="games/bad_parameter", name=name)


def cursor(request: Request, name: str = "cursor") -> Cursor | None:
    """Parse the parameter `name`, a `next_cursor` of this list; None if it is absent or empty. Raises
    Malformed `games/bad_parameter`.
    """
    text = request.query_params.get(name, "")
    if not text:
        return None
    try:
        at, _, game_id = urlsafe_base64_decode(text).decode().partition("|")
        moment = datetime.fromisoformat(at) if at else None
        if not re.fullmatch("[0-9a-f]{32}", game_id) or (moment is not None and moment.tzinfo is None):
            raise ValueError
    except ValueError:
        raise Malformed(
            f"{name} is a next_cursor of this list", code="games/bad_parameter", name=name
        ) from None
    return Cursor(moment, game_id)


def whole_number(request: Request, name: str, default: int, least: int, most: int) -> int:
    """Parse a whole number from `least` to `most` in the query string; `default` if it is absent. Raises
    Malformed `games/bad_parameter`.
    """
    text = request.query_params.get(name, "")
    if not text:
        return default
    sign = text[1:] if text.startswith("-") else text
    if not (sign.isascii() and sign.isdecimal() and len(sign) <= 10 and least <= int(text) <= most):
        raise Malformed(
            f"{name} is a whole number from {least} to {most}",
            code="games/bad_parameter",
            name=name,
            least=least,
            most=most,
        )
    return int(text)


def _decode(request: Request, kind: type[Body]) -> Body:
    raw = request.data["raw"] if isinstance(request.data, dict) and "raw" in request.data else b""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Malformed(f"the request cannot be read: {error}"[:300]) from None


def one_of(request: Request, name: str, known: list[str]) -> str:
    """Parse a query parameter, "" if it is absent. Raises Malformed `games/bad_parameter` if it is not in
    `known`.
    """
    word = request.query_params.get(name, "")
    if word not in known:
        raise Malformed(
            f"{name} is one of {', '.join(known)}", code="games/bad_parameter", name=name, known=known
        )
    return word
