"""The doctor: each check goes red or yellow for its real reason, and green without one."""

import asyncio
import io
import json
import os
import re
import shutil
import socketserver
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import Settings
from redis import Redis

from deploy import doctor
from deploy.backups import nightly
from deploy.doctor import backups, keys, proxies, proxy_and_tls, seals, services, storage
from deploy.environment import BASE_DIR
from deploy.limits import proxied
from games import encryption, sealing
from games.messaging import redis_client
from games.models import Heartbeat, User
from games.monitoring import condition
from tests.games.cast import table
from tests.tournaments.test_mail_server import PostOffice
from tournaments.models import Job
from tournaments.notices.keys import make_push_key
from tournaments.services import championship_seals as sealing_of_championships
from tournaments.services.championships import championships

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def place(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of its own: a private folder with all keys, and nothing remembered."""
    var = tmp_path / "var"
    var.mkdir(0o700)
    settings.VAR_DIR = var
    for name in ("DATA_KEY", "SEAL_KEY", "PUSH_KEY"):
        setattr(settings, name, var / name.lower())
    encryption.make_data_key(var / "data_key")
    sealing.make_seal_key(var / "seal_key")
    make_push_key(var / "push_key")
    monkeypatch.setattr(condition, "_recent", condition._Recent())
    settings.REDIS_PREFIX = settings.CELERY_TASK_DEFAULT_QUEUE = f"doctor-{tmp_path.name}"
    return var


def states() -> dict[str, str]:
    return {finding.key: finding.state for finding in doctor.examine()}


def test_a_sound_installation_is_green_but_for_backups_and_copies(place: Path) -> None:
    Heartbeat.objects.create(host="here", boot="b", at=timezone.now(), monotonic=1)
    found = states()
    assert {key for key, state in found.items() if state != "ok"} == {"backup", "test_restore", "key_copies"}
    keys.confirm_key_copies()
    now = datetime.now(UTC).isoformat()
    state = {"last_backup": now, "last_test_restore": now, "where": "/mnt/stick", "audit": "clean"}
    (place / nightly.STATE).write_text(json.dumps(state))
    findings = doctor.examine()
    assert doctor.find_worst_state(findings) == "ok", doctor.write_report(findings)


def test_an_installation_without_its_database_is_told_in_german_and_ends_with_1(tmp_path: Path) -> None:
    own = {"DATABASE_URL": "postgresql://puur:geheim@127.0.0.1:1/puur", "PUUR_VAR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json", "--language", "de"],
        cwd=BASE_DIR,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    found = {one["key"]: one for one in report["checks"]}
    assert (report["state"], found["database"]["state"], found["seal"]["state"]) == (
        "error",
        "error",
        "warning",
    )
    assert found["database"]["sentence"].startswith("Die Datenbank antwortet nicht")
    assert "geheim" not in done.stdout
    assert list(found) == [check.key for check in doctor.CHECKS]


def test_missing_and_newer_tables_are_red() -> None:
    assert storage.check_migrations().state == "ok"
    rows = MigrationRecorder.Migration.objects
    rows.filter(app="sessions").delete()
    result = storage.check_migrations()
    assert (result.state, result.sentence) == ("error", "1 change to the tables is missing.")
    MigrationRecorder.Migration(app="games", name="9999_later").save()
    assert "newer version" in storage.check_migrations().sentence


def test_a_disk_goes_yellow_below_500_and_red_below_100_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for megabytes, state in ((2000, "ok"), (300, "warning"), (50, "error")):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, n=megabytes: SimpleNamespace(free=n << 20))
        condition._recent.keep([])
        condition.find_troubles()
        assert storage.check_disk().state == state, megabytes


def test_a_disk_that_cannot_be_written_or_is_slow_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert storage.check_sync().state == "ok"
    with monkeypatch.context() as slow:
        slow.setattr(os, "fsync", lambda _: time.sleep(0.11))
        slow.setattr(storage, "SYNCS", 1)
        assert storage.check_sync().state == "warning"
    settings.VAR_DIR = "/proc"
    assert storage.check_sync().state == "error"


def test_redis_that_is_away_and_a_clock_that_differs(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (services.check_redis().state, services.check_clock().state) == ("ok", "ok")
    monkeypatch.setattr(Redis, "time", lambda _: (int(time.time()) - 60, 0))
    result = services.check_clock()
    assert (result.state, bool(re.search(r"differ by (59|60|61) s", result.sentence))) == ("warning", True)
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    condition.find_troubles()
    assert services.check_redis().state == "error"


def test_a_worker_that_never_ran_or_is_silent_is_red() -> None:
    assert services.check_workers().state == "error"
    Heartbeat.objects.create(host="here", boot="b", at=timezone.now() - timedelta(seconds=40), monotonic=1)
    condition.find_troubles()
    result = services.check_workers()
    assert (result.state, "40" in result.sentence) == ("error", True)


def test_work_that_piles_up_is_told(settings: Settings) -> None:
    fredi = User.objects.create_user("fredi")
    assert services.check_queue().state == "ok"
    redis_client.ask_redis(lambda redis: redis.rpush(settings.CELERY_TASK_DEFAULT_QUEUE, *range(200)), 0)
    assert services.check_queue().state == "warning"
    redis_client.ask_redis(lambda redis: redis.delete(settings.CELERY_TASK_DEFAULT_QUEUE), 0)
    job = Job.objects.create(kind="export", championship=championships.create(actor=fredi, name="Cup"))
    Job.objects.filter(pk=job.pk).update(queued_at=timezone.now() - timedelta(minutes=2))
    assert services.check_queue().state == "warning"
    Job.objects.filter(pk=job.pk).update(queued_at=timezone.now() - timedelta(minutes=11))
    assert services.check_queue().state == "error"


def test_keys_that_are_missing_readable_or_broken_are_red(place: Path, settings: Settings) -> None:
    assert keys.check_key_files().state == keys.check_push().state == "ok"
    for path, check in ((settings.SEAL_KEY, keys.check_key_files), (settings.PUSH_KEY, keys.check_push)):
        path.chmod(0o644)
        assert (check().state, "can read" in check().sentence) == ("error", True)
        path.chmod(0o600)
        path.write_text("nonsense\n")
        assert (check().state, "damaged" in check().sentence) == ("error", True)
    settings.PUSH_KEY.unlink()
    assert keys.check_push().state == "warning"
    settings.DATA_KEY.unlink()
    assert (keys.check_key_files().state, "is missing" in keys.check_key_files().sentence) == ("error", True)


def test_a_data_key_that_does_not_open_the_hands_is_red(place: Path) -> None:
    table()
    assert keys.check_keys_fit().state == "ok"
    (place / "data_key").unlink()
    encryption.make_data_key(place / "data_key")
    assert keys.check_keys_fit().state == "error"


def test_copies_of_keys_are_asked_for_until_they_are_confirmed_and_after_a_new_key(place: Path) -> None:
    assert "data_key, seal_key, push_key" in keys.check_key_copies().sentence
    assert keys.confirm_key_copies() == ["data_key", "push_key", "seal_key"]
    assert keys.check_key_copies().state == "ok"
    marker = (place / keys.MARKER).read_text()
    assert not any(line in marker for line in (place / "seal_key").read_text().split())
    encryption.next_key(place / "data_key", set())
    result = keys.check_key_copies()
    assert (result.state, "data_key." in result.sentence) == ("warning", True)


def test_files_that_others_can_read_are_red(place: Path) -> None:
    (place / "web.lock").write_text("")
    (place / "web.lock").chmod(0o644)
    assert keys.check_modes().state == "ok", "nobody reaches it"
    place.chmod(0o755)
    result = keys.check_modes()
    assert (result.state, "web.lock" in result.sentence) == ("error", True)
    (place / "web.lock").chmod(0o600)
    assert keys.check_modes().state == "ok"


def test_backups_grow_old_and_want_a_test(place: Path) -> None:
    def state(**ages: float) -> str:
        moments = {name: (datetime.now(UTC) - timedelta(days=age)).isoformat() for name, age in ages.items()}
        (place / nightly.STATE).write_text(json.dumps({**moments, "where": "/mnt", "audit": audit}))
        check = backups.check_backup if "last_backup" in ages else backups.check_test_restore
        return check().state

    audit = "clean"
    assert [state(last_backup=days) for days in (0.5, 2, 8)] == ["ok", "warning", "error"]
    assert [state(last_test_restore=days) for days in (3, 40)] == ["ok", "warning"]
    audit = "1 game differs"
    assert state(last_test_restore=3) == "error"
    assert "found something wrong" in backups.check_test_restore().sentence
    audit = nightly.NOT_RESTORED
    assert state(last_test_restore=3) == "error"
    assert "could not be restored" in backups.check_test_restore().sentence
    for broken in ("", "[]", '{"last_backup": "soon"}'):
        (place / nightly.STATE).write_text(broken)
        assert backups.check_backup().state == backups.check_test_restore().state == "warning"


def test_what_is_not_sealed_for_minutes_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    made = championships.create(actor=User.objects.create_user("fredi"), name="Cup")
    assert seals.check_seal().state == "ok"
    now = timezone.now() + timedelta(minutes=6)
    monkeypatch.setattr(timezone, "now", lambda: now)
    result = seals.check_seal()
    assert (result.state, "6 minutes" in result.sentence) == ("error", True)
    sealing_of_championships.seal_championship(made)
    assert seals.check_seal().state == "ok"


async def ask_through(peer: str, trusted: str, **headers: str) -> None:
    """A request through our application from this peer."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        pass

    fields = [(f"x-forwarded-{name}".encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "client": (peer, 5000), "headers": fields, "scheme": "http"}
    wrapped = proxied.Proxied(application, behind_tls=True, trusted=[ip_network(trusted)])
    await wrapped(scope, None, None)


@pytest.mark.parametrize(
    ("peer", "headers", "state", "word"),
    [
        ("10.1.2.3", {"for": "203.0.113.9", "proto": "https"}, "ok", "is trusted"),
        ("10.1.2.3", {"for": "203.0.113.9"}, "error", "redirect for ever"),
        ("10.1.2.3", {"proto": "https"}, "warning", "share one limit"),
        ("10.9.9.9", {"for": "203.0.113.9", "proto": "https"}, "error", "10.9.9.9"),
        ("10.1.2.3", {}, "warning", "No request"),
    ],
)
def test_headers_of_a_proxy_are_judged_as_they_arrive(
    peer: str,
    headers: dict[str, str],
    state: str,
    word: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proxied, "last_forwarded", {})
    monkeypatch.setattr(proxies, "last_forwarded", proxied.last_forwarded)
    monkeypatch.setattr(proxies, "_published", {})
    settings.TLS = True
    asyncio.run(ask_through(peer, "10.1.2.3/32", **headers))
    proxies.publish_forwarded()
    result = proxy_and_tls.check_proxy()
    assert (result.state, word in result.sentence) == (state, True), result
    stored = redis_client.ask_redis(lambda redis: redis.get(proxies._make_key(True)), None) or b""
    assert b"203.0.113.9" not in stored, "addresses of clients are not kept"


class Tls(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, file: Path) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=True)

    def handle_error(self, *_: Any) -> None:
        """A browser that refuses the certificate is what the test wants."""


@pytest.fixture
def tls(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A site with a certificate of five more days; the file is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(5, 60))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    made = builder.sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = tmp_path / "site.pem"
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    with Tls(file) as site:
        threading.Thread(target=site.serve_forever, args=(0.05,), daemon=True).start()
        settings.TLS, settings.ORIGIN = True, f"https://localhost:{site.server_address[1]}"
        yield file
        site.shutdown()


def test_a_certificate_is_judged_as_browsers_do(
    tls: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = proxy_and_tls.check_tls()
    assert (result.state, "refuse the certificate" in result.sentence) == ("error", True)
    monkeypatch.setenv("SSL_CERT_FILE", str(tls))
    result = proxy_and_tls.check_tls()
    assert (result.state, result.sentence) == ("warning", "The certificate is valid for 5 more days.")
    monkeypatch.setattr(proxy_and_tls, "EXPIRES_SOON", timedelta(days=1))
    settings.SECURE_HSTS_SECONDS = 0
    assert "HSTS is off" in proxy_and_tls.check_tls().sentence
    settings.SECURE_HSTS_SECONDS = 3600
    assert proxy_and_tls.check_tls().state == "ok"
    settings.ORIGIN = "https://localhost:1"
    assert (proxy_and_tls.check_tls().state, "does not answer" in proxy_and_tls.check_tls().sentence) == (
        "warning",
        True,
    )


def test_pages_without_tls_are_a_warning_beyond_this_machine(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert proxy_and_tls.check_tls().state == "ok"
    settings.ALLOWED_HOSTS = ["localhost", "192.168.1.4"]
    assert proxy_and_tls.check_tls().state == "warning"


def test_the_mail_server_is_asked_without_a_mail(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.MAIL_FROM = "jass@example.org"
    with PostOffice() as office:
        threading.Thread(target=office.serve_forever, args=(0.05,), daemon=True).start()
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.server_address[1]
        assert services.check_mail().state == "ok"
        settings.EMAIL_USE_TLS = True
        assert "no usable encryption" in services.check_mail().sentence
        settings.EMAIL_USE_TLS = False
        office.shutdown()
    assert office.taken == []
    settings.EMAIL_PORT = 1
    result = services.check_mail()
    assert (result.state, "does not answer" in result.sentence) == ("error", True)


def test_a_misspelt_variable_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    assert proxy_and_tls.check_variables().state == "ok"
    monkeypatch.setenv("PUUR_ORIGN", "https://jass.example.org")
    assert "PUUR_ORIGN (PUUR_ORIGIN?)" in proxy_and_tls.check_variables().sentence


def test_a_check_that_fails_is_a_finding_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.PUSH_KEY = None
    found = states()
    assert found["push"] == "error"
    assert found["variables"] == "ok"


def test_the_report_is_a_page_for_owners_only(client: Client, place: Path) -> None:
    page = reverse("doctor")
    assert page == "/status/doctor/"
    assert client.get(page).status_code == 302
    fredi = User.objects.create_user("fredi")
    client.force_login(fredi)
    assert client.get(page).status_code == 404
    User.objects.update(is_superuser=True)
    with translation.override("en"):
        text = client.get(page).content.decode()
    assert "No worker has ever run here." in text
    assert 'data-copies-text="report"' in text
    for key in ("data_key", "seal_key", "push_key"):
        for word in (place / key).read_text().split():
            assert word not in text


def test_the_command_prints_the_report_and_confirms_copies_of_the_keys(place: Path) -> None:
    Heartbeat.objects.create(host="here", boot="b", at=timezone.now(), monotonic=1)
    out, said = io.StringIO(), io.StringIO()
    call_command("doctor", "--keys-copied", "--json", "--language", "en", stdout=out, stderr=said)
    report = json.loads(out.getvalue())
    assert "data_key" in said.getvalue()
    assert {one["key"]: one["state"] for one in report["checks"]}["key_copies"] == "ok"
    out = io.StringIO()
    call_command("doctor", "--language", "de", stdout=out)
    assert "Datenbank" in out.getvalue()
    (place / "data_key").unlink()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=io.StringIO())
