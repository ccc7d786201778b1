"""What `demo`, `serve` and `bench` say and ask."""

import getpass
import io
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from deploy.environment import BASE_DIR
from deploy.management import local_run
from deploy.management.commands import bench, demo, serve
from deploy.process_tree import embedded, valkey
from games import encryption, store
from games.models import User
from tests import live_tree as trees

GOOD = "Ein-Trumpf-im-Aermel-7"


@pytest.mark.long
def test_the_demo_prints_what_to_open_and_all_of_it_opens(tmp_path: Path) -> None:
    with trees.running("demo", tmp_path, "--speed", "20", empty=True) as tree:
        lines = [line for line in tree.said if "http://" in line]
        addresses = [word for line in lines for word in line.split() if word.startswith("http://")]
        assert len(addresses) >= 4
        for address in addresses:
            if not address.endswith("/play/"):  # that one needs its player
                assert httpx.get(address, timeout=60, follow_redirects=True).status_code == 200
        games = httpx.get(f"{tree.url}/api/v1/games/", timeout=60).json()["games"]
        assert {game["mode"] for game in games} == {"dealt", "sheet", "transcribed"}
    with trees.running("demo", tmp_path) as again:
        assert not any("preparing the database" in line for line in again.said)
        after = httpx.get(f"{again.url}/api/v1/games/", timeout=60).json()["games"]
        assert {game["id"] for game in games} <= {game["id"] for game in after}, "it goes on where it was"


@pytest.mark.long
def test_a_demo_is_made_anew_where_that_is_asked_for(tmp_path: Path) -> None:
    with trees.running("demo", tmp_path) as tree:
        games = httpx.get(f"{tree.url}/api/v1/games/", timeout=60).json()["games"]
    with trees.running("demo", tmp_path, "--reset") as anew:
        assert any("removing" in line for line in anew.said)
        others = httpx.get(f"{anew.url}/api/v1/games/", timeout=60).json()["games"]
    assert games
    assert {game["id"] for game in games}.isdisjoint(game["id"] for game in others)


