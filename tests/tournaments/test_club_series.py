"""Series of a club: events, the season table, the qualification, and the championship of the final."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import User
from tests.tournaments.series_evenings import evening, publish_totals
from tournaments.clubs import rolls
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, ClubEvent, ClubSeries, Person
from tournaments.series.document import SeriesError
from tournaments.series.presets import SERIES_PRESETS
from tournaments.services.championships import archiving, championships
from tournaments.services.series import editing
from tournaments.services.series.editing import decode_series_rules
from tournaments.services.series.finals import make_final
from tournaments.services.series.loading import (
    LoadedSeries,
    load_series,
    make_public_series_query,
    read_series,
)

SPRING = {"Anna Ammann": 900, "Beat Bühler": 880, "Chiara Caduff": 880}
SUMMER = {"Beat Bühler": 950, "Anna Ammann": 940}


@pytest.fixture
def fredi(user: Callable[[str], User]) -> User:
    """A keeper who may start championships, as a final needs."""
    made = user("Fredi")
    made.may_found = True
    made.save(update_fields=["may_found"])
    return made


def new_series(fredi: User, preset: str = "club_average") -> ClubSeries:
    return editing.create_series(rolls.default_club(fredi), name="Jahr 2026", preset=preset, actor=fredi)


def with_two_evenings(fredi: User, preset: str, **more: Any) -> ClubSeries:
    series = new_series(fredi, preset)
    for name, totals in (("Frühling", SPRING), ("Sommer", SUMMER)):
        editing.add_event(series, championship=evening(fredi, name, totals, **more), actor=fredi)
    return series


def refused(code: str, call: Callable[..., object], *args: object, **more: object) -> None:
    with pytest.raises(TournamentError) as found:
        call(*args, **more)
    assert found.value.code == code


def names(loaded: LoadedSeries) -> dict[str, str]:
    return {ref: one.names.running for ref, one in loaded.persons.items()}


def public_series(made: Championship) -> object:
    found = Championship.objects.annotate(found=make_public_series_query())
    return found.values_list("found", flat=True).get(pk=made.pk)


def table(loaded: LoadedSeries) -> list[tuple[int | None, str, object]]:
    return [(row.place, names(loaded)[row.ref], row.total) for row in loaded.table.rows]


def test_the_table_adds_up_the_evenings_of_each_person_of_the_roll(fredi: User) -> None:
    loaded = load_series(with_two_evenings(fredi, "season"))

    assert [(event.key, event.name) for event in loaded.events] == [
        ("e1", "Frühling"),
        ("e2", "Sommer"),
        ("final", "Final"),
    ]
    assert [(name, total) for _, name, total in table(loaded)][:2] == [
        ("Anna Ammann", 43),
        ("Beat Bühler", Fraction(83, 2)),
    ]
    assert set(loaded.persons) == {f"p{person.pk}" for person in Person.objects.all()}


@pytest.mark.parametrize("preset", editing.OFFERED_PRESETS)
def test_every_preset_that_is_offered_makes_a_series(fredi: User, preset: str) -> None:
    loaded = load_series(with_two_evenings(fredi, preset))

    assert len(loaded.table.rows) + len(loaded.table.unranked) == 3
    assert (loaded.qualification is None) == (SERIES_PRESETS[preset].rules.qualify is None)
    assert loaded.document.rules.weights == SERIES_PRESETS[preset].rules.weights


def test_an_entry_without_a_person_of_the_roll_is_matched_by_nothing(fredi: User) -> None:
    series = with_two_evenings(fredi, "club_average")
    for event in series.events.exclude(championship=None):
        assert event.championship is not None
        event.championship.entries.filter(name="Anna Ammann").update(person=None)

    loaded = load_series(series)

    alone = [one for one in loaded.persons.values() if one.names.running == "Anna Ammann"]
    assert [(one.person, one.event) for one in alone] == [(None, "e1"), (None, "e2")]


def test_a_person_of_another_club_is_not_of_this_roll(fredi: User) -> None:
    series = with_two_evenings(fredi, "club_average")
    elsewhere = rolls.found_club("Anderswo", actor=fredi)
    Person.objects.filter(name="Beat Bühler").update(club=elsewhere)

    assert [one.person for one in load_series(series).persons.values() if one.names.first == "Beat"] == [
        None,
        None,
    ]


def test_an_event_counts_as_its_state_says(fredi: User) -> None:
    series = new_series(fredi)
    running = evening(fredi, "Winter", SPRING, finished=False)
    event = editing.add_event(series, championship=running, actor=fredi)
    planned = editing.add_event(series, name="Herbst", actor=fredi)

    def states() -> list[str]:
        return [one.state for one in load_series(series).document.events]

    assert states() == ["planned", "planned"]
    editing.edit_event(event, state="held", actor=fredi)
    editing.edit_event(planned, state="held", actor=fredi)
    assert states() == ["held", "planned"], "without a ranking nothing counts"
    editing.edit_event(event, state="void", actor=fredi, reason="falsch gezählt")
    assert states() == ["void", "planned"]
    editing.edit_event(event, state="planned", actor=fredi)
    Championship.objects.filter(pk=running.pk).update(status=Championship.Status.FINISHED)
    assert states() == ["held", "planned"]


def test_the_newest_ranking_counts(fredi: User) -> None:
    series = with_two_evenings(fredi, "season")
    spring = Championship.objects.get(name="Frühling")
    publish_totals(spring, [1, 2, 3], [1, 2, 3])

    ranking = load_series(series).document.by_key["e1"].ranking
    assert [row.total for row in ranking] == [3, 2, 1]


def test_numbers_weights_and_order_are_changed(fredi: User) -> None:
    series = with_two_evenings(fredi, "best_starts")
    first, second = series.events.exclude(championship=None)
    editing.set_numbers(series, best=1, least=2, steps=[None, 5], actor=fredi, reason="Beschluss")
    editing.edit_event(second, weight=Decimal("1.5"), actor=fredi, reason="Beschluss")
    editing.move_event(first, earlier=False, actor=fredi, reason="Datum")
    editing.move_event(first, earlier=False, actor=fredi, reason="Datum")

    loaded = load_series(series)

    assert (loaded.document.rules.best, loaded.document.rules.least) == (1, 2)
    assert loaded.document.rules.qualify is not None
    assert [step.count for step in loaded.document.rules.qualify.steps] == [None, 5]
    assert loaded.document.rules.weights == {"e2": 1.5}
    assert [event.key for event in loaded.events] == ["e2", "final", "e1"]
    assert table(loaded) == [(1, "Beat Bühler", 1425), (2, "Anna Ammann", 1410)]


def test_an_event_that_somebody_has_removed_is_neither_moved_nor_changed(fredi: User) -> None:
    series = with_two_evenings(fredi, "club_average")
    first, second = series.events.order_by("position")
    editing.remove_event(ClubEvent.objects.get(pk=first.pk), actor=fredi, reason="falsch")

    editing.move_event(first, earlier=False, actor=fredi, reason="Datum")
    editing.edit_event(first, name="Winter", actor=fredi, reason="Name")

    assert list(series.events.values_list("pk", "name")) == [(second.pk, second.name)]


def test_an_event_that_the_rules_name_meanwhile_is_not_removed(fredi: User) -> None:
    series = new_series(fredi, "threshold")
    editing.choose_preset(series, "club_average", actor=fredi)
    final = ClubEvent.objects.select_related("series__club").get(series=series, key="final")
    assert decode_series_rules(final.series).qualify is None
    editing.choose_preset(series, "threshold", actor=fredi)

    refused("series/event_in_rules", editing.remove_event, final, actor=fredi)


def test_what_does_not_fit_is_refused(fredi: User, gabi: User) -> None:
    series = with_two_evenings(fredi, "threshold")
    spring = Championship.objects.get(name="Frühling")
    elsewhere = evening(gabi, "Anderswo", SPRING)
    final = series.events.get(key="final")

    refused("series/event_twice", editing.add_event, series, championship=spring, actor=fredi)
    refused("series/other_club", editing.add_event, series, championship=elsewhere, actor=fredi)
    refused("series/weight", editing.add_event, series, name="x", weight=Decimal(-1), actor=fredi)
    refused("series/event_in_rules", editing.remove_event, final, actor=fredi)
    refused("series/unknown_preset", editing.choose_preset, series, "three_games", actor=fredi)
    refused("names/missing", editing.rename_series, series, " ", actor=fredi)
    with pytest.raises(TypeError):
        editing.edit_event(final, actor=fredi, key="other")
    ClubEvent.objects.bulk_create(
        ClubEvent(series=series, key=f"x{n}", position=n, name="x") for n in range(editing.MAX_EVENTS - 3)
    )
    refused("series/too_many_events", editing.add_event, series, name="x", actor=fredi)


def test_numbers_that_do_not_fit_the_steps_are_refused(fredi: User) -> None:
    """Another keeper has changed the steps since the form was read."""
    series = with_two_evenings(fredi, "share_of_heats")
    before = editing.decode_series_rules(series)
    for steps in ([101], [20, 5], []):
        with pytest.raises(SeriesError) as found:
            editing.set_numbers(series, best=None, least=None, steps=steps, actor=fredi, reason="Beschluss")
        assert found.value.code == "series/steps"
    series.refresh_from_db()
    assert editing.decode_series_rules(series) == before


def test_only_keepers_change_a_series(fredi: User, gabi: User) -> None:
    series = with_two_evenings(fredi, "threshold")
    event = series.events.get(key="e1")
    for call in (
        lambda: editing.create_series(series.club, name="x", preset="season", actor=gabi),
        lambda: editing.rename_series(series, "x", actor=gabi),
        lambda: editing.choose_preset(series, "season", actor=gabi),
        lambda: editing.set_numbers(series, best=1, least=None, steps=[None], actor=gabi),
        lambda: editing.add_event(series, name="x", actor=gabi),
        lambda: editing.edit_event(event, name="x", actor=gabi),
        lambda: editing.move_event(event, earlier=True, actor=gabi),
        lambda: editing.remove_event(event, actor=gabi),
        lambda: editing.delete_series(series, actor=gabi),
        lambda: make_final(series, actor=gabi, name="x", preset="santiago"),
    ):
        with pytest.raises(NotAllowed) as found:
            call()
        assert found.value.code == "clubs/not_keeper"


def test_the_final_is_made_in_one_press_and_undone_by_deleting_it(fredi: User) -> None:
    series = with_two_evenings(fredi, "threshold", public_names="initials")
    editing.set_numbers(series, best=None, least=None, steps=[890], actor=fredi, reason="Beschluss")
    spring = Championship.objects.get(name="Frühling")

    made = make_final(series, actor=fredi, name="Final 2026", like=spring)

    assert sorted(entry.name for entry in made.entries.all()) == ["Anna Ammann", "Beat Bühler"]
    assert {entry.person for entry in made.entries.all()} <= set(Person.objects.all())
    assert (made.club, made.public_names) == (series.club, "initials")
    assert public_series(made) == {"slug": series.slug, "name": series.name}
    refused("series/final_made", make_final, series, actor=fredi, name="x", like=spring)
    assert Person.objects.count() == 3, "nobody is on the roll twice"

    archiving.delete(made, actor=fredi, name="Final 2026")
    final = load_series(series).final
    assert final is not None
    assert final.championship is None
    assert make_final(series, actor=fredi, name="Final 2026", preset="santiago").entries.count() == 2


def test_who_is_not_on_the_roll_is_not_entered_by_name(fredi: User) -> None:
    series = with_two_evenings(fredi, "threshold")
    editing.set_numbers(series, best=None, least=None, steps=[890], actor=fredi, reason="Beschluss")
    Championship.objects.get(name="Frühling").entries.filter(name="Anna Ammann").update(person=None)
    Championship.objects.get(name="Sommer").entries.filter(name="Anna Ammann").update(person=None)

    made = make_final(series, actor=fredi, name="Final", preset="santiago")

    assert [entry.name for entry in made.entries.all()] == ["Beat Bühler"]
    accepted = load_series(series).document.accepted
    assert [ref[0] for ref in accepted] == ["p"], "nobody has accepted who is not entered"


def test_who_is_archived_on_the_roll_is_not_entered_and_has_not_accepted(fredi: User) -> None:
    series = with_two_evenings(fredi, "threshold")
    editing.set_numbers(series, best=None, least=None, steps=[890], actor=fredi, reason="Beschluss")
    rolls.archive_person(Person.objects.get(family_name="Ammann"), actor=fredi)

    made = make_final(series, actor=fredi, name="Final", preset="santiago")

    assert [entry.name for entry in made.entries.all()] == ["Beat Bühler"]
    assert load_series(series).document.accepted == (f"p{made.entries.get().person_id}",)


def test_no_final_without_rules_or_results(fredi: User) -> None:
    nobody = new_series(fredi, "threshold")
    refused("series/nobody_qualified", make_final, nobody, actor=fredi, name="x", preset="santiago")
    refused("series/no_final", make_final, new_series(fredi), actor=fredi, name="x", preset="santiago")


def test_names_are_read_by_the_strictest_rule_of_the_championships(fredi: User, anna: User) -> None:
    series = with_two_evenings(fredi, "season")
    spring, summer = (Championship.objects.get(name=name) for name in ("Frühling", "Sommer"))
    beat = f"p{Person.objects.get(name='Beat Bühler').pk}"

    def read(user: User | AnonymousUser, *, keeper: bool = False) -> tuple[bool, str]:
        reading = read_series(load_series(series), user, keeper=keeper)
        return reading.visible, reading.names[beat]

    assert read(AnonymousUser()) == (True, "Beat Bühler")
    championships.edit_championship(summer, actor=fredi, public_names="initials")
    assert read(AnonymousUser()) == (True, "B. B.")
    championships.edit_championship(spring, actor=fredi, public_names="numbers")
    assert read(AnonymousUser()) == (True, "№ 2")
    summer.entries.filter(name="Anna Ammann").update(user=anna)
    assert read(anna) == (True, "№ 2")
    spring.entries.filter(name="Anna Ammann").update(user=anna)
    assert read(anna) == (True, "Beat Bühler")
    championships.edit_championship(spring, actor=fredi, public=False)
    assert (read(AnonymousUser())[0], read(anna)[0]) == (False, True)
    assert read(AnonymousUser(), keeper=True) == (True, "Beat Bühler")
    assert public_series(summer) is None


def test_the_queries_do_not_grow_with_the_events(fredi: User) -> None:
    series = new_series(fredi)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            loaded = load_series(series)
            read_series(loaded, fredi, keeper=False)
        return len(asked)

    editing.add_event(series, championship=evening(fredi, "Abend", SPRING), actor=fredi)
    few = queries()
    for n in range(59):
        editing.add_event(series, championship=evening(fredi, f"Abend {n}", SUMMER), actor=fredi)

    assert queries() == few <= 9
    assert len(load_series(series).document.held) == 60
