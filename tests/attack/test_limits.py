"""Passwords, codes and requests are limited by who asks, across processes; nobody locks out somebody else."""

import itertools
import secrets
import sys
import threading
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from deploy import openapi
from deploy.limits import hashing, proxied, rate_limit_middleware
from deploy.limits.rate_limit_middleware import BUDGETS_BY_VIEW, CODES, DEFAULT_BUDGETS, SIGN_IN
from frontend import sign_in_attempts
from games.messaging import rate_limit, redis_client
from games.messaging.rate_limit import Budget
from games.models import User
from games.monitoring.unavailable_errors import Overloaded
from games.rights import tokens
from tests.games.cast import table
from tournaments.services.championships import championships

pytestmark = pytest.mark.both

PASSWORD = "Ein-Trumpf-im-Aermel-7"
addresses = (f"192.0.2.{number}" for number in itertools.count(1))


@pytest.fixture(autouse=True)
def _counted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LIMITS = True
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{secrets.token_hex(4)}"


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


def test_no_two_budgets_are_spent_under_one_name() -> None:
    ours = [vars(module) for name, module in sys.modules.items() if name.startswith(("deploy.", "frontend."))]
    ours += [vars(module) for name, module in sys.modules.items() if name.startswith("games.")]
    found = [value for module in ours for value in module.values()]
    found += [part for value in found if isinstance(value, dict | tuple) for part in _parts(value)]
    names = [
        budget.name for budget in {id(each): each for each in found if isinstance(each, Budget)}.values()
    ]
    assert len(names) >= 15
    assert sorted(names) == sorted(set(names))


def _parts(value: Any) -> list[Any]:
    parts = list(value.values() if isinstance(value, dict) else value)
    return parts + [each for part in parts if isinstance(part, tuple) for each in part]


def test_a_count_that_has_lost_its_end_gets_one_again() -> None:
    budget = Budget("without-end", most=3, seconds=60)
    key = redis_client.key("budget", budget.name, "x")
    redis_client.ask_redis(lambda redis: redis.set(key, 7), otherwise=None)
    assert 0 < budget.spend("x") <= 60
    assert 0 < redis_client.ask_redis(lambda redis: redis.ttl(key), otherwise=0) <= 60


def test_a_process_forgets_whom_it_has_counted_before_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limit_middleware, "MAX_KEPT", 3)
    counts, budget = rate_limit_middleware.RequestCounts(), Budget("many", most=100, seconds=60)
    for number in range(8):
        assert [counts.count_request(budget, f"{number}") for _ in range(3)] == [0, 0, 0]
    assert len(counts._unreported) <= 5
    assert len(counts._refused_until) <= 5
    exhausted = Budget("exhausted", most=0, seconds=60)
    assert all(counts.count_request(exhausted, f"{number}") > 0 for number in range(8))
    assert len(counts._refused_until) <= 5


def test_what_a_process_counts_before_it_tells_the_others_is_told_in_full() -> None:
    budget, one, other = (
        Budget("by-tens", most=600, seconds=60),
        rate_limit_middleware.RequestCounts(),
        rate_limit_middleware.RequestCounts(),
    )
    assert {counts.count_request(budget, "x") for _ in range(300) for counts in (one, other)} == {0}
    for counts in (one, other):
        asked = [counts.count_request(budget, "x") for _ in range(rate_limit_middleware.COUNTED_PER_REPORT)]
        assert [wait > 0 for wait in asked] == [False] * (rate_limit_middleware.COUNTED_PER_REPORT - 1) + [
            True
        ]


def test_a_budget_is_kept_by_the_process_while_redis_is_away(settings: Settings) -> None:
    settings.REDIS_URL = f"unix:///nowhere/{secrets.token_hex(4)}.sock"
    budget = Budget("alone", most=1, seconds=60)
    assert budget.spend("x") == 0
    assert budget.wait("x") > 0
    assert budget.spend("x") > 0
    budget.forget("x")
    assert budget.wait("x") == 0


def test_all_of_one_ipv6_network_is_one_address() -> None:
    assert rate_limit.network_of("2001:db8:1:2::1") == rate_limit.network_of("2001:db8:1:2:ffff::7")
    assert rate_limit.network_of("2001:db8:1:3::1") != rate_limit.network_of("2001:db8:1:2::1")
    assert rate_limit.network_of("::ffff:192.0.2.1") == "192.0.2.1"


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
    assert try_in(shared, "eva", PASSWORD) == 302, "the right password still works"


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


