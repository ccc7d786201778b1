"""manage.py export-series: one file with everything that the verifier needs."""

import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.models import User
from tests.tournaments.series_evenings import evening
from tournaments.clubs import rolls
from tournaments.models import Championship, ClubSeries
from tournaments.services.series import editing, publishing

pytestmark = pytest.mark.django_db


@pytest.fixture
def series(fredi: User) -> ClubSeries:
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset="club_year", actor=fredi)
    found = evening(fredi, "Frühling", {"Anna Ammann": 900, "Beat Bühler": 880})
    editing.add_event(made, championship=found, actor=fredi)
    editing.add_event(made, name="geplant", actor=fredi)
    publishing.publish_table(made, actor=fredi)
    return made


def names(path: Path) -> tuple[set[str], str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist()), archive.read("names.json").decode()


def test_the_file_has_the_stream_the_tables_and_each_evening(series: ClubSeries, tmp_path: Path) -> None:
    path = tmp_path / "jahr.zip"
    call_command("export_series", series.slug, str(path))
    assert names(path)[0] == {
        *("manifest.json", "manifest.sig", "checkpoints.jsonl", "series.json", "names.json", "events/e1.zip"),
        f"streams/{series.stream_id}.jsonl",
    }
    assert "Anna Ammann" in names(path)[1]
    with pytest.raises(CommandError):
        call_command("export_series", series.slug, str(path))
    with pytest.raises(CommandError):
        call_command("export_series", "nothing", str(tmp_path / "other.zip"))


def test_names_that_are_not_public_are_not_in_the_file(series: ClubSeries, tmp_path: Path) -> None:
    Championship.objects.update(public=False)
    call_command("export_series", series.slug, str(tmp_path / "jahr.zip"))
    assert names(tmp_path / "jahr.zip")[1] == "{}\n"


def test_a_series_from_before_it_had_a_stream_is_exported_with_its_present_state(
    series: ClubSeries, tmp_path: Path
) -> None:
    ClubSeries.objects.update(stream=None)
    call_command("export_series", series.slug, str(tmp_path / "jahr.zip"))
    series.refresh_from_db()
    assert f"streams/{series.stream_id}.jsonl" in names(tmp_path / "jahr.zip")[0]
