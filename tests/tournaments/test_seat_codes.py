"""A new code for one seat, and the seat given back to its owner, while the others play on."""

from collections.abc import Callable

import pytest
from django.utils.dateparse import parse_datetime
from pytest_django import DjangoAssertNumQueries

from engine import Observer
from engine.commands import Play
from games import store
from games.errors import Forbidden
from games.models import Access, Game, TableToken, User
from games.rights import claims, observers
from games.store import StoredEvent
from tests.tournaments import table_play
from tests.tournaments.phone_sessions import Phone
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Official, Round, Table
from tournaments.services.championships import officials
from tournaments.services.entries import code_places, entries, seat_codes
from tournaments.services.rounds import rounds

Opened = Callable[..., Round]


class Hall:
    """The first table of a round in which codes were printed, and who sits there."""

    def __init__(self, round_: Round, fredi: User) -> None:
        self.round, self.fredi = round_, fredi
        self.table: Table = round_.tables.select_related("game", "round__championship").get(number=1)
        assert self.table.game is not None
        self.game: Game = self.table.game

    def print_codes(self, table: int = 1) -> list[str]:
        return [
            code.token for code in seat_codes.issue_codes(self.round, actor=self.fredi) if code.table == table
        ]

    def entry(self, seat: int = 0) -> Entry:
        return self.table.seatings.select_related("entry").get(seat=seat).entry

    def link(self, user: User | None, seat: int = 0) -> None:
        entries.link_account(self.entry(seat), user, actor=self.fredi)

    def renew(self, place: int = 0, **more: bool) -> str:
        return seat_codes.renew_code(self.table, place, actor=self.fredi, **more).token

    def give_back(self, seat: int = 0) -> None:
        seat_codes.give_seat_back(self.table, seat, actor=self.fredi)

    def sees(self, phone: Phone | User) -> Observer:
        return observers.find_observer(self.game, phone.who if isinstance(phone, Phone) else phone)

    def may_play(self, phone: Phone | User, seat: int = 0) -> bool:
        try:
            who = phone.who if isinstance(phone, Phone) else phone
            claims.authorise(self.game, who, Play(seat=seat, card="S6"))
        except Forbidden:
            return False
        return True

    def said(self, type_: str) -> list[StoredEvent]:
        return [event for event in store.read(self.round.stream_id) if event.type == type_]

    def state(self, place: int = 0) -> code_places.CodePlace:
        return code_places.list_code_places(self.round)[place]


@pytest.fixture
def hall(open_round: Opened, fredi: User) -> Hall:
    return Hall(open_round("dealt", "dealt"), fredi)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(TournamentError) as refused:
        act()
    return refused.value.code


def test_a_new_code_ends_the_one_before_with_its_phone_and_lets_another_one_in(hall: Hall) -> None:
    old = hall.print_codes()[0]
    lost = Phone().scan(old)
    found = Phone().scan(hall.renew())

    assert (hall.sees(lost), hall.sees(found)) == (Observer.spectator(), Observer.seat(0))
    assert (hall.may_play(lost), hall.may_play(found)) == (False, True)


def test_a_slip_that_somebody_else_has_seen_opens_nothing_once_there_is_a_new_code(hall: Hall) -> None:
    seen = hall.print_codes()[0]
    hall.renew()
    assert Phone().refused(seen) == "access/bad_token"


def test_a_new_code_is_good_for_one_phone(hall: Hall) -> None:
    new = hall.renew()
    Phone().scan(new)
    assert Phone().refused(new) == "access/bad_token"


def test_all_others_at_the_table_and_at_other_tables_go_on(hall: Hall) -> None:
    printed = seat_codes.issue_codes(hall.round, actor=hall.fredi)
    phones = {(code.table, code.seat): Phone().scan(code.token) for code in printed}
    hall.renew(place=2)

    still = {place for place, phone in phones.items() if phone.who.token is not None}
    assert still == set(phones) - {(1, 2)}


def test_of_a_sheet_the_other_side_keeps_its_code(open_round: Opened, fredi: User) -> None:
    hall = Hall(open_round("sheet", "sheet"), fredi)
    one, other = hall.print_codes()
    phones = [Phone().scan(one), Phone().scan(one), Phone().scan(other)]
    new = hall.renew(place=0)

    assert [phone.who.token is None for phone in phones] == [True, True, False]
    tokens = [Phone().scan(new).who.token for _ in range(2)]
    assert [token.seat for token in tokens if token is not None] == [0, 0], "a poster, for any phone"


