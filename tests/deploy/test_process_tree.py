"""One command, one tree: it starts, it answers, it leaves nothing behind, and what dies comes back."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deploy import environment
from deploy.environment import BASE_DIR
from deploy.process_tree import embedded
from games.monitoring import condition
from tests import live_tree as trees
from tests import templates
from tests.live_tree import LiveTree
from tests.processes import still_running

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def enduring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTree]:
    """One tree that several tests wound in turn: a start takes seconds, and it must survive each."""
    with trees.running("serve", tmp_path_factory.mktemp("tree")) as tree:
        yield tree


@pytest.mark.long
def test_where_no_tests_are_run_a_tree_makes_its_tables_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `manage.py faults --on sqlite` starts it."""
    monkeypatch.delenv(templates.HOME)
    with trees.running("serve", tmp_path) as tree:
        assert httpx.get(f"{tree.url}/readyz", timeout=30).json()["ready"]


def test_ctrl_c_stops_everything_and_says_so(live_tree: LiveTree) -> None:
    told = httpx.get(f"{live_tree.url}/readyz", timeout=30).json()
    assert told.pop("version") == environment.VERSION
    assert told == {"ready": True, **dict.fromkeys((*condition.PARTS, "lanes"), "ok")}
    family = live_tree.family()
    assert len(family) >= 6, "parent, valkey, web, worker, its pool and beat"
    assert live_tree.stop() == 0
    assert still_running(family) == []
    live_tree.wait_for("stopping")
    assert "Traceback" not in live_tree.logs()


def test_kill_9_of_the_parent_leaves_no_process(live_tree: LiveTree) -> None:
    family = live_tree.family()
    os.kill(live_tree.process.pid, signal.SIGKILL)
    live_tree.process.wait()
    assert still_running(family[1:]) == []


def test_a_killed_web_process_comes_back_and_requests_in_between_wait(enduring: LiveTree) -> None:
    before = enduring.child("web")
    os.kill(before, signal.SIGKILL)
    assert httpx.get(f"{enduring.url}/healthz", timeout=60).text == "ok\n"
    enduring.wait_for("web is running again")
    assert enduring.child("web") != before
    if sys.platform == "linux":
        memory = Path(f"/proc/{enduring.process.pid}/smaps_rollup").read_text()
        kilobytes = next(int(line.split()[1]) for line in memory.splitlines() if line.startswith("Pss:"))
        assert kilobytes < 40_000, "the parent only watches"


@pytest.mark.parametrize("kind", ["worker", "beat", "valkey"])
def test_a_killed_child_comes_back(enduring: LiveTree, kind: str) -> None:
    before = enduring.child(kind)
    enduring.kill(kind)
    assert enduring.child(kind) != before
    assert httpx.get(f"{enduring.url}/readyz", timeout=60).json()["redis"] == "ok"


def test_a_second_start_says_where_the_first_one_runs(enduring: LiveTree) -> None:
    second = LiveTree("serve", enduring.var, "--port", "0")
    assert enduring.url in second.wait_for("it is already running")
    assert second.process.wait(timeout=60) == 1


def test_after_the_last_port_the_system_chooses() -> None:
    assert embedded._free_port("127.0.0.1", socket.AF_INET, environment.LAST_PORT) == 0


def test_a_taken_port_names_the_option_and_a_free_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        tree = LiveTree("demo", tmp_path, "--port", str(port))
        said = tree.wait_for("is taken")
        assert f"port {port} is taken" in said
        assert "python3 manage.py demo --port " in said
        assert tree.process.wait(timeout=60) == 1


@pytest.mark.slow
def test_serve_goes_on_where_it_was(tmp_path: Path) -> None:
    with trees.running("serve", tmp_path, empty=True) as first:
        assert any("organiser signs in as: fredi" in line for line in first.said)
    with trees.running("serve", tmp_path) as second:
        assert not any("organiser" in line for line in second.said)


@pytest.mark.slow
def test_serve_without_an_organiser_and_nobody_to_ask_says_what_to_set(tmp_path: Path) -> None:
    tree = LiveTree("serve", tmp_path, "--port", "0", environment={"PUUR_PASSWORD": ""})
    tree.wait_for("PUUR_ORGANISER and PUUR_PASSWORD")
    assert tree.process.wait(timeout=60) == 1


@pytest.mark.long
def test_serve_refuses_a_password_that_anybody_guesses(tmp_path: Path) -> None:
    tree = LiveTree("serve", tmp_path, "--port", "0", environment={"PUUR_PASSWORD": "password"})
    tree.wait_for("too common")
    assert tree.process.wait(timeout=60) == 1


@pytest.mark.long
def test_serve_beyond_loopback_says_what_is_missing_without_tls(tmp_path: Path) -> None:
    with trees.running("serve", tmp_path, "--host", "0.0.0.0") as tree:
        assert any("Without TLS" in line for line in tree.said)
        port = tree.url.rsplit(":", 1)[1]
        assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=30).text == "ok\n"


@pytest.mark.long
def test_serve_behind_a_tls_proxy_does_not_warn_of_plain_http(tmp_path: Path) -> None:
    behind = {"PUUR_ORIGIN": "https://jass.example.org", "SECRET_KEY": "only-for-this-test"}
    with trees.running("serve", tmp_path, "--host", "0.0.0.0", environment=behind) as tree:
        assert not any("Without TLS" in line or "phones in this network" in line for line in tree.said)


@pytest.mark.long
def test_the_demo_never_touches_a_database_that_is_named_elsewhere(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.sqlite3"
    named = {"DATABASE_URL": f"sqlite:///{elsewhere}"}
    done = subprocess.run(
        [sys.executable, "-c", _PRINT_DATABASE, "manage.py", "demo"],
        cwd=BASE_DIR,
        env={**os.environ, **named, "PUUR_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(tmp_path / "var" / "puur.sqlite3")


_PRINT_DATABASE = """
import sys
from deploy.process_tree import embedded
embedded.prepare_environment(sys.argv[1:])
from deploy import settings
print(settings.DATABASES["default"]["NAME"])
"""
