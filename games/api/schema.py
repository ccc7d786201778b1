"""OpenAPI schema, generated from the types of requests, responses and frames of sockets."""

import json
from functools import cache
from typing import Any, Final

import msgspec
from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from engine.commands import AnyCommand
from engine.events import AnyEvent
from engine.evidence import Evidence
from games.api.requests import TokenRequest
from games.api.shapes import (
    Acknowledged,
    Failure,
    Following,
    Foreseen,
    Index,
    Offered,
    Opened,
    Replayed,
    SheetForm,
    TableShown,
)
from games.live.client_frames import AlsoRequest, SinceRequest
from games.models import Game
from games.observed.frames import AckFrame, ErrorFrame, EventsFrame, HeartbeatFrame, ResyncFrame
from games.play.command_request import CommandRequest

REFERENCE = "#/components/schemas/{name}"
COMMAND, EVENT = "AnyCommand", "AnyEvent"
ANSWERS = (
    Failure, Index, TableShown, Following, Offered, Replayed, Acknowledged, Foreseen, SheetForm, Opened,
    Evidence,
)  # fmt: skip
BODIES = (CommandRequest, TokenRequest)
FRAMES = (EventsFrame, AckFrame, ErrorFrame, ResyncFrame, HeartbeatFrame)
"""Frames that the socket sends; it accepts CommandRequest, SinceRequest and AlsoRequest."""
ASKED_ON_SOCKET = (SinceRequest, AlsoRequest)
ANY_TIME: Final = {
    400: "The request cannot be read: `games/malformed`, `games/bad_parameter`, `games/unknown_parameter`.",
    401: "An Authorization header: `access/unknown_credentials`. The session's cookie is what is accepted.",
    429: "Too many requests: `http/throttled`. Come again after Retry-After.",
    503: "Too much is going on, or the disk is full: `http/try_again`, `live/try_again`, "
    "`games/disk_full`. Nothing has changed; come again after Retry-After.",
}
"""Descriptions of the error responses that every operation has, by HTTP status."""
LATER: Final = (429, 503)
RETRY_AFTER: Final = {
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}}
}


@cache
def described_types() -> dict[str, Any]:
    """Return the JSON Schema of every type by the type's name. Patterns use the syntax of JavaScript."""
    shapes, named = msgspec.json.schema_components(
        (AnyCommand, AnyEvent, *ANSWERS, *BODIES, *FRAMES, *ASKED_ON_SOCKET), ref_template=REFERENCE
    )
    known = {**named, COMMAND: shapes[0], EVENT: shapes[1]}
    found: dict[str, Any] = json.loads(json.dumps(known).replace(r"\\A", "^").replace(r"\\Z", "$"))
    return found


class TypedSchema(AutoSchema):
    """Schema of operations, with the components of `described_types` and the responses of ANY_TIME."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> Any:
        for name, schema in described_types().items():
            component = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, name)
            registry.register_on_missing(component)
        described = super().get_operation(path, path_regex, path_prefix, method, registry)
        operation: dict[str, Any] = described or {"responses": {}}
        for status, description in ANY_TIME.items():
            told = operation["responses"].setdefault(str(status), {})
            told.setdefault("content", {"application/json": {"schema": reference(Failure)}})
            told["description"] = description
            if status in LATER:
                told["headers"] = RETRY_AFTER
        return operation

    def get_auth(self) -> list[dict[str, Any]]:
        """Return the security of an operation. An operation that only reads needs no cookie, but shows more
        with one. The operation that exchanges a table token for a session needs no cookie.
        """
        with_cookie: list[dict[str, Any]] = super().get_auth()
        needs_none = self.method in SAFE_METHODS or getattr(self.view, "opens_session", False)
        return [{}, *with_cookie] if needs_none else with_cookie


class SessionPrincipalScheme(OpenApiAuthenticationExtension):
    """The session cookie, for the OpenAPI schema. Requests that change something carry the header
    X-CSRFToken too.
    """

    target_class = "games.api.principals.SessionPrincipal"
    name = "cookieAuth"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class GameRow(serializers.ModelSerializer[Game]):
    """A game in a list or in its detail."""

    totals = serializers.ListField(child=serializers.IntegerField(allow_null=True), read_only=True)
    winners = serializers.ListField(child=serializers.IntegerField(), allow_null=True, read_only=True)

    class Meta:
        model = Game
        fields = (
            "id", "variant", "preset", "mode", "seat_count", "number", "status", "phase", "deal", "trick",
            "turn_seat", "totals", "winners", "head_seq", "created_at", "last_event_at",
        )  # fmt: skip
        read_only_fields = fields


class GameList(serializers.Serializer[Any]):
    """A page of games, those with the latest event first. `next_cursor`: the `cursor` of the next page.
    `next`: the offset of the next page; null if this one was requested by cursor. Both are null on the last
    page.
    """

    games = GameRow(many=True)
    next = serializers.IntegerField(allow_null=True)
    next_cursor = serializers.CharField(allow_null=True)


def answers(success: dict[int, type], *refusals: int) -> dict[Any, Any]:
    """Return the schemas of responses by status and media type: the types in `success`, and `Failure` for
    each status in `refusals`.
    """
    said = success | dict.fromkeys(refusals, Failure)
    return {(status, "application/json"): reference(kind) for status, kind in said.items()}


def reference(kind: type) -> dict[str, str]:
    """Return a JSON reference to the description of a type."""
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def query(name: str, description: str, kind: type[int] | type[str] = int, **more: Any) -> OpenApiParameter:
    """Return the OpenAPI description of a parameter of the query string."""
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=description, **more)


def int_parameter(
    name: str, description: str, least: int, most: int, default: int | None = None, **more: Any
) -> OpenApiParameter:
    """Return the OpenAPI description of a query parameter that is a whole number from `least` to `most`."""
    kind = {"type": "integer", "minimum": least, "maximum": most}
    kind |= {} if default is None else {"default": default}
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=description, **more)


def csrf(*, required: bool) -> OpenApiParameter:
    """Return the OpenAPI description of the CSRF header of requests that change something."""
    return OpenApiParameter(
        "X-CSRFToken",
        str,
        OpenApiParameter.HEADER,
        required=required,
        description="The `csrf_token` of `table-session`, or the cookie `csrftoken` (on https "
        "`__Host-csrftoken`). Needed with a session.",
    )


GAME_ID = OpenApiParameter("game_id", str, OpenApiParameter.PATH, pattern="^[0-9a-f]{32}$")
