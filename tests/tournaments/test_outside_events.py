"""Events of a series that were played on another installation: the file, the people, the table."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone, translation

from frontend.presenters.clubs.outside_championships import list_planned
from games.models import Stream, User
from games.sealing import load_key
from games.timers.leases import LEASE_TIMEOUT
from tests.tournaments.files_from_elsewhere import EIGHT, play_elsewhere, repack, sign_again
from tests.tournaments.series_evenings import evening
from tests.tournaments.test_club_series import new_series, refused, table
from tournaments import personal_data, tasks
from tournaments.archive.writing import signed_message
from tournaments.clubs import rolls
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, ClubSeries, OutsideEvent, OutsidePerson, Person
from tournaments.sandbox import championship_file
from tournaments.services.referee import corrections
from tournaments.services.series import editing, outside_files
from tournaments.services.series.finals import make_final
from tournaments.services.series.loading import load_series, read_series
from tournaments.services.series.outside_matching import (
    PersonAnswer,
    compare_versions,
    discard_file,
    find_typed_persons,
    list_candidates,
    propose,
    save_choices,
    take_event,
    take_out,
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


def correct(made: Championship) -> None:
    """Let the other side of the first table win, as an official of the other installation would."""
    first = made.rounds.get().tables.select_related("game", "round__championship").get(number=1)
    other = {"card_points": [20, 137]}
    corrections.correct_result(first, 1, other, actor=made.owner, reason="Seiten verwechselt")


def failed(series: ClubSeries, data: bytes) -> str:
    """Send a file that is refused, and return why. Nothing else may have changed."""
    before = Person.objects.count(), series.events.count()
    found = receive(series, data)
    assert (found.state, found.data, found.people.count()) == ("failed", None, 0)
    assert (Person.objects.count(), series.events.count()) == before
    refused("series/not_verified", take_event, found, actor=None)
    return found.message


def test_a_changed_file_is_refused_and_nothing_is_taken_from_it(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    file, secret = play_elsewhere(tmp_path, levels=("public", "backup"))

    def better_total(contents: dict[str, bytes]) -> None:
        rows = json.loads(contents["championship.json"])
        rows["standingssnapshot"][-1]["rows"][-1] |= {"place": 1, "total": 9999}
        contents["championship.json"] = json.dumps(rows).encode() + b"\n"

    def signed_anew(contents: dict[str, bytes]) -> None:
        better_total(contents)
        sign_again(contents, tmp_path / "their_key")

    def another_name(contents: dict[str, bytes]) -> None:
        contents["names.json"] = contents["names.json"].replace(b"Anna Ammann", b"Anna Cheater")

    assert failed(series, repack(file, better_total)) == "series/file_changed"
    assert failed(series, repack(file, signed_anew)) == "series/file_changed", "even the owner of the key"
    assert failed(series, repack(file, another_name)) == "series/file_changed"
    assert failed(series, repack(file, lambda packed: packed.pop("manifest.sig"))) == "series/file_changed"
    assert failed(series, secret) == "series/secret_file"
    assert failed(series, b"PK\x03\x04 and nothing else") == "series/no_file"
    refused("series/no_file", outside_files.receive_file, series, b"no zip", actor=fredi)
    large = b"PK\x03\x04" + bytes(outside_files.MAX_BYTES)
    refused("series/file_too_large", outside_files.receive_file, series, large, actor=fredi)


def test_a_reason_is_in_the_language_of_the_sentence(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    [file] = play_elsewhere(tmp_path)

    def other_name(packed: dict[str, bytes]) -> None:
        packed["names.json"] = packed["names.json"].replace(b"Anna Ammann", b"Anna Cheater")

    def say(data: bytes) -> str:
        failed(series, data)
        told = OutsideEvent.objects.latest("pk").message_params
        assert str(told["found"]) not in told["sentences"]["de"]
        return str(told["sentences"]["de"])

    with pytest.raises(TournamentError) as refusal, translation.override("de"):
        outside_files.receive_file(series, b"no zip", actor=fredi)
    with translation.override("de"):
        assert str(refusal.value).endswith(": es ist keine Zip-Datei")
    unsigned = repack(file, lambda packed: packed.pop("manifest.sig"))
    assert say(unsigned).endswith(": Teile davon fehlen oder sind beschädigt")
    assert say(repack(file, other_name)).endswith(": der Inhalt ist nicht der versiegelte")


def test_a_file_of_a_newer_version_asks_for_an_upgrade(
    fredi: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = new_series(fredi)

    def newer_format(contents: dict[str, bytes]) -> None:
        contents["manifest.json"] = contents["manifest.json"].replace(b"puur/export/1", b"puur/export/2")

    [file] = play_elsewhere(tmp_path)
    assert failed(series, repack(file, newer_format)) == "series/newer_file"
    params = OutsideEvent.objects.get().message_params
    assert params["what"] == "puur/export/2"
    assert params["sentences"]["de"].startswith("Ein neueres Puur")

    def an_older_verifier(_format: str) -> ModuleType:
        found = load(_format)
        del found.KNOWN_EVENTS["championship"]["championship_finished"]
        return found

    load = championship_file._load_verifier
    monkeypatch.setattr(championship_file, "_load_verifier", an_older_verifier)
    with pytest.raises(championship_file.FileRefused) as refusal:
        championship_file.read_championship(file)
    assert refusal.value.code == "series/newer_file"
    assert refusal.value.params["what"] == "championship_finished"


def test_a_file_is_checked_by_the_verifier_of_its_own_format(
    fredi: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [file] = play_elsewhere(tmp_path)
    tenth = tmp_path / "verify_10.py"
    program = (championship_file.FOLDER / "puur_verify.py").read_text()
    tenth.write_text(program.replace('"puur/export/1"', '"puur/export/10"'))
    monkeypatch.setitem(championship_file.VERIFIERS, "puur/export/10", str(tenth))

    def read(file_format: object) -> str:
        """Return the format of the verified file, or the code of its refusal."""

        def rename(contents: dict[str, bytes]) -> None:
            manifest = json.loads(contents["manifest.json"]) | {"format": file_format}
            contents["manifest.json"] = json.dumps(manifest).encode()
            message = signed_message(contents["manifest.json"], str(file_format))
            contents["manifest.sig"] = load_key(tmp_path / "their_key").sign(message).hex().encode()

        try:
            head, _body = championship_file.read_championship(repack(file, rename))
        except championship_file.FileRefused as refusal:
            return refusal.code
        return str(head["format"])

    assert read("puur/export/1") == "puur/export/1"
    assert read("puur/export/10") == "puur/export/10"
    assert read("puur/export/11") == "series/newer_file"
    for unknown in ("puur/export/9", "other/export/11", ["puur/export/1"], None):
        assert read(unknown) == "series/no_file"


def test_the_championship_has_to_be_closed(fredi: User, tmp_path: Path) -> None:
    [file] = play_elsewhere(tmp_path, finish=False)
    assert failed(new_series(fredi), file) == "series/not_finished"


def test_the_same_file_counts_once(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    [file] = play_elsewhere(tmp_path)
    take(series, file)

    refused("series/file_twice", outside_files.receive_file, series, file, actor=fredi)
    assert failed(series, repack(file, lambda packed: packed.pop("names.json"))) == "series/file_twice"
    assert load_series(series).document.by_key["e1"].state == "held"


def test_a_championship_of_this_series_does_not_come_a_second_time_as_a_file(
    fredi: User, tmp_path: Path
) -> None:
    series = new_series(fredi)
    [file] = play_elsewhere(tmp_path)
    found = receive(series, file)
    own = evening(fredi, "Hier gespielt", SPRING)
    stream, _made = Stream.objects.get_or_create(
        pk=found.stream, defaults={"kind": "championship", "head_seq": -1}
    )
    Championship.objects.filter(pk=own.pk).update(stream=stream)
    own.refresh_from_db()
    editing.add_event(series, championship=own, actor=fredi)
    OutsideEvent.objects.all().delete()

    assert failed(series, file) == "series/event_twice"


def test_a_newer_version_replaces_the_older_one_and_shows_what_changes(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    first, second = play_elsewhere(tmp_path, then=[correct])
    old = take(series, first)
    anna = old.people.get(name="Anna Ammann")
    places = {row.ref: row.place for row in load_series(series).document.by_key["e1"].ranking}

    new = receive(series, second)

    assert (new.state, new.event, new.counts) == ("done", old.event, False)
    assert new.people.get(name="Anna Ammann").person_id == anna.person_id
    changed = compare_versions(old, new)
    assert len(changed) >= 4
    assert all(one.before != one.now for one in changed)
    assert places == {row.ref: row.place for row in load_series(series).document.by_key["e1"].ranking}

    take_event(new, actor=fredi)
    now = {row.ref: row.total for row in load_series(series).document.by_key["e1"].ranking}
    assert now == {f"p{one.person_id}": one.total for one in new.people.all()}
    assert Person.objects.count() == 8
    assert failed(series, repack(first, lambda packed: packed.pop("names.json"))) == "series/older_file"

    take_out(new, actor=fredi)
    old.refresh_from_db()
    assert (old.counts, OutsideEvent.objects.filter(counts=True).count()) == (True, 1)


def test_another_key_or_another_history_is_no_newer_version(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    first, second = play_elsewhere(tmp_path, then=[correct])
    old = take(series, first)
    OutsideEvent.objects.update(seal="0" * 64)
    assert failed(series, second) == "series/other_history"
    OutsideEvent.objects.filter(pk=old.pk).update(key="0" * 64)
    assert failed(series, second) == "series/other_key"


def test_people_are_proposed_by_licence_year_and_name_and_the_keeper_decides(
    fredi: User, tmp_path: Path
) -> None:
    series = new_series(fredi)
    club = series.club
    anna = rolls.add_person(club, actor=fredi, family_name="Ammann", first_name="Anna")
    beats = [
        rolls.add_person(club, actor=fredi, family_name="Bühler", first_name="Beat", home_club=one)
        for one in ("Thun", "Biel")
    ]
    [file] = play_elsewhere(tmp_path)
    found = receive(series, file)
    people = {one.name: one for one in found.people.all()}

    assert (people["Anna Ammann"].choice, people["Anna Ammann"].person) == ("person", anna)
    assert (people["Beat Bühler"].choice, people["Beat Bühler"].person) == ("", None)
    offered = list_candidates(club, list(people.values()))
    assert {one.pk for one in offered[people["Beat Bühler"].number]} == {one.pk for one in beats}
    assert people["Heidi Huber"].choice == "new"
    refused("series/person_open", take_event, found, actor=fredi)
    assert Person.objects.count() == 3, "nothing is half done"

    twice = {people["Beat Bühler"].number: PersonAnswer("person", anna)}
    refused("series/person_twice", save_choices, found, twice, actor=fredi)
    assert found.people.get(name="Beat Bühler").person is None
    save_choices(found, {people["Beat Bühler"].number: PersonAnswer("person", beats[1])}, actor=fredi)
    take_event(found, actor=fredi)
    assert Person.objects.count() == 9

    save_choices(found, {people["Anna Ammann"].number: PersonAnswer("nobody")}, actor=fredi)
    persons = {one.names.running: one.person for one in load_series(series).persons.values()}
    assert (persons["Anna Ammann"], persons["Beat Bühler"]) == (None, beats[1].pk)
    refused(
        "clubs/on_roll", save_choices, found, {people["Anna Ammann"].number: PersonAnswer("new")}, actor=fredi
    )


def test_a_licence_or_a_year_of_birth_tells_people_of_one_name_apart(fredi: User, tmp_path: Path) -> None:
    club = rolls.default_club(fredi)
    older, younger = (
        rolls.add_person(
            club, actor=fredi, family_name="Ammann", first_name="Anna", birth_year=year, licence=licence
        )
        for year, licence in ((1950, "A-1"), (1980, "B-2"))
    )

    def proposed(**more: Any) -> tuple[str, int | None]:
        one = OutsidePerson(number=1, place=1, total=1, **more)
        propose(club, [one])
        return one.choice, one.person_id

    assert proposed(name="Somebody Else", licence="b 2") == ("person", younger.pk)
    assert proposed(name="AMMANN Anna", birth_year=1950) == ("person", older.pk)
    assert proposed(name="Anna Ammann") == ("", None)
    assert proposed(name="Anna Ammann", birth_year=1966) == ("", None)
    assert proposed(name="A. A.") == ("", None)
    assert proposed(name="№ 7") == ("", None)
    assert proposed(name="Neue Nina") == ("new", None)


def test_a_file_with_numbers_only_is_matched_by_hand(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    anna = rolls.add_person(series.club, actor=fredi, family_name="Ammann", first_name="Anna")
    [file] = play_elsewhere(tmp_path, public_names="numbers")
    found = receive(series, file)

    assert {(one.name, one.choice) for one in found.people.all()} == {
        (f"№ {number}", "") for number in range(1, 9)
    }
    typed = find_typed_persons(series.club, {1: "Ammann Anna", 2: f"irgendwer #{anna.pk}"})
    assert typed == {1: anna, 2: anna}
    refused("series/no_such_person", find_typed_persons, series.club, {1: "Nobody"})
    save_choices(found, {1: PersonAnswer("person", anna)}, actor=fredi)
    refused("series/person_open", take_event, found, actor=fredi)
    take_event(found, actor=fredi, rest_nobody=True)

    loaded = load_series(series)
    assert {one.person for one in loaded.persons.values()} == {anna.pk, None}
    assert Person.objects.count() == 1
    reading = read_series(loaded, AnonymousUser(), keeper=False)
    assert "Ammann" not in " ".join(reading.names.values()), "the public reads names as in the file"


def test_what_is_not_public_elsewhere_is_not_public_here(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    [file] = play_elsewhere(tmp_path, public=False)
    take(series, file)

    assert not read_series(load_series(series), AnonymousUser(), keeper=False).visible
    assert read_series(load_series(series), fredi, keeper=True).visible


@pytest.mark.parametrize("state", ["cancelled", "void"])
def test_a_file_is_not_for_an_event_that_is_cancelled_or_does_not_count(
    fredi: User, tmp_path: Path, state: str
) -> None:
    series = new_series(fredi)
    event = editing.add_event(series, name="Sektion Bern", place="", actor=fredi)
    [file] = play_elsewhere(tmp_path)
    found = receive(series, file, event=event)
    assert list_planned(series) == [event]

    editing.edit_event(event, state=state, actor=fredi)

    assert list_planned(series) == []
    refused("series/event_withdrawn", take_event, found, actor=fredi, rest_nobody=True)
    found.refresh_from_db()
    assert not found.counts
    [other] = play_elsewhere(tmp_path, name="Andere")
    refused("series/event_withdrawn", outside_files.receive_file, series, other, actor=fredi, event=event)


def test_a_file_is_for_a_planned_event_and_leaves_it_again(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    planned = editing.add_event(series, name="Sektion Bern", place="", actor=fredi)
    taken = editing.add_event(series, championship=evening(fredi, "Frühling", SPRING), actor=fredi)
    [file] = play_elsewhere(tmp_path, place="Bern")
    refused("series/event_taken", outside_files.receive_file, series, file, actor=fredi, event=taken)

    found = take(series, file, event=planned)

    planned.refresh_from_db()
    assert (planned.place, series.events.count()) == ("Bern", 2)
    refused(
        "series/event_taken", editing.edit_event, planned, actor=fredi, championship=evening(fredi, "X", {})
    )
    refused("series/file_counts", discard_file, found, actor=fredi)
    refused("series/withdrawn_after_counting", take_out, found, actor=fredi)
    found.refresh_from_db()
    assert found.counts, "nothing is half done"
    take_out(found, actor=fredi, reason="falsche Datei")
    assert [one.state for one in load_series(series).document.events] == ["planned", "held"]
    take_event(found, actor=fredi)
    editing.remove_event(planned, actor=fredi, reason="falsche Datei")
    found.refresh_from_db()
    assert (found.counts, found.event) == (False, None)
    discard_file(found, actor=fredi)
    assert not OutsidePerson.objects.exists()


def test_cancelled_and_void_events_from_elsewhere_do_not_count(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    found = take(series, play_elsewhere(tmp_path)[0])
    assert found.event is not None
    editing.edit_event(found.event, actor=fredi, state="void", reason="abgebrochen")
    assert load_series(series).document.by_key["e1"].state == "void"


def test_pairs_of_a_file_share_a_line(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    files = play_elsewhere(tmp_path, preset="partnerschieber", changes={"hand_in": "deals"})
    found = take(series, files[0])
    lines = {row.line for row in load_series(series).document.by_key["e1"].ranking}
    assert (found.people.count(), len(lines)) == (8, 4)


def test_merging_and_erasing_people_of_the_roll_reaches_the_files(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    take(series, play_elsewhere(tmp_path)[0])
    anna, beat = (Person.objects.get(name=name) for name in ("Anna Ammann", "Beat Bühler"))
    heidi = rolls.add_person(series.club, actor=fredi, family_name="Huber-Meier", first_name="Heidi")
    rolls.merge_persons(heidi, Person.objects.get(name="Heidi Huber"), actor=fredi)
    assert OutsidePerson.objects.get(name="Heidi Huber").person == heidi

    subject = personal_data.load_person_subject(anna)
    [exported] = personal_data.export_data(subject)["rows"]["tournaments.outsideperson"]
    assert (exported["name"], exported["person"]) == ("Anna Ammann", anna.pk)
    rolls.erase_person(anna)
    assert not OutsidePerson.objects.filter(name="Anna Ammann").exists()
    rolls.merge_persons(heidi, beat, actor=fredi)
    assert len(load_series(series).document.by_key["e1"].ranking) == 8, "nobody is counted twice in one event"


def test_only_keepers_bring_files(fredi: User, gabi: User, tmp_path: Path) -> None:
    series = new_series(fredi)
    [file] = play_elsewhere(tmp_path)
    found = receive(series, file)
    for call in (
        lambda: outside_files.receive_file(series, file, actor=gabi),
        lambda: save_choices(found, {}, actor=gabi),
        lambda: take_event(found, actor=gabi),
        lambda: take_out(found, actor=gabi),
        lambda: discard_file(found, actor=gabi),
    ):
        with pytest.raises(NotAllowed) as refusal:
            call()
        assert refusal.value.code == "clubs/not_keeper"


def test_a_worker_that_died_is_replaced_and_a_crash_is_told(
    fredi: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = new_series(fredi)
    [file] = play_elsewhere(tmp_path)
    found = outside_files.receive_file(series, file, actor=fredi)
    OutsideEvent.objects.update(state="running", tries=1, beat_at=timezone.now())
    assert not outside_files.verify(found.pk), "another worker is at it"
    OutsideEvent.objects.update(beat_at=timezone.now() - 2 * LEASE_TIMEOUT)
    assert tasks.sweep() == 1
    assert tasks.verify_outside(found.pk)
    found.refresh_from_db()
    assert found.state == "done"

    OutsideEvent.objects.update(state="queued", ended_at=None, beat_at=None, data=file, tries=0)

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("the process died")

    monkeypatch.setattr(outside_files, "run_long", crash)
    for _try in range(3):
        outside_files.verify(found.pk)
    found.refresh_from_db()
    assert (found.state, found.message) == ("failed", "jobs/crashed")


def test_qualified_people_of_sections_enter_the_final(fredi: User, tmp_path: Path) -> None:
    series = new_series(fredi, "sections")
    editing.set_numbers(series, best=None, least=None, steps=[None, 2, 4], actor=fredi, reason="Beschluss")
    fredi.may_found = True
    fredi.save(update_fields=["may_found"])
    for number in (1, 2):
        names = [f"{one}{'x' * number}" for one in EIGHT]
        take(series, play_elsewhere(tmp_path, names, name=f"Sektion {number}")[0])

    made = make_final(series, actor=fredi, name="Final", preset="santiago")

    tickets = load_series(series).qualification
    assert tickets is not None
    assert made.entries.count() == len(tickets.qualified) >= 4
    assert made.entries.filter(person=None).count() == 0
