"""The permanent code of a table: created once, typed or scanned, ended by a button, limited in attempts."""

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Q
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from engine.commands import ConfirmResult, EnterResult
from games import store
from games.errors import Forbidden
from games.messaging import redis_client
from games.messaging.rate_limit import Budget
from games.models import Access, Game, TableToken, User
from games.play.submit import submit
from games.rights import claims, tokens
from tests.tournaments.phone_sessions import Phone
from tests.tournaments.table_play import write_sheet
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Round, Table, TableCode, TablePhone
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import seat_codes
from tournaments.services.rounds import rounds
from tournaments.services.table_access import code_attempts, phones, table_codes

pytestmark = [pytest.mark.both, pytest.mark.django_db]
Opened = Callable[..., Round]
HALL = "192.168.1.7"


@pytest.fixture
def limits() -> Iterator[None]:
    """Tries are counted, from nothing."""

    def forget(redis: Redis) -> None:
        for name in redis.scan_iter(redis_client.key("budget", "table-*")):
            redis.delete(name)

    with override_settings(LIMITS=True):
        redis_client.ask_redis(forget, None)
        for budget in vars(phones).values():
            if isinstance(budget, Budget):
                budget._local_counts.clear()
        yield
        redis_client.ask_redis(forget, None)


@pytest.fixture
def hall(open_round: Opened) -> Round:
    return open_round("sheet", "sheet")


@pytest.fixture
def card(hall: Round, fredi: User) -> table_codes.TableCard:
    """That of table 1, the first of all."""
    table_codes.make_codes(hall.championship, 2, actor=fredi)
    return table_codes.list_cards(hall.championship)[0]


def table_of(hall: Round, number: int = 1) -> Table:
    return hall.tables.select_related("game", "round__championship").get(number=number)


def came(code: str, phone: Phone | None = None) -> tuple[TablePhone, Phone]:
    phone = phone or Phone()
    return phones.admit_phone(phones.normalise_code(code), phone.session, HALL), phone


def refused(code: str, session: SessionBase | None = None) -> str:
    with pytest.raises(TournamentError) as refusal:
        phones.admit_phone(phones.normalise_code(code), session or Phone().session, HALL)
    return refusal.value.code


def test_a_card_has_six_signs_that_nobody_takes_for_others_and_is_the_same_when_printed_again(
    hall: Round, fredi: User
) -> None:
    assert table_codes.make_codes(hall.championship, 2, actor=fredi) == [1, 2]
    cards = table_codes.list_cards(hall.championship)

    assert [card.number for card in cards] == [1, 2]
    assert all(re.fullmatch("[ACDEFGHJKMNPQRTVWXY34679]{6}", card.code) for card in cards)
    assert len(set(table_codes.SIGNS)) == 24
    assert table_codes.list_cards(hall.championship) == cards
    assert table_codes.make_codes(hall.championship, 3, actor=fredi) == [3], "those that are there stay"
    assert table_codes.list_cards(hall.championship)[:2] == cards


def test_nothing_in_the_database_is_the_code(card: table_codes.TableCard, hall: Round) -> None:
    row = TableCode.objects.get(championship=hall.championship, number=1)
    told = f"{row.nonce} {row.digest}".upper()
    assert card.code not in told
    with override_settings(SECRET_KEY="of another machine"):
        assert table_codes.list_cards(hall.championship) == [], "whoever has the rows alone makes no card"


def test_under_another_secret_key_missing_codes_are_made_anew(hall: Round, fredi: User) -> None:
    table_codes.make_codes(hall.championship, 2, actor=fredi)
    with override_settings(SECRET_KEY="of another machine"):
        assert table_codes.make_codes(hall.championship, 2, actor=fredi) == [1, 2]
        assert len(table_codes.list_cards(hall.championship)) == 2


