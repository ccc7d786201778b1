"""What supervisors and load balancers are told."""

import shutil
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from redis import Redis
from redis.exceptions import OutOfMemoryError

from deploy import environment
from games.models import User
from games.monitoring import condition
from tournaments.services.championships import championships

WELL = {**dict.fromkeys(condition.PARTS, "ok"), "lanes": "ok", "version": environment.VERSION}


@pytest.fixture
def client(settings: Settings) -> Client:
    """A program that brings the metrics token."""
    settings.METRICS_TOKEN = "figures-for-the-hall"
    return Client(headers={"authorization": f"Bearer {settings.METRICS_TOKEN}"})


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_strangers_learn_whether_it_is_ready_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, error: type[Exception]
) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    settings.METRICS_TOKEN = "figures-for-the-hall"
    for headers in ({}, {"authorization": "Bearer guessed"}, {"authorization": "Bearer "}):
        assert Client(headers=headers).get("/readyz").json() == {"ready": True}

    def away(*_: Any) -> None:
        raise error("connection refused")

    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", away)
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False})


@pytest.mark.django_db
def test_a_ready_process_has_all_its_parts_and_asks_little_for_it(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    assert client.get("/readyz").json() == {"ready": True, **WELL}
    with django_assert_max_num_queries(5):
        assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_without_redis_the_process_is_ready_and_says_that_redis_is_away(
    client: Client, settings: Settings
) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, **WELL, "redis": "no answer"}


@pytest.mark.django_db
def test_a_redis_that_answers_and_takes_nothing_is_full(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OutOfMemoryError("command not allowed when used memory > 'maxmemory'.")

    monkeypatch.setattr(Redis, "set", full)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, **WELL, "redis": "condition/redis_full"}


@pytest.mark.django_db
def test_a_process_whose_database_misses_a_migration_is_not_ready(client: Client) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="sessions").delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "migrations missing"


@pytest.mark.django_db
def test_a_process_whose_database_goes_away_while_it_looks_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("django.db.migrations.recorder.MigrationRecorder.applied_migrations", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "no answer")


@pytest.mark.django_db
def test_a_process_without_its_database_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "no answer")


@pytest.mark.django_db
def test_a_disk_that_fills_up_is_told_and_the_director_reads_what_to_do(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=200 << 20))
    monkeypatch.setattr(condition, "_recent", condition._Recent())
    assert client.get("/readyz").json()["disk"] == "condition/disk_low (200)"
    assert client.get(reverse("condition")).status_code == 204, "nobody else is told"
    fredi = User.objects.create_user("fredi")
    made = championships.create(actor=fredi, name="Cup")
    client.force_login(fredi)
    page = client.get(reverse("championship", args=[made.slug])).content.decode()
    assert f'hx-get="{reverse("condition")}"' in page
    part = client.get(reverse("condition"), headers={"accept-language": "de"}).content.decode()
    assert "200 MB" in part
    assert "condition/disk_low" in part


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/games/", "/"])
def test_a_full_disk_is_answered_with_a_code_and_try_again(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("django.db.models.sql.compiler.SQLCompiler.execute_sql", full)
    answer = Client().get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert b"games/disk_full" in answer.content


@pytest.mark.django_db
@pytest.mark.parametrize("well", [True, False])
def test_pages_that_ask_again_and_again_are_told_what_was_just_found(
    well: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def disk() -> list[condition.Trouble]:
        asked.append(1)
        return [] if well else [condition.Trouble("disk", "condition/disk_low", 7)]

    monkeypatch.setattr(condition, "_recent", condition._Recent())
    monkeypatch.setattr(condition, "_find_disk_troubles", disk)
    found = [condition.recent_troubles() for _ in range(5)]
    assert (len(asked), found) == (1, [found[0]] * 5)
    assert len(found[0]) == (0 if well else 1)
