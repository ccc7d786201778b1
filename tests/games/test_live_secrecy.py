"""Two worlds that differ only in a client's secrets give that client the same bytes, frame by frame."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest

from engine import Observer, cards
from engine.events import DealStarted
from games import game_state
from games.models import Game, User
from games.observed import frames
from games.play.submit import submit
from games.randomness import dealing
from games.rights import seats
from tests.games.cast import ANNA, person, play, seated, table
from tests.games.live_server import WebProcess, cookie, phone

MINE = ["D6", "D10", "DJ", "HA", "H7", "S6", "SK", "C8", "CQ"]
REST = [card for card in cards.DECK if card not in MINE]
PLAYS: list[dict[str, Any]] = [
    {"cmd": "choose", "seat": 0, "contract": "diamonds"},
    {"cmd": "play", "seat": 0, "card": "HA"},
]


World = Callable[..., Game]


@pytest.fixture
def world(web: WebProcess, monkeypatch: pytest.MonkeyPatch) -> World:
    """A table where seat 0, forehand by the D10, holds MINE and the others hold what is given, nine each."""

    def dealt(others: list[str], deals: int = 1) -> Game:
        monkeypatch.setattr(dealing, "deck", lambda *_: deck_of(others))
        return table(options={"deals": deals, "first_forehand": "D10"})

    return dealt


def deck_of(others: list[str], first: list[str] = MINE) -> list[str]:
    """Whoever is dealt to first gets `first`, the others what is given."""
    hands = [first, others[:9], others[9:18], others[18:]]
    return [hand[3 * packet + i] for packet in range(3) for hand in hands for i in range(3)]


def frames_of(
    web: WebProcess, game: Game, user: Any, query: str = "", after: User | None = None
) -> list[str]:
    """What one client gets, from the first frame to the last, live; without the name of the game. `after`:
    who has asked for the same just before him."""
    said = []
    with ExitStack() as both:
        ahead = [both.enter_context(web.connect(game, after, query))] if after else []
        for first in ahead:
            first.text()
        line = both.enter_context(web.connect(game, user, query))
        said.append(line.text())
        for number, command in enumerate(PLAYS):
            submit(game.id, command, actor=ANNA, command_id=f"c-{number}")
            said.append(line.text())
            for first in ahead:
                first.text()
        line.say({"command_id": "x", "command": {"cmd": "play", "seat": 0, "card": "D6"}})
        said.append(line.text())
        for first in ahead:
            first.say({"since": -1})
            first.text()
        line.say({"since": -1})
        said.append(line.text())
    return [text.replace(game.id, "GAME") for text in said]


@pytest.mark.long(5)
@pytest.mark.parametrize("who", ["anna", "eva", "nobody", "gabi", "fredi", "hanna"])
def test_the_others_hands_change_no_byte(web: WebProcess, world: World, who: str) -> None:
    """Beat, who knows the own hand, has asked for the same each time before."""
    seen = []
    for others in (REST, REST[::-1], REST[13:] + REST[:13]):
        game = world(others)
        anna, beat, *_ = seated(game)
        people = {
            "anna": anna,
            "eva": person("eva", game, "spectator", tier="after_deal"),
            "gabi": person("gabi", game, "referee"),  # has not opened the hidden cards
            "fredi": person("fredi", game, "director"),
            "hanna": person("hanna", game, "scorer"),
            "nobody": None,
        }
        seen.append(frames_of(web, game, people[who], after=beat))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("taken_over", range(len(PLAYS) + 1))
def test_a_substitute_learns_what_the_seat_knows_and_nothing_else(
    web: WebProcess, world: World, taken_over: int
) -> None:
    """A viewer takes over seat 0 by its code at each moment of the play, and continues."""
    seen = []
    for others in (REST, REST[::-1]):
        game, said = world(others), []
        with web.connect(game) as line:
            said.append(line.text())
            for number in range(taken_over):
                submit(game.id, PLAYS[number], actor=ANNA, command_id=f"c-{number}")
                said.append(line.text("events"))
        assert not any(hands_in(text) for text in said)
        with web.connect(game, additional_headers={"Cookie": phone(game, "seat", 0)}) as line:
            said.append(line.text())
            assert [sorted(hand) for hand in hands_in(said[-1])] == [sorted(MINE)]
            for number in range(taken_over, len(PLAYS)):
                submit(game.id, PLAYS[number], actor=ANNA, command_id=f"c-{number}")
                said.append(line.text("events"))
            line.say({"command_id": "x", "command": {"cmd": "play", "seat": 0, "card": "D6"}})
            said.append(line.text())
            line.say({"since": -1})
            said.append(line.text("events"))
        seen.append([text.replace(game.id, "GAME") for text in said])
    assert seen[0] == seen[1]


def test_a_substitute_in_the_second_deal_learns_of_the_first_what_his_seat_knew(
    web: WebProcess, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both worlds differ in what the others hold in the second deal, in which seat 0 is dealt to last."""
    seen = []
    for others in (REST, REST[::-1]):
        game = world(REST, deals=2)
        second = [*others, *MINE]
        monkeypatch.setattr(dealing, "deck", lambda *_, cards=second: deck_of(cards[9:], cards[:9]))
        play(game, 1 + len(cards.DECK))
        assert game_state.load_snapshot(game.id).state.deal == 2
        with web.connect(game, additional_headers={"Cookie": phone(game, "seat", 0)}) as line:
            said = [line.text()]
            assert [sorted(hand) for hand in hands_in(said[0])] == [sorted(MINE)] * 2
            submit(game.id, PLAYS[0] | {"seat": 1}, actor=ANNA, command_id="second")
            said.append(line.text("events"))
            line.say({"since": -1})
            said.append(line.text("events"))
        seen.append([text.replace(game.id, "GAME") for text in said])
    assert seen[0] == seen[1]


