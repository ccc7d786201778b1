"""An exception in a log says where it happened, and nothing of what the variables held."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest
from django.test import RequestFactory
from django.views.debug import technical_500_response
from pytest_django import Settings

from deploy.environment import BASE_DIR

FAILING = """
import logging, django, structlog
django.setup()
def deal():
    hand = "secret-" + "D6-S9"
    raise LookupError("no such card")
try:
    deal()
except LookupError:
    logging.getLogger("games.play.submit").exception("the deal failed")
    structlog.get_logger("deploy").exception("the deal failed too")
"""


@pytest.mark.long(1)
@pytest.mark.parametrize("as_json", ["0", "1"])
def test_a_logged_exception_is_a_traceback_in_words_without_variables(as_json: str) -> None:
    assert importlib.util.find_spec("rich"), "else structlog would not print with it anyhow"
    own = {"LOG_JSON": as_json, "DJANGO_SETTINGS_MODULE": "deploy.settings", "LOG_LEVEL": "INFO"}
    run = [sys.executable, "-c", FAILING]
    done = subprocess.run(run, cwd=BASE_DIR, env={**os.environ, **own}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stderr.splitlines()] if as_json == "1" else None
    texts = [line["exception"] for line in said] if said else [done.stderr]
    assert "".join(texts).count("Traceback (most recent call last)") == 2
    assert "".join(texts).count("LookupError: no such card") == 2
    assert "secret-D6-S9" not in done.stderr


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("accepted", ["text/html", "text/plain"])
def test_djangos_own_page_of_an_error_shows_no_variables_and_no_forms(
    settings: Settings, debug: bool, accepted: str
) -> None:
    settings.DEBUG = debug
    password, hand = "-".join(["Ein", "Trumpf"]), "-".join(["D6", "S9"])
    request = RequestFactory().post("/sign-in/", {"password": password}, headers={"accept": accepted})
    try:
        raise LookupError("no such card")
    except LookupError:
        page = technical_500_response(request, *sys.exc_info()).content.decode()
    assert "no such card" in page
    assert "LookupError" in page
    assert hand not in page
    assert password not in page
