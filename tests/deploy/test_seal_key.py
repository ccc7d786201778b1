"""The key that seals is there after the first start, and commands can be typed with hyphens."""

import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core import checks
from pytest_django import Settings

from deploy.environment import BASE_DIR
from deploy.management import local_run
from games.sealing import keys, load_key, make_seal_key


def test_the_first_start_makes_the_key_and_the_next_one_keeps_it(settings: Settings, tmp_path: Path) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    said: list[str] = []
    local_run.ensure_seal_key(said.append)
    made = load_key(settings.SEAL_KEY).public
    local_run.ensure_seal_key(said.append)
    assert load_key(settings.SEAL_KEY).public == made
    assert stat.S_IMODE(settings.SEAL_KEY.stat().st_mode) == 0o600
    assert len(said) == 1


@pytest.mark.long(1)
@pytest.mark.parametrize("name", ["verify-deals", "verify_deals", "export-championship", "make-seal-key"])
def test_a_command_is_typed_with_hyphens(name: str) -> None:
    command = [sys.executable, "manage.py", name, "--help"]
    done = subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"manage.py {name.replace('-', '_')}" in done.stdout


def complaints() -> list[checks.CheckMessage]:
    found = checks.run_checks(tags=[checks.Tags.security], include_deployment_checks=True)
    return [one for one in found if one.id == "puur.E001"]


def test_a_deployment_without_a_key_is_told_which_command_makes_it(
    settings: Settings, tmp_path: Path
) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    [told] = complaints()
    assert told.level == checks.ERROR
    assert str(settings.SEAL_KEY) in told.msg
    assert "manage.py make-seal-key" in str(told.hint)
    make_seal_key(settings.SEAL_KEY)
    assert complaints() == []


def test_a_deployment_with_a_key_it_should_not_use_is_told_why(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    make_seal_key(settings.SEAL_KEY)
    settings.SEAL_KEY.chmod(0o644)
    [told] = complaints()
    assert "others can read the key" in told.msg
    settings.SEAL_KEY.write_text("no key")
    settings.SEAL_KEY.chmod(0o600)
    [told] = complaints()
    assert "this is no key" in told.msg

    read_text = Path.read_text

    def somebody_elses(path: Path, *arguments: Any, **names: Any) -> str:
        if path == settings.SEAL_KEY:
            raise PermissionError(path)
        return read_text(path, *arguments, **names)

    keys._read.cache_clear()
    monkeypatch.setattr(Path, "read_text", somebody_elses)
    [told] = complaints()
    assert "chown" in told.msg


def test_commands_run_without_a_key(tmp_path: Path) -> None:
    """Tables are made before it is, and play goes on without it."""
    found = checks.run_checks(include_deployment_checks=False)
    assert [one for one in found if one.id == "puur.E001"] == []