def test_the_scorer_of_a_transcribed_table_gets_a_new_code(open_round: Opened, fredi: User) -> None:
    hall = Hall(open_round("transcribed", "transcribed"), fredi)
    (old,) = hall.print_codes()
    before = Phone().scan(old)
    after = Phone().scan(hall.renew())

    assert before.who.token is None
    assert after.who.token is not None
    assert refusal(lambda: hall.renew(place=1)) == "codes/empty_seat"


def test_who_made_the_code_and_when_stands_in_the_stream_of_the_round(hall: Hall) -> None:
    token = hall.renew(place=3)
    (event,) = hall.said("code_renewed")

    ref = Official.objects.get(championship=hall.round.championship, user=hall.fredi, role="director").ref
    assert event.body == {"game": hall.game.pk, "table": 1, "role": "seat", "seat": 3}
    assert (event.actor, token in str(event)) == (ref, False)
    changed = hall.state(3).changed
    assert changed is not None
    assert (changed.at, changed.by) == (parse_datetime(event.recorded_at), ref)


def test_new_codes_for_all_stand_in_the_stream_of_the_round_each_time(hall: Hall) -> None:
    hall.renew(place=3)
    tokens_ = [code.token for _ in range(2) for code in seat_codes.issue_codes(hall.round, actor=hall.fredi)]
    one, other = hall.said("codes_issued")

    tables = hall.round.tables.order_by("number")
    games = [table.game_id for table in tables]
    assert one.body == other.body == {"tables": [1, 2], "games": games}
    assert one.actor == hall.said("code_renewed")[0].actor
    assert not [token for token in tokens_ if token in str(one) + str(other)]
    for place in code_places.list_code_places(hall.round):
        assert place.changed is None, "all are new"
        assert place.issued == (parse_datetime(other.recorded_at), other.actor, False)
    hall.renew(place=2)
    assert [hall.state(place).changed is None for place in range(4)] == [True, True, False, True]


def test_a_code_is_undone_by_another_one(hall: Hall) -> None:
    first = hall.renew()
    second = hall.renew()
    assert Phone().refused(first) == "access/bad_token"
    assert hall.sees(Phone().scan(second)) == Observer.seat(0)
    assert len(hall.said("code_renewed")) == 2


def test_a_round_that_is_over_gives_out_no_code_and_no_seat(hall: Hall) -> None:
    hall.print_codes()
    rounds.close_round(hall.round, actor=hall.fredi, force=True)
    before = list(TableToken.objects.values())

    assert refusal(hall.renew) == "codes/round_not_open"
    assert refusal(hall.give_back) == "codes/round_not_open"
    assert list(TableToken.objects.values()) == before
    assert refusal(hall.print_codes) == "codes/round_not_open"
    assert (hall.said("code_renewed"), len(hall.said("codes_issued"))) == ([], 1)


def test_where_a_computer_or_nobody_sits_there_is_no_code(hall: Hall) -> None:
    hall.game.seats.filter(number=1).update(bot="bot")

    assert refusal(lambda: hall.renew(place=1)) == "codes/empty_seat"
    assert refusal(lambda: hall.renew(place=4)) == "codes/empty_seat"
    assert refusal(lambda: hall.renew(place=-1)) == "codes/empty_seat"
    assert refusal(lambda: hall.give_back(1)) == "codes/empty_seat"
    assert refusal(lambda: hall.give_back(4)) == "codes/empty_seat"
    assert hall.state(1).state == code_places.COMPUTER


def test_a_seat_that_only_an_account_has_gets_a_code_only_if_that_is_meant(hall: Hall, anna: User) -> None:
    hall.link(anna)
    assert refusal(hall.renew) == "codes/seat_of_account"
    assert not TableToken.objects.exists()

    substitute = hall.renew(over_account=True)
    assert hall.may_play(anna), "until somebody scans it"
    phone = Phone().scan(substitute)
    assert (hall.may_play(phone), hall.may_play(anna)) == (True, False)


def test_where_a_code_is_out_for_the_seat_of_an_account_a_new_one_needs_no_word(
    hall: Hall, anna: User
) -> None:
    hall.link(anna)
    seen = hall.print_codes()[0]
    hall.renew()
    assert Phone().refused(seen) == "access/bad_token"
    assert hall.may_play(anna)


