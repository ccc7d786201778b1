"""The terminal speaks German where the environment says so, from the first line on."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError

from deploy import terminal
from deploy.environment import BASE_DIR, BadSetting, read_flag
from deploy.management.commands import serve
from deploy.process_tree import embedded
from tests.frontend.catalogues import in_catalogue, in_python

PO = BASE_DIR / "frontend" / "locale" / "de" / "LC_MESSAGES" / "django.po"
BEFORE_PAGES = ("manage.py", "deploy/environment.py", "deploy/management", "deploy/process_tree")


@pytest.fixture(autouse=True)
def _says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in terminal.WHERE:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_CH.UTF-8"}, "de"),
        ({"LANG": "de_CH.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "rm_CH.UTF-8"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "de_DE"}, "de"),
        ({"LC_ALL": "", "LANG": "de"}, "de"),
        ({"LC_ALL": "en_GB.UTF-8", "PUUR_LANGUAGE": "de"}, "de"),
        ({"LANG": "de_CH.UTF-8", "PUUR_LANGUAGE": "en"}, "en"),
    ],
)
def test_the_first_variable_that_says_anything_decides(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.language() == language


def test_every_line_of_a_start_has_its_german() -> None:
    """One catalogue for pages and terminal; what is said before there are pages is in it too."""
    known = in_catalogue(PO)
    files = [
        path
        for name in BEFORE_PAGES
        for path in ((BASE_DIR / name).rglob("*.py") if (BASE_DIR / name).is_dir() else [BASE_DIR / name])
    ]
    said = {message for path in files for message in in_python(path.read_text(encoding="utf-8"))}
    assert len(said) > 50
    assert not [message for message in said if not all(known.get(message, [""]))]


def test_what_is_said_to_people_is_marked() -> None:
    """`say`, `end_with` and errors for people never get a bare text; a key's own reasons stay as they are."""
    bare = re.compile(
        r"""\b(say|end_with|CommandError|PlaceError|StartFailedError|BadSetting)\(\s*f?["'](?!\{error)"""
    )
    files = [*(BASE_DIR / "deploy" / "process_tree").glob("*.py"), BASE_DIR / "deploy" / "environment.py"]
    files += [BASE_DIR / "deploy" / "management" / "local_run.py"]
    files += [BASE_DIR / "deploy" / "management" / "commands" / f"{name}.py" for name in ("demo", "serve")]
    assert not [f"{path.name}: {found[0]}" for path in files for found in bare.finditer(path.read_text())]


def test_errors_of_the_environment_are_one_line_in_german(tmp_path: Path) -> None:
    known = {name: value for name, value in os.environ.items() if name not in terminal.WHERE}
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate"],
        cwd=BASE_DIR,
        env={**known, "LANG": "de_CH.UTF-8", "DATABASE_URL": "mysql://x", "PUUR_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    said = "puur: DATABASE_URL muss mit sqlite: oder postgresql: beginnen\n"
    assert done.stderr == said, "and no traceback"


def test_a_switch_that_is_none_is_told_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUUR_LANGUAGE", "de")
    monkeypatch.setenv("DEBUG", "vielleicht")
    with pytest.raises(BadSetting, match="DEBUG muss 1 oder 0 sein, nicht 'vielleicht'"):
        read_flag("DEBUG")


@pytest.mark.django_db
def test_founding_is_german_to_the_last_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANG", "de_CH.UTF-8")
    monkeypatch.setenv("PUUR_ORGANISER", "fredi;drop")
    monkeypatch.setenv("PUUR_PASSWORD", "12")
    with pytest.raises(CommandError) as refused:
        serve.Command().execute(host="127.0.0.1", port=0, no_color=True, force_color=False)
    assert str(refused.value).startswith("Das erste Konto: ")
    assert "username" not in str(refused.value), "Django's own sentences are German too"


def test_an_address_for_people_is_never_that_of_all_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert embedded.replace_wildcard_host("http://0.0.0.0:8000") == "http://127.0.0.1:8000"
    assert embedded.replace_wildcard_host("http://[::]:8000") == "http://127.0.0.1:8000"
    assert embedded.replace_wildcard_host("http://192.168.1.4:8000") == "http://192.168.1.4:8000"


def test_a_terminal_that_cannot_write_an_umlaut_does_not_end_the_program(tmp_path: Path) -> None:
    said = "from deploy import terminal; terminal.replace_unencodable_output(); print('M\u00fcller \u00ab')"
    done = subprocess.run(
        [sys.executable, "-c", said],
        cwd=BASE_DIR,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "M?ller ?\n"
