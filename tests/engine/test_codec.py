"""Commands and events to and from JSON."""

import json
from typing import Any

import pytest

from engine import (
    CorruptLog,
    IllegalCommand,
    decode_command,
    decode_event,
    encode,
    public_body,
    restore,
    secret_parts,
    to_dict,
)
from engine.commands import Play, Start
from engine.events import AuctionFailed, CardPlayed, HandDealt


def test_an_event_opens_with_seq_and_type() -> None:
    event = CardPlayed(seq=17, seat=2, card="S6")
    assert encode(event) == b'{"seq":17,"type":"card_played","seat":2,"card":"S6"}'
    assert encode(AuctionFailed(seq=3)) == b'{"seq":3,"type":"auction_failed"}'
    assert list(to_dict(event)) == ["seq", "type", "seat", "card"]
    assert decode_event(encode(event)) == decode_event(to_dict(event)) == event


def test_a_command_opens_with_cmd() -> None:
    command = Play(seat=2, card="S6", stoeck=True)
    assert encode(command) == b'{"cmd":"play","seat":2,"card":"S6","stoeck":true}'
    assert list(to_dict(command)) == ["cmd", "seat", "card", "stoeck"]
    assert decode_command(encode(command)) == decode_command(to_dict(command)) == command
    assert decode_command('{"cmd":"start","variant":"schieber","seats":4}') == Start(
        variant="schieber", seats=4
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b'{"cmd":"fly"}',
        b'{"cmd":"play","seat":2}',
        b'{"cmd":"play","seat":7,"card":"S6"}',
        b'{"cmd":"play","seat":true,"card":"S6"}',
        b'{"cmd":"play","seat":2,"card":"S5"}',
        b'{"cmd":"play","seat":2,"card":"S6","more":1}',
        b"[" * 100_000,
        {"cmd": "play", "seat": 1},
        {1: 2},
    ],
)
def test_a_malformed_command_is_refused_in_one_line(data: Any) -> None:
    with pytest.raises(IllegalCommand) as error:
        decode_command(data)
    assert error.value.code == "command/malformed"
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "data",
    [b"x", b'{"seq":1,"type":"fly"}', b'{"seq":-1,"type":"auction_failed"}', {"seq": 1}, b"[" * 100_000],
)
def test_a_malformed_event_is_corrupt(data: Any) -> None:
    with pytest.raises(CorruptLog) as error:
        decode_event(data)
    assert error.value.code == "event/malformed"


def test_secret_parts_are_taken_out_and_put_back() -> None:
    event = HandDealt(seq=5, seat=1, size=2, cards=["S6", "H7"])
    assert public_body(event) == {"seat": 1, "size": 2}
    assert secret_parts(event) == {"cards": ["S6", "H7"]}
    assert restore(5, "hand_dealt", public_body(event), secret_parts(event)) == event
    unknown = restore(5, "hand_dealt", public_body(event), {})
    assert unknown == HandDealt(seq=5, seat=1, size=2, cards=None)
    assert secret_parts(unknown) == {}
    assert json.loads(encode(unknown))["cards"] is None
    card = CardPlayed(seq=1, seat=0, card="S6")
    assert (public_body(card), secret_parts(card)) == ({"seat": 0, "card": "S6"}, {})


def test_what_was_never_an_event_cannot_be_restored() -> None:
    with pytest.raises(CorruptLog) as error:
        restore(0, "fly", {}, {})
    assert error.value.code == "event/unknown_type"


def test_an_event_that_does_not_fit_its_type_cannot_be_restored() -> None:
    with pytest.raises(CorruptLog) as error:
        restore(0, "pushed", {"seat": 9}, {})
    assert error.value.code == "event/malformed"
