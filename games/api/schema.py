"""The interface described: shapes of the answers, and the engine's commands and events, which describe
themselves.
"""

from typing import Any

import msgspec
from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from engine.commands import AnyCommand
from engine.events import AnyEvent
from games.models import Game

REFERENCE = "#/components/schemas/{name}"
COMMAND, EVENT = "AnyCommand", "AnyEvent"


class EngineSchema(AutoSchema):
    """Brings the engine's own descriptions in beside those of the serializers."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> Any:
        shapes, named = msgspec.json.schema_components((AnyCommand, AnyEvent), ref_template=REFERENCE)
        for name, schema in {**named, COMMAND: shapes[0], EVENT: shapes[1]}.items():
            component = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, name)
            registry.register_on_missing(component)
        return super().get_operation(path, path_regex, path_prefix, method, registry)


class SessionPrincipalScheme(OpenApiAuthenticationExtension):
    """A cookie; whatever changes something carries the header X-CSRFToken too."""

    target_class = "games.api.principals.SessionPrincipal"
    name = "cookieAuth"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class GameRow(serializers.ModelSerializer[Game]):
    """A game in a list."""

    class Meta:
        model = Game
        fields = (
            "id", "variant", "preset", "mode", "seat_count", "number", "status", "phase", "deal", "trick",
            "turn_seat", "totals", "winners", "head_seq", "created_at", "last_event_at",
        )  # fmt: skip
        read_only_fields = fields


class GameList(serializers.Serializer[Any]):
    """A page of games, those with the latest event first; `next` is the offset of the next page."""

    games = GameRow(many=True)
    next = serializers.IntegerField(allow_null=True)


class Failure(serializers.Serializer[Any]):
    """Every refusal: a stable code, one English line, figures for a translation."""

    code = serializers.CharField()
    detail = serializers.CharField()
    params = serializers.JSONField()


def reference(name: str) -> dict[str, str]:
    """A pointer to one of the named descriptions."""
    return {"$ref": REFERENCE.format(name=name)}


TURN = {
    "turn": {
        "type": ["object", "null"],
        "properties": {
            "seat": {"type": ["integer", "null"]},
            "phase": {"type": "string"},
            "commands": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["seat", "phase", "commands"],
    },
    "legal": {
        "type": "string",
        "pattern": "^[01]{36}$",
        "description": "One character a card in deck order.",
    },
    "why_not": {
        "type": "string",
        "pattern": "^[0-7]{36}$",
        "description": "By card as `legal`, for held cards that may not be played: 1 follow_suit, "
        "2 follow_trump, 3 undertrump, 4 must_trump, 5 barred_suit.",
    },
    "beside": {
        "type": "array",
        "items": {"type": "array", "items": {"type": "string"}},
        "description": "By seat: commands that are open now whoever's turn it is. A seat gets its own.",
    },
    "own_commands": {"type": "array", "items": {"type": "string"}},
    "forms": {
        "type": "array",
        "items": {"type": "array", "items": {"type": "object"}},
        "description": "Of a score sheet: the fields of the next two deals.",
    },
}


def shape(required: list[str], **properties: Any) -> dict[str, Any]:
    """An object with these members."""
    return {"type": "object", "properties": properties, "required": required}


ID = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
COMMAND_ID = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
SEQ = {"type": "integer", "minimum": -1, "maximum": 2**31 - 1}
EVENTS = {"type": "array", "items": reference(EVENT)}
SNAPSHOT = {"type": "object", "additionalProperties": True}
DETAIL = shape(
    ["game", "observer", "snapshot", "turn", "clock"],
    game=reference("GameRow"),
    observer={"type": "string"},
    snapshot=SNAPSHOT,
    clock={"type": ["object", "null"]},
    **TURN,
)
FRAME = shape(["game", "seq", "events", "turn"], game=ID, seq=SEQ, events=EVENTS, **TURN)
COMMAND_BODY = shape(
    ["command_id", "command"],
    command_id=COMMAND_ID,
    expected_seq={**SEQ, "type": ["integer", "null"]},
    command=reference(COMMAND),
) | {"additionalProperties": False}
ACKNOWLEDGED = shape(["command_id", "seq", "events"], command_id=COMMAND_ID, seq=SEQ, events=EVENTS)
FORM = shape(
    ["deal", "fields"], deal={"type": "integer"}, fields={"type": "array", "items": {"type": "object"}}
)
EVIDENCE = {"type": "object", "additionalProperties": True}
PREVIEW = shape(["events"], events=EVENTS)
TOKEN_BODY = shape(["token"], token={"type": "string", "maxLength": 128}) | {"additionalProperties": False}
OPENED = shape(
    ["game", "role", "seat", "csrf_token"],
    game=ID,
    role={"type": "string", "enum": ["seat", "scorer"]},
    seat={"type": ["integer", "null"]},
    csrf_token={"type": "string"},
)
REPLAYED = shape(
    ["game", "seq", "observer", "snapshot"], game=ID, seq=SEQ, observer={"type": "string"}, snapshot=SNAPSHOT
)


def answers(success: dict[int, Any], *refusals: int) -> dict[Any, Any]:
    """Responses by status: shapes for what goes well, `Failure` for the refusals."""
    good = {(status, "application/json"): body for status, body in success.items()}
    return {**good, **dict.fromkeys(refusals, OpenApiResponse(Failure))}


def query(name: str, description: str, kind: type[int] | type[str] = int, **more: Any) -> OpenApiParameter:
    """A parameter of the query string."""
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=description, **more)


GAME_ID = OpenApiParameter("game_id", str, OpenApiParameter.PATH, pattern="^[0-9a-f]{32}$")