@pytest.fixture
def suspected(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address from which a stranger has given 20 wrong passwords, which is as many as are borne there."""
    monkeypatch.setattr(sign_in_attempts.FROM_ADDRESS, "most", 20)
    hall = next(addresses)
    spraying = Client(REMOTE_ADDR=hall)
    assert [try_in(spraying, f"name-{number}", "Sommer2026") for number in range(20)] == [200] * 20
    return hall


@pytest.mark.django_db
def test_strangers_who_guess_in_a_hall_shut_nobody_out_who_knows_his_password(suspected: str) -> None:
    for name in ("fredi", *(f"phone-{number}" for number in range(12))):
        User.objects.create_user(name, password=PASSWORD)
    assert try_in(Client(REMOTE_ADDR=suspected), "fredi", PASSWORD) == 302, "a new laptop of the director"
    for number in range(12):
        phone = Client(REMOTE_ADDR=suspected)
        tries = [try_in(phone, f"phone-{number}", password) for password in ("a typo", PASSWORD)]
        assert tries == [200, 302]


@pytest.mark.django_db
def test_a_name_has_two_wrong_passwords_where_many_have_been_given(suspected: str) -> None:
    User.objects.create_user("fredi", password=PASSWORD)
    names = ["fredi", "Fredi ", "\uff46redi", "fredi"]
    statuses = [try_in(Client(REMOTE_ADDR=suspected), name, "wrong") for name in names]
    assert statuses == [200, 200, 429, 429], "however it is written"
    refused = Client(REMOTE_ADDR=suspected).post("/sign-in/", {"username": "fredi", "password": PASSWORD})
    assert (refused.status_code, 0 < int(refused["Retry-After"]) <= 900) == (429, True)
    assert try_in(Client(REMOTE_ADDR=next(addresses)), "fredi", PASSWORD) == 302


@pytest.mark.django_db
def test_one_password_over_many_names_is_slow_where_many_have_been_given(
    suspected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sign_in_attempts.SUSPECTED.seconds <= 10, "the hall is open again as soon as that ends"
    monkeypatch.setattr(sign_in_attempts.SUSPECTED, "most", 5)
    monkeypatch.setattr(sign_in_attempts.SUSPECTED, "seconds", 60)
    User.objects.create_user("fredi", password=PASSWORD)
    User.objects.create_user("mallory", password=PASSWORD)
    assert try_in(Client(REMOTE_ADDR=suspected), "mallory", PASSWORD) == 302, (
        "the right password, which resets no counter"
    )
    spraying = Client(REMOTE_ADDR=suspected)
    statuses = [try_in(spraying, f"other-{number}", "Sommer2026") for number in range(8)]
    assert statuses == [200] * 5 + [429] * 3
    assert try_in(Client(REMOTE_ADDR=next(addresses)), "fredi", PASSWORD) == 302


@pytest.mark.django_db
def test_the_directors_laptop_is_not_suspected_with_the_others(
    suspected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_attempts.SUSPECTED, "most", 0)
    User.objects.create_user("fredi", password=PASSWORD)
    laptop = Client(REMOTE_ADDR=next(addresses))
    assert try_in(laptop, "fredi", PASSWORD) == 302
    laptop.post("/sign-out/")
    laptop.defaults["REMOTE_ADDR"] = suspected
    assert try_in(laptop, "fredi", "a typo") == 200
    assert try_in(laptop, "fredi", PASSWORD) == 302


@pytest.mark.django_db
def test_one_network_of_ipv6_has_no_more_guesses_at_a_name_than_one_address() -> None:
    User.objects.create_user("fredi", password=PASSWORD)
    network = [Client(REMOTE_ADDR=f"2001:db8:7:7::{number}") for number in range(1, 11)]
    statuses = [try_in(client, "fredi", "wrong") for client in network]
    assert statuses == [200] * 8 + [429] * 2
    assert try_in(Client(REMOTE_ADDR="2001:db8:7:8::1"), "fredi", PASSWORD) == 302


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
    assert b"incorrectly" not in found.post("/password/", {"old_password": "wrong", **new}).content


@pytest.mark.django_db
def test_wrong_codes_of_a_table_are_limited_by_address_and_right_ones_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from games.api.views import WRONG_CODES

    monkeypatch.setattr(WRONG_CODES, "most", 5)
    hall = next(addresses)
    guessing = Client(REMOTE_ADDR=hall)

    def tried(token: str) -> Any:
        return guessing.post("/api/v1/table-session/", {"token": token}, content_type="application/json")

    assert [tried(secrets.token_hex(16)).status_code for _ in range(5)] == [403] * 5
    refused = tried(secrets.token_hex(16))
    assert refused.status_code == 429
    assert refused.json()["code"] == "http/throttled"
    assert int(refused["Retry-After"]) > 0
    right, row = tokens.create_token(table(), "seat", 0)
    tokens.store([row])
    assert tried(right).status_code == 201, "strangers in the hall keep nobody from a table"


@pytest.mark.django_db
@pytest.mark.parametrize(("view", "path"), [("what_if", "what-if/"), ("table_preview", "preview.png?at=7")])
def test_what_costs_much_has_a_budget_of_its_own_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, view: str, path: str
) -> None:
    monkeypatch.setattr(BUDGETS_BY_VIEW[view].address, "most", 3)
    visitor = Client(REMOTE_ADDR=next(addresses))
    statuses = [visitor.get(f"/g/{'0' * 32}/{path}").status_code for _ in range(5)]
    assert statuses == [404] * 3 + [429] * 2
    assert visitor.get("/rules/").status_code == 200
    known = Client(REMOTE_ADDR=visitor.defaults["REMOTE_ADDR"])
    known.force_login(User.objects.create_user("eva"))
    assert known.get(f"/g/{'0' * 32}/{path}").status_code == 404, "others at the same address do not matter"


@pytest.mark.django_db
def test_whoever_opens_tables_against_bots_has_no_share_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody has a code there at one press, and another one at the next."""
    monkeypatch.setattr(DEFAULT_BUDGETS.address, "most", 8)
    address, statuses = next(addresses), []
    for _ in range(3):
        guest = Client(REMOTE_ADDR=address)
        guest.post(reverse("guest_table"), {"game": "schieber"})
        statuses += [guest.get("/rules/").status_code for _ in range(4)]
    assert statuses[:4] == [200] * 4
    assert statuses[-4:] == [429] * 4

    code, row = tokens.create_token(table(), "seat", 0)
    tokens.store([row])
    guest.post("/api/v1/table-session/", {"token": code}, content_type="application/json")
    assert guest.get("/rules/").status_code == 200, "the guest sits at a table of a championship now"


@pytest.mark.django_db
def test_a_list_of_names_is_tried_slowly_by_whoever_may_appoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BUDGETS_BY_VIEW["official_appoint"].person, "most", 3)
    fredi, curious = User.objects.create_user("fredi"), Client(REMOTE_ADDR=next(addresses))
    made = championships.create(actor=fredi, name="Cup")
    curious.force_login(fredi)
    path = reverse("official_appoint", args=[made.slug])
    asked = [curious.post(path, {"user": f"name{n}", "role": "referee"}) for n in range(5)]
    assert [answer.status_code for answer in asked] == [400] * 3 + [429] * 2
    assert int(asked[-1]["Retry-After"]) > 0


