"""The interface described, from the types of what is asked and answered: `games.api.shapes`, the engine's
commands and events, the bodies of requests.
"""

import json
from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from engine.commands import AnyCommand
from engine.events import AnyEvent
from engine.transcripts.evidence import Evidence
from games.api.requests import CommandRequest, TokenRequest
from games.api.shapes import (
    Acknowledged,
    Failure,
    Following,
    Foreseen,
    Opened,
    Replayed,
    SheetForm,
    TableShown,
)
from games.models import Game

REFERENCE = "#/components/schemas/{name}"
COMMAND, EVENT = "AnyCommand", "AnyEvent"
ANSWERS = (Failure, TableShown, Following, Replayed, Acknowledged, Foreseen, SheetForm, Opened, Evidence)
BODIES = (CommandRequest, TokenRequest)


@cache
def described_types() -> dict[str, Any]:
    """Every type by its name, as JSON Schema, whose patterns are those of JavaScript."""
    shapes, named = msgspec.json.schema_components(
        (AnyCommand, AnyEvent, *ANSWERS, *BODIES), ref_template=REFERENCE
    )
    known = {**named, COMMAND: shapes[0], EVENT: shapes[1]}
    found: dict[str, Any] = json.loads(json.dumps(known).replace(r"\\A", "^").replace(r"\\Z", "$"))
    return found


class TypedSchema(AutoSchema):
    """Describes what is asked and answered by its types, beside the one serializer."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> Any:
        for name, schema in described_types().items():
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


def answers(success: dict[int, type], *refusals: int) -> dict[Any, Any]:
    """Responses by status: types for what goes well, `Failure` for the refusals."""
    said = success | dict.fromkeys(refusals, Failure)
    return {(status, "application/json"): reference(kind) for status, kind in said.items()}


def reference(kind: type) -> dict[str, str]:
    """Where a type is described."""
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def query(name: str, description: str, kind: type[int] | type[str] = int, **more: Any) -> OpenApiParameter:
    """A parameter of the query string."""
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=description, **more)


GAME_ID = OpenApiParameter("game_id", str, OpenApiParameter.PATH, pattern="^[0-9a-f]{32}$")
