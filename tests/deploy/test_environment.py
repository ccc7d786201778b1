"""What the environment says, and what is said about an environment that makes no sense."""

import os
import re
import ssl
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import kombu
import pytest
import redis

from deploy import environment
from deploy.environment import BASE_DIR, BadSetting
from games import encryption
from games.sealing import make_seal_key


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    own = ("PUUR_", "SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL", "LOG_", "DEBUG")
    outside = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    command = [sys.executable, "-W", "error::RuntimeWarning", "manage.py", *arguments]
    return subprocess.run(command, cwd=BASE_DIR, env={**outside, **variables}, capture_output=True, text=True)


def test_without_an_address_the_database_is_a_file_in_the_var_folder(tmp_path: Path) -> None:
    found = environment.make_database_settings("", tmp_path / "var")
    assert found["NAME"] == str(tmp_path / "var" / "puur.sqlite3")
    assert (tmp_path / "var").is_dir()
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_an_sqlite_address_names_an_absolute_path(tmp_path: Path) -> None:
    found = environment.make_database_settings(f"sqlite:///{tmp_path}/my%20club.sqlite3", Path())
    assert found["NAME"] == f"{tmp_path}/my club.sqlite3"


def test_redis_is_asked_by_tls_with_password_and_certificate_where_its_address_says_so() -> None:
    for url, checked in {
        "rediss://:secret@redis.example.org:6380/1": ssl.CERT_REQUIRED,
        "rediss://app:secret@redis.example.org:6380/1?ssl_cert_reqs=none": ssl.CERT_NONE,
    }.items():
        broker = kombu.Connection(environment.celery_broker(url))
        assert broker.ssl == {"ssl_cert_reqs": checked}
        assert (broker.password, broker.virtual_host) == ("secret", "1")
        made = redis.Redis.from_url(url).connection_pool
        assert made.connection_class is redis.SSLConnection
        assert made.connection_kwargs["password"] == "secret"
    assert not kombu.Connection(environment.celery_broker("redis://:secret@127.0.0.1:6379/0")).ssl


def test_postgresql_is_asked_by_tls_with_password_and_certificate_where_its_address_says_so() -> None:
    url = "postgresql://app:se%40cret@db.example.org:5433/puur?sslmode=verify-full&sslrootcert=/etc/ca.pem"
    for web in (False, True):
        found = environment.make_database_settings(url, Path(), web=web)
        assert (found["PASSWORD"], found["HOST"], found["PORT"]) == ("se@cret", "db.example.org", "5433")
        assert found["OPTIONS"]["sslmode"] == "verify-full"
        assert found["OPTIONS"]["sslrootcert"] == "/etc/ca.pem"


def test_a_postgresql_address_may_name_a_folder_with_a_socket() -> None:
    found = environment.make_database_settings(
        "postgresql://puur_app@/puur?host=/run/postgresql&sslmode=disable", Path()
    )
    assert (found["USER"], found["HOST"], found["NAME"], found["PORT"]) == (
        "puur_app",
        "/run/postgresql",
        "puur",
        "",
    )
    assert found["OPTIONS"] == {"sslmode": "disable"}


def test_a_postgresql_address_may_hold_a_password_and_a_port() -> None:
    found = environment.make_database_settings("postgres://fredi:se%40cret@db.example.org:5433/club", Path())
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "fredi",
        "se@cret",
        "db.example.org",
        "5433",
        "club",
    )


def test_only_a_web_process_has_a_pool_and_gives_up_waiting_for_a_lock() -> None:
    url = "postgresql://puur_app@/puur?options=-c+search_path%3Dclub"
    web, worker = (
        environment.make_database_settings(url, Path(), web=True),
        environment.make_database_settings(url, Path()),
    )
    assert web["CONN_MAX_AGE"] == 0
    assert web["OPTIONS"]["pool"]["max_size"] * 2 + 3 <= 20
    assert "lock_timeout" in web["OPTIONS"]["options"]
    assert web["OPTIONS"]["options"].endswith(" -c search_path=club")
    assert worker["OPTIONS"] == {"options": "-c search_path=club"}
    assert worker["CONN_MAX_AGE"] > 0


@pytest.mark.parametrize(
    "url",
    [
        *("mysql://root:geheim@localhost/puur", "sqlite://", "puur.db://x"),
        *("puur.sqlite3", "/srv/puur.sqlite3", "//root:geheim@localhost/puur"),
    ],
)
def test_another_kind_of_database_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(BadSetting, match="DATABASE_URL") as refused:
        environment.make_database_settings(url, Path())
    assert "geheim" not in str(refused.value)


