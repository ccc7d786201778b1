"""Events from elsewhere in the stream of their series, in its file, and in what is kept for pages."""

import io
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from games import sealing
from games.models import User
from tests.tournaments.files_from_elsewhere import play_elsewhere
from tests.tournaments.series_evenings import evening
from tests.tournaments.test_club_series import new_series, refused
from tests.tournaments.test_outside_events import SPRING, correct, receive, take
from tests.verify.series import SeriesRecord
from tournaments.archive.series_file import export_series
from tournaments.models import ClubSeries, OutsideEvent, Person
from tournaments.series.document import QualifyStep
from tournaments.services.series import editing, publishing, tickets
from tournaments.services.series.cached_series import load_shared_series
from tournaments.services.series.finals import make_final
from tournaments.services.series.loading import load_series
from tournaments.services.series.outside_matching import PersonAnswer, save_choices, take_event, take_out
from tournaments.services.series.stream import read_state


@pytest.fixture
def fredi(db: None) -> User:
    return User.objects.create(username="fredi", may_found=True)


def export(series: ClubSeries) -> bytes:
    out = io.BytesIO()
    export_series(load_series(series), out, names={}, with_events=True)
    return out.getvalue()


def published(fredi: User, file: bytes) -> tuple[ClubSeries, OutsideEvent]:
    series = new_series(fredi, "season")
    found = take(series, file)
    publishing.publish_table(series, actor=fredi)
    return series, found


def test_the_stream_names_the_ranking_key_and_seal_of_the_file(fredi: User, tmp_path: Path) -> None:
    [file] = play_elsewhere(tmp_path)
    series, found = published(fredi, file)
    told = read_state(ClubSeries.objects.get(pk=series.pk))
    assert told.events["e1"].championship == found.stream
    assert told.rankings["e1"] == {
        "championship": found.stream,
        "version": found.ranking_version,
        "digest": found.ranking_digest,
        "key": found.key,
        "seal": found.seal,
    }
    assert told.persons["e1"] == {one.entry: f"p{one.person_id}" for one in found.people.all()}
    refused("series/withdrawn_after_counting", take_out, found, actor=fredi)
    take_out(found, actor=fredi, reason="falsche Datei")
    assert read_state(ClubSeries.objects.get(pk=series.pk)).events["e1"].championship is None


@pytest.mark.slow
def test_the_verifier_follows_events_from_elsewhere(
    fredi: User, tmp_path: Path, puur_verify: ModuleType, key_file: Path
) -> None:
    file, newer = play_elsewhere(tmp_path, then=[correct])
    [other] = play_elsewhere(tmp_path, name="Andere")
    series, _found = published(fredi, file)
    written = export(series)
    paths = [tmp_path / name for name in ("file.zip", "newer.zip", "other.zip")]
    for path, data in zip(paths, (file, newer, other), strict=True):
        path.write_bytes(data)

    def differences(data: bytes, *beside: Path) -> list[str]:
        found: list[str] = puur_verify.verify(io.BytesIO(data), None, (), list(map(str, beside))).differences
        return found

    assert differences(written, paths[0]) == []
    assert differences(written, paths[1]) == [], "a newer file contains what counted"
    assert any("which another installation has" in line for line in differences(written))
    assert any("is missing" in line for line in differences(written, paths[2]))
    record = SeriesRecord(written)
    record.first("table_published").body["rankings"]["e1"]["seal"] = "0" * 64
    forged = record.sealed(sealing.load_key(key_file))
    assert any("another history, or key" in line for line in differences(forged, paths[0]))


def test_a_newer_version_and_other_matches_are_published_anew(fredi: User, tmp_path: Path) -> None:
    file, newer = play_elsewhere(tmp_path, then=[correct])
    series, found = published(fredi, file)
    take_event(receive(series, newer), actor=fredi)
    assert publishing.publish_table(series, actor=fredi).version == 2
    counted = OutsideEvent.objects.get(counts=True)
    assert counted.ranking_digest != found.ranking_digest
    one = counted.people.order_by("number").first()
    assert one is not None
    save_choices(counted, {one.number: PersonAnswer("nobody")}, actor=fredi)
    refused("series/persons_after_seal", publishing.publish_table, series, actor=fredi)
    assert publishing.publish_table(series, actor=fredi, reason="eine andere Anna").version == 3


def test_the_kept_series_sees_who_people_of_a_file_are(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi, "season")
    editing.add_event(series, championship=evening(fredi, "Frühling", SPRING), actor=fredi)
    [file] = play_elsewhere(tmp_path)

    def both() -> object:
        again = ClubSeries.objects.select_related("club").get(pk=series.pk)
        kept, now = load_shared_series(again), load_series(again)
        assert (kept.document, kept.persons) == (now.document, now.persons)
        return kept.document, kept.persons

    seen = [both()]
    found = take(series, file)
    seen.append(both())
    one = found.people.get(name="Heidi Huber")
    save_choices(found, {one.number: PersonAnswer("nobody")}, actor=fredi)
    seen.append(both())
    Person.objects.filter(name="Görgi Gut").update(first_name="Georg")
    seen.append(both())
    Person.objects.filter(first_name="Georg").update(category="youth")
    seen.append(both())
    take_out(found, actor=fredi, reason="falsche Datei")
    seen.append(both())
    assert all(before != after for before, after in pairwise(seen))


def test_who_is_from_elsewhere_and_not_on_the_roll_has_no_answer_yet(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi, "season")
    steps = (QualifyStep(kind="first", count=8, of="each"),)
    editing.set_qualification(series, steps=steps, level="all", actor=fredi)
    [file] = play_elsewhere(tmp_path)
    found = take(series, file)
    one = found.people.get(name="Heidi Huber")
    save_choices(found, {one.number: PersonAnswer("nobody")}, actor=fredi)
    for answer in (tickets.accept_ticket, tickets.decline):
        refused("series/ticket_elsewhere", answer, series, f"o{one.pk}", actor=fredi)
    made = make_final(series, actor=fredi, name="Final", preset="klubabend")
    assert made.entries.count() == series.tickets.filter(kind="accepted").count() == 7
