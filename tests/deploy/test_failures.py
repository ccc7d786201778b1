"""What goes wrong outside of the program ends a command with one line, not with a traceback."""

import errno
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

import manage
from deploy.environment import BASE_DIR
from deploy.failures import explain_failure
from deploy.limits import overload_responses
from deploy.management.commands import demo, serve
from deploy.process_tree import bootstrap
from games.models import User


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:///{folder}/empty.sqlite3", "lacks the tables of this version"),
        ("postgresql://puur:geheim@127.0.0.1:1/puur", "the database does not answer"),
    ],
)
def test_a_command_without_a_prepared_database_says_what_to_do(url: str, said: str, tmp_path: Path) -> None:
    own = {"PUUR_VAR": str(tmp_path), "DATABASE_URL": url.format(folder=tmp_path), "PUUR_LANGUAGE": "en"}
    done = subprocess.run(
        [sys.executable, "manage.py", "audit"],
        cwd=BASE_DIR,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "geheim" not in done.stderr


def test_a_full_disk_is_called_a_full_disk() -> None:
    with sqlite3.connect(":memory:") as small:
        small.execute("PRAGMA max_page_count = 2")
        small.execute("CREATE TABLE one (value)")
        with pytest.raises(sqlite3.OperationalError) as full:
            small.execute("INSERT INTO one VALUES (zeroblob(100000))")
    error = OperationalError(str(full.value))
    error.__cause__ = full.value
    assert explain_failure(error).startswith("the disk is full")
    assert explain_failure(OSError(errno.ENOSPC, "x")).startswith("the disk is full")
    assert explain_failure(OSError(errno.EACCES, "x")) == explain_failure(ValueError("x")) == ""


def test_each_overload_response_says_its_own_reason() -> None:
    pages = {
        code: overload_responses._render_page("en", code).decode() for code in overload_responses.MESSAGES
    }
    sentences = {code: re.findall(r'role="alert"><p>(.+?)</p>', page)[0] for code, page in pages.items()}
    assert len(set(sentences.values())) == len(sentences)
    assert "disk is full" in sentences[overload_responses.DISK_FULL]
    assert "<h1" in pages[overload_responses.DISK_FULL]
    assert "The disk is full" in pages[overload_responses.DISK_FULL]


def test_ctrl_c_at_any_moment_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["manage.py", "serve"])
    monkeypatch.setattr(bootstrap, "ensure_environment", interrupted)
    assert manage.main() == 130
    assert capsys.readouterr().err == "\npuur: stopped\n"


@pytest.mark.parametrize("code", ["print('x', file=sys.stderr)", "raise OSError(28, os.strerror(28))"])
def test_an_installation_on_a_full_disk_does_not_speak_of_the_network(code: str) -> None:
    command = [sys.executable, "-c", f"import os, sys; {code}; sys.exit(1)"]
    if "28" not in code:
        assert not bootstrap._run_installer(command)
        return
    with pytest.raises(SystemExit, match="the disk is full: the packages need 400 MB"):
        bootstrap._run_installer(command)


def test_a_port_that_is_none_is_refused_by_name() -> None:
    for command in (serve.Command(), demo.Command()):
        parser = command.create_parser("manage.py", "serve")
        assert parser.parse_args(["--port", "0"]).port == 0
        for wrong in ("99999", "-1", "http", "²"):
            with pytest.raises((CommandError, SystemExit)):
                parser.parse_args([f"--port={wrong}"])


AS_IN_A_CONTAINER = """
import grp, os, warnings
def nobody(number):
    raise KeyError(number)
grp.getgrgid = nobody
os.getuid = os.geteuid = lambda: {uid}
warnings.simplefilter("error")
from deploy.celery import app
from celery.platforms import check_privileges
check_privileges(app.conf.accept_content)
"""


def test_a_worker_with_a_number_without_a_name_is_not_called_root() -> None:
    codes = [
        subprocess.run(
            [sys.executable, "-c", AS_IN_A_CONTAINER.format(uid=uid)], cwd=BASE_DIR, capture_output=True
        ).returncode
        for uid in (10001, 0)
    ]
    assert codes == [0, 1]


@pytest.mark.django_db
def test_an_owner_is_made_without_a_mail_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "Ein-Trumpf-im-Aermel-7")
    call_command("createsuperuser", username="fredi", interactive=False, verbosity=0)
    assert User.objects.get().email == ""