@pytest.mark.parametrize(
    "write", [str.lower, lambda code: f" {code[:3]} {code[3:]}\n", lambda c: "-".join(c)]
)
def test_a_code_opens_the_sheet_of_its_table_however_it_is_typed(
    write: Callable[[str], str], card: table_codes.TableCard, hall: Round
) -> None:
    phone, browser = came(write(card.code))
    sides = phones.sides_for_phones(table_of(hall))

    assert [len(side.people) for side in sides] == [2, 2]
    assert phones.write_for(phone, 1, browser.session).number == 1
    game = table_of(hall).game
    assert game is not None
    enter = EnterResult(seat=1, deal=1, card_points=[100, 57])
    assert claims.authorise(game, browser.who, enter) == phone.ref
    with pytest.raises(Forbidden):
        claims.authorise(game, browser.who, EnterResult(seat=0, deal=1, card_points=[100, 57]))


def test_a_phone_that_wrote_for_one_side_does_not_sign_for_the_other(
    card: table_codes.TableCard, hall: Round
) -> None:
    phone, browser = came(card.code)
    phones.write_for(phone, 0, browser.session)
    phones.write_for(phone, 1, browser.session)
    phones.write_for(phone, 0, browser.session)  # the wrong side was pressed: nothing is written yet
    table = table_of(hall)
    assert table.game is not None
    command = EnterResult(seat=0, deal=1, card_points=[100, 57])
    ref = claims.authorise(table.game, browser.who, command)
    submit(table.game.pk, command, actor=ref, command_id="1")

    with pytest.raises(TournamentError) as refusal:
        phones.write_for(phone, 1, browser.session)
    assert refusal.value.code == "codes/side_written"
    with pytest.raises(Forbidden):
        claims.authorise(table.game, browser.who, ConfirmResult(seat=1, deal=1))
    assert TableToken.objects.filter(ref=phone.ref, revoked_at=None).count() == 1

    tokens.revoke_tokens([table.game.pk], Q(ref=phone.ref))
    with pytest.raises(TournamentError) as refusal:
        phones.write_for(phone, 1, browser.session)
    assert refusal.value.code == "codes/side_written", "the end of its token frees it for nothing"
    phones.write_for(phone, 0, browser.session)


def test_the_code_holds_for_the_next_round_too(card: table_codes.TableCard, hall: Round, fredi: User) -> None:
    phone, browser = came(card.code)
    phones.write_for(phone, 0, browser.session)
    for table in hall.tables.select_related("game"):
        write_sheet(table, [100] * 8)
    rounds.close_round(hall, actor=fredi)
    second = hall.championship.rounds.get(number=2)
    with pytest.raises(TournamentError) as refusal:
        phones.write_for(phone, 0, browser.session)
    assert refusal.value.code == "codes/round_not_open"

    drawing.draw_round(second, actor=fredi)
    for table in second.tables.select_related("round__championship"):
        rounds.set_mode(table, "sheet", actor=fredi)
    rounds.open_round(second, actor=fredi)
    assert phones.write_for(phone, 1, browser.session).round_id == second.pk
    assert came(card.code)[0].code_id == phone.code_id


def test_one_press_ends_a_code_and_puts_its_phones_out_and_no_others(
    card: table_codes.TableCard, hall: Round, fredi: User
) -> None:
    other_card = table_codes.list_cards(hall.championship)[1]
    phone, browser = came(card.code)
    neighbour, other = came(other_card.code)
    phones.write_for(phone, 0, browser.session)
    phones.write_for(neighbour, 0, other.session)
    table_codes.renew_codes(hall.championship, [1], actor=fredi)

    assert phones.phone_of_session(browser.session) is None
    assert tokens.of_session(browser.session) is None
    assert tokens.of_session(other.session) is not None
    assert refused(card.code) == "codes/unknown"
    assert refused(card.scanned) == "codes/unknown"
    with pytest.raises(TournamentError) as refusal:
        phones.write_for(phone, 0, browser.session)
    assert refusal.value.code == "codes/unknown"
    assert came(table_codes.list_cards(hall.championship)[0].code)[0].code.number == 1


