"""Passwords, codes and requests are limited by who asks, across processes; nobody locks out somebody else."""

import itertools
import secrets
import threading
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.test import Client
from pytest_django import Settings

from deploy import hashing, schema
from deploy.allowance import COSTLY
from frontend.views import sign_in
from games import budgets, carrier
from games.budgets import Budget
from games.models import User
from games.strain import Overloaded

PASSWORD = "Ein-Trumpf-im-Aermel-7"
addresses = (f"192.0.2.{number}" for number in itertools.count(1))


@pytest.fixture(autouse=True)
def _counted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LIMITS = settings.AXES_ENABLED = True
    fresh = {"prefix": f"{settings.CHANNEL_LAYERS['default']['CONFIG']['prefix']}-{secrets.token_hex(4)}"}
    config = settings.CHANNEL_LAYERS["default"]["CONFIG"] | fresh
    settings.CHANNEL_LAYERS = {"default": settings.CHANNEL_LAYERS["default"] | {"CONFIG": config}}


def try_in(client: Client, name: str, password: str) -> int:
    return client.post("/sign-in/", {"username": name, "password": password}).status_code


def test_a_budget_is_spent_once_for_all_processes_and_begins_anew() -> None:
    one, other = Budget("shared", most=3, seconds=60), Budget("shared", most=3, seconds=60)
    assert [one.spend("x"), other.spend("x"), one.spend("x")] == [0, 0, 0]
    assert 0 < other.wait("x") <= 60
    assert 0 < other.spend("x") <= 60
    assert one.wait("y") == 0
    one.forget("x")
    assert other.wait("x") == 0


def test_a_count_that_has_lost_its_end_gets_one_again() -> None:
    budget = Budget("without-end", most=3, seconds=60)
    key = carrier.key("budget", budget.name, "x")
    carrier.ask(lambda redis: redis.set(key, 7), otherwise=None)
    assert 0 < budget.spend("x") <= 60
    assert 0 < carrier.ask(lambda redis: redis.ttl(key), otherwise=0) <= 60


def test_a_budget_is_kept_by_the_process_while_redis_is_away(settings: Settings) -> None:
    settings.REDIS_URL = f"unix:///nowhere/{secrets.token_hex(4)}.sock"
    budget = Budget("alone", most=1, seconds=60)
    assert budget.spend("x") == 0
    assert budget.wait("x") > 0
    assert budget.spend("x") > 0
    budget.forget("x")
    assert budget.wait("x") == 0


def test_all_of_one_ipv6_network_is_one_address() -> None:
    assert budgets.network_of("2001:db8:1:2::1") == budgets.network_of("2001:db8:1:2:ffff::7")
    assert budgets.network_of("2001:db8:1:3::1") != budgets.network_of("2001:db8:1:2::1")
    assert budgets.network_of("::ffff:192.0.2.1") == "192.0.2.1"


@pytest.mark.django_db
def test_the_hall_cannot_lock_out_a_director_who_has_signed_in_on_his_laptop() -> None:
    User.objects.create_user("fredi", password=PASSWORD)
    laptop, stranger = Client(), Client()
    assert try_in(laptop, "fredi", PASSWORD) == 302
    laptop.post("/sign-out/")
    for _ in range(12):
        last = try_in(stranger, "fredi", "wrong")
    assert last == 429
    assert try_in(stranger, "fredi", PASSWORD) == 429
    assert try_in(laptop, "fredi", PASSWORD) == 302


@pytest.mark.django_db
def test_a_stolen_laptop_has_a_limit_of_its_own() -> None:
    User.objects.create_user("fredi", password=PASSWORD)
    laptop = Client()
    assert try_in(laptop, "fredi", PASSWORD) == 302
    laptop.post("/sign-out/")
    assert [try_in(laptop, "fredi", "wrong") for _ in range(9)] == [200] * 8 + [429]
    assert try_in(laptop, "fredi", PASSWORD) == 429


@pytest.mark.django_db
def test_the_right_password_of_one_name_gives_no_new_guesses_at_another_on_the_same_device() -> None:
    for name in ("eva", "fredi"):
        User.objects.create_user(name, password=PASSWORD)
    shared = Client()
    assert [try_in(shared, "fredi", PASSWORD), shared.post("/sign-out/").status_code] == [302, 302]
    guesses: list[int] = []
    for _ in range(3):
        assert try_in(shared, "eva", PASSWORD) == 302
        shared.post("/sign-out/")
        guesses += [try_in(shared, "fredi", "wrong") for _ in range(4)]
    assert guesses == [200] * 8 + [429] * 4
    assert try_in(shared, "eva", PASSWORD) == 302, "who knows his own password is not stopped by it"


@pytest.mark.django_db
def test_a_device_cookie_of_somebody_else_or_an_invented_one_helps_nobody() -> None:
    User.objects.create_user("fredi", password=PASSWORD)
    User.objects.create_user("eva", password=PASSWORD)
    evas = Client()
    assert try_in(evas, "eva", PASSWORD) == 302
    evas.post("/sign-out/")
    for _ in range(12):
        last = try_in(evas, "fredi", "wrong")
    assert last == 429
    invented = Client()
    invented.cookies["puur_device"] = "WyJhIiwiYiJd:1abcde:invented"
    assert try_in(invented, "fredi", PASSWORD) == 429


