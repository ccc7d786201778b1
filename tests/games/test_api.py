"""Games over HTTP: responses and refusals, and refusals change nothing."""

import json
from typing import Any, get_type_hints

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from engine import cards, legal_cards
from engine.evidence import Evidence
from games import game_state, store
from games.api import failures, shapes
from games.models import Game, User
from tests.games.cast import BEAT, next_command, on_turn, person, play, seated, table, table_code, turn_of

pytestmark = [pytest.mark.both, pytest.mark.django_db]


JSON = "application/json"


def signed_in(user: User | None = None, **more: Any) -> Client:
    client = Client(**more)
    if user is not None:
        client.force_login(user)
    return client


def post(client: Client, game: Game | str, body: object, **more: Any) -> Any:
    url = f"/api/v1/games/{game if isinstance(game, str) else game.id}/commands/"
    raw = body if isinstance(body, bytes) else json.dumps(body)
    return client.post(url, raw, content_type=more.pop("content_type", "application/json"), **more)


def move(game: Game) -> dict[str, Any]:
    command = next_command(game)
    return {"cmd": command.__struct_config__.tag} | {
        name: value for name in command.__struct_fields__ if (value := getattr(command, name)) is not None
    }


@pytest.fixture
def game() -> Game:
    return play(table(), 3)


@pytest.fixture
def player(game: Game) -> Client:
    """Whoever's turn it is."""
    return signed_in(on_turn(game))


def test_a_command_is_stored_and_acknowledged(game: Game, player: Client) -> None:
    seat, command = game.turn_seat, move(game)
    answer = post(player, game, {"command_id": "c-1", "command": command, "expected_seq": game.head_seq})
    assert answer.status_code == 201
    body = answer.json()
    assert (body["command_id"], body["seq"]) == ("c-1", store.read_head(game.id).seq)
    assert body["events"][0] == {
        "seq": game.head_seq + 1, "type": "card_played", "seat": seat, "card": command["card"],
    }  # fmt: skip