def test_the_stream_says_which_tables_got_codes_and_holds_none(
    card: table_codes.TableCard, hall: Round, fredi: User
) -> None:
    table_codes.renew_codes(hall.championship, [2], actor=fredi)
    made = [e for e in store.read(hall.championship.stream_id) if e.type == "table_codes_made"]

    assert [event.body["tables"] for event in made] == [[1, 2], [2]]
    assert all(set(event.body) == {"tables"} for event in made)
    assert len({event.actor for event in made}) == 1


def test_only_the_desk_and_the_director_make_and_end_codes(hall: Round, card: table_codes.TableCard) -> None:
    eva = User.objects.create(username="eva-looks")
    with pytest.raises(NotAllowed):
        table_codes.make_codes(hall.championship, 4, actor=eva)
    with pytest.raises(NotAllowed):
        table_codes.renew_codes(hall.championship, [1], actor=eva)
    assert table_codes.list_cards(hall.championship)[0] == card


@pytest.mark.parametrize("count", [0, -1, 1001])
def test_no_codes_are_made_for_a_number_of_tables_that_cannot_be(
    count: int, hall: Round, fredi: User
) -> None:
    with pytest.raises(TournamentError) as refusal:
        table_codes.make_codes(hall.championship, count, actor=fredi)
    assert refusal.value.code == "codes/table_count"
    assert not TableCode.objects.exists()


def test_a_table_without_a_code_gets_no_new_one_in_its_place(hall: Round, fredi: User) -> None:
    with pytest.raises(TournamentError) as refusal:
        table_codes.renew_codes(hall.championship, [7], actor=fredi)
    assert refusal.value.code == "codes/no_code"