@pytest.mark.django_db
def test_one_password_over_many_names_is_limited_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in.FROM_ADDRESS, "most", 20)
    User.objects.create_user("fredi", password=PASSWORD)
    spraying = Client(REMOTE_ADDR=next(addresses))
    statuses = [try_in(spraying, f"name-{number}", "Sommer2026") for number in range(25)]
    assert statuses == [200] * 20 + [429] * 5
    assert try_in(Client(REMOTE_ADDR=next(addresses)), "fredi", PASSWORD) == 302


@pytest.mark.django_db
def test_the_old_password_cannot_be_tried_without_end() -> None:
    User.objects.create_user("fredi", password=PASSWORD)
    found = Client()
    found.force_login(User.objects.get(username="fredi"))
    new = {"new_password1": "Noch-ein-Trumpf-8", "new_password2": "Noch-ein-Trumpf-8"}
    statuses = [found.post("/password/", {"old_password": "wrong", **new}).status_code for _ in range(9)]
    assert statuses == [200] * 8 + [429]
    refused = found.post("/password/", {"old_password": PASSWORD, **new})
    assert refused.status_code == 429
    assert b"sign_in/locked" in refused.content


@pytest.mark.django_db
def test_wrong_codes_of_a_table_are_limited_generously_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.api.views import WRONG_CODES

    assert WRONG_CODES.most >= 200
    monkeypatch.setattr(WRONG_CODES, "most", 5)
    guessing = Client(REMOTE_ADDR=next(addresses))

    def guess() -> Any:
        token = {"token": secrets.token_hex(16)}
        return guessing.post("/api/v1/table-session/", token, content_type="application/json")

    assert [guess().status_code for _ in range(5)] == [403] * 5
    refused = guess()
    assert refused.status_code == 429
    assert refused.json()["code"] == "http/throttled"
    assert int(refused["Retry-After"]) > 0


@pytest.mark.django_db
def test_what_costs_much_has_a_budget_of_its_own_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(COSTLY["what_if"].address, "most", 3)
    visitor = Client(REMOTE_ADDR=next(addresses))
    statuses = [visitor.get(f"/g/{'0' * 32}/what-if/").status_code for _ in range(5)]
    assert statuses == [404] * 3 + [429] * 2
    assert visitor.get("/rules/").status_code == 200
    known = Client(REMOTE_ADDR=visitor.defaults["REMOTE_ADDR"])
    known.force_login(User.objects.create_user("eva"))
    assert known.get(f"/g/{'0' * 32}/what-if/").status_code == 404, "others at his address do not stop him"


@pytest.mark.django_db
def test_a_flood_from_one_address_is_told_when_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from deploy.allowance import ANY

    monkeypatch.setattr(ANY.address, "most", 40)
    flooding = Client(REMOTE_ADDR=next(addresses))
    statuses = [flooding.get("/api/v1/games/").status_code for _ in range(60)]
    assert statuses[:40] == [200] * 40
    assert statuses[-1] == 429
    assert Client(REMOTE_ADDR=next(addresses)).get("/api/v1/games/").status_code == 200


@pytest.mark.django_db
def test_the_description_of_the_api_is_made_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from drf_spectacular.generators import SchemaGenerator

    first = client.get("/api/schema/?format=json")

    def again(*_: Any, **__: Any) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(SchemaGenerator, "get_schema", again)
    second = client.get("/api/schema/?format=json&x=1")
    assert (second.status_code, second.content) == (200, first.content)
    assert second["Content-Type"].split(";")[0] == first["Content-Type"].split(";")[0]


@pytest.mark.django_db
def test_nobody_writes_into_the_description_that_others_read(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "_made", {})
    first = client.get("/api/schema/?format=json&version=of-a-stranger")
    assert b"of-a-stranger" not in first.content
    assert "of-a-stranger" not in first["Content-Disposition"]


def test_passwords_are_never_checked_by_more_than_two_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib.auth.hashers import Argon2PasswordHasher

    gate, at_work, most = threading.Event(), [0], [0]
    counting = threading.Lock()
    both = threading.Barrier(hashing.AT_ONCE + 1)

    def slow(*_: Any) -> str:
        with counting:
            at_work[0] += 1
            most[0] = max(most[0], at_work[0])
        both.wait(30)
        gate.wait(30)
        with counting:
            at_work[0] -= 1
        return "hash"

    monkeypatch.setattr(Argon2PasswordHasher, "encode", slow)
    monkeypatch.setattr(hashing, "SECONDS", 0.01)
    threads = [threading.Thread(target=make_password, args=("x",)) for _ in range(hashing.AT_ONCE)]
    for thread in threads:
        thread.start()
    both.wait(30)
    with pytest.raises(Overloaded):
        make_password("x")
    gate.set()
    for thread in threads:
        thread.join()
    assert most == [hashing.AT_ONCE]


def test_a_password_is_hashed_as_written_down_and_an_older_hash_is_made_anew() -> None:
    from django.contrib.auth.hashers import Argon2PasswordHasher

    older = Argon2PasswordHasher().encode(PASSWORD, "some-salt-of-old")
    renewed: list[str] = []
    assert check_password(PASSWORD, older, setter=lambda raw: renewed.append(make_password(raw)))
    assert renewed[0].startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert check_password(PASSWORD, renewed[0], setter=lambda raw: renewed.append(raw))
    assert len(renewed) == 1
