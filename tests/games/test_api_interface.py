"""Common parts of all addresses of the API: credentials, parameters, pages, refusals, the description."""

import json
from typing import Any, get_type_hints

import jsonschema
import msgspec
import pytest
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.generators import SchemaGenerator

from engine import VARIANTS, Observer, State, evolve, redact_events, snapshot
from engine.queries.snapshot import Snapshot
from games import urls
from games.models import Game
from tests.engine import random_games
from tests.games.cast import person, play, table

pytestmark = pytest.mark.django_db


def addresses(game: Game) -> list[str]:
    return [f"/{str(pattern.pattern).replace('<stream:game_id>', game.id)}" for pattern in urls.urlpatterns]


@pytest.fixture
def game() -> Game:
    return play(table(), 3)


def described() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


@pytest.mark.parametrize("credentials", ["Bearer abc", "Basic YW5uYTpwYXNz", "Token 1", "x"])
def test_credentials_that_are_not_known_are_refused_everywhere(game: Game, credentials: str) -> None:
    wrong = {}
    for address in addresses(game):
        for method in ("get", "post"):
            answer = getattr(Client(), method)(address, headers={"authorization": credentials})
            if (answer.status_code, answer.json()["code"]) != (401, "access/unknown_credentials"):
                wrong[method, address] = answer.content
            assert answer["WWW-Authenticate"] == 'Cookie realm="puur"'
    assert wrong == {}


def test_an_empty_authorization_header_is_none(game: Game) -> None:
    assert Client().get(f"/api/v1/games/{game.id}/", headers={"authorization": " "}).status_code == 200


def test_parameters_that_are_not_known_are_refused_everywhere(game: Game) -> None:
    wrong = {}
    for address in addresses(game):
        for method in ("get", "post"):
            answer = getattr(Client(), method)(f"{address}?observer=referee")
            known = answer.status_code == 405 or answer.json()["code"] == "games/unknown_parameter"
            if not known or answer.status_code not in (400, 405):
                wrong[method, address] = answer.content
    assert wrong == {}


def test_a_parameter_counts_once_and_the_format_is_json(game: Game) -> None:
    twice = Client().get("/api/v1/games/?limit=1&limit=2")
    assert (twice.status_code, twice.json()["code"]) == (400, "games/bad_parameter")
    assert Client().get("/api/v1/games/?format=json").status_code == 200


@pytest.mark.parametrize("path", ["", "v1/nothing/", "v1/games/xyz/", "v2/", "schema/none/"])
def test_an_address_that_is_none_is_told_so_in_json(path: str) -> None:
    for method in ("get", "post", "put"):
        answer = getattr(Client(), method)(f"/api/{path}")
        assert answer.status_code == 404
        assert answer.json() == {"code": "http/not_found", "detail": "there is nothing here", "params": {}}


