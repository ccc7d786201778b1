"""A hand on a running table is never shown to one more person without a record at the table."""

from collections.abc import Callable

import pytest
from django.test import Client

from engine import Observer
from games import store
from games.api.views import WRONG_CODES
from games.models import Game, User
from games.rights import observers
from tests.tournaments import table_play
from tests.tournaments.phone_sessions import Phone
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Entry, Official, OpenedHands, Round, SeatChange, Table
from tournaments.services.entries import entries, seat_codes
from tournaments.services.referee import opened_hands
from tournaments.services.rounds import rounds

Opened = Callable[..., Round]


@pytest.fixture
def table(open_round: Opened) -> Table:
    return open_round("dealt", people=4).tables.select_related("game", "round__championship").get()


@pytest.fixture
def sitting(table: Table, anna: User, fredi: User) -> Entry:
    """Anna has seat 0 by her account since before her cards came."""
    entry: Entry = table.seatings.select_related("entry__user", "entry__championship").get(seat=0).entry
    entries.link_account(entry, anna, actor=fredi)
    SeatChange.objects.all().delete()
    return entry


def sees(table: Table, who: User) -> Observer:
    return observers.find_observer(Game.objects.get(pk=table.game_id), who)


def told_at(table: Table, user: User | None = None) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(f"/g/{table.game_id}/", HTTP_ACCEPT_LANGUAGE="en").content.decode()


def test_a_director_who_links_a_hand_to_himself_and_back_is_told_at_the_table(
    table: Table, sitting: Entry, anna: User, fredi: User, eva: User
) -> None:
    assert sees(table, fredi) == Observer.spectator("after_deal")
    entries.link_account(sitting, fredi, actor=fredi)
    assert sees(table, fredi) == Observer.seat(0)
    entries.link_account(sitting, anna, actor=fredi)
    assert sees(table, anna) == Observer.seat(0)

    given = [event for event in store.read(table.round.stream_id) if event.type == "seat_given"]
    ref = Official.objects.get(user=fredi).ref
    assert [(e.actor, e.body["seat"], e.body["account"], e.body["office"]) for e in given[-2:]] == [
        (ref, 0, True, ref),
        (ref, 0, True, ""),
    ]
    for reader in (anna, eva, None):
        page = told_at(table, reader)
        assert page.count(f"gave the seat of {sitting.name} to an account in deal 1") == 2
        assert page.count("It is the account of an official.") == 1


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("link", "gave the seat of {} to an account in deal 1"),
        ("unlink", "removed the account from the seat of {} in deal 1"),
        ("renew", "made a new code for the seat of {} in deal 1"),
        ("give back", "gave the seat back to {} in deal 1"),
    ],
)
def test_every_way_to_a_hand_is_told_at_the_table(
    table: Table, sitting: Entry, eva: User, fredi: User, way: str, told: str
) -> None:
    if way == "link":
        entries.link_account(sitting, eva, actor=fredi)
    elif way == "unlink":
        entries.link_account(sitting, None, actor=fredi)
    else:
        code = seat_codes.renew_code(table, 0, actor=fredi, over_account=True)
        if way == "give back":
            Phone(eva).scan(code.token)
            seat_codes.give_seat_back(table, 0, actor=fredi)
    assert told.format(sitting.name) in told_at(table)
    assert SeatChange.objects.last() is not None


def test_an_account_that_was_none_and_is_none_changes_nothing(table: Table, fredi: User) -> None:
    entry = table.seatings.select_related("entry__championship").get(seat=1).entry
    entries.link_account(entry, None, actor=fredi)
    assert not SeatChange.objects.exists()


def test_no_seat_change_is_recorded_without_an_open_hand(open_round: Opened, anna: User, fredi: User) -> None:
    round_ = open_round("sheet", "dealt")
    table_play.play_to_the_end(round_)
    for table in round_.tables.all():
        entry = table.seatings.select_related("entry__championship").get(seat=0).entry
        entries.link_account(entry, anna, actor=fredi)
        entries.link_account(entry, None, actor=fredi)
    assert not SeatChange.objects.exists()
    assert "seat_given" not in {event.type for event in store.read(round_.stream_id)}


def test_nobody_sits_down_to_a_deal_whose_hidden_cards_he_has_opened(
    table: Table, sitting: Entry, gabi: User, fredi: User
) -> None:
    opened_hands.open_hand(table, actor=gabi, deal=1, reason="Streit")
    with pytest.raises(TournamentError) as refusal:
        entries.link_account(sitting, gabi, actor=fredi)
    assert refusal.value.code == "entries/has_looked"
    sitting.refresh_from_db()
    assert sitting.user != gabi
    assert sees(table, gabi) == Observer.spectator("after_deal", opened=1)
    assert not SeatChange.objects.exists()


def test_what_was_told_stays_when_the_round_is_over(
    table: Table, sitting: Entry, eva: User, fredi: User
) -> None:
    entries.link_account(sitting, eva, actor=fredi)
    rounds.close_round(table.round, actor=fredi, force=True)
    assert "to an account in deal 1" in told_at(table)


def test_new_codes_for_all_are_told_where_they_end_one_that_is_out_or_an_account_has_the_seat(
    table: Table, sitting: Entry, fredi: User
) -> None:
    seat_codes.issue_codes(table.round, actor=fredi)
    assert list(SeatChange.objects.values_list("seat", "way", "deal")) == [(0, "code", 1)]
    seat_codes.issue_codes(table.round, actor=fredi)
    assert list(SeatChange.objects.values_list("seat", flat=True)) == [0, 0, 1, 2, 3]
    page = told_at(table)
    for seating in table.seatings.select_related("entry"):
        assert f"made a new code for the seat of {seating.entry.name} in deal 1" in page


def test_whoever_is_signed_in_and_has_looked_sits_down_by_no_code(
    table: Table, gabi: User, eva: User, fredi: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_hands.open_hand(table, actor=gabi, deal=1, reason="Streit")
    code = seat_codes.issue_codes(table.round, actor=fredi)[2]
    wrong: list[str] = []
    monkeypatch.setattr(WRONG_CODES, "spend", wrong.append)
    assert Phone(gabi).refused(code.token) == "access/has_looked"
    assert not wrong, "the code is right"
    assert sees(table, gabi) == Observer.spectator("after_deal", opened=1)
    Phone(eva).scan(code.token)


def test_whoever_sits_by_a_code_does_not_look_at_the_hidden_cards_of_his_table(
    table: Table, gabi: User, fredi: User
) -> None:
    phone = Phone(gabi).scan(seat_codes.issue_codes(table.round, actor=fredi)[2].token)
    assert opened_hands.find_hidden_deal(table_play.game_of(table), phone.who) is None
    with pytest.raises(NotAllowed) as refused:
        opened_hands.open_hand(table, actor=gabi, deal=1, reason="ich", token=phone.who.token)
    assert refused.value.code == "hands/own_table"
    assert not OpenedHands.objects.exists()
