"""Pages of other sites read nothing of ours, and behind TLS nothing of ours goes without it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.urls import reverse

from deploy.environment import BASE_DIR
from tests.frontend.evening import client, opened

EVIL = "https://evil.example"
ASKED = """
import json
import django
django.setup()
from django.conf import settings
from django.test import Client, override_settings
plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
with override_settings(STORAGES={**settings.STORAGES, **plain}):
    answer = Client(headers={"host": "jass.example.org"}).get("/sign-in/", secure=True)
cookies = {name: bool(cookie["secure"]) for name, cookie in answer.cookies.items()}
print(json.dumps([answer.status_code, answer.headers.get("Strict-Transport-Security"), cookies]))
"""
"""Files have their plain names: nobody has collected them."""


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["home", "sign_in", "championship", "standings", "entries", "board"])
def test_no_script_of_another_site_reads_an_answer(name: str) -> None:
    opened("sheet")
    address = reverse(name, args=[] if name in ("home", "sign_in") else ["herbstcup"])
    for ask in (client("fredi").get, client("fredi").options):
        answer = ask(address, headers={"origin": EVIL, "access-control-request-method": "GET"})
        assert [header for header in answer.headers if header.lower().startswith("access-control")] == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/games/", "/api/v1/table-session/", "/api/schema/"])
def test_nor_one_of_the_api(path: str) -> None:
    browser = client("fredi")
    for ask in (browser.get, browser.options, browser.post):
        answer = ask(path, headers={"origin": EVIL, "access-control-request-method": "POST"})
        assert [header for header in answer.headers if header.lower().startswith("access-control")] == []


@pytest.mark.django_db
def test_over_plain_http_the_page_for_signing_in_says_what_is_missing() -> None:
    assert "This address is plain http" in client().get(reverse("sign_in")).content.decode()


@pytest.mark.slow
def test_behind_tls_browsers_come_back_by_tls_and_cookies_go_no_other_way(tmp_path: Path) -> None:
    own = {
        "PUUR_ORIGIN": "https://jass.example.org",
        "PUUR_VAR": str(tmp_path),
        "DATABASE_URL": "",
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "SECRET_KEY": "x" * 60,
    }
    run = [sys.executable, "-c", ASKED]
    done = subprocess.run(run, cwd=BASE_DIR, env={**os.environ, **own}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    status, transport, cookies = json.loads(done.stdout.splitlines()[-1])
    assert status == 200
    assert int(transport.partition("max-age=")[2].partition(";")[0]) >= 31_536_000
    assert cookies
    assert all(cookies.values())
    assert "__Host-csrftoken" in cookies
    assert "csrftoken" not in cookies