def test_the_index_names_addresses_that_are_there(game: Game) -> None:
    told = Client().get("/api/v1/").json()
    for name, address in told.items():
        if address.startswith("http"):
            path = address.removeprefix("http://testserver").replace("{game_id}", game.id)
            assert get_resolver().resolve(path), name
    answers = {
        url: Client().get(url.removeprefix("http://testserver")) for url in (told["games"], told["schema"])
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    assert told["socket"] == "ws://testserver/ws/games/{game_id}/"


def cursor_pages(limit: int) -> list[list[str]]:
    pages, cursor = [], ""
    while True:
        told = Client().get(f"/api/v1/games/?limit={limit}&cursor={cursor}").json()
        pages.append([row["id"] for row in told["games"]])
        cursor = told["next_cursor"]
        if cursor is None:
            return pages


def test_pages_by_cursor_hold_every_game_once_in_the_order_of_the_list() -> None:
    games = [play(table(), moves) for moves in (1, 2, 3)] + [table(), table(), table(), table()]
    Game.objects.filter(pk__in=[games[3].pk, games[4].pk]).update(last_event_at=None)
    level = Game.objects.get(pk=games[5].pk).last_event_at
    Game.objects.filter(pk=games[6].pk).update(last_event_at=level)
    whole = [row["id"] for row in Client().get("/api/v1/games/").json()["games"]]

    assert sorted(whole) == sorted(one.pk for one in games)
    for limit in (1, 2, 3, 7):
        pages = cursor_pages(limit)
        assert [row for page in pages for row in page] == whole
        assert {len(page) for page in pages[:-1]} <= {limit}


def test_a_game_that_is_played_between_two_pages_is_on_neither_twice() -> None:
    games = [play(table(), 2) for _ in range(4)]
    first = Client().get("/api/v1/games/?limit=2").json()
    play(Game.objects.get(pk=games[0].pk), 3)  # the last of the list is its first now
    second = Client().get(f"/api/v1/games/?limit=2&cursor={first['next_cursor']}").json()

    rows = [row["id"] for row in (*first["games"], *second["games"])]
    assert len(rows) == len(set(rows))
    assert second["next"] is None


@pytest.mark.parametrize("cursor", ["x", "!!", "e30", "fHh4", "MjAyNi0xMS0yN3x4", "%F0%9F%83%8F"])
def test_a_cursor_that_is_none_is_refused(cursor: str) -> None:
    answer = Client().get(f"/api/v1/games/?cursor={cursor}")
    assert (answer.status_code, answer.json()["code"]) == (400, "games/bad_parameter")


def test_the_description_says_what_a_client_needs() -> None:
    told = described()
    schemas = told["components"]["schemas"]
    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert {"400", "401", "429", "503"} <= set(operation["responses"]), where
            for later in ("429", "503"):
                assert "Retry-After" in operation["responses"][later]["headers"], where
            headers = {each["name"] for each in operation.get("parameters", []) if each["in"] == "header"}
            if method == "get":
                assert {} in operation["security"], where
                assert headers == set(), where
            else:
                assert {"X-CSRFToken"} == headers, where
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "query" and parameter["schema"]["type"] == "integer":
                    assert {"minimum", "maximum"} <= set(parameter["schema"]), where
    for frame in (
        "EventsFrame",
        "AckFrame",
        "ErrorFrame",
        "ResyncFrame",
        "HeartbeatFrame",
        "SinceRequest",
        "AlsoRequest",
    ):
        assert frame in schemas
    assert schemas["TableShown"]["properties"]["snapshot"] == {"$ref": "#/components/schemas/Snapshot"}
    assert "hands" in schemas["Snapshot"]["properties"]


def test_answers_keep_to_the_description() -> None:
    """Also where a game has no winners yet."""
    told = described()
    played = [
        play(table(), 3),
        play(table()),
        table(variant="la-pomme", preset=None, options={}, players=["a" * 32, "b" * 32]),
    ]
    asked = {
        f"/api/v1/games/{one.id}/{part}": f"/api/v1/games/{{game_id}}/{part}"
        for one in played
        for part in ("", "replay/", "events/")
    }
    for address, path in {"/api/v1/games/": "/api/v1/games/", "/api/v1/": "/api/v1/", **asked}.items():
        answer = Client().get(address).json()
        schema = told["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(answer, {**schema, "components": told["components"]})


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_snapshots_of_every_game_are_what_is_described(variant: str) -> None:
    names = set(get_type_hints(Snapshot))
    for seats in VARIANTS[variant].seats:
        log = random_games.log_of(random_games.Game(variant, None, seats), seed=1)
        for observer in (Observer.spectator(), Observer.seat(0), Observer.referee()):
            state = State()
            for at, event in enumerate(redact_events(log, observer)):
                evolve(state, event)
                if at % 7 == 0 or at == len(log) - 1:
                    shown = json.loads(msgspec.json.encode(snapshot(state, observer)))
                    msgspec.convert(shown, Snapshot)
                    assert set(shown) <= names


def test_every_address_answers_head_as_get(game: Game) -> None:
    reader = Client()
    reader.force_login(person("eva"))
    for address in addresses(game):
        found = reader.get(address), reader.head(address)
        assert found[0].status_code == found[1].status_code, address
        assert found[1].content == b""
