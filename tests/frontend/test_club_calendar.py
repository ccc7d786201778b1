"""The calendar of a club to subscribe to, and that of a series."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.client_responses import Answer
from tests.frontend.evening import client, html, person
from tests.tournaments.series_evenings import club_of, evening
from tournaments.models import Championship, Club, ClubSeries
from tournaments.services.championships import championships
from tournaments.services.series import editing

pytestmark = pytest.mark.django_db
SOON = datetime(2031, 10, 1, 18, 0, tzinfo=UTC)


def a_club() -> Club:
    return club_of(person("fredi"))


def season(**first: object) -> ClubSeries:
    fredi = person("fredi")
    made = editing.create_series(a_club(), name="Jahr", preset="club_year", actor=fredi)
    editing.add_event(made, **{"name": "Herbst", "place": "Rössli", "starts_at": SOON, **first}, actor=fredi)  # type: ignore[arg-type]  # of one event
    return made


def ask(**headers: str) -> Answer:
    return client().get(reverse("club_calendar", args=[a_club().slug]), headers=headers)


def events(answer: Answer) -> dict[str, dict[str, str]]:
    """By title, the properties of each event."""
    text = answer.content.decode().replace("\r\n ", "")
    found = {}
    for block in re.findall(r"BEGIN:VEVENT\r\n(.*?)END:VEVENT", text, re.DOTALL):
        lines = dict(line.split(":", 1) for line in block.strip().split("\r\n"))
        found[lines["SUMMARY"]] = lines
    return found


def test_evenings_to_come_and_of_the_last_year_are_in_it_and_nothing_private() -> None:
    fredi = person("fredi")
    season()
    championships.create(actor=fredi, name="Chlausjass", place="Bären", starts_at=SOON + timedelta(days=60))
    championships.create(actor=fredi, name="Geheim", starts_at=SOON, public=False)
    now = timezone.now()
    evening(fredi, "Gewesen", {"Anna Ammann": 9}, starts_at=now - timedelta(days=300))
    evening(fredi, "Lange her", {"Anna Ammann": 9}, starts_at=now - timedelta(days=400))
    championships.create(actor=fredi, name="Ohne Tag")
    championships.create(actor=fredi, name="Vorbei", starts_at=now - timedelta(days=3))

    answer = ask()

    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found = events(answer)
    assert list(found) == ["Gewesen", "Vorbei", "Jahr: Herbst", "Chlausjass"]
    assert found["Jahr: Herbst"]["DTSTART"] == "20311001T180000Z"
    assert found["Jahr: Herbst"]["LOCATION"] == "Rössli"
    assert found["Chlausjass"]["URL"] == "http://testserver/c/chlausjass/"
    assert "X-WR-CALNAME:Jassklub" in answer.content.decode()
    assert "webcal://testserver" in html(client().get(reverse("club", args=[a_club().slug])))


def test_an_event_keeps_its_identity_whatever_is_changed() -> None:
    made = season()
    event = made.events.get()
    before = events(ask())["Jahr: Herbst"]["UID"]
    assert made.seed not in before, "a seed decides about lots"
    editing.edit_event(
        event, name="Winter", starts_at=SOON + timedelta(days=9), place="", actor=person("fredi")
    )
    assert events(ask())["Jahr: Winter"]["UID"] == before

    cup = championships.create(actor=person("fredi"), name="Chlausjass", starts_at=SOON)
    own = events(client().get(reverse("calendar_file", args=[cup.slug])))["Chlausjass"]
    assert events(ask())["Chlausjass"]["UID"] == own["UID"]


def test_a_change_a_second_later_has_a_higher_number(monkeypatch: pytest.MonkeyPatch) -> None:
    made = season()
    cup = championships.create(actor=person("fredi"), name="Chlausjass", starts_at=SOON)
    later = max(made.created_at, cup.created_at) + timedelta(seconds=10)
    numbers: dict[str, list[int]] = {"club": [], "own": []}
    for second in range(2):
        monkeypatch.setattr(timezone, "now", lambda second=second: later + timedelta(seconds=second))
        numbers["club"].append(int(events(ask())["Jahr: Herbst"]["SEQUENCE"]))
        own = client().get(reverse("calendar_file", args=[cup.slug]))
        numbers["own"].append(int(events(own)["Chlausjass"]["SEQUENCE"]))
    assert numbers["club"][0] < numbers["club"][1]
    assert numbers["own"][0] < numbers["own"][1]


def test_a_cancelled_event_is_said_to_be_cancelled_and_a_void_one_left_out() -> None:
    fredi = person("fredi")
    made = season()
    cup = championships.create(actor=fredi, name="Chlausjass", starts_at=SOON)
    held = editing.add_event(made, championship=cup, actor=fredi)
    assert "STATUS" not in events(ask())["Jahr: Herbst"]
    for event in made.events.all():
        editing.edit_event(event, state="cancelled", actor=fredi)
    found = events(ask())
    assert {title: one["STATUS"] for title, one in found.items()} == {
        "Jahr: Herbst": "CANCELLED",
        "Chlausjass": "CANCELLED",
    }
    editing.edit_event(held, state="void", actor=fredi)
    editing.edit_event(made.events.get(name="Herbst"), state="void", actor=fredi)
    assert "STATUS" not in events(ask())["Chlausjass"], "it is played, and does not count"
    assert "Jahr: Herbst" not in events(ask())


def test_who_has_the_newest_one_is_told_so() -> None:
    made = season()
    first = ask()
    etag = first["ETag"]
    again = ask(**{"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == etag
    editing.edit_event(made.events.get(), place="Bären", actor=person("fredi"))
    changed = ask(**{"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed["ETag"] != etag
    german = ask(**{"If-None-Match": changed["ETag"], "Accept-Language": "de"})
    assert german.status_code == 200, "titles of rounds are in the language of the reader"


def test_a_text_cannot_start_another_property() -> None:
    season(name="Herbst", place="Saal; Rössli, \\ oben")
    found = events(ask())["Jahr: Herbst"]
    assert found["LOCATION"] == "Saal\\; Rössli\\, \\\\ oben"
    Club.objects.update(name="A\r\nBEGIN:VEVENT")
    assert ask().content.count(b"\r\nBEGIN:VEVENT\r\n") == 1


def test_a_series_has_a_file_with_all_its_evenings_for_those_who_may_read_it() -> None:
    fredi = person("fredi")
    made = season()
    editing.add_event(
        made, championship=evening(fredi, "Gewesen", {"Anna Ammann": 9}, starts_at=SOON), actor=fredi
    )
    address = reverse("series_calendar", args=[made.slug])
    assert sorted(events(client().get(address))) == ["Gewesen", "Jahr: Herbst"]
    assert address in html(client().get(reverse("series", args=[made.slug])))
    Championship.objects.update(public=False)
    assert client().get(address).status_code == 404
    assert events(ask() if client().get(address).status_code == 200 else client("fredi").get(address))
    assert client("fredi").get(address)["Cache-Control"] == "private, no-cache"
    assert client("fredi").get(reverse("club_calendar", args=[a_club().slug])).content.count(b"VEVENT") == 0


def test_the_queries_do_not_grow_with_evenings() -> None:
    fredi = person("fredi")
    made = season()
    championships.create(actor=fredi, name="Eins", starts_at=SOON)

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert ask().status_code == 200
        return len(asked)

    few = queries()
    for n in range(20):
        championships.create(actor=fredi, name=f"Abend {n}", starts_at=SOON)
        editing.add_event(made, name=f"Plan {n}", starts_at=SOON, actor=fredi)
    assert queries() == few
    assert len(events(ask())) == 42
