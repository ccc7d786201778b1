"""What supervisors and load balancers are told."""

import pytest
from django.test import Client
from pytest_django import Settings


def test_a_live_process_says_ok_without_asking_the_database(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_a_ready_process_has_its_database_and_redis(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "redis": "ok"}


@pytest.mark.django_db
def test_without_redis_the_process_is_ready_and_says_that_redis_is_away(
    client: Client, settings: Settings
) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "redis": "no answer"}


@pytest.mark.django_db
def test_a_process_whose_database_misses_a_migration_is_not_ready(client: Client) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="sessions").delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "migrations missing"


def test_health_is_read_only(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