@pytest.mark.usefixtures("limits")
def test_a_code_tried_a_thousand_times_finds_nothing_and_is_told(
    card: table_codes.TableCard, hall: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_for: list[str] = []
    monkeypatch.setattr(code_attempts, "_find_code", lambda code: looked_for.append(code))
    assert not code_attempts.are_codes_guessed(hall.championship)
    answers = {refused(f"AAAA{one}{two}") for one in table_codes.SIGNS for two in table_codes.SIGNS}
    answers |= {refused(f"CCCC{one}{two}") for one in table_codes.SIGNS for two in table_codes.SIGNS}

    assert answers == {"codes/unknown", "codes/too_many_tries"}
    assert len(looked_for) <= 120 + 2 * 6, "the others were not even looked for"
    assert code_attempts.are_codes_guessed(hall.championship)
    assert not TablePhone.objects.exists()


@pytest.mark.usefixtures("limits")
def test_a_guesser_in_the_hall_keeps_nobody_out_who_scans_or_is_in(card: table_codes.TableCard) -> None:
    _known, inside = came(card.code)
    for one in table_codes.SIGNS:
        for two in table_codes.SIGNS:
            if f"AAAA{one}{two}" != card.code:
                refused(f"AAAA{one}{two}")
    assert refused(card.code) == "codes/too_many_tries", "typed by somebody new"
    assert came(card.scanned)[0].code.number == 1
    assert came(card.code, inside)[0].code.number == 1
    assert phones.admit_phone(card.code, Phone().session, "10.0.0.9").code.number == 1, "from another network"


def guess_from(networks: Iterable[str], tries: int = 1) -> set[str]:
    """Wrong codes from there; what was answered."""
    answers = set()
    for network in networks:
        for _ in range(tries):
            with pytest.raises(TournamentError) as refusal:
                phones.admit_phone("AAAAAA", Phone().session, network)
            answers.add(refusal.value.code)
    return answers


@pytest.mark.usefixtures("limits")
def test_one_connection_of_ipv6_has_not_the_tries_of_its_networks(card: table_codes.TableCard) -> None:
    """A /48 is given to anybody, and has 65,536 networks: 1,600 wrong codes shut nobody else out."""
    answers = guess_from(f"2001:db8:7:{number:x}::/64" for number in range(1, 1600))
    assert answers == {"codes/unknown", "codes/too_many_tries"}
    assert not code_attempts.WRONG_EVERYWHERE.wait("")
    assert phones.admit_phone(card.code, Phone().session, "2001:db8:8:1::/64").code.number == 1


@pytest.mark.usefixtures("limits")
def test_wrong_codes_from_everywhere_shut_out_no_hall(card: table_codes.TableCard) -> None:
    """Sixteen hundred connections, each with few tries, as many botnets have."""
    came(card.code)
    guess_from([HALL], tries=4)
    guess_from(f"2001:db8:{number:x}:1::/64" for number in range(1, 1600))
    assert code_attempts.WRONG_EVERYWHERE.wait("")
    assert came(card.code)[0].code.number == 1, "from the hall, where phones have come in and people mistype"
    for fresh in ("192.0.2.9", "198.51.100.4", "2001:1700:1:2::/64"):
        assert phones.admit_phone(card.code, Phone().session, fresh).code.number == 1, "it never failed"
    with pytest.raises(TournamentError) as refusal:
        phones.admit_phone(card.code, Phone().session, "2001:db8:ffff:1::/64")
    assert refusal.value.code == "codes/too_many_tries", "of the provider who has tried it all"
    assert guess_from([HALL], tries=2 * code_attempts.FIRST_OF_SITE.most) == {"codes/unknown"}
    assert came(card.code)[0].code.number == 1, "more mistype in the hall than in a network without phones"


@pytest.mark.usefixtures("limits")
def test_a_network_has_few_tries_while_others_fail_everywhere(card: table_codes.TableCard) -> None:
    code_attempts.WRONG_EVERYWHERE.spend("", count=code_attempts.WRONG_EVERYWHERE.most)
    code_attempts.SUSPECTED_EVERYWHERE.spend("", count=code_attempts.SUSPECTED_EVERYWHERE.most)
    few = code_attempts.FIRST_OF_SITE.most
    assert guess_from(["192.0.2.9"], tries=few) == {"codes/unknown"}
    assert guess_from(["192.0.2.9"]) == {"codes/too_many_tries"}


@pytest.mark.usefixtures("limits")
def test_four_hundred_who_type_right_use_up_nothing(
    card: table_codes.TableCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phones.AT_TABLE, "most", 500)
    for _ in range(130):
        came(card.code)
    assert code_attempts.WRONG_OF_NETWORK.wait(HALL) == 0


@pytest.mark.usefixtures("limits")
def test_one_code_lets_in_no_crowd(card: table_codes.TableCard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones.AT_TABLE, "most", 3)
    for _ in range(3):
        came(card.code)
    assert refused(card.code) == "codes/too_many_phones"
    assert TablePhone.objects.count() == 3


@pytest.mark.usefixtures("limits")
def test_what_cannot_be_a_code_is_no_try(card: table_codes.TableCard) -> None:
    for _ in range(150):
        assert refused("0O1I5S") == "codes/no_such_sign"
    assert came(card.code)[0].code.number == 1


def test_a_scanned_code_with_another_tail_opens_nothing(card: table_codes.TableCard) -> None:
    tail = "A" * (table_codes.SCANNED - table_codes.TYPED)
    assert refused(card.code + tail) == "codes/unknown"


def test_a_table_that_is_dealt_online_is_not_opened_by_it(open_round: Opened, fredi: User) -> None:
    round_ = open_round("dealt")
    table_codes.make_codes(round_.championship, 1, actor=fredi)
    phone, browser = came(table_codes.list_cards(round_.championship)[0].code)
    with pytest.raises(TournamentError) as refusal:
        phones.write_for(phone, 0, browser.session)
    assert refusal.value.code == "codes/dealt_table"
    assert not TableToken.objects.exists()
    assert not Access.objects.filter(user=None).exists()


def test_a_side_that_is_not_there_is_refused(card: table_codes.TableCard) -> None:
    phone, browser = came(card.code)
    for place in (-1, 2, 99):
        with pytest.raises(TournamentError) as refusal:
            phones.write_for(phone, place, browser.session)
        assert refusal.value.code == "codes/no_side"
    assert not TableToken.objects.exists()


def test_a_code_of_a_finished_championship_opens_nothing(card: table_codes.TableCard, hall: Round) -> None:
    Championship.objects.filter(pk=hall.championship_id).update(status="finished")
    assert refused(card.code) == "codes/unknown"


@given(st.text(max_size=200))
def test_whatever_is_typed_is_brought_into_one_form(typed: str) -> None:
    once = phones.normalise_code(typed)
    assert phones.normalise_code(once) == once
    assert not any(sign.isspace() for sign in once)


@pytest.mark.parametrize(
    ("game", "seats", "places"),
    [("bieter", 3, [0, 1, 2]), ("schieber", 4, [0, 1]), ("coiffeur", 3, [0, 1, 2]), ("la-pomme", 2, [0, 1])],
)
def test_where_an_auction_makes_the_sides_each_seat_has_a_phone(
    game: str, seats: int, places: list[int]
) -> None:
    sheet = Game(variant=game, seat_count=seats, mode=Game.Mode.SHEET)

    assert seat_codes.code_places(sheet) == [("scorer", place) for place in places]
    chairs = [seat_codes.seats_of_place(sheet, "scorer", place) for place in places]
    assert sorted(chair for own in chairs for chair in own) == list(range(seats))


@pytest.mark.usefixtures("limits")
def test_wrong_codes_are_counted_by_championship_where_it_is_known(
    card: table_codes.TableCard, hall: Round, fredi: User
) -> None:
    """Thousands of networks guess elsewhere; people who type on a championship's page do not notice."""
    other = championships.create(actor=fredi, name="Anderswo", slug="anderswo")
    for budget in (code_attempts.WRONG_EVERYWHERE, code_attempts.SUSPECTED_EVERYWHERE):
        for where in (code_attempts.ANY, other.pk):
            budget.spend(where, count=budget.most)
    for first in ("192.0.2.9", "192.0.2.10"):
        code_attempts.FIRST_OF_SITE.spend(first, count=code_attempts.FIRST_OF_SITE.most)

    def typed(network: str, of: Championship | None) -> TablePhone:
        return phones.admit_phone(card.code, Phone().session, network, of)

    for of in (None, other):
        with pytest.raises(TournamentError) as refusal:
            typed("192.0.2.9", of)
        assert refusal.value.code == "codes/too_many_tries"
    assert typed("192.0.2.10", hall.championship).code.number == 1
    assert code_attempts.WRONG_EVERYWHERE.wait(hall.championship_id) == 0


@pytest.mark.usefixtures("limits")
def test_a_page_of_a_championship_is_no_way_to_try_the_codes_of_others(
    card: table_codes.TableCard, fredi: User
) -> None:
    other = championships.create(actor=fredi, name="Anderswo", slug="anderswo")
    for budget in (code_attempts.WRONG_EVERYWHERE, code_attempts.SUSPECTED_EVERYWHERE):
        budget.spend(code_attempts.ANY, count=budget.most)
    code_attempts.FIRST_OF_SITE.spend("192.0.2.9", count=code_attempts.FIRST_OF_SITE.most)
    with pytest.raises(TournamentError) as refusal:
        phones.admit_phone(card.code, Phone().session, "192.0.2.9", other)
    assert refusal.value.code == "codes/too_many_tries", "also where the code is right"
    assert not TablePhone.objects.exists()


@pytest.mark.usefixtures("limits")
def test_who_tries_codes_of_one_championship_is_no_news_to_another(hall: Round, fredi: User) -> None:
    other = championships.create(actor=fredi, name="Anderswo", slug="anderswo")
    code_attempts.TOLD_OF.spend(hall.championship_id, count=code_attempts.TOLD_OF.most)
    assert code_attempts.are_codes_guessed(hall.championship)
    assert not code_attempts.are_codes_guessed(other)