def test_the_same_command_again_is_answered_the_same_with_200(game: Game, player: Client) -> None:
    body = {"command_id": "c-1", "command": move(game), "expected_seq": game.head_seq}
    first, again = post(player, game, body), post(player, game, body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()


def test_bad_requests_get_their_code_and_change_nothing(game: Game, player: Client) -> None:
    good = move(game)
    other = signed_in(person("otto"))
    post(player, game, {"command_id": "used", "command": good})
    head = store.read_head(game.id)
    turn = turn_of(Game.objects.get(pk=game.pk))
    illegal = cards.codes((2**36 - 1) & ~legal_cards(game_state.load_snapshot(game.id).state, turn))[0]
    mine = signed_in(seated_again(game, turn))
    now = {"cmd": "play", "seat": turn}
    cases: list[tuple[int, str, Client, object]] = [
        (400, "play/", mine, {"command_id": "c", "command": now | {"card": illegal}}),
        (400, "command/malformed", mine, {"command_id": "c", "command": {"cmd": "fly"}}),
        (400, "command/malformed", mine, {"command_id": "c", "command": now | {"card": "S1"}}),
        (400, "games/malformed", mine, b'{"command_id": "c", "command": {'),
        (400, "games/malformed", mine, b"\xff\xfe{}"),
        (400, "games/malformed", mine, b""),
        (400, "games/malformed", mine, b"[" * 3000),
        (400, "games/malformed", mine, b'{"command_id": NaN}'),
        (400, "games/malformed", mine, {"command": move(game)}),
        (400, "games/malformed", mine, {"command_id": "has space", "command": {}}),
        (400, "games/malformed", mine, {"command_id": "x" * 65, "command": {}}),
        (400, "games/malformed", mine, {"command_id": "line\n", "command": {}}),
        (400, "games/malformed", mine, {"command_id": "c", "command": {}, "expected_seq": -2}),
        (400, "games/malformed", mine, {"command_id": "c", "command": {}, "as": "referee"}),
        (413, "games/too_large", mine, {"command_id": "c", "command": {"cmd": "x" * 5000}}),
        (409, "games/stale_seq", mine, {"command_id": "c", "command": move(game), "expected_seq": 0}),
        (409, "games/command_id_reused", mine, {"command_id": "used", "command": move(game)}),
        (
            403,
            "access/not_your_seat",
            mine,
            {"command_id": "c", "command": now | {"seat": 1 - turn % 2, "card": "S6"}},
        ),
        (403, "access/no_role", other, {"command_id": "c", "command": move(game)}),
        (403, "access/no_role", Client(), {"command_id": "c", "command": move(game)}),
        (403, "access/wrong_role", mine, {"command_id": "c", "command": {"cmd": "close", "reason": "x"}}),
        (403, "access/server_only", mine, {"command_id": "c", "command": {"cmd": "deal"}}),
    ]
    for status, code, client, body in cases:
        answer = post(client, game, body)
        found = answer.json()
        assert (answer.status_code, found["code"][: len(code)]) == (status, code), (body, found)
        assert set(found) == {"code", "detail", "params"}
        assert store.read_head(game.id) == head


def seated_again(game: Game, seat: int) -> User:
    return game.accesses.get(role="seat", seat=seat).user


def test_a_game_that_is_not_there_and_one_that_is_not_for_you_are_the_same(game: Game) -> None:
    private = table(visibility="private")
    answers = [
        getattr(Client(), method)(f"/api/v1/games/{identity}/{rest}", *arguments)
        for identity in ("f" * 32, private.id)
        for method, rest, *arguments in [
            ("get", ""), ("get", "events/"), ("get", "replay/"),
            ("post", "commands/", json.dumps({"command_id": "c", "command": {}}), "application/json"),
        ]
    ]  # fmt: skip
    assert {answer.status_code for answer in answers} == {404}
    assert {answer.json()["code"] for answer in answers} == {"games/unknown_game"}
    assert Client().get("/api/v1/games/not-an-id/").status_code == 404


def test_other_media_and_methods_are_refused_in_the_same_form(game: Game, player: Client) -> None:
    answer = post(player, game, b"<xml/>", content_type="application/xml")
    assert (answer.status_code, answer.json()["code"]) == (415, "http/unsupported_media_type")
    answer = player.delete(f"/api/v1/games/{game.id}/")
    assert (answer.status_code, answer.json()["code"]) == (405, "http/method_not_allowed")


def test_another_site_cannot_make_a_player_move(game: Game) -> None:
    """Cookies come along with a foreign form; the token in the header does not."""
    user = on_turn(game)
    client = signed_in(user, enforce_csrf_checks=True)
    answer = post(client, game, {"command_id": "c", "command": move(game)})
    assert (answer.status_code, answer.json()["code"]) == (403, "http/permission_denied")
    assert store.read_head(game.id).seq == game.head_seq


def test_a_phone_with_a_slip_plays_its_seat_and_is_protected_like_a_person(game: Game) -> None:
    token = table_code(game, "seat", game.turn_seat)
    phone = Client(enforce_csrf_checks=True)
    opened = phone.post("/api/v1/table-session/", {"token": token}, content_type="application/json")
    assert opened.status_code == 201
    body = opened.json()
    assert (body["game"], body["role"], body["seat"]) == (game.id, "seat", game.turn_seat)
    sent = {"command_id": "c", "command": move(game)}
    assert post(phone, game, sent).status_code == 403
    assert post(phone, game, sent, headers={"X-CSRFToken": body["csrf_token"]}).status_code == 201
    again = Client().post("/api/v1/table-session/", {"token": token}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (403, "access/bad_token")
    bad = Client().post("/api/v1/table-session/", {"token": 7}, content_type="application/json")
    assert (bad.status_code, bad.json()["code"]) == (400, "games/malformed")


# --- reading


def hands(events: list[dict[str, Any]]) -> list[list[str] | None]:
    return [event["cards"] for event in events if event["type"] in ("hand_dealt", "hand_taken_up")]


def test_events_come_as_the_caller_may_see_them(game: Game) -> None:
    people = seated(game)
    gabi = signed_in(person("gabi", game, "referee", opened_deal=1))
    everything = gabi.get(f"/api/v1/games/{game.id}/events/").json()
    assert everything["seq"] == game.head_seq
    assert all(hands(everything["events"]))
    spectator = Client().get(f"/api/v1/games/{game.id}/events/").json()
    assert not any(hands(spectator["events"]))
    assert "legal" not in spectator
    for seat, user in enumerate(people):
        seen = signed_in(user).get(f"/api/v1/games/{game.id}/events/").json()
        open_to = {event["seat"] for event in seen["events"] if event.get("cards")}
        assert open_to == {seat}
        assert [event["seq"] for event in seen["events"]] == list(range(game.head_seq + 1))
        mine = seat == game.turn_seat
        assert ("1" in seen["legal"], bool(seen["own_commands"])) == (mine, mine)
        assert len(seen["legal"]) == 36


def test_reading_on_begins_after_the_last_seq_held(game: Game) -> None:
    url = reverse("api_game_events", args=[game.id])
    assert Client().get(f"{url}?since=3").json()["events"][0]["seq"] == 4
    assert Client().get(f"{url}?since={game.head_seq}").json()["events"] == []
    assert Client().get(f"{url}?since=2000000000").json()["events"] == []
    assert len(Client().get(f"{url}?since=-1").json()["events"]) == game.head_seq + 1


@pytest.mark.parametrize(
    "query",
    ["events/?since=x", "events/?since=-2", "events/?since=99999999999", "replay/?at=-5", "replay/?at=1.5"],
)
def test_a_bad_parameter_is_named(game: Game, query: str) -> None:
    answer = Client().get(f"/api/v1/games/{game.id}/{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "games/bad_parameter")
    assert answer.json()["params"]["name"] in query


def test_the_detail_shows_the_table_and_the_turn(game: Game, player: Client) -> None:
    body = player.get(f"/api/v1/games/{game.id}/").json()
    assert (body["game"]["id"], body["game"]["status"], body["observer"]) == (
        game.id,
        "running",
        f"seat:{game.turn_seat}",
    )
    assert body["turn"] == {"seat": game.turn_seat, "phase": "trick_play", "commands": body["own_commands"]}
    seen = [hand["cards"] is not None for hand in body["snapshot"]["hands"]]
    assert seen == [seat == game.turn_seat for seat in range(4)]
    assert cards.codes(int(body["legal"][::-1], 2)) == body["snapshot"]["legal"]
    assert body["snapshot"]["seq"] == game.head_seq
    assert body["clock"] is None


def test_the_clock_of_a_turn_is_shown() -> None:
    game = table(turn_seconds=30)
    clock = Client().get(f"/api/v1/games/{game.id}/").json()["clock"]
    assert game.last_event_at is not None
    assert (clock["seat"], clock["due_at"][:4]) == (game.turn_seat, game.last_event_at.isoformat()[:4])
    ended = play(table(turn_seconds=30))
    assert Client().get(f"/api/v1/games/{ended.id}/").json()["clock"] is None


def test_a_moment_is_shown_as_the_caller_may_see_it_now(game: Game) -> None:
    gabi = signed_in(person("gabi", game, "referee", opened_deal=1))
    url = f"/api/v1/games/{game.id}/replay/"
    moment = gabi.get(f"{url}?at={game.head_seq - 1}").json()
    assert (moment["seq"], moment["snapshot"]["seq"]) == (game.head_seq - 1, game.head_seq - 1)
    assert moment["snapshot"]["legal"]
    assert gabi.get(url).json()["seq"] == game.head_seq
    closed = Client().get(f"{url}?at={game.head_seq - 1}").json()["snapshot"]
    assert closed["legal"] is None
    assert [hand["cards"] for hand in closed["hands"]] == [None] * 4
    beyond = gabi.get(f"{url}?at={game.head_seq + 1}")
    assert (beyond.status_code, beyond.json()["code"]) == (400, "games/no_such_seq")


def test_hands_of_a_finished_deal_are_open_where_the_organiser_says_so() -> None:
    game = play(table(deals=2, visibility="after_deal"), 40)
    events = Client().get(f"/api/v1/games/{game.id}/events/").json()["events"]
    deal = 0
    opened: dict[int, set[bool]] = {}
    for event in events:
        deal = event["deal"] if event["type"] == "deal_started" else deal
        if event["type"] == "hand_dealt":
            opened.setdefault(deal, set()).add(event["cards"] is not None)
    assert opened == {1: {True}, 2: {False}}


def test_the_list_has_pages_and_only_what_one_may_see() -> None:
    games = [table() for _ in range(3)]
    private = table(visibility="private")
    body = Client().get("/api/v1/games/?limit=2").json()
    assert (len(body["games"]), body["next"]) == (2, 2)
    rest = Client().get("/api/v1/games/?limit=2&offset=2").json()
    assert (len(rest["games"]), rest["next"]) == (1, None)
    assert {row["id"] for row in body["games"] + rest["games"]} == {game.id for game in games}
    mine = signed_in(person("eva", private, "spectator")).get("/api/v1/games/?status=running").json()
    assert private.id in {row["id"] for row in mine["games"]}
    assert Client().get("/api/v1/games/?status=ended").json()["games"] == []
    bad = Client().get("/api/v1/games/?status=lost")
    assert (bad.status_code, bad.json()["code"]) == (400, "games/bad_parameter")


def test_the_list_costs_the_same_for_many_games(django_assert_max_num_queries: Any) -> None:
    for _ in range(5):
        table()
    with django_assert_max_num_queries(1):
        Client().get("/api/v1/games/")


def test_nothing_is_kept_by_caches(game: Game) -> None:
    for rest in ("", "events/", "replay/"):
        answer = Client().get(f"/api/v1/games/{game.id}/{rest}")
        assert answer["Cache-Control"] == "private, no-store"
        assert "ETag" not in answer.headers


def test_a_throttled_caller_is_told_when_to_come_back() -> None:
    from rest_framework.exceptions import Throttled

    answer = failures.handle(Throttled(wait=2.4), {})
    assert answer is not None
    assert (answer.status_code, answer.data["code"], answer.headers["Retry-After"]) == (
        429,
        "http/throttled",
        "3",
    )


def test_what_should_not_happen_is_an_alarm_and_no_answer() -> None:
    from django.http import Http404

    assert failures.handle(store.AlteredLog("f" * 32, 3, "changed"), {}) is None
    missing = failures.handle(Http404(), {})
    assert missing is not None
    assert (missing.status_code, missing.data["code"]) == (404, "http/not_found")


def test_the_interface_describes_itself_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    from drf_spectacular.drainage import GENERATOR_STATS
    from drf_spectacular.generators import SchemaGenerator
    from drf_spectacular.validation import validate_schema

    GENERATOR_STATS.reset()
    schema = SchemaGenerator().get_schema(request=None, public=True)
    validate_schema(schema)
    assert not GENERATOR_STATS
    assert "/api/v1/games/{game_id}/commands/" in schema["paths"]
    assert schema["components"]["schemas"]["Play"]["required"] == ["cmd", "seat", "card"]


def test_what_is_answered_is_what_is_described(game: Game, player: Client) -> None:
    sheet = table(variant="plus-minus", preset=None, options={}, mode="sheet")
    scorer = signed_in(person("eva", sheet, "scorer"))
    said = [
        (player.get(f"/api/v1/games/{game.id}/"), shapes.TableShown),
        (player.get(f"/api/v1/games/{game.id}/events/"), shapes.Following),
        (player.get(f"/api/v1/games/{game.id}/replay/?at=3"), shapes.Replayed),
        (player.get(f"/api/v1/games/{game.id}/evidence/"), Evidence),
        (scorer.get(f"/api/v1/games/{sheet.id}/"), shapes.TableShown),
        (scorer.get(f"/api/v1/games/{sheet.id}/sheet/"), shapes.SheetForm),
        (post(player, game, {"command_id": "described", "command": move(game)}), shapes.Acknowledged),
        (player.get(f"/api/v1/games/{'f' * 32}/"), shapes.Failure),
    ]
    for answer, kind in said:
        msgspec.json.decode(answer.content, type=kind)
        assert answer.json().keys() <= get_type_hints(kind).keys()


def test_the_seat_of_somebody_else_is_not_opened_by_naming_it(game: Game) -> None:
    eva = signed_in(person("eva"))
    asked = eva.get(f"/api/v1/games/{game.id}/?observer=referee&seat=2")
    assert (asked.status_code, asked.json()["code"]) == (400, "games/unknown_parameter")
    body = eva.get(f"/api/v1/games/{game.id}/").json()
    assert body["observer"] == "spectator"
    assert BEAT not in json.dumps(body)


def written(game: Game, **fields: Any) -> dict[str, Any]:
    command = {"cmd": "enter_result", "deal": 1, **fields}
    return {"command_id": "try", "command": command}


def test_a_sheet_says_its_fields_and_what_a_result_would_count_without_storing_it() -> None:
    game = table(variant="plus-minus", preset=None, options={}, mode="sheet")
    scorer = signed_in(person("eva", game, "scorer"))
    address = f"/api/v1/games/{game.id}/sheet/"

    [field] = [f for f in scorer.get(address).json()["fields"] if f["name"] == "card_points"]
    assert (field["per"], field["sum_least"], field["sum_most"]) == ("side", 157, 157)
    tried = scorer.post(address, written(game, card_points=[60, 40, 40, 17]), content_type=JSON).json()
    assert tried["events"][0]["scores"] == [1, 0, 0, 1]
    wrong = scorer.post(address, written(game, card_points=[60, 40, 40, 18]), content_type=JSON)
    assert (wrong.status_code, wrong.json()["code"]) == (400, "sheet/wrong_sum")
    game.refresh_from_db()
    assert game.head_seq == 0
    frame = scorer.get(f"/api/v1/games/{game.id}/events/").json()
    assert [[f["name"] for f in form] for form in frame["forms"]] == [["card_points"], ["card_points"]]


def test_nothing_is_tried_where_cards_are_hidden_nor_by_who_may_not_write() -> None:
    game = table(mode="sheet")
    body = written(game, card_points=[100, 57])
    assert Client().post(f"/api/v1/games/{game.id}/sheet/", body, content_type=JSON).status_code == 403
    dealt = table()
    people = seated(dealt)
    anna = signed_in(people[0])
    exchange = {"command_id": "try", "command": {"cmd": "play", "seat": 0, "card": "S6"}}
    for sent in (exchange, written(dealt, seat=0, card_points=[100, 57])):
        refused = anna.post(f"/api/v1/games/{dealt.id}/sheet/", sent, content_type=JSON)
        assert (refused.status_code, refused.json()["code"]) == (400, "games/no_preview")


def test_what_a_record_proves_is_told_as_far_as_one_may_see_it() -> None:
    game = play(table(deals=1), 8)
    address = f"/api/v1/games/{game.id}/evidence/"
    referee = signed_in(person("gabi", game, "referee", opened_deal=1)).get(address).json()
    assert [hand["unknown"] for hand in referee["hands"]] == [0] * 4
    eva = Client().get(address).json()
    assert all(hand["unknown"] > 0 for hand in eva["hands"])
    assert eva["contradictions"] == []
    missing = Client().get(f"{address}?deal=7")
    assert (missing.status_code, missing.json()["code"]) == (400, "evidence/no_such_deal")
