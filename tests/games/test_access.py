"""Permissions to see and to send: every role against every command."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from engine import Observer, decode_command
from games.errors import Forbidden, UnknownGame
from games.models import Access, Game, TableToken, User
from games.rights import claims, observers, tokens
from games.rights.claims import ANONYMOUS, Principal
from games.rights.sessions import SessionStore
from tests.games.cast import ANNA, CHIARA, PLAYERS, person, seated, table, table_code

pytestmark = [pytest.mark.both, pytest.mark.django_db]
COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"cmd": "play", "seat": 2, "card": "S6"},
    "push": {"cmd": "push", "seat": 2},
    "deal": {"cmd": "deal"},
    "start": {"cmd": "start", "variant": "schieber", "seats": 4},
    "rule": {"cmd": "rule", "kind": "warning", "against": 1, "reason": "talked"},
    "close": {"cmd": "close", "reason": "late"},
    "enter_result": {"cmd": "enter_result", "seat": 2, "deal": 1, "card_points": [100, 57]},
    "confirm_result": {"cmd": "confirm_result", "seat": 2, "deal": 1},
    "desk_enters": {"cmd": "enter_result", "deal": 1, "card_points": [100, 57]},
    "desk_confirms": {"cmd": "confirm_result", "deal": 1, "by": "paper"},
    "claim_out": {"cmd": "claim_out", "seat": 2},
    "take_back": {"cmd": "take_back", "to": 7},
}
PLAYED = {"play", "push", "claim_out", "enter_result", "confirm_result"}
SIGNED = {"enter_result", "confirm_result"}
AT_DESK = {"desk_enters", "desk_confirms"}
# mode -> role -> the commands it may send; roles not named may send nothing
ALLOWED: dict[str, dict[str, set[str]]] = {
    "dealt": {"seat 2": PLAYED, "referee": {"rule"}, "director": {"close"}},
    "transcribed": {
        "seat 2": PLAYED,
        "scorer": (PLAYED | {"deal", "take_back"} | AT_DESK) - SIGNED,
        "code of scorer": PLAYED | {"deal", "take_back"},
        "scorer of seat 0": (PLAYED | {"deal", "take_back"}) - SIGNED,
        "scorer of seat 2": PLAYED | {"deal", "take_back"},
        "referee": {"rule"},
        "director": {"close"},
    },
}
ALLOWED["sheet"] = ALLOWED["transcribed"]
ROLES = [
    "nobody", "anonymous", "seat 0", "seat 2", "spectator",
    "scorer", "scorer of seat 0", "scorer of seat 2", "referee", "director",
]  # fmt: skip


def who(game: Game, role: str) -> Any:
    if role == "nobody":
        return person("eva")
    if role == "anonymous":
        return AnonymousUser()
    name, _, seat = role.replace(" of seat", "").partition(" ")
    return person("somebody", game, name, int(seat) if seat else None, ref=ANNA)


@pytest.mark.parametrize("mode", ["dealt", "transcribed", "sheet"])
@pytest.mark.parametrize("role", ROLES)
def test_each_role_sends_its_own_commands_and_no_others(mode: str, role: str) -> None:
    game = table(mode=mode)
    principal = who(game, role)
    allowed = ALLOWED[mode].get(role, set())
    for name, command in COMMANDS.items():
        if name in allowed:
            assert claims.authorise(game, principal, decode_command(command)) == ANNA
            continue
        with pytest.raises(Forbidden) as refused:
            claims.authorise(game, principal, decode_command(command))
        assert refused.value.code.startswith("access/")


@pytest.mark.parametrize(
    ("role", "command", "code"),
    [
        ("nobody", "play", "access/no_role"),
        ("scorer of seat 2", "desk_confirms", "access/not_the_desk"),
        ("seat 2", "desk_enters", "access/not_the_desk"),
        ("seat 0", "play", "access/not_your_seat"),
        ("spectator", "play", "access/wrong_role"),
        ("seat 2", "rule", "access/wrong_role"),
        ("seat 2", "deal", "access/server_only"),
        ("referee", "start", "access/server_only"),
    ],
)
def test_a_refusal_says_why(role: str, command: str, code: str) -> None:
    game = table()
    with pytest.raises(Forbidden) as refused:
        claims.authorise(game, who(game, role), decode_command(COMMANDS[command]))
    assert refused.value.code == code


def test_an_office_signs_for_nobody_at_the_table() -> None:
    game = table(mode="sheet")
    with pytest.raises(Forbidden) as refused:
        claims.authorise(game, who(game, "scorer"), decode_command(COMMANDS["confirm_result"]))
    assert refused.value.code == "access/signs_for_nobody"


def test_a_code_for_the_whole_table_signs_for_its_seats_and_is_not_the_desk() -> None:
    game = table(mode="sheet")
    token = tokens.redeem(table_code(game, "scorer"), session())
    assert claims.authorise(game, token, decode_command(COMMANDS["confirm_result"])) == token.ref
    with pytest.raises(Forbidden) as refused:
        claims.authorise(game, token, decode_command(COMMANDS["desk_confirms"]))
    assert refused.value.code == "access/not_the_desk"


def test_a_seat_does_not_write_down_the_deal() -> None:
    game = table(mode="transcribed")
    with pytest.raises(Forbidden) as refused:
        claims.authorise(game, who(game, "seat 2"), decode_command(COMMANDS["deal"]))
    assert refused.value.code == "access/not_the_scorer"


def test_a_referee_who_plays_does_not_rule_on_his_own_game_nor_see_all_hands() -> None:
    game = table()
    gabi = person("gabi", game, "referee")
    Access.objects.create(game=game, user=gabi, role="seat", seat=1)
    with pytest.raises(Forbidden) as refused:
        claims.authorise(game, gabi, decode_command(COMMANDS["rule"]))
    assert refused.value.code == "access/own_table"
    assert observers.find_observer(game, gabi) == Observer.seat(1)


def test_a_role_at_one_table_is_none_at_another() -> None:
    game, other = table(), table()
    chiara = seated(game)[2]
    with pytest.raises(Forbidden):
        claims.authorise(other, chiara, decode_command(COMMANDS["play"]))
    assert observers.find_observer(other, chiara) == Observer.spectator()


@pytest.mark.parametrize(
    ("role", "mode", "sees"),
    [
        ("anonymous", "dealt", "spectator"),
        ("nobody", "dealt", "spectator"),
        ("spectator", "dealt", "spectator"),
        ("scorer", "dealt", "spectator"),
        ("seat 2", "dealt", "seat:2"),
        ("referee", "dealt", "spectator:after_deal"),
        ("director", "dealt", "spectator:after_deal"),
        ("seat 2", "transcribed", "referee"),
        ("scorer", "transcribed", "referee"),
        ("spectator", "transcribed", "spectator"),
    ],
)
def test_each_role_sees_with_its_own_eyes(role: str, mode: str, sees: str) -> None:
    game = table(mode=mode)
    assert str(observers.find_observer(game, who(game, role))) == sees


def test_the_organiser_says_how_much_spectators_see() -> None:
    open_after = table(visibility="after_deal")
    assert observers.find_observer(open_after, ANONYMOUS) == Observer.spectator("after_deal")
    game = table()
    eva = person("eva", game, "spectator", tier="after_deal")
    assert observers.find_observer(game, eva) == Observer.spectator("after_deal")
    assert observers.find_observer(game, person("otto")) == Observer.spectator()


def test_a_private_game_is_there_only_for_those_with_a_role() -> None:
    private, public = table(visibility="private"), table()
    eva, otto = person("eva", private, "spectator"), person("otto")
    assert set(observers.list_visible_games(eva)) == {private, public}
    for stranger in (otto, AnonymousUser(), ANONYMOUS):
        assert set(observers.list_visible_games(stranger)) == {public}
        with pytest.raises(UnknownGame):
            observers.find_visible_game(stranger, private.id)
        with pytest.raises(UnknownGame):
            observers.find_observer(private, stranger)
    assert observers.find_observer(private, eva) == Observer.spectator()


# --- table tokens


def session() -> SessionStore:
    fresh = SessionStore()
    fresh.create()
    return fresh


def test_a_token_opens_its_seat_in_a_fresh_session_and_only_once() -> None:
    game = table(visibility="private")
    token = table_code(game, "seat", 2, ref=CHIARA)
    phone = session()
    key = phone.session_key
    row = tokens.redeem(token, phone)
    assert phone.session_key != key
    principal = observers.build_principal(AnonymousUser(), phone)
    assert principal == Principal(None, row)
    assert claims.authorise(game, principal, decode_command(COMMANDS["play"])) == CHIARA
    assert observers.find_observer(game, principal) == observers.find_observer(game, row) == Observer.seat(2)
    assert list(observers.list_visible_games(principal)) == [game]
    with pytest.raises(Forbidden) as refused:
        tokens.redeem(token, session())
    assert refused.value.code == "access/bad_token"


def test_a_token_has_128_bits_and_is_stored_as_its_hash_alone() -> None:
    game = table()
    found = {table_code(game, "scorer", uses=None) for _ in range(8)}
    assert {len(bytes.fromhex(token)) for token in found} == {16}
    stored = str(list(TableToken.objects.values()))
    assert not any(token in stored for token in found)


def test_a_poster_may_be_read_by_many_until_it_is_taken_down() -> None:
    game = table(mode="sheet")
    token = table_code(game, "scorer", uses=None)
    phones = [session(), session()]
    rows = [tokens.redeem(token, phone) for phone in phones]
    assert rows[0] == rows[1]
    tokens.revoke(rows[0])
    assert [tokens.of_session(phone) for phone in phones] == [None, None]
    with pytest.raises(Forbidden):
        tokens.redeem(token, session())


def test_a_token_ends_with_its_round() -> None:
    game = table()
    token = table_code(game, "seat", 0, uses=None, expires_at=timezone.now() + timedelta(hours=1))
    phone = session()
    tokens.redeem(token, phone)
    TableToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert tokens.of_session(phone) is None
    with pytest.raises(Forbidden):
        tokens.redeem(token, session())


def test_an_invented_token_opens_nothing() -> None:
    phone = session()
    with pytest.raises(Forbidden):
        tokens.redeem("0" * 32, phone)
    assert tokens.of_session(phone) is None


def test_a_person_who_was_shut_out_is_nobody() -> None:
    anna = person("anna")
    assert observers.build_principal(anna, session()).user == anna
    User.objects.update(is_active=False)
    assert observers.build_principal(User.objects.get(), session()) == ANONYMOUS


def test_players_sit_where_the_championship_put_them() -> None:
    game = table()
    assert [seat.player_ref for seat in game.seats.all()] == PLAYERS
    assert all(str(row) for row in [game, *game.seats.all(), *seated(game)])
