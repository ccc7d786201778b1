"""From a bare Python to the environment of the lock files, and what is said where that cannot be."""

import ast
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from deploy.environment import BASE_DIR
from deploy.process_tree import bootstrap


class Handed(Exception):
    """The command was handed over to another interpreter."""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with lock files of its own, where handing over is told instead of done."""

    def hand_over(python: str, arguments: list[str]) -> NoReturn:
        raise Handed(python, *arguments)

    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(os, "execv", hand_over)
    monkeypatch.delenv(bootstrap.AGAIN, raising=False)
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        (tmp_path / name).write_text("")
    return tmp_path


def wheel(folder: Path, name: str, version: str) -> str:
    """Make a package; the line of a lock file for it."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", f"version = {version!r}\n")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def offline(clone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages come from a folder; uv is absent there, and pip does what it does elsewhere."""
    packages = clone / "packages"
    packages.mkdir()
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(packages))
    return packages


def start(*argv: str) -> Handed:
    with pytest.raises(Handed) as handed:
        bootstrap.ensure_environment(["manage.py", *argv])
    return handed.value


def test_the_first_start_makes_an_environment_and_the_next_finds_it(
    clone: Path, offline: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (clone / "requirements-uv.lock").write_text(wheel(offline, "installer", "1.0"))
    (clone / "requirements.lock").write_text(wheel(offline, "wanted", "1.0"))
    handed = start("demo", "--port", "8001")
    python = str(clone / ".venv" / "bin" / "python")
    assert handed.args == (python, python, "manage.py", "demo", "--port", "8001")
    said = capfd.readouterr().err
    assert "creating .venv" in said
    assert "installing 1 packages from requirements.lock" in said
    assert version_of("wanted", python) == "1.0"

    monkeypatch.delenv(bootstrap.AGAIN)
    start("demo")
    assert "installing" not in capfd.readouterr().err

    monkeypatch.delenv(bootstrap.AGAIN)
    test_lock = wheel(offline, "wanted", "1.0") + wheel(offline, "tested", "1.0")
    (clone / "requirements-dev.lock").write_text(test_lock)
    start("test")
    monkeypatch.delenv(bootstrap.AGAIN)
    (clone / "requirements.lock").write_text(wheel(offline, "wanted", "2.0"))
    start("demo")
    assert version_of("wanted", python) == "2.0"
    assert version_of("tested", python) == "1.0", "demo after test keeps what the tests need"


def version_of(package: str, python: str) -> str:
    done = subprocess.run(
        [python, "-c", f"import {package}; print({package}.version)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_without_network_the_message_says_what_the_first_start_needs(
    clone: Path, offline: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (clone / "requirements-uv.lock").write_text("absent==1.0 --hash=sha256:" + "0" * 64)
    (clone / "requirements.lock").write_text("absent==1.0 --hash=sha256:" + "0" * 64)
    with pytest.raises(SystemExit, match="first start needs the network"):
        bootstrap.ensure_environment(["manage.py", "demo"])
    assert (clone / ".venv" / bootstrap.STAMP).read_text() == "", "known as ours, and as unfinished"


def test_a_foreign_environment_is_left_alone_and_what_it_lacks_is_named(clone: Path) -> None:
    (clone / "deploy" / "process_tree").mkdir(parents=True)
    for name in ("__init__.py", "terminal.py", "process_tree/__init__.py", "process_tree/bootstrap.py"):
        shutil.copy(BASE_DIR / "deploy" / name, clone / "deploy" / name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    before = sorted(clone.joinpath(".venv").rglob("*"))
    (clone / "requirements.lock").write_text("absent==1.0\nother==2.0\n")
    with pytest.raises(SystemExit, match=r"was not created by Puur, .* it lacks absent==1\.0, other==2\.0"):
        bootstrap.ensure_environment(["manage.py", "demo"])
    assert sorted(clone.joinpath(".venv").rglob("*")) == before
    (clone / "requirements.lock").write_text("windows-only==1.0 ; sys_platform == 'win32'\nabsent==1.0\n")
    fake_package(clone / ".venv", "absent", "1.0")
    start("demo")


def fake_package(venv: Path, name: str, version: str) -> None:
    info = next(venv.glob("lib/python*/site-packages")) / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def test_an_interpreter_that_has_everything_is_used_as_it_is(clone: Path) -> None:
    (clone / "requirements.lock").write_text("pytest==" + pytest.__version__ + "\n")
    bootstrap.ensure_environment(["manage.py", "demo"])
    assert not (clone / ".venv").exists()


def test_an_older_package_of_the_system_is_not_taken_for_ours(clone: Path) -> None:
    lock = clone / "requirements.lock"
    lock.write_text("pytest==0.1\ndjango==3.2.19\n")
    assert bootstrap._list_unsatisfied(lock) == ["pytest==0.1", "django==3.2.19"]


def test_a_package_with_a_line_for_each_python_is_satisfied_by_either(clone: Path) -> None:
    lock = clone / "requirements.lock"
    hashed = " \\\n    --hash=sha256:0\n"
    lock.write_text(
        f"pytest==99.0 ; python_full_version >= '4'{hashed}"
        f"pytest=={pytest.__version__} ; python_full_version < '4'{hashed}"
    )
    assert bootstrap._list_unsatisfied(lock) == []
    lock.write_text("pytest==99.0 ; python_full_version >= '4'\npytest==98.0 ; python_full_version < '4'\n")
    assert bootstrap._list_unsatisfied(lock) == ["pytest==99.0"]


def test_without_the_module_venv_the_package_to_install_is_named(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (clone / "requirements.lock").write_text("absent==1.0\n")
    find_spec: Callable[..., object] = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "ensurepip" else find_spec(name, *rest),
    )
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        bootstrap.ensure_environment(["manage.py", "demo"])


def test_an_environment_that_was_just_prepared_and_still_lacks_something_ends_the_circle(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = clone / "requirements.lock"
    lock.write_text("absent==1.0\n")
    monkeypatch.setenv(bootstrap.AGAIN, str(lock))
    with pytest.raises(SystemExit, match=r"still lacks absent==1\.0"):
        bootstrap.ensure_environment(["manage.py", "demo"])


def test_what_an_interpreter_lacks_is_told_to_whoever_asks_for_it(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(f"absent==1.0\npytest=={pytest.__version__}\n")
    asked = [sys.executable, "-m", "deploy.process_tree.bootstrap", str(lock)]
    done = subprocess.run(asked, cwd=BASE_DIR, capture_output=True, text=True, check=True)
    assert done.stdout == "absent==1.0\n"


def test_a_second_start_waits_for_the_first_one_that_installs(
    clone: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    order: list[str] = []

    def second() -> None:
        with bootstrap._lock_environment():
            order.append("second")

    waiting = threading.Thread(target=second)
    with bootstrap._lock_environment():
        waiting.start()
        said = ""
        while "waiting for another start" not in said:
            said += capfd.readouterr().err
        order.append("first")
    waiting.join(30)
    assert order == ["first", "second"]


def test_an_old_python_is_told_so_in_words_it_understands() -> None:
    for read in ("manage.py", "deploy/__init__.py", "deploy/terminal.py"):
        ast.parse((BASE_DIR / read).read_text(), feature_version=(3, 4))
    old = "import sys, runpy; sys.version_info = (3, 9, 2); sys.argv = ['manage.py', 'demo']; "
    done = subprocess.run(
        [sys.executable, "-c", old + "runpy.run_path('manage.py', run_name='__main__')"],
        cwd=BASE_DIR,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},  # not measured
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Puur needs Python 3.11 or newer; this is Python 3.9" in done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_that_runs_something_of_the_tests_brings_their_packages() -> None:
    commands = (BASE_DIR / "deploy/management/commands").glob("[!_]*.py")
    running = {file.stem for file in commands if '"-m", "tests' in file.read_text().replace('f"', '"')}
    assert {"test", "bench"} <= running
    assert running == bootstrap.WITH_TEST_PACKAGES
