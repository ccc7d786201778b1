"""The events of a series as a line: which are done, and which one is next."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from frontend.presenters.clubs.event_line import FOLDED_FROM, EventTrack, build_event_track
from frontend.presenters.clubs.series import event_lines
from tests.frontend.evening import client, html, person
from tests.tournaments.series_evenings import evening
from tournaments.clubs import rolls
from tournaments.models import Championship, ClubSeries
from tournaments.services.series import editing
from tournaments.services.series.loading import load_series

pytestmark = pytest.mark.django_db
TOTALS = {"Anna Ammann": 900, "Beat Bühler": 880}


def season(done: int, planned: int, preset: str = "club_year") -> ClubSeries:
    fredi = person("fredi")
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset=preset, actor=fredi)
    for n in range(done):
        editing.add_event(made, championship=evening(fredi, f"Abend {n}", TOTALS), actor=fredi)
    for n in range(planned):
        editing.add_event(made, name=f"Plan {n}", place="Rössli", actor=fredi)
    return made


def track(made: ClubSeries) -> EventTrack:
    loaded = load_series(made)
    return build_event_track(event_lines(loaded), None if loaded.final is None else loaded.final.key)


def test_the_first_that_is_not_held_is_next() -> None:
    made = season(2, 2, "threshold")
    found = track(made)
    assert [stop.standing for stop in found.shown] == ["done", "done", "next", "planned", "planned"]
    assert [stop.final for stop in found.shown] == [False] * 4 + [True]
    assert (found.done, found.all) == (2, 5)
    editing.edit_event(made.events.get(name="Plan 0"), state="cancelled", actor=person("fredi"))
    editing.edit_event(made.events.get(name="Plan 1"), state="void", actor=person("fredi"))
    found = track(made)
    assert [stop.standing for stop in found.shown] == ["done", "done", "cancelled", "void", "next"]
    assert (found.done, found.all) == (2, 3)


def test_what_is_being_played_is_where_one_stands() -> None:
    made = season(1, 2)
    later = evening(person("fredi"), "Heute", TOTALS, finished=False)
    editing.add_event(made, championship=later, actor=person("fredi"))
    Championship.objects.filter(pk=later.pk).update(status="running")
    assert [stop.standing for stop in track(made).shown] == ["done", "planned", "planned", "running"]


def test_a_long_series_shows_those_around_the_next_one_and_all_unfolded() -> None:
    made = season(FOLDED_FROM, FOLDED_FROM, "threshold")
    found = track(made)
    names = [stop.line.name for stop in found.shown]
    assert names == ["Abend 11", "Abend 12", "Plan 0", "Plan 1", "Plan 2", "Plan 3", "Plan 4", "Final"]
    assert len(found.folded) == 2 * FOLDED_FROM + 1
    short = season(1, 1)
    assert track(short).folded == ()


def test_the_page_shows_date_place_and_state_and_where_one_stands() -> None:
    made = season(1, 1)
    event = made.events.get(name="Plan 0")
    editing.edit_event(event, starts_at=datetime(2031, 10, 1, 18, 0, tzinfo=UTC), actor=person("fredi"))
    shown = html(client().get(reverse("series", args=[made.slug])))
    line = shown[shown.index('class="event-line"') : shown.index("</ol>")]
    assert 'class="event-done"' in line
    assert 'class="event-next" aria-current="step"' in line
    assert "Rössli" in line
    assert 'datetime="2031-10-01' in line
    assert "1 of 2 done" in shown


def test_the_waiting_list_is_in_view() -> None:
    made = season(1, 0, "best_starts")
    editing.set_numbers(made, best=None, least=None, steps=[None, 1], actor=person("fredi"), reason="Saal")
    shown = html(client().get(reverse("series", args=[made.slug])))
    assert shown.index("Qualified</h2>") < shown.index("Anna Ammann", shown.index("Qualified</h2>"))
    waiting = shown[shown.index("Waiting list</h3>") :]
    assert "Beat Bühler" in waiting[: waiting.index("</section>")]
