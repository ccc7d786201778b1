"""The pages of events that were played elsewhere: send a file, match its people, count it, undo it."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.frontend.evening import client, html, person
from tests.tournaments.files_from_elsewhere import EIGHT, play_elsewhere
from tests.tournaments.test_outside_events import correct
from tournaments.clubs import rolls
from tournaments.models import ClubSeries, OutsideEvent, Person
from tournaments.services.series import editing, outside_files

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _short_searches() -> None:
    """Draws are searched in full, because the verifier repeats them."""


def a_series() -> ClubSeries:
    fredi = person("fredi")
    return editing.create_series(rolls.default_club(fredi), name="Sektionen", preset="season", actor=fredi)


def send(made: ClubSeries, file: bytes, *, name: str = "fredi", **more: str) -> Any:
    upload = SimpleUploadedFile("bern.zip", file, "application/zip")
    posted = {"file": upload, "source": "Puur Bern"} | more
    return client(name).post(reverse("series_elsewhere", args=[made.slug]), posted)


def verified(made: ClubSeries, file: bytes, **more: str) -> OutsideEvent:
    answer = send(made, file, **more)
    found = OutsideEvent.objects.latest("pk")
    assert answer["Location"] == reverse("series_outside", args=[made.slug, found.pk])
    outside_files.verify(found.pk)
    found.refresh_from_db()
    return found


def page(found: OutsideEvent, **asked: str) -> str:
    address = reverse("series_outside", args=[found.series.slug, found.pk])
    return html(client("fredi").get(address, asked))


def do(found: OutsideEvent, act: str, **posted: str) -> Any:
    address = reverse("series_outside_change", args=[found.series.slug, found.pk, act])
    return client("fredi").post(address, posted, follow=True)


def answers(found: OutsideEvent) -> dict[str, str]:
    """The form as the page proposes it."""
    return {
        f"who-{one.number}": f"p{one.person_id}" if one.person_id else one.choice
        for one in found.people.all()
    }


def test_a_keeper_sends_a_file_matches_its_people_and_takes_it_out_again(tmp_path: Path) -> None:
    made = a_series()
    anna = rolls.add_person(
        made.club, actor=person("fredi"), family_name="Ammann", first_name="Anna", birth_year=1950
    )
    [file] = play_elsewhere(tmp_path)
    answer = send(made, file)
    found = OutsideEvent.objects.get()
    waiting = html(client("fredi").get(answer["Location"]))
    assert "Verifying the file" in waiting
    assert "Check again" in waiting, "without script"
    part = client("fredi").get(answer["Location"], headers={"HX-Request": "true"})
    assert "HX-Refresh" not in part
    outside_files.verify(found.pk)
    part = client("fredi").get(answer["Location"], headers={"HX-Request": "true"})
    assert part["HX-Refresh"] == "true"

    found.refresh_from_db()
    shown = page(found)
    assert "Puur Bern" in shown
    assert found.key in shown
    assert found.words in shown
    assert "Ammann Anna, 1950" in shown
    assert "new on the roll" in shown

    counted = html(do(found, "take", **answers(found)))
    assert "Sektion Bern counts in this series." in counted
    assert "Take out of the series" in counted
    assert Person.objects.count() == 8
    series = html(client().get(reverse("series", args=[made.slug])))
    assert "played elsewhere: Puur Bern, key" in series
    assert found.key[:4] in series
    assert "Heidi Huber" in series
    assert "The file" not in series, "only keepers are led there"
    assert found.people.get(name="Anna Ammann").person == anna

    asked = do(found, "back")
    assert asked.status_code == 409
    assert "What this changes" in html(asked), "both tables, and the field for a reason"
    found.refresh_from_db()
    assert found.counts
    assert "no longer counts" in html(do(found, "back", reason="falsche Datei"))
    assert "Heidi Huber" not in html(client().get(reverse("series", args=[made.slug])))
    do(found, "discard")
    assert OutsideEvent.objects.exists(), "nobody has confirmed it"
    do(found, "discard", sure="on")
    assert not OutsideEvent.objects.exists()


def test_a_clumsy_keeper_is_told_what_to_do(tmp_path: Path) -> None:
    made = a_series()
    anna = rolls.add_person(made.club, actor=person("fredi"), family_name="Ammann", first_name="Anna")
    [file] = play_elsewhere(tmp_path, public_names="numbers")
    assert "This is not the public file" in html(send(made, b"holiday photo"))
    assert "This field is required" in html(
        client("fredi").post(reverse("series_elsewhere", args=[made.slug]))
    )
    found = verified(made, file)
    assert "already" in html(send(made, file))

    refused = do(found, "take", **answers(found))
    assert refused.status_code == 400
    assert "Choose a person for each line" in html(refused)
    twice = answers(found) | {"other-1": "Ammann Anna", "other-2": f"anybody #{anna.pk}"}
    shown = html(do(found, "save", **twice))
    assert "both given to Anna Ammann" in shown
    assert "anybody #" in shown, "what was typed stays"
    assert "matches nobody on the roll" in html(do(found, "save", **answers(found), **{"other-1": "Niemand"}))
    stranger = rolls.add_person(
        rolls.default_club(person("gabi")), actor=None, family_name="X", first_name="Y"
    )
    do(found, "save", **answers(found) | {"who-1": f"p{stranger.pk}"})
    assert found.people.get(number=1).person is None, "a person of another roll"
    do(found, "take", **answers(found), **{"other-1": "Ammann Anna", "rest": "on"})
    found.refresh_from_db()
    assert found.counts
    assert do(found, "nonsense").status_code == 404


def test_a_refused_file_says_why_and_is_thrown_away(tmp_path: Path) -> None:
    made = a_series()
    [file] = play_elsewhere(tmp_path, finish=False)
    found = verified(made, file)
    assert "This championship is not closed yet" in page(found)
    listed = html(client("fredi").get(reverse("series_elsewhere", args=[made.slug])))
    assert "refused" in listed
    do(found, "discard", sure="on")
    assert not OutsideEvent.objects.exists()


def test_a_newer_version_shows_what_it_would_change(tmp_path: Path) -> None:
    made = a_series()
    first, second = play_elsewhere(tmp_path, then=[correct])
    old = verified(made, first)
    do(old, "take", **answers(old))
    new = verified(made, second)
    shown = page(new)
    assert "A newer version: what it would change" in shown
    assert "place 1" in shown
    assert "Replace the version that counts" in shown
    do(new, "take", **answers(new))
    assert "Changes from the previous version" in page(new)
    assert "replaced by a newer version" in html(
        client("fredi").get(reverse("series_elsewhere", args=[made.slug]))
    )
    do(new, "back")
    old.refresh_from_db()
    assert old.counts


def test_long_lists_have_pages_and_as_many_queries_as_short_ones(tmp_path: Path) -> None:
    made = a_series()
    [few] = play_elsewhere(tmp_path)
    [many] = play_elsewhere(tmp_path, [f"{one} {n}er" for n in range(13) for one in EIGHT])
    short, long = verified(made, few), verified(made, many)

    def queries(found: OutsideEvent) -> int:
        with CaptureQueriesContext(connection) as asked:
            page(found)
        return len(asked)

    assert queries(short) == queries(long)
    assert "Save, next hundred" in page(long)
    assert "Take into the series" in page(long, page="2")
    first = dict(list(answers(long).items())[:100])
    do(long, "save", **first, next="2")
    last = dict(list(answers(long).items())[100:])
    do(long, "take", **last)
    long.refresh_from_db()
    assert long.counts


def test_others_find_nothing_there(tmp_path: Path) -> None:
    made = a_series()
    [file] = play_elsewhere(tmp_path)
    found = verified(made, file)
    addresses = [
        reverse("series_elsewhere", args=[made.slug]),
        reverse("series_outside", args=[made.slug, found.pk]),
    ]
    for address in addresses:
        assert client("gabi").get(address).status_code == 404
        assert client().get(address).status_code == 302
    assert send(made, file, name="gabi").status_code == 404
    act = reverse("series_outside_change", args=[made.slug, found.pk, "take"])
    assert client("gabi").post(act).status_code == 404
    other = a_series()
    assert client("fredi").get(reverse("series_outside", args=[other.slug, found.pk])).status_code == 404
