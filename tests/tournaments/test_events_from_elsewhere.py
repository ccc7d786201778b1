"""Events of a series that were played on another installation: the file, the people, the table."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.models import User
from tests.tournaments.files_from_elsewhere import EIGHT, play_elsewhere, repack, sign_again
from tests.tournaments.series_evenings import evening
from tests.tournaments.test_club_series import new_series, refused, table
from tournaments import tasks
from tournaments.clubs import rolls
from tournaments.errors import NotAllowed
from tournaments.models import Championship, ClubSeries, OutsideEvent, OutsidePerson, Person
from tournaments.services.referee import corrections
from tournaments.services.series import editing, outside_files
from tournaments.services.series.finals import make_final
from tournaments.services.series.loading import load_series, read_series
from tournaments.services.series.outside_matching import (
    Answer,
    compare_versions,
    discard_file,
    find_person,
    list_candidates,
    save_choices,
    take_back,
    take_event,
)

SPRING = {"Anna Ammann": 900, "Beat Bühler": 880}


def receive(series: ClubSeries, data: bytes, **more: Any) -> OutsideEvent:
    """Receive and verify a file."""
    keeper = series.club.keepers.get().user
    made = outside_files.receive_file(series, data, actor=keeper, source="Puur Bern", **more)
    outside_files.verify(made.pk)
    return OutsideEvent.objects.get(pk=made.pk)


def take(series: ClubSeries, data: bytes, **more: Any) -> OutsideEvent:
    found = receive(series, data, **more)
    assert (found.state, found.message) == ("done", "")
    take_event(found, actor=series.club.keepers.get().user, rest_nobody=True)
    return found


def test_a_file_from_elsewhere_counts_like_an_own_championship(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi, "season")
    editing.add_event(series, championship=evening(fredi, "Frühling", SPRING), actor=fredi)
    [file] = play_elsewhere(tmp_path)
    assert Championship.objects.count() == 1, "the other installation is not this one"

    found = take(series, file)

    loaded = load_series(series)
    assert [(event.key, event.name, event.championship_id) for event in loaded.events][1] == (
        "e2",
        "Sektion Bern",
        None,
    )
    assert loaded.document.by_key["e2"].state == "held"
    assert len(loaded.document.by_key["e2"].ranking) == 8
    assert {row.place for row in loaded.document.by_key["e2"].ranking} >= {1}
    assert set(loaded.persons) == {f"p{person.pk}" for person in Person.objects.all()}
    assert len(table(loaded)) == 8, "Anna and Beat of the roll are those of the file"
    by_name = {loaded.persons[row.ref].names.running: row.events for row in loaded.table.rows}
    assert set(by_name["Anna Ammann"]) == {"e1", "e2"}
    assert set(by_name["Heidi Huber"]) == {"e2"}
    assert (found.source, found.key, len(found.key)) == ("Puur Bern", found.key, 64)
    assert (found.checkpoint >= 1, len(found.words.split())) == (True, 12)
    assert found.data is None, "only the facts are kept"
