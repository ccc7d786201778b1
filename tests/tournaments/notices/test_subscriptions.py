"""Subscriptions: one a phone and person, within limits, and as long as there are messages to come."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from engine import Refused
from games import encryption
from games.encryption import DecryptionError
from games.models import User
from tests.tournaments.notices.conftest import Subscribe, is_over
from tests.tournaments.notices.push_service import Phone
from tournaments import personal_data
from tournaments.models import Championship, Entry, Notice, Round, Subscription
from tournaments.notices import subscriptions
from tournaments.services.championships import archiving
from tournaments.services.entries import merging

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def people(arrived: Callable[[int], list[Entry]]) -> list[Entry]:
    return arrived(14)


def code_of(subscribe: Subscribe, entry: Entry, phone: Phone | None = None) -> str:
    with pytest.raises(Refused) as refused:
        subscribe(entry, phone)
    return refused.value.code


def test_a_phone_that_asks_twice_is_told_once(people: list[Entry], subscribe: Subscribe) -> None:
    phone = subscribe(people[0])
    subscribe(people[0], phone, language="fr")
    assert Subscription.objects.get().language == "fr"
    assert subscriptions.is_subscribed(people[0], phone.url)
    assert not subscriptions.is_subscribed(people[1], phone.url)


def test_a_phone_that_is_reached_elsewhere_is_told_there(people: list[Entry], subscribe: Subscribe) -> None:
    before, now = subscribe(people[0]), Phone()
    subscribe(people[1], before)
    subscribe(people[1], now)

    assert subscriptions.move_subscriptions(Phone().url, now.endpoint, network="a") == 0, (
        "nobody knows that one"
    )
    assert subscriptions.move_subscriptions(before.url, now.endpoint, network="a") == 2
    assert [*Subscription.objects.order_by("entry").values_list("entry", flat=True)] == [
        people[0].pk,
        people[1].pk,
    ]
    assert {subscriptions.decrypt_endpoint(row) for row in Subscription.objects.all()} == {now.endpoint}
    assert subscriptions.move_subscriptions(now.url, now.endpoint, network="a") == 2
    assert Subscription.objects.count() == 2


def test_a_rotation_closes_again_where_phones_are_reached(
    people: list[Entry], subscribe: Subscribe, settings: Settings, tmp_path: Path
) -> None:
    before: Path = settings.DATA_KEY
    settings.DATA_KEY = tmp_path / "data_key"
    shutil.copy(before, settings.DATA_KEY)
    first, lost = encryption.keys_in_use().newest, "0" * 12
    phone = subscribe(people[0])
    subscribe(people[1])
    Subscription.objects.filter(entry=people[1]).update(key=lost)

    call_command("rotate_data_key")

    newest = encryption.keys_in_use().newest
    assert newest != first
    kept = [line for line in settings.DATA_KEY.read_text().splitlines() if line.startswith(newest)]
    settings.DATA_KEY.write_text(kept[0] + "\n")
    assert subscriptions.decrypt_endpoint(Subscription.objects.get(entry=people[0])) == phone.endpoint
    assert Subscription.objects.get(entry=people[1]).key == lost, "what nobody can open stops nothing"


@pytest.mark.django_db(transaction=True)
def test_two_windows_that_ask_at_once_are_one_phone(people: list[Entry], subscribe: Subscribe) -> None:
    phone, at_once, failed = Phone(), Barrier(2), []

    def press() -> None:
        try:
            at_once.wait()
            subscribe(people[0], phone)
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    windows = [Thread(target=press) for _ in range(2)]
    for window in windows:
        window.start()
    for window in windows:
        window.join()
    assert failed == []
    assert Subscription.objects.count() == 1


def test_an_end_is_for_one_person_and_says_about_how_many_it_is_told_still(
    people: list[Entry], subscribe: Subscribe
) -> None:
    phone = subscribe(people[0])
    subscribe(people[1], phone)
    other = subscribe(people[0])
    assert subscriptions.unsubscribe(people[0], phone.url) == 1
    assert subscriptions.unsubscribe(people[0], phone.url) == 1
    assert subscriptions.unsubscribe(people[1], phone.url) == 0
    assert not is_over(other)


def took_a_letter(*phones: Phone) -> None:
    """Their service has taken one."""
    now = timezone.now()
    for phone in phones:
        row = Subscription.objects.get(mark=subscriptions._endpoint_mark(phone.url))
        round_ = Round.objects.get(championship=row.entry.championship_id, number=1)
        Notice.objects.create(
            subscription=row, round=round_, occasion="1.1.1.0", due_at=now, until=now, sent_at=now, answer=201
        )


def test_made_up_addresses_keep_no_phone_of_the_person_s_own_out(
    people: list[Entry], subscribe: Subscribe
) -> None:
    own = subscribe(people[0])
    took_a_letter(own)
    made_up = [subscribe(people[0]) for _ in range(subscriptions.MAX_OF_ENTRY - 1)]
    newest = subscribe(people[0])
    assert not is_over(own), "it takes letters"
    assert not is_over(newest)
    assert [is_over(phone) for phone in made_up] == [True] + [False] * (len(made_up) - 1)


def test_phones_of_a_person_and_people_of_a_phone_have_a_bound(
    people: list[Entry], subscribe: Subscribe
) -> None:
    known = [subscribe(people[0]) for _ in range(subscriptions.MAX_OF_ENTRY)]
    took_a_letter(*known)
    assert code_of(subscribe, people[0]) == "notices/too_many_phones"
    subscribe(people[0], known[0])
    for entry in people[1 : subscriptions.MAX_OF_PHONE]:
        subscribe(entry, known[0])
    assert code_of(subscribe, people[13], known[0]) == "notices/too_many_people"


def test_a_network_that_asks_without_end_is_told_to_wait(
    people: list[Entry], subscribe: Subscribe, settings: Settings
) -> None:
    settings.LIMITS = True
    subscriptions.ADDRESS_BUDGET.forget("192.0.2.1")
    subscriptions.ADDRESS_BUDGET.spend("192.0.2.1", count=subscriptions.ADDRESS_BUDGET.most)
    assert code_of(subscribe, people[0]) == "notices/too_often"
    subscriptions.ADDRESS_BUDGET.forget("192.0.2.1")
    subscribe(people[0])


def test_what_is_over_is_not_told(
    people: list[Entry], subscribe: Subscribe, championship: Championship
) -> None:
    Entry.objects.filter(pk=people[0].pk).update(status=Entry.Status.WITHDRAWN)
    assert code_of(subscribe, people[0]) == "notices/withdrawn"
    Championship.objects.update(status=Championship.Status.FINISHED)
    assert code_of(subscribe, people[1]) == "notices/over"
    Championship.objects.update(status=Championship.Status.RUNNING, archived_at=timezone.now())
    assert code_of(subscribe, people[1]) == "notices/over"


def test_without_a_key_or_where_the_operator_says_so_nobody_is_told(
    people: list[Entry], subscribe: Subscribe, settings: Settings, tmp_path: Path
) -> None:
    settings.PUSH_HOSTS = ["none"]
    assert code_of(subscribe, people[0]) == "notices/off"
    settings.PUSH_HOSTS, settings.PUSH_KEY = [], tmp_path / "nothing"
    assert code_of(subscribe, people[0]) == "notices/off"


def test_where_a_phone_is_reached_is_closed_and_opens_in_its_own_row_alone(
    people: list[Entry], subscribe: Subscribe
) -> None:
    phone = subscribe(people[0])
    subscribe(people[1])
    own, other = Subscription.objects.order_by("pk")
    assert subscriptions.decrypt_endpoint(own) == phone.endpoint
    assert phone.path.encode() not in bytes(own.closed)
    assert phone.path not in own.mark
    own.closed, other.closed = other.closed, own.closed
    for row in (own, other):
        with pytest.raises(DecryptionError):
            subscriptions.decrypt_endpoint(row)


def test_the_rows_go_with_the_archive_with_age_and_with_the_person(
    people: list[Entry], subscribe: Subscribe, championship: Championship, fredi: User, anna: User
) -> None:
    old, erased, signed_in = (subscribe(one) for one in people[:3])
    Subscription.objects.filter(entry=people[2]).update(user=anna)
    Subscription.objects.filter(entry=people[0]).update(made_at=timezone.now() - timedelta(days=61))
    assert subscriptions.forget_finished() == 1
    assert (is_over(old), is_over(erased)) == (True, False)

    told = personal_data.export_data(personal_data.find_subject("clubabend/2"))["rows"]
    assert [sorted(row) for row in told["tournaments.subscription"]] == [
        ["entry", "id", "language", "made_at"]
    ]
    personal_data.erase_data(personal_data.find_subject("clubabend/2"))
    assert (is_over(erased), is_over(signed_in)) == (True, False)
    personal_data.erase_data(personal_data.find_subject("anna"))
    assert is_over(signed_in)

    last = subscribe(people[4])
    archiving.archive(championship, actor=fredi)
    assert is_over(last)


def test_a_phone_whose_key_is_gone_holds_up_no_merge(people: list[Entry], subscribe: Subscribe) -> None:
    subscribe(people[1], Phone())
    Subscription.objects.update(key="0123456789ab")
    merging.merge_entries(people[0], people[1], actor=None)
    assert not Subscription.objects.exists()