@pytest.mark.long(7)
@pytest.mark.parametrize("left", range(len(PLAYS) + 1))
@pytest.mark.parametrize("sat", ["account, then account", "code, then account", "account, then code"])
def test_who_has_left_his_seat_learns_nothing_more_over_the_socket_he_had(
    web: WebProcess, world: World, monkeypatch: pytest.MonkeyPatch, left: int, sat: str
) -> None:
    """Anna's seat is Heidi's from some moment of the first deal on; both worlds differ in the second."""
    seen = []
    before, _, after = sat.partition(", then ")
    for others in (REST, REST[::-1]):
        game = world(REST, deals=2)
        anna = phone(game, "seat", 0) if before == "code" else cookie(seated(game)[0])
        with web.connect(game, additional_headers={"Cookie": anna}) as line:
            line.frame("events")
            for number in range(left):
                submit(game.id, PLAYS[number], actor=ANNA, command_id=f"c-{number}")
            if after == "code":
                phone(game, "seat", 0)
            else:
                seats.give_to_account({game.id: 0}, ANNA, person("heidi"))
            monkeypatch.setattr(dealing, "deck", lambda *_, others=others: deck_of(others)[::-1])
            play(game)
            assert game_state.load_snapshot(game.id).state.deal == 2
            said = [text for text in line.to_the_end() if '"kind":"events"' in text]
            assert line.closing_code() == 4403
        assert all(json.loads(text)["seq"] < end_of_the_first_deal(game) for text in said)
        seen.append([hands_in(text) for text in said])
        back = frames_again(web, game, anna)
        assert not any(hands_in(text) for text in back), "a spectator now"
    assert [hand for hands in seen[0] + seen[1] for hand in hands] == []


def frames_again(web: WebProcess, game: Game, key: str) -> list[str]:
    """The frames of a returning client."""
    with web.connect(game, additional_headers={"Cookie": key}) as line:
        said = [line.raw()]
        line.say({"since": -1})
        return [*said, line.text("events")]


def hands_in(text: str) -> list[list[str]]:
    """The hands that a frame tells."""
    told = json.loads(text).get("events", [])
    return [event["cards"] for event in told if event["type"] == "hand_dealt" and event["cards"]]


def end_of_the_first_deal(game: Game) -> int:
    """The seq of the second deal's beginning."""
    return [
        event.seq for event in game_state.load_snapshot(game.id).events if isinstance(event, DealStarted)
    ][1]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_players_own_hand_changes_no_length(web: WebProcess, world: World, seat: int) -> None:
    lengths, without_padding = [], []
    for others in (REST, REST[::-1], REST[13:] + REST[:13]):
        game = world(others)
        said = frames_of(web, game, seated(game)[seat])
        lengths.append([len(text) for text in said])
        without_padding.append([len(text.rstrip(" ")) for text in said])
    assert lengths[0] == lengths[1] == lengths[2]
    assert len(set(map(tuple, without_padding))) > 1, "padding is what makes them equal"


def test_there_is_room_for_every_hand(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengths go in steps, and where there is too little room they still seldom differ: here by each byte."""
    monkeypatch.setattr(frames, "PADDING_STEP_BYTES", 1)
    dealt = [
        game_state.load_snapshot(world(others).id) for others in (REST, REST[::-1], REST[13:] + REST[:13])
    ]
    without_padding = set()
    for seat in (1, 2, 3):
        told = [frames.EventFrames(now, -1).frame(Observer.seat(seat)) for now in dealt]
        assert len({len(text) for text in told}) == 1
        without_padding |= {(seat, len(text.rstrip(" "))) for text in told}
    assert len(without_padding) > 3, "padding is what makes them equal"


def test_a_look_at_one_deal_shows_no_byte_of_the_next(
    web: WebProcess, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a socket that stays open as the deal that was opened ends."""
    seen = []
    for others in (REST, REST[::-1]):
        game = world(REST, deals=2)
        gabi = person("gabi", game, "referee", opened_deal=1)
        monkeypatch.setattr(dealing, "deck", lambda *_, others=others: deck_of(others))
        with web.connect(game, gabi) as line:
            told = line.frame("events")
            assert all(event["cards"] for event in told["events"] if event["type"] == "hand_dealt")
            assert "legal" in told, "what a referee gets"
            play(game, 36)
            while json.loads(line.raw())["seq"] < game_state.load_snapshot(game.id).head.seq:
                pass  # all but the last card
            said = []
            for _ in range(3):
                play(game, 1)
                said.append(line.text("events"))
            assert game_state.load_snapshot(game.id).state.deal == 2
            line.say({"since": -1})
            said.append(line.text("events"))
        hands = [e["cards"] for e in json.loads(said[-1])["events"] if e["type"] == "hand_dealt"]
        assert (all(hands[:4]), hands[4:]) == (True, [None] * 4)
        assert "legal" not in json.loads(said[-1])
        seen.append([text.replace(game.id, "GAME") for text in said])
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_the_worlds_do_differ(web: WebProcess, world: World) -> None:
    """Otherwise the tests above could not fail."""
    one, other = world(REST), world(REST[::-1])
    assert frames_of(web, one, seated(one)[1]) != frames_of(web, other, seated(other)[1])
