"""Live tables over real sockets: a separate web process, on SQLite and on PostgreSQL."""

import json
from typing import Any

import pytest
from django.conf import settings

from engine import Observer, cards, encode, legal_cards, redact_events
from games import game_state, store
from games.models import Access, Game, TableToken, User
from games.rights import tokens
from games.rights.sessions import SessionStore
from tests.games.cast import next_command, person, play, seated, table, table_code, turn_of
from tests.games.live_server import WebProcess

pytestmark = pytest.mark.both

HANDS = ("hand_dealt", "hand_taken_up")


@pytest.fixture
def game(web: WebProcess) -> Game:
    return play(table(), 3)


def command(game: Game) -> dict[str, Any]:
    """The next legal command as JSON."""
    return dict(json.loads(encode(next_command(game))))


def submit_one(game: Game) -> int:
    """One more move from elsewhere; the head after it."""
    play(game, 1)
    return game_state.load_snapshot(game.id).head.seq


@pytest.mark.slow
def test_the_first_frame_brings_everything(web: WebProcess, game: Game) -> None:
    with web.connect(game) as eva:
        frame = eva.frame()
    assert list(frame)[:5] == ["kind", "game", "seq", "events", "turn"]
    assert (frame["kind"], frame["game"], frame["seq"]) == ("events", game.id, game.head_seq)
    assert [event["seq"] for event in frame["events"]] == list(range(game.head_seq + 1))
    assert frame["turn"] == {"seat": game.turn_seat, "phase": game.phase, "commands": ["play"]}


def test_the_first_frame_goes_on_from_since(web: WebProcess, game: Game) -> None:
    with web.connect(game, query=f"?since={game.head_seq - 2}") as eva:
        assert [event["seq"] for event in eva.frame()["events"]] == [game.head_seq - 1, game.head_seq]
    with web.connect(game, query=f"?since={game.head_seq}") as eva:
        frame = eva.frame()
    assert frame["events"] == []
    assert frame["turn"]["seat"] == game.turn_seat


def test_a_play_from_elsewhere_arrives(web: WebProcess, game: Game) -> None:
    with web.connect(game) as eva:
        eva.frame()
        head = submit_one(game)
        frame = eva.frame("events")
    assert frame["seq"] == head
    assert [event["seq"] for event in frame["events"]] == list(
        range(game.head_seq - len(frame["events"]) + 1, head + 1)
    )


def test_a_whole_game_arrives_in_order_without_gaps(web: WebProcess, game: Game) -> None:
    with web.connect(game) as eva:
        play(game)
        seqs = [event["seq"] for event in eva.until(game.head_seq)]
    assert seqs == list(range(game.head_seq + 1))


def test_a_client_with_a_gap_asks_again_on_the_same_socket(web: WebProcess, game: Game) -> None:
    with web.connect(game) as eva:
        eva.frame()
        eva.say({"since": 1})
        assert [event["seq"] for event in eva.frame()["events"]] == list(range(2, game.head_seq + 1))


def test_a_seq_the_game_never_had_gets_a_resync(web: WebProcess, game: Game) -> None:
    with web.connect(game, query=f"?since={game.head_seq + 5}") as eva:
        assert eva.frame() == {"kind": "resync", "game": game.id, "seq": game.head_seq}


def test_a_seat_sees_its_own_hand_and_a_spectator_none(web: WebProcess, game: Game) -> None:
    anna = seated(game)[0]
    with web.connect(game, anna) as line, web.connect(game) as eva:
        own, others = line.frame(), eva.frame()
    known = {e["seat"]: e["cards"] for e in own["events"] if e["type"] in HANDS and e["cards"]}
    assert list(known) == [0]
    assert len(known[0]) == 9
    assert all(e["cards"] is None for e in others["events"] if e["type"] in HANDS)
    assert "legal" not in others
    carried = {"turn", "legal", "why_not", "beside", "own_commands"}
    assert set(own) == {"kind", "game", "seq", "events"} | carried


def test_whose_turn_it_is_gets_the_legal_cards(web: WebProcess, game: Game) -> None:
    people = seated(game)
    state = game_state.load_snapshot(game.id).state
    legal = cards.codes(legal_cards(state))
    for seat, user in enumerate(people):
        with web.connect(game, user) as line:
            frame = line.frame()
        shown = [card for card, bit in zip(cards.DECK, frame["legal"], strict=True) if bit == "1"]
        assert shown == (legal if seat == game.turn_seat else [])
        assert frame["own_commands"] == (["play"] if seat == game.turn_seat else [])