@pytest.mark.django_db
def test_a_flood_from_one_address_is_told_when_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DEFAULT_BUDGETS.address, "most", 40)
    flooding = Client(REMOTE_ADDR=next(addresses))
    statuses = [flooding.get("/api/v1/games/").status_code for _ in range(60)]
    assert statuses[:40] == [200] * 40
    assert statuses[-1] == 429
    assert Client(REMOTE_ADDR=next(addresses)).get("/api/v1/games/").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "status", "more"),
    [
        ("GET", "/there/is/nothing/", 404, {}),
        ("GET", "/rules", 301, {}),
        ("POST", "/language/", 403, {}),
        ("POST", "/no-such-page/", 404, {}),
        ("PUT", "/rules/", 403, {}),
        ("DELETE", "/api/v1/games/", 405, {}),
        ("GET", "/rules/", 400, {"Host": "evil.example"}),
    ],
)
def test_what_reaches_no_view_is_counted_too(
    method: str, path: str, status: int, more: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DEFAULT_BUDGETS.address, "most", 5)
    flooding = Client(REMOTE_ADDR=next(addresses), enforce_csrf_checks=True, headers=more)
    statuses = [flooding.generic(method, path).status_code for _ in range(7)]
    assert statuses == [status] * 5 + [429] * 2


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/readyz", "/metrics"])
def test_only_who_supervises_on_this_machine_asks_how_it_is_without_end(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DEFAULT_BUDGETS.address, "most", 3)
    turn_away = rate_limit_middleware.RateLimitMiddleware(lambda request: HttpResponse("as it is"))
    for direct, statuses in ((False, [200, 200, 200, 429]), (True, [200] * 4)):
        asked = RequestFactory(REMOTE_ADDR=next(addresses)).get(path)
        asked.scope = {proxied.DIRECT: direct}  # type: ignore[attr-defined]  # requests of ASGI have a scope
        assert [turn_away(asked).status_code for _ in range(4)] == statuses