@pytest.mark.parametrize("place", ["user:geheim@[host", "user:geheim@host:port", "user:ge/heim@host"])
def test_a_malformed_address_names_its_variable_and_shows_no_password(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUUR_OIDC_ISSUER", f"https://{place}")
    monkeypatch.setenv("PUUR_ORIGIN", f"https://{place}")
    readers: dict[str, Callable[[], object]] = {
        "DATABASE_URL": lambda: environment.make_database_settings(f"postgresql://{place}/puur", Path()),
        "REDIS_URL": lambda: environment.celery_broker(f"rediss://{place}/0"),
        "PUUR_MAIL": lambda: environment.mail_server(f"smtp://{place}"),
        "PUUR_OIDC_ISSUER": environment.open_id,
        "PUUR_ORIGIN": lambda: environment.read_origin("PUUR_ORIGIN"),
    }
    for name, read in readers.items():
        with pytest.raises(BadSetting, match=name) as refused:
            read()
        assert name == "PUUR_ORIGIN" or not re.search("geheim|'ge'", str(refused.value))


@pytest.mark.parametrize(
    ("redis_url", "broker"),
    [
        ("redis://127.0.0.1:6379/0", "redis://127.0.0.1:6379/0"),
        ("unix:///run/v.sock", "redis+socket:///run/v.sock?virtual_host=0"),
        ("unix:///run/v.sock?db=3", "redis+socket:///run/v.sock?virtual_host=3"),
    ],
)
def test_celery_gets_the_same_redis_in_its_own_words(redis_url: str, broker: str) -> None:
    assert environment.celery_broker(redis_url) == broker


@pytest.mark.parametrize(("text", "value"), [("1", True), ("no", False), ("", True), (" On ", True)])
def test_a_switch_is_on_or_off(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("PUUR_SWITCH", text)
    assert environment.read_flag("PUUR_SWITCH", default=True) is value


def test_a_switch_that_is_neither_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUUR_SWITCH", "perhaps")
    with pytest.raises(BadSetting, match="PUUR_SWITCH"):
        environment.read_flag("PUUR_SWITCH")


def test_a_number_below_the_least_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUUR_IDLE_HOURS", "0")
    assert environment.parse_whole_number("PUUR_IDLE_HOURS", 12) == 0
    with pytest.raises(BadSetting, match="PUUR_IDLE_HOURS must be at least 1"):
        environment.parse_whole_number("PUUR_IDLE_HOURS", 12, least=1)


def test_a_list_without_words_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUUR_LIST", " , ")
    assert environment.word_list("PUUR_LIST", ["a"]) == ["a"]
    monkeypatch.setenv("PUUR_LIST", "b, c")
    assert environment.word_list("PUUR_LIST", ["a"]) == ["b", "c"]


def test_the_key_is_made_once_and_only_its_owner_may_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    first = environment.keep_secret_key(tmp_path)
    assert environment.keep_secret_key(tmp_path) == first
    assert environment.secret_key(tmp_path, required=True) == first
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert len(first) >= 50


def test_without_a_kept_key_each_process_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    assert environment.secret_key(tmp_path, required=False) != environment.secret_key(
        tmp_path, required=False
    )


def test_the_deployment_check_is_clean_behind_tls(tmp_path: Path) -> None:
    make_seal_key(tmp_path / "seal_key")
    encryption.make_data_key(tmp_path / "data_key")
    done = manage(
        *("check", "--deploy", "--fail-level", "WARNING"),
        PUUR_ORIGIN="https://jass.example.org",
        SECRET_KEY=environment.keep_secret_key(tmp_path),
        PUUR_VAR=str(tmp_path),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues (2 silenced)" in done.stdout


def test_behind_tls_a_key_must_be_given(tmp_path: Path) -> None:
    done = manage("check", PUUR_ORIGIN="https://jass.example.org", PUUR_VAR=str(tmp_path))
    assert done.returncode == 1
    assert "SECRET_KEY must be set" in done.stderr


@pytest.mark.slow
def test_no_migration_is_missing(tmp_path: Path) -> None:
    done = manage("makemigrations", "--check", "--dry-run", PUUR_VAR=str(tmp_path))
    assert done.returncode == 0, done.stdout
