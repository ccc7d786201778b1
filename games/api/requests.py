"""Reading requests: bounded, typed, refused with a code."""

from collections.abc import Mapping
from typing import IO, Annotated, Any, TypeVar

import msgspec
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from games.errors import Malformed, TooLarge

MAX_BYTES = 4096
LARGEST_SEQ = 2**31 - 1
A_COMMAND = {"$ref": "#/components/schemas/AnyCommand"}
Body = TypeVar("Body")


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with the id its sender gave it, and the end of the game as he knew it."""

    command_id: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
    command: Annotated[
        msgspec.Raw, msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/AnyCommand"})
    ]
    expected_seq: Annotated[int, msgspec.Meta(ge=-1, le=LARGEST_SEQ)] | None = None


class TokenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a slip or poster."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]


class BoundedJson(BaseParser):
    """The bytes of a JSON body, at most 4 KiB of them; decoded where its type is known."""

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
    """The body of a command's request. Raises Malformed, TooLarge."""
    return _decode(request, CommandRequest)


def token_request(request: Request) -> TokenRequest:
    """The body of a token's exchange. Raises Malformed, TooLarge."""
    return _decode(request, TokenRequest)


def whole_number(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A number of the query string. Raises Malformed `games/bad_parameter`."""
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
    """A word of the query string. Raises Malformed `games/bad_parameter`."""
    word = request.query_params.get(name, "")
    if word not in known:
        raise Malformed(
            f"{name} is one of {', '.join(known)}", code="games/bad_parameter", name=name, known=known
        )
    return word