@pytest.mark.django_db
def test_the_doors_stay_open_while_others_ask_for_too_much_of_anything_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doors = {
        "any": (DEFAULT_BUDGETS, "/rules/"),
        "sign-in": (SIGN_IN, "/sign-in/"),
        "codes": (CODES, "/t/"),
    }
    for share, _ in doors.values():
        monkeypatch.setattr(share.address, "most", 5)
    for flooded, (_, path) in doors.items():
        flooding = Client(REMOTE_ADDR=next(addresses))
        assert [flooding.get(path).status_code for _ in range(6)] == [200] * 5 + [429]
        others = [flooding.get(other).status_code for name, (_, other) in doors.items() if name != flooded]
        assert others == [200, 200]


@pytest.mark.django_db
def test_a_flood_of_the_sign_in_does_not_reach_a_browser_that_has_signed_in_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SIGN_IN.address, "most", 5)
    User.objects.create_user("fredi", password=PASSWORD)
    hall = next(addresses)
    laptop, flooding = Client(REMOTE_ADDR=hall), Client(REMOTE_ADDR=hall)
    assert try_in(laptop, "fredi", PASSWORD) == 302
    laptop.post("/sign-out/")
    assert [flooding.get("/sign-in/").status_code for _ in range(6)][-1] == 429
    invented = Client(REMOTE_ADDR=hall)
    invented.cookies["puur_device"] = "WyJhIiwiYiJd:1abcde:invented"
    assert invented.get("/sign-in/").status_code == 429
    assert [laptop.get("/sign-in/").status_code, try_in(laptop, "fredi", PASSWORD)] == [200, 302]


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
    monkeypatch.setattr(openapi, "_made", {})
    first = client.get("/api/schema/?format=json&version=of-a-stranger")
    assert b"of-a-stranger" not in first.content
    assert "of-a-stranger" not in first["Content-Disposition"]


@pytest.mark.parametrize("way", ["made", "checked"])
def test_passwords_are_never_checked_by_more_than_two_at_once(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.contrib.auth.hashers import Argon2PasswordHasher

    known = make_password(PASSWORD)
    gate, at_work, most = threading.Event(), [0], [0]
    counting = threading.Lock()
    both = threading.Barrier(hashing.MAX_CONCURRENT_HASHES + 1)

    def slow(*_: Any) -> str:
        with counting:
            at_work[0] += 1
            most[0] = max(most[0], at_work[0])
        both.wait(30)
        gate.wait(30)
        with counting:
            at_work[0] -= 1
        return "hash"

    def ask() -> None:
        if way == "made":
            make_password("x")
        else:
            check_password("x", known)

    for slowly in ("encode", "verify"):
        monkeypatch.setattr(Argon2PasswordHasher, slowly, slow)
    monkeypatch.setattr(hashing, "QUEUE_TIMEOUT_SECONDS", 0.01)
    threads = [threading.Thread(target=ask) for _ in range(hashing.MAX_CONCURRENT_HASHES)]
    for thread in threads:
        thread.start()
    both.wait(30)
    with pytest.raises(Overloaded):
        ask()
    gate.set()
    for thread in threads:
        thread.join()
    assert most == [hashing.MAX_CONCURRENT_HASHES]


def test_a_password_is_hashed_as_written_down_and_an_older_hash_is_made_anew() -> None:
    from django.contrib.auth.hashers import Argon2PasswordHasher

    older = Argon2PasswordHasher().encode(PASSWORD, "some-salt-of-old")
    renewed: list[str] = []
    assert check_password(PASSWORD, older, setter=lambda raw: renewed.append(make_password(raw)))
    assert renewed[0].startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert check_password(PASSWORD, renewed[0], setter=lambda raw: renewed.append(raw))
    assert len(renewed) == 1
