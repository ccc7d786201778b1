"""Any request to the HTTP interface, described or not, gets a clear response, never a 5xx.

A refusal has its code and changes nothing. PUUR_EFFORT=50 sends that many times as many requests.
"""

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
import requests
import schemathesis
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.schemas import OpenApiSchema

from games import store
from games.models import Game
from tests.client_responses import Answer
from tests.engine.random_games import EFFORT
from tests.games.cast import on_turn, play, table

REFUSALS = {400, 403, 404, 405, 409, 413, 415}


@pytest.fixture
def described() -> OpenApiSchema:
    found: OpenApiSchema = schemathesis.openapi.from_dict(
        SchemaGenerator().get_schema(request=None, public=True)
    )
    return found


@pytest.fixture
def game(db: None) -> Game:
    return play(table(), 3)


@pytest.fixture
def player(game: Game) -> Client:
    """Whoever's turn it is; what the server does not expect is raised here."""
    made = Client()
    made.force_login(on_turn(game))
    return made


def send(client: Client, case: "schemathesis.Case[Any]") -> Answer:
    """The bytes that would go over the wire."""
    sent = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    headers = {
        name: value if isinstance(value, str) else value.decode() for name, value in sent.headers.items()
    }
    kind = headers.pop("Content-Type", "application/octet-stream")
    return client.generic(
        sent.method or "", sent.path_url, sent.body or b"", content_type=kind, headers=headers
    )


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode), ids=["as described", "not as described"])
@pytest.mark.django_db
def test_no_request_brings_the_server_down(
    mode: GenerationMode, described: OpenApiSchema, game: Game, player: Client
) -> None:
    answered: Counter[int] = Counter()

    def answers(case: "schemathesis.Case[Any]") -> None:
        if "game_id" in (case.path_parameters or {}):
            case.path_parameters["game_id"] = game.pk
        before = store.read_head(game.pk)
        answer = send(player, case)
        answered[answer.status_code] += 1
        assert answer.status_code in {200, 201} | REFUSALS, answer.content
        if answer.status_code in REFUSALS:
            assert store.read_head(game.pk) == before
            told = answer.json()
            assert set(told) == {"code", "detail", "params"}
            assert "/" in told["code"]

    for found in described.get_all_operations():
        assert isinstance(found, Ok)
        cases = found.ok().as_strategy(generation_mode=mode)
        fuzzed = settings(max_examples=20 * EFFORT, deadline=None, suppress_health_check=list(HealthCheck))
        with suppress(Unsatisfiable):  # an operation without parameters and body: nothing can be wrong
            fuzzed(given(cases)(answers))()
    assert answered[200] > 0
    assert sum(answered[status] for status in REFUSALS) > 0
