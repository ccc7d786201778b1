"""`manage.py health worker` asks the worker of this machine, and says who does not answer."""

import io
import socket
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from kombu.exceptions import OperationalError

from deploy.celery import app

NAME = f"celery@{socket.gethostname()}"


def test_the_worker_of_this_machine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def ping(*, destination: list[str], timeout: float) -> list[dict[str, Any]]:
        asked.append(destination)
        return [{NAME: {"ok": "pong"}}]

    monkeypatch.setattr(app.control, "ping", ping)
    out = io.StringIO()
    call_command("health", "worker", stdout=out)
    assert (asked, out.getvalue()) == ([[NAME]], f"{NAME} answers\n")


def test_a_worker_or_broker_that_does_not_answer_has_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.control, "ping", lambda **_: [])
    with pytest.raises(CommandError, match="health/no_answer"):
        call_command("health", "worker", stdout=io.StringIO())

    def refuse(**_: Any) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(app.control, "ping", refuse)
    with pytest.raises(CommandError, match="health/no_broker"):
        call_command("health", "worker", stdout=io.StringIO())
