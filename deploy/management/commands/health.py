"""`manage.py health web|worker`: the health check of a container or a supervisor; exit code 0 or 1."""

import argparse
import http.client
import json
import os
import socket
from typing import Any, Final

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from kombu.exceptions import OperationalError

from deploy.observability.health import READYZ
from deploy.observability.insiders import BEARER
from deploy.web import UNIX

SECONDS: Final = 8


class Command(BaseCommand):
    help = "Ask the web process at PUUR_BIND, or the worker on this machine, whether it is well."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("part", choices=("web", "worker"))
        parser.add_argument(
            "--at",
            default=os.environ.get("PUUR_BIND") or "127.0.0.1:8000",
            metavar="ADDRESS",
            help="HOST:PORT or unix:/PATH of the web process; default: PUUR_BIND, else 127.0.0.1:8000",
        )

    def handle(self, *, part: str, at: str, **_: Any) -> None:
        self.stdout.write(_ask_web(at) if part == "web" else _ask_worker())


def _ask_web(at: str) -> str:
    """Return "ready", with the state of each part if /readyz lists parts. Raises CommandError if the process
    does not answer or is not ready.
    """
    token = settings.METRICS_TOKEN
    headers = {"Host": "localhost", **({"Authorization": BEARER + token} if token else {})}
    try:
        connection = _connect(at)
        connection.request("GET", READYZ, headers=headers)
        answer = connection.getresponse()
        answered = json.loads(answer.read())
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise CommandError(f"no web process answers at {at}: {error} (health/no_answer)") from None
    parts = ", ".join(f"{name} {state}" for name, state in answered.items() if name != "ready")
    if answer.status != 200:
        raise CommandError(f"the web process is not ready: {parts or answer.status} (health/not_ready)")
    return f"ready{': ' if parts else ''}{parts}"


def _connect(at: str) -> http.client.HTTPConnection:
    """Open a connection. A process that listens on all addresses is asked at this machine's own."""
    if at.startswith(UNIX):
        connection = http.client.HTTPConnection("localhost", timeout=SECONDS)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(SECONDS)
        connection.sock.connect(at.removeprefix(UNIX))
        return connection
    host, _, port = at.rpartition(":")
    host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)  # noqa: S104 - compares, binds nothing
    return http.client.HTTPConnection(host.strip("[]"), int(port), timeout=SECONDS)


def _ask_worker() -> str:
    """Return the name of the worker on this machine. Raises CommandError if it does not answer."""
    from deploy.celery import app

    name = f"celery@{socket.gethostname()}"
    try:
        answers = app.control.ping(destination=[name], timeout=SECONDS / 2)
    except OperationalError as error:
        raise CommandError(f"the broker does not answer: {error} (health/no_broker)") from None
    if not answers:
        raise CommandError(f"the worker {name} does not answer (health/no_answer)")
    return f"{name} answers"