def test_a_referee_sees_all_hands(web: WebProcess, game: Game) -> None:
    with web.connect(game, person("gabi", game, "referee", opened_deal=1)) as gabi:
        frame = gabi.frame()
    assert all(
        len(e["cards"]) == 9 for e in frame["events"] if e["type"] == "hand_dealt" and not e.get("face_down")
    )


def test_hands_are_opened_after_the_deal_where_the_organiser_says_so(web: WebProcess) -> None:
    game = play(table(deals=2, visibility="after_deal"), 3)
    with web.connect(game) as eva:
        assert not [e for e in eva.frame()["events"] if e["type"] in HANDS and e["cards"]]
    while game.deal == 1:
        play(game, 1)
    with web.connect(game) as eva:
        events = eva.frame()["events"]
    second = next(n for n, e in enumerate(events) if e["type"] == "deal_started" and e["deal"] == 2)
    assert all(e["cards"] for e in events[:second] if e["type"] in HANDS)
    assert not [e for e in events[second:] if e["type"] in HANDS and e["cards"]]


def test_the_length_of_a_private_frame_tells_nothing_of_the_hand(web: WebProcess) -> None:
    """The same seat gets frames of the same length whatever lies in its hand."""
    lengths: dict[str, set[int]] = {}
    for _ in range(12):
        game = play(table(), 2)
        people = dict(zip(("seat 0", "seat 1", "seat 2", "seat 3"), seated(game), strict=True))
        for name, user in [*people.items(), ("gabi", person("gabi", game, "referee", opened_deal=1))]:
            with web.connect(game, user) as line:
                text = line.raw()
            assert len(text) % 512 == 0
            assert text.rstrip(" ").endswith("}")
            pushed = any(event["type"] == "pushed" for event in json.loads(text)["events"])
            lengths.setdefault(f"{name} {pushed}", set()).add(len(text))
    assert all(len(found) == 1 for found in lengths.values()), lengths


def test_what_a_seat_gets_is_exactly_its_view(web: WebProcess, game: Game) -> None:
    people = seated(game)
    play(game, 12)
    for seat, user in enumerate(people):
        with web.connect(game, user) as line:
            text = line.raw()
        seen = [
            json.loads(encode(event))
            for event in redact_events(game_state.load_snapshot(game.id).events, Observer.seat(seat))
        ]
        assert json.loads(text)["events"] == seen


def test_a_command_on_the_socket_is_stored_and_acknowledged(web: WebProcess, game: Game) -> None:
    people = seated(game)
    seat, before = turn_of(game), game.head_seq
    with web.connect(game, people[seat]) as line, web.connect(game) as eva:
        line.frame(), eva.frame()
        line.say({"command_id": "c-1", "expected_seq": before, "command": command(game)})
        answer = line.frame("ack")
        assert (answer["command_id"], answer["seq"]) == ("c-1", store.read_head(game.id).seq)
        assert eva.frame("events")["seq"] == answer["seq"]
        line.say({"command_id": "c-1", "command": command_of(game, before + 1)})
        assert line.frame("ack") == answer
    assert store.read_head(game.id).seq == answer["seq"]


def command_of(game: Game, seq: int) -> dict[str, Any]:
    """The play that an event records."""
    event = json.loads(encode(game_state.load_snapshot(game.id).events[seq]))
    return {"cmd": "play", "seat": event["seat"], "card": event["card"]}


REFUSED: list[tuple[str, Any, str]] = [
    ("broken JSON", "{nonsense", "games/malformed"),
    ("no command", {"command_id": "c-1"}, "games/malformed"),
    ("not an object", "[1,2]", "games/malformed"),
    ("bytes that are no text", b"\xff\xfe", "games/malformed"),
    ("nested too deeply", "[" * 2000, "games/malformed"),
    (
        "a command nobody knows",
        {"command_id": "c-1", "command": {"cmd": "cheat", "seat": 0}},
        "command/malformed",
    ),
    ("oversized", {"command_id": "c-1", "command": {"cmd": "x" * 5000}}, "games/too_large"),
    ("a since that is none", {"since": "first"}, "games/malformed"),
]


