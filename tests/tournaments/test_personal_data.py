"""A person's data: exported by one command, erased by another; every replay stays unchanged."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db.models import CharField, ForeignKey, TextField
from django.test import Client
from pytest_django import Settings

from deploy.environment import BASE_DIR
from games import game_state, sealing
from games.models import Access, Game, Stream, User
from tests.tournaments import table_play
from tournaments import demo_record, jobs, personal_data
from tournaments.archive import PUBLIC, export_championship, storing
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import (
    Championship,
    Dispute,
    Entry,
    Job,
    Official,
    PublicFile,
    Round,
    SignedInSession,
)
from tournaments.services.audit import auditing
from tournaments.services.championship_seals import seal_if_possible
from tournaments.services.entries import entries
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds
from tournaments.services.scores import ranking_basis

Opened = Callable[..., Round]


@pytest.fixture(autouse=True)
def key(tmp_path: Path, settings: Settings) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    settings.VAR_DIR = tmp_path
    sealing.make_seal_key(settings.SEAL_KEY)


@pytest.fixture
def anna(user: Callable[[str], User]) -> User:
    found = user("Anna")
    found.first_name, found.last_name, found.email = "Anna", "Zurfluh", "anna@example.org"
    found.save()
    rolls.default_club(found)
    return found


@pytest.fixture
def played(championship: Championship, open_round: Opened, fredi: User, anna: User) -> Championship:
    """Round 1 is open: a dealt table that has been played out, and one that is written down. Anna has called
    the referee."""
    round_ = open_round("dealt", "transcribed")
    entry = championship.entries.get(name="Anna")
    entries.edit_entry(entry, actor=fredi, club="Kartenfreunde", note="vegetarisch", licence="L-77")
    entries.link_account(entry, anna, actor=fredi)
    demo_record.play_out_with_bots(str(round_.tables.get(number=1).game_id))
    table_play.write_revoke(round_.tables.get(number=2))
    table = round_.tables.get(seatings__entry=entry)
    disputes.raise_dispute(table, actor=anna, by_ref=entry.player_ref, text="Beat hat verleugnet")
    Client().force_login(anna)
    SignedInSession.objects.filter(user=anna).update(address="192.0.2.9", browser="Firefox")
    Authenticator.objects.create(user=anna, type="totp", data={"secret": "not-for-a-file"})
    return championship


@pytest.fixture
def closed(played: Championship, fredi: User) -> Championship:
    rounds.close_round(played.rounds.get(number=1), actor=fredi, force=True, reason="late")
    seal_if_possible(played)
    return played


def test_one_command_writes_down_what_is_known_of_a_person(played: Championship, tmp_path: Path) -> None:
    file = tmp_path / "anna.json"
    call_command("export_person", "anna", str(file), stdout=io.StringIO())
    assert file.stat().st_mode & 0o777 == 0o600
    found = json.loads(file.read_text())
    rows = found["rows"]
    [account], [entry] = rows["games.user"], rows["tournaments.entry"]
    assert (account["email"], account["last_name"]) == ("anna@example.org", "Zurfluh")
    assert "password" not in account
    assert (entry["name"], entry["club"], entry["note"], entry["licence"]) == (
        *("Anna", "Kartenfreunde"),
        *("vegetarisch", "L-77"),
    )
    assert rows["tournaments.dispute"][0]["text"] == "Beat hat verleugnet"
    assert rows["tournaments.signedinsession"][0]["address"] == "192.0.2.9"
    assert rows["mfa.authenticator"][0]["type"] == "totp"
    assert "not-for-a-file" not in file.read_text()
    assert [list(row) for row in rows["sessions.session"]] == [["expire_date"]]
    assert len(rows["tournaments.seating"]) == len(rows["games.access"]) == 1
    [acts] = found["acts"].values()
    assert {"card_played"} <= {act["type"] for act in acts}
    assert len([act for act in acts if act["type"] == "card_played"]) >= 9
    text = file.read_text()
    assert not any(name in text for name in ("Chiara", "Dario", "fredi", "gabi"))


def test_what_others_wrote_is_theirs(played: Championship, gabi: User) -> None:
    dispute = Dispute.objects.get()
    Dispute.objects.update(answer="Anna irrt sich", ruled_by=gabi)
    of_anna = personal_data.export_data(personal_data.find_subject("anna"))["rows"]["tournaments.dispute"]
    of_gabi = personal_data.export_data(personal_data.find_subject("gabi"))["rows"]["tournaments.dispute"]
    assert [("answer" in row, row["text"]) for row in of_anna] == [(False, dispute.text)]
    assert [("text" in row, row["answer"]) for row in of_gabi] == [(False, "Anna irrt sich")]


def test_an_entry_without_an_account_is_found_by_its_number(played: Championship) -> None:
    beat = played.entries.get(name="Beat")
    found = personal_data.export_data(personal_data.find_subject(f"{played.slug}/{beat.number}"))
    assert [row["name"] for row in found["rows"]["tournaments.entry"]] == ["Beat"]
    assert found["refs"] == [beat.player_ref]
    anna = played.entries.get(name="Anna")
    assert personal_data.find_subject(f"{played.slug}/{anna.number}") == personal_data.find_subject("anna")
    for nobody in ("mallory", f"{played.slug}/99", "/1", f"{played.slug}/x"):
        with pytest.raises(TournamentError) as refused:
            personal_data.find_subject(nobody)
        assert refused.value.code == "people/unknown"


def test_every_table_that_points_to_people_is_looked_at(played: Championship) -> None:
    """A new one is found by itself; its text is left out where somebody else wrote it."""
    person = personal_data.find_subject("anna")
    looked_at = {model for model, _ in personal_data._related_rows(person)}
    for model in apps.get_models():
        pointing = {f.related_model for f in model._meta.concrete_fields if isinstance(f, ForeignKey)}
        if pointing & {User, Entry}:
            assert model in looked_at, model
            authors = {f.name for f in model._meta.concrete_fields if f.related_model is User}
            texts = {
                f.name
                for f in model._meta.concrete_fields
                if isinstance(f, CharField | TextField) and not f.choices
            } & {"text", "answer", "reason"}
            if len(authors) > 1:
                assert texts <= set(personal_data.WRITTEN.get(model, ())), model


# --- erasing


def everything_public(made: Championship) -> dict[str, Any]:
    """Bytes of every replay, log and stream, and the ranking."""
    game_state.KEPT.clear()
    browser = Client()
    found: dict[str, Any] = {}
    for game in Game.objects.order_by("pk"):
        for rest in ("", "events/", "replay/", "replay/?at=20", "log/"):
            answer = browser.get(f"/api/v1/games/{game.pk}/{rest}")
            found[f"{game.pk}/{rest}"] = (answer.status_code, answer.content)
    found["heads"] = [(s.pk, s.head_seq, bytes(s.head_hash)) for s in Stream.objects.order_by("pk")]
    found["standings"] = ranking_basis.live_ranking(made)
    found["snapshots"] = [snapshot.rows for snapshot in made.snapshots.all()]
    return found


def every_text() -> str:
    """All columns of all tables."""
    return "\n".join(
        str(value)
        for model in apps.get_models()
        for row in model._default_manager.values_list()
        for value in row
    )


def test_a_name_is_erased_and_every_replay_stays_identical(
    closed: Championship, fredi: User, settings: Settings
) -> None:
    job = jobs.start_job(Job.Kind.EXPORT, closed, actor=fredi, what="entries")
    assert jobs.run(job.pk)
    assert jobs.run(jobs.start_file_job(closed).pk)
    assert storing.latest_file(closed) is not None
    before = everything_public(closed)
    seen = every_text()
    personal = (
        "Zurfluh",
        "Kartenfreunde",
        "vegetarisch",
        "L-77",
        "anna@example.org",
        "192.0.2.9",
        "verleugnet",
    )
    assert all(word in seen for word in personal)

    call_command("erase_person", "anna", "--yes", stdout=io.StringIO())

    assert everything_public(closed) == before
    left = every_text()
    assert not [word for word in (*personal, "Anna", "anna") if word in left]
    assert not PublicFile.objects.exists(), "on any node"
    entry = closed.entries.get(number=1)
    assert (entry.name, entry.user) == ("№ 1", None)
    assert not Session.objects.exists()
    assert not Access.objects.filter(role="seat").exists()
    page = Client().get(f"/c/{closed.slug}/standings/").content.decode()
    assert "№ 1" in page
    assert "Anna" not in page
    audit = auditing.start_audit(closed)
    while auditing.check_next(audit):
        pass
    assert auditing.load_findings(audit) == []


def test_the_export_of_a_championship_with_an_erased_name_still_verifies(
    closed: Championship, tmp_path: Path
) -> None:
    personal_data.erase_data(personal_data.find_subject("anna"))
    file = tmp_path / "public.zip"
    with file.open("wb") as out:
        export_championship(closed, out, level=PUBLIC)
    assert b"Anna" not in b"".join(zipfile.ZipFile(file).read(n) for n in zipfile.ZipFile(file).namelist())
    script = BASE_DIR / "docs" / "verify" / "puur_verify.py"
    done = subprocess.run([sys.executable, script, file], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_file_that_was_being_written_when_a_name_was_erased_is_not_kept(
    closed: Championship, monkeypatch: pytest.MonkeyPatch
) -> None:
    def erased_meanwhile(*arguments: Any, **more: Any) -> None:
        export_championship(*arguments, **more)
        personal_data.erase_data(personal_data.find_subject("anna"))

    monkeypatch.setattr(storing, "export_championship", erased_meanwhile)
    assert jobs.run(jobs.start_file_job(closed).pk)
    assert not PublicFile.objects.exists()
    assert not Job.objects.exists()


def test_nobody_signs_in_with_an_erased_account(closed: Championship, anna: User) -> None:
    anna.set_password("Ein-Trumpf-im-Aermel-7")
    anna.save()
    personal_data.erase_data(personal_data.find_subject("anna"))
    anna.refresh_from_db()
    assert (anna.is_active, anna.has_usable_password(), anna.email) == (False, False, "")
    assert anna.username.startswith("erased-")
    assert not Client().login(username="anna", password="Ein-Trumpf-im-Aermel-7")


def test_who_sits_at_an_open_table_or_runs_a_championship_is_not_erased(
    played: Championship, fredi: User
) -> None:
    for who, code in (("anna", "people/seated"), ("gabi", "people/in_charge"), ("fredi", "people/in_charge")):
        before = every_text()
        with pytest.raises(CommandError, match=code):
            call_command("erase_person", who, "--yes")
        assert every_text() == before


def test_an_official_of_a_finished_championship_is_erased_and_his_office_stays(
    closed: Championship, fredi: User, gabi: User
) -> None:
    ref = closed.officials.get(user=gabi).ref
    Championship.objects.update(status=Championship.Status.FINISHED)
    personal_data.erase_data(personal_data.find_subject("gabi"))
    assert Official.objects.get(ref=ref).user.username.startswith("erased-")


def test_without_yes_nothing_happens(closed: Championship) -> None:
    before, said = every_text(), io.StringIO()
    call_command("erase_person", f"{closed.slug}/1", stdout=said)
    assert "would be erased, with --yes: account anna, entries clubabend/1" in said.getvalue()
    assert every_text() == before


def test_a_file_is_not_written_over_and_an_unknown_person_has_none(
    championship: Championship, tmp_path: Path
) -> None:
    (tmp_path / "there").touch()
    with pytest.raises(CommandError, match="exists"):
        call_command("export_person", "fredi", str(tmp_path / "there"))
    with pytest.raises(CommandError, match="people/unknown"):
        call_command("export_person", "mallory", str(tmp_path / "new"))
    assert not (tmp_path / "new").exists()
