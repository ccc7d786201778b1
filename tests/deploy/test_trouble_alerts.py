"""Troubles are logged when they begin and when they end, and mailed to the owners."""

import fcntl
import json
import logging
import smtplib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db import DatabaseError
from django.utils.functional import lazystr
from django.utils.translation import get_language
from pytest_django import Settings

from deploy import doctor
from deploy.doctor import trouble_alerts
from deploy.doctor.results import Diagnosis, Severity
from deploy.tasks import watch
from games.models import User

pytestmark = pytest.mark.django_db


class Place:
    """An installation whose only check says what the test wants, at a time that the test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0
        self.result = Diagnosis(Severity.OK, "well")

    def look(self, state: Severity, sentence: str = "The disk is full.", seconds: float = 60) -> bool:
        self.result = Diagnosis(state, sentence)
        self.now += seconds
        return watch()


@pytest.fixture
def place(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    settings.VAR_DIR = tmp_path
    settings.MAIL_FROM, settings.ORIGIN = "jass@example.org", "https://jass.example.org"
    made = Place()
    disk = next(check for check in doctor.CHECKS if check.key == "disk")
    only = doctor.InstallationCheck(disk.key, disk.title, lambda: made.result, cheap=True)
    monkeypatch.setattr(doctor, "CHECKS", (only,))
    monkeypatch.setattr(trouble_alerts, "time", lambda: made.now)
    User.objects.create_superuser("fredi", "fredi@example.org")
    User.objects.create_superuser("gone", "gone@example.org", is_active=False)
    User.objects.create_user("anna", "anna@example.org")
    return made


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == trouble_alerts.log.name]


def test_a_trouble_is_logged_and_mailed_once_and_so_is_its_end(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for state in (Severity.OK, *[Severity.ERROR] * 5, Severity.OK, Severity.OK):
        assert place.look(state)
    assert said(caplog) == ["begins: doctor/disk: The disk is full.", "over: doctor/disk"]
    begun, over = mail.outbox
    assert begun.to == over.to == ["fredi@example.org"]
    assert "Disk: The disk is full." in begun.body
    assert "https://jass.example.org/status/doctor/" in begun.body
    assert "Over: Disk" in over.body


@pytest.mark.parametrize(("ends", "text"), [(False, "Disk: de"), (True, "Disk: en")])
def test_the_mail_describes_the_error_even_if_it_ends_before_the_mail(
    place: Place, monkeypatch: pytest.MonkeyPatch, ends: bool, text: str
) -> None:
    monkeypatch.setenv("PUUR_LANGUAGE", "de")
    calls: Counter[str] = Counter()

    def check_disk() -> Diagnosis:
        language = get_language() or ""
        calls[language] += 1
        return Diagnosis(Severity.OK if ends and language == "de" else Severity.ERROR, language)

    def check_clock() -> Diagnosis:
        calls["clock"] += 1
        return Diagnosis(Severity.OK, "well")

    disk = doctor.InstallationCheck("disk", lazystr("Disk"), check_disk, cheap=True)
    clock = doctor.InstallationCheck("clock", lazystr("Clock"), check_clock, cheap=True)
    monkeypatch.setattr(doctor, "CHECKS", (disk, clock))
    for _ in range(3):
        place.look(Severity.ERROR)
    assert [text in sent.body for sent in mail.outbox] == [True]
    assert calls == {"en": 3, "de": 1, "clock": 3}


def test_a_trouble_of_a_moment_and_a_warning_are_only_logged(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    for state in (Severity.ERROR, Severity.OK, *[Severity.WARNING] * 5, Severity.OK):
        place.look(state)
    assert len(said(caplog)) == 4
    assert mail.outbox == []


def test_of_several_processes_one_looks_a_minute(place: Place, tmp_path: Path) -> None:
    assert place.look(Severity.ERROR)
    assert not place.look(Severity.ERROR, seconds=5)
    with (tmp_path / trouble_alerts.TROUBLES_FILE).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert not place.look(Severity.ERROR)
    assert place.look(Severity.ERROR)


def test_a_restart_and_a_file_of_nonsense_change_nothing_much(
    place: Place, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    place.look(Severity.ERROR)
    kept = json.loads((tmp_path / trouble_alerts.TROUBLES_FILE).read_text())
    assert kept["troubles"]["disk"]["state"] == "error"
    (tmp_path / trouble_alerts.TROUBLES_FILE).write_text("{")
    place.look(Severity.ERROR)
    assert len(said(caplog)) == 2
    other = {"state": "error", "began": 0, "sentence": "", "mailed": True}
    (tmp_path / trouble_alerts.TROUBLES_FILE).write_text(
        json.dumps({"troubles": {"of-another-version": other}})
    )
    assert place.look(Severity.OK)
    assert mail.outbox == []


def test_without_a_folder_it_remembers_for_itself(
    place: Place, caplog: pytest.LogCaptureFixture, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR_DIR = "/proc/nowhere"
    monkeypatch.setattr(trouble_alerts, "_unstored", trouble_alerts.Memory())
    for state in (Severity.ERROR, Severity.ERROR, Severity.OK):
        place.look(state)
    assert said(caplog) == ["begins: doctor/disk: The disk is full.", "over: doctor/disk"]


def test_a_mail_that_fails_is_tried_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> int:
        raise smtplib.SMTPServerDisconnected

    with monkeypatch.context() as away:
        away.setattr(EmailMessage, "send", refuse)
        for _ in range(4):
            place.look(Severity.ERROR)
    place.look(Severity.ERROR)
    assert len(mail.outbox) == 1


def test_an_end_whose_mail_fails_is_told_later(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: Any, **__: Any) -> int:
        raise smtplib.SMTPServerDisconnected

    for _ in range(4):
        place.look(Severity.ERROR)
    with monkeypatch.context() as away:
        away.setattr(EmailMessage, "send", refuse)
        place.look(Severity.OK)
        place.look(Severity.OK)
    assert len(mail.outbox) == 1
    for _ in range(3):
        place.look(Severity.OK)
    assert [("Over: Disk" in one.body) for one in mail.outbox] == [False, True]
    assert said(caplog).count("over: doctor/disk") == 1


def test_owners_are_told_that_the_database_is_away(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.look(Severity.OK)

    def away() -> list[str]:
        raise DatabaseError

    monkeypatch.setattr(trouble_alerts, "_load_owners", away)
    for _ in range(4):
        place.look(Severity.ERROR)
    assert [one.to for one in mail.outbox] == [["fredi@example.org"]]


def test_without_a_mail_server_nothing_is_mailed_and_no_address_is_kept(
    place: Place, settings: Settings, tmp_path: Path
) -> None:
    settings.MAIL_FROM = ""
    for _ in range(4):
        place.look(Severity.ERROR)
    assert mail.outbox == []
    assert "example.org" not in (tmp_path / trouble_alerts.TROUBLES_FILE).read_text()