def test_a_reset_demo_deletes_no_database_that_it_has_not_made(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = tmp_path / "puur.sqlite3"
    club.write_bytes(b"of the club")
    settings.VAR_DIR = tmp_path
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(club))
    with pytest.raises(CommandError, match="delete it yourself"):
        local_run.run_locally("demo", "127.0.0.1", 0, print, reset=True, ready=print)
    assert club.read_bytes() == b"of the club"


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A person at the keyboard: their answers, in order."""
    given: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: given.pop(0))
    monkeypatch.setattr(getpass, "getpass", lambda prompt: given.pop(0))
    for name in ("PUUR_ORGANISER", "PUUR_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    yield given
    assert given == [], "everything was asked"


@pytest.mark.django_db
def test_the_first_organiser_is_asked_for_until_the_password_is_good_twice(answers: list[str]) -> None:
    answers += ["fredi", "1234", "password", GOOD, GOOD + "x", GOOD, GOOD]
    said: list[str] = []
    serve.create_first_organiser(said.append)
    assert said[-1] == "the organiser signs in as: fredi"
    assert User.objects.get().check_password(GOOD)
    serve.create_first_organiser(said.append)  # there is one: nobody is asked


@pytest.mark.django_db
def test_a_name_with_a_space_is_a_person_s_and_its_first_word_signs_in(
    answers: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    answers += ["Fredi Müller", GOOD, GOOD]
    said: list[str] = []
    serve.create_first_organiser(said.append)
    made = User.objects.get()
    assert (made.username, made.first_name, made.last_name) == ("fredi", "Fredi", "Müller")
    assert said[-1] == "the organiser signs in as: fredi"
    assert "signs in as: fredi" in capsys.readouterr().out, "before the password is asked"


@pytest.mark.django_db
def test_a_name_that_cannot_be_one_is_asked_again_before_any_password(answers: list[str]) -> None:
    answers += ["", "fredi;drop", "§§ ¶¶", "fredi.m", GOOD, GOOD]
    serve.create_first_organiser(lambda line: None)
    assert User.objects.get().username == "fredi.m"


@pytest.mark.django_db
def test_a_name_from_the_environment_is_read_like_a_typed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUUR_ORGANISER", "Fredi Müller")
    monkeypatch.setenv("PUUR_PASSWORD", GOOD)
    serve.create_first_organiser(lambda line: None)
    assert User.objects.get().username == "fredi"


@pytest.mark.django_db
def test_an_organiser_needs_a_name_that_can_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUUR_ORGANISER", "fredi;drop")
    monkeypatch.setenv("PUUR_PASSWORD", GOOD)
    with pytest.raises(CommandError, match="the first organiser: Enter a valid username"):
        serve.create_first_organiser(print)
    assert not User.objects.exists()


def test_faults_hands_its_arguments_on() -> None:
    asked = [sys.executable, "manage.py", "faults", "--help"]
    done = subprocess.run(asked, cwd=BASE_DIR, capture_output=True, text=True, check=True)
    assert "--kills" in done.stdout


def test_a_benchmark_that_is_not_there_names_those_that_are(tmp_path: Path, settings: Settings) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "tests" / "bench").mkdir(parents=True)
    (tmp_path / "tests" / "bench" / "figure.py").write_text('print(\'{"name": "figure"}\')\n')
    with pytest.raises(CommandError, match="no benchmark 'speed'; there are: figure"):
        call_command("bench", "speed")


def test_the_help_of_bench_names_every_benchmark_there_is() -> None:
    told = bench.Command().create_parser("manage.py", "bench").format_help()
    there = {path.stem for path in (BASE_DIR / "tests" / "bench").glob("[!_]*.py")}
    assert "audit" in there
    assert all(name in told for name in there)


def test_benchmarks_run_as_modules_and_their_failure_is_told(
    tmp_path: Path, settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    settings.BASE_DIR = tmp_path
    folder = tmp_path / "tests" / "bench"
    folder.mkdir(parents=True)
    (folder / "figure.py").write_text('print(\'{"name": "figure"}\')\n')
    (folder / "_shared.py").write_text("raise AssertionError('not a benchmark')\n")
    call_command("bench")
    assert capfd.readouterr().out == '{"name": "figure"}\n'
    (folder / "figure.py").write_text("raise SystemExit(4)\n")
    with pytest.raises(CommandError, match="figure ended with code 4"):
        call_command("bench")


def test_options_after_its_name_are_the_benchmarks_own(
    tmp_path: Path, settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    settings.BASE_DIR = tmp_path
    folder = tmp_path / "tests" / "bench"
    folder.mkdir(parents=True)
    (folder / "figure.py").write_text("import sys\nprint(sys.argv[1:])\n")
    for typed, came in (
        (["figure", "--sizes", "3"], ["--sizes", "3"]),
        (["figure"], []),
        (["--quick", "figure"], ["--quick"]),
    ):
        bench.Command().run_from_argv(["manage.py", "bench", *typed])
        assert capfd.readouterr().out == f"{came}\n"


def test_a_start_without_the_data_key_that_the_database_needs_names_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_KEY = tmp_path / "data_key"
    monkeypatch.setattr(store, "count_values_by_key", lambda: {"a1b2": 3})
    with pytest.raises(CommandError, match="data/"):
        local_run.ensure_data_key(print)
    assert not settings.DATA_KEY.exists(), "another would let people play beside hands nobody can open"
    encryption.make_data_key(settings.DATA_KEY)
    with pytest.raises(CommandError, match=r"data keys a1b2, .*data/key_missing"):
        local_run.ensure_data_key(print)


def test_a_host_that_is_not_ours_cannot_be_listened_on() -> None:
    with pytest.raises(embedded.PlaceError, match=r"cannot listen on 192\.0\.2\.1"):
        embedded.listen("192.0.2.1", 0, "serve")


def test_ipv6_addresses_are_written_in_brackets() -> None:
    assert local_run._format_url("::1", 8000) == "http://[::1]:8000"
    with embedded.listen("::1", 0, "serve") as listening:
        assert listening.family == socket.AF_INET6


def test_without_any_server_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(valkey, "find_binary", lambda: None)
    monkeypatch.setenv("PUUR_OWN_VALKEY", "1")
    with pytest.raises(embedded.PlaceError, match="apt install redis-server"):
        embedded.make_valkey_child(tmp_path)


def test_a_given_redis_is_used_and_none_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PUUR_OWN_VALKEY", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PUUR_VAR", str(tmp_path))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:6379/4")
    embedded.prepare_environment(["manage.py", "serve"])
    assert embedded.make_valkey_child(tmp_path) is None
    assert (tmp_path / "secret_key").exists()


def test_other_commands_leave_the_environment_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PUUR_VAR", str(tmp_path))
    for argv in (["manage.py"], ["manage.py", "migrate"], ["manage.py", "demo", "--help"]):
        embedded.prepare_environment(argv)
    assert list(tmp_path.iterdir()) == []


def test_a_place_whose_holder_is_unknown_is_still_taken(tmp_path: Path) -> None:
    with (
        embedded.lock_folder(tmp_path),
        pytest.raises(embedded.PlaceError, match=r"^it is already running \(folder"),
        embedded.lock_folder(tmp_path),
    ):
        pytest.fail("two in one place")


def test_names_of_this_machine_hold_the_host_it_listens_on() -> None:
    assert "10.1.2.3" in embedded.list_names_of_machine("10.1.2.3")
    everywhere = embedded.list_names_of_machine("0.0.0.0")
    assert "0.0.0.0" not in everywhere
    assert {"localhost", "127.0.0.1", socket.gethostname().lower()} <= set(everywhere)


def test_lines_of_progress_are_seen_at_once() -> None:
    for command in (demo.Command, serve.Command):
        out = io.StringIO()
        command(stdout=out).say("half-way")
        assert out.getvalue() == "puur: half-way\n"