def test_a_seat_goes_back_to_whose_it_is_in_one_step(hall: Hall, anna: User) -> None:
    hall.link(anna)
    slip, others = hall.print_codes()[:2]
    substitute, neighbour = Phone().scan(slip), Phone().scan(others)
    assert hall.state().back_to == hall.entry()
    hall.give_back()

    assert (hall.sees(anna), hall.sees(substitute)) == (Observer.seat(0), Observer.spectator())
    assert (hall.may_play(anna), hall.may_play(substitute)) == (True, False)
    assert hall.sees(neighbour) == Observer.seat(1)
    (event,) = hall.said("seat_given_back")
    player = hall.entry().player_ref
    assert event.body == {"game": hall.game.pk, "table": 1, "seat": 0, "player": player}
    assert (hall.state().back_to, hall.state().state) == (None, code_places.ACCOUNT)


def test_a_seat_that_was_given_back_keeps_out_a_slip_that_nobody_has_scanned(hall: Hall, anna: User) -> None:
    hall.link(anna)
    Phone().scan(hall.print_codes()[0])
    waiting = hall.renew()
    hall.give_back()
    assert Phone().refused(waiting) == "access/bad_token"


def test_who_has_his_seat_back_has_no_office_at_the_table(hall: Hall, anna: User) -> None:
    hall.link(anna)
    Phone().scan(hall.print_codes()[0])
    Access.objects.create(game=hall.game, user=anna, role="referee")
    hall.give_back()
    assert [role.role for role in claims.roles(hall.game, anna)] == ["seat"]


def test_only_the_seat_of_this_round_goes_back(hall: Hall, anna: User) -> None:
    hall.link(anna)
    Phone().scan(hall.print_codes()[0])
    elsewhere = table_play.game_of(hall.round.tables.exclude(number=1).get())
    Access.objects.create(game=elsewhere, user=anna, role="spectator", tier="after_deal")
    hall.give_back()
    assert Access.objects.filter(game=elsewhere, user=anna).exists()


def test_who_has_his_seat_or_no_account_is_given_nothing_back(hall: Hall, anna: User) -> None:
    assert refusal(hall.give_back) == "codes/no_account"
    hall.link(anna)
    assert refusal(hall.give_back) == "codes/has_the_seat"
    Phone().scan(hall.print_codes()[0])
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert hall.state().back_to is None
    assert refusal(hall.give_back) == "codes/no_account"
    assert not hall.said("seat_given_back")


def test_a_player_who_scanned_the_code_of_his_own_seat_has_it_and_is_given_nothing_back(
    hall: Hall, anna: User
) -> None:
    hall.link(anna)
    Phone(anna).scan(hall.print_codes()[0])
    assert hall.state().back_to is None
    assert refusal(hall.give_back) == "codes/has_the_seat"


@pytest.mark.parametrize("role", [None, "gabi", "anna"])
def test_only_desk_and_direction_give_out_codes_and_seats(
    hall: Hall, championship: Championship, user: Callable[[str], User], role: str | None
) -> None:
    mallory = user(role or "mallory")
    for act in (
        lambda: seat_codes.renew_code(hall.table, 0, actor=mallory),
        lambda: seat_codes.give_seat_back(hall.table, 0, actor=mallory),
    ):
        with pytest.raises(NotAllowed):
            act()
    heidi = user("heidi")
    officials.appoint(championship, heidi, Official.Role.DESK, actor=hall.fredi)
    assert seat_codes.renew_code(hall.table, 0, actor=heidi).seat == 0


def test_the_desk_sees_who_has_each_place(hall: Hall, anna: User) -> None:
    hall.link(anna, 0)
    assert [place.state for place in code_places.list_code_places(hall.round)][:2] == ["account", "nobody"]
    printed = hall.print_codes()
    Phone().scan(printed[1])
    assert [place.state for place in code_places.list_code_places(hall.round)][:3] == [
        "account",
        "phone",
        "out",
    ]


def test_a_hundred_tables_cost_no_more_questions_than_two(
    open_round: Opened, fredi: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    hall = Hall(open_round("dealt", people=20), fredi)
    hall.print_codes()
    hall.renew()
    with django_assert_max_num_queries(7):
        assert len(code_places.list_code_places(hall.round)) == sum(
            len(seat_codes.code_places(table_play.game_of(table)))
            for table in hall.round.tables.select_related("game")
        )
    with django_assert_max_num_queries(7):
        (mine,) = code_places.list_code_places(hall.round, entry=hall.entry(2))
    assert (mine.table.number, mine.number) == (1, 2)