@pytest.mark.parametrize(("name", "said", "code"), REFUSED, ids=[name for name, _, _ in REFUSED])
def test_bad_input_gets_a_clear_error_and_changes_nothing(
    web: WebProcess, game: Game, name: str, said: Any, code: str
) -> None:
    with web.connect(game, seated(game)[0]) as line:
        line.frame()
        line.say(said)
        error = line.frame("error")
        line.say({"since": game.head_seq})
        assert line.frame()["seq"] == game.head_seq
    assert error["code"] == code
    assert set(error) == {"kind", "command_id", "code", "detail", "params"}
    if isinstance(said, dict) and "command_id" in said and name != "oversized":
        assert error["command_id"] == "c-1"
    assert store.read_head(game.id).seq == game.head_seq


def refusal(web: WebProcess, game: Game, user: Any, request: dict[str, Any]) -> Any:
    with web.connect(game, user) as line:
        line.frame()
        line.say({"command_id": "c-9", **request})
        return line.frame("error")


def test_commands_that_the_rules_or_rights_refuse(web: WebProcess, game: Game) -> None:
    people = seated(game)
    turn = turn_of(game)
    other = (turn + 1) % 4
    held = game_state.load_snapshot(game.id).state.hands
    own, not_own = cards.codes(held[turn])[0], cards.codes(held[other])[0]
    mine = {"cmd": "play", "seat": turn, "card": own}
    expected: list[tuple[User | None, dict[str, Any], str]] = [
        (people[other], {"command": {**mine, "seat": other}}, "play/not_your_turn"),
        (people[other], {"command": mine}, "access/not_your_seat"),
        (people[turn], {"command": {**mine, "card": not_own}}, "play/not_in_hand"),
        (people[turn], {"command": command(game), "expected_seq": game.head_seq - 1}, "games/stale_seq"),
        (None, {"command": mine}, "access/no_role"),
        (people[turn], {"command": {"cmd": "deal", "deck": None}}, "access/server_only"),
    ]
    for user, request, code in expected:
        error = refusal(web, game, user, request)
        assert (error["code"], error["command_id"]) == (code, "c-9")
    assert store.read_head(game.id).seq == game.head_seq


def test_a_command_id_used_for_something_else_is_refused(web: WebProcess, game: Game) -> None:
    people = seated(game)
    with web.connect(game, people[turn_of(game)]) as line:
        line.frame()
        line.say({"command_id": "c-1", "command": command(game)})
        line.frame("ack")
    game.refresh_from_db()
    error = refusal(web, game, people[turn_of(game)], {"command_id": "c-1", "command": command(game)})
    assert error["code"] == "games/command_id_reused"


def test_a_private_refusal_has_the_length_of_any_other(web: WebProcess, game: Game) -> None:
    people = seated(game)
    with web.connect(game, people[(turn_of(game) + 1) % 4]) as line:
        line.frame()
        for card in ("D6", "H10", "S6"):
            line.say(
                {
                    "command_id": "c-1",
                    "command": {"cmd": "play", "seat": (turn_of(game) + 1) % 4, "card": card},
                }
            )
            assert len(line.raw()) == 1024


def test_no_such_game_and_a_private_one_are_not_told_apart(web: WebProcess, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(visibility="private")
    for asked in (game, "0" * 32):
        with web.connect(asked) as line:
            error = line.frame()
            assert (error["kind"], error["code"]) == ("error", "games/unknown_game")
            assert line.closing_code() == 4404
    with web.connect("not-an-id") as line:
        assert line.closing_code() == 4404


@pytest.mark.parametrize("since", ["x", "-2", "1.5", "9" * 30, "", "1&since=2", "0" * 4400, "-" + "0" * 4400])
def test_a_since_that_is_no_seq_is_refused(web: WebProcess, game: Game, since: str) -> None:
    with web.connect(game, query=f"?since={since}") as line:
        assert line.frame()["code"] == "games/bad_parameter"
        assert line.closing_code() == 4400


@pytest.mark.slow
def test_a_table_token_opens_its_seat(web: WebProcess, game: Game) -> None:
    session = SessionStore()
    session.create()
    tokens.redeem(table_code(game, "seat", 2), session)
    session.save()
    headers = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session.session_key}"}
    with web.connect(game, additional_headers=headers) as line:
        events = line.frame()["events"]
    assert {e["seat"] for e in events if e["type"] in HANDS and e["cards"]} == {2}
    assert TableToken.objects.filter(game=game).count() == 1
    assert not Access.objects.filter(game=game).exists()


def test_credentials_that_are_not_known_are_refused_on_the_socket_too(web: WebProcess, game: Game) -> None:
    with web.connect(game, additional_headers={"Authorization": "Bearer abc"}) as eva:
        refused = eva.frame()
    assert (refused["kind"], refused["code"]) == ("error", "access/unknown_credentials")
