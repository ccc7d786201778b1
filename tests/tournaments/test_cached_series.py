"""A series is computed once for each state of its rows, and again after whatever changes its table or its
names.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.frontend.evening import person
from tests.tournaments.series_evenings import evening, publish_totals
from tournaments.clubs import rolls
from tournaments.models import Championship, ClubSeries, Entry, Person, Team
from tournaments.series.document import SeriesError
from tournaments.services.series import cached_series, editing, loading
from tournaments.services.series.cached_series import load_several_series, load_shared_series
from tournaments.services.series.loading import LoadedSeries, load_series

pytestmark = [pytest.mark.django_db, pytest.mark.both]
SPRING = {"Anna Ammann": 900, "Beat Bühler": 880, "Chiara Caduff": 860}
SUMMER = {"Beat Bühler": 950, "Anna Ammann": 940}


def season(preset: str = "club_average") -> ClubSeries:
    fredi = person("fredi")
    made = editing.create_series(rolls.default_club(fredi), name="Jahr", preset=preset, actor=fredi)
    if preset == "club_average":
        editing.set_numbers(made, best=None, least=1, steps=[], actor=fredi)
    for name, totals in (("Frühling", SPRING), ("Sommer", SUMMER)):
        editing.add_event(made, championship=evening(fredi, name, totals), actor=fredi)
    return made


def again(made: ClubSeries) -> ClubSeries:
    return ClubSeries.objects.select_related("club").get(pk=made.pk)


def told(loaded: LoadedSeries) -> Any:
    """What a page shows of it."""
    names = {ref: (one.person, one.names, one.number, one.event) for ref, one in loaded.persons.items()}
    events = [(one.name, one.state, one.championship and one.championship.name) for one in loaded.events]
    return loaded.document, loaded.table, loaded.qualification, names, events, loaded.team_names


def test_what_has_not_changed_is_not_computed_again() -> None:
    made = season()
    first, second = load_shared_series(again(made)), load_shared_series(again(made))
    assert second.results is first.results
    assert second.mark == first.mark
    assert told(second) == told(load_series(made))


CHANGES: dict[str, Callable[[ClubSeries], object]] = {
    "a weight": lambda made: edit(made, weight=Decimal(2)),
    "a cancelled event": lambda made: edit(made, state="cancelled"),
    "a void event": lambda made: edit(made, state="void"),
    "the order": lambda made: editing.move_event(
        made.events.all()[1], earlier=True, actor=person("fredi"), reason="Datum"
    ),
    "an event less": lambda made: editing.remove_event(
        made.events.all()[0], actor=person("fredi"), reason="abgesagt"
    ),
    "an event more": lambda made: editing.add_event(made, name="Herbst", actor=person("fredi")),
    "an evening more": lambda made: editing.add_event(
        made, championship=evening(person("fredi"), "Herbst", SPRING), actor=person("fredi")
    ),
    "other rules": lambda made: editing.choose_preset(
        made, "threshold", actor=person("fredi"), reason="Beschluss"
    ),
    "another number": lambda made: editing.set_numbers(
        made, best=1, least=None, steps=[], actor=person("fredi"), reason="Beschluss"
    ),
    "a corrected ranking": lambda made: publish_totals(championship("Sommer"), [1, 2], [1, 2]),
    "a championship that is not over": lambda made: Championship.objects.filter(name="Sommer").update(
        status="running"
    ),
    "a person less": lambda made: Entry.objects.filter(name="Anna Ammann").update(person=None),
    "two persons changed over": lambda made: change_over(),
    "a category": lambda made: Entry.objects.filter(name="Anna Ammann").update(category="woman"),
    "another category as long": lambda made: Entry.objects.filter(name="Beat Bühler").update(
        category="youth"
    ),
    "a name as long": lambda made: Entry.objects.filter(name="Beat Bühler").update(first_name="Bert"),
    "a team": lambda made: put_into_team(),
    "a team's name": lambda made: Team.objects.update(name="Eichle"),
    "a championship's name": lambda made: Championship.objects.filter(name="Sommer").update(name="Sonne"),
}


def championship(name: str) -> Championship:
    return Championship.objects.get(name=name)


def edit(made: ClubSeries, **fields: Any) -> None:
    editing.edit_event(made.events.get(name="Frühling"), actor=person("fredi"), reason="Beschluss", **fields)


def change_over() -> None:
    """Anna's and Beat's entries of the summer belong to the other one."""
    one, other = Person.objects.get(name="Anna Ammann"), Person.objects.get(name="Beat Bühler")
    summer = championship("Sommer").entries
    summer.filter(name="Anna Ammann").update(person=other)
    summer.filter(name="Beat Bühler").update(person=one)


def put_into_team(name: str = "Anna Ammann") -> None:
    """The person's entry of the summer belongs to a team."""
    summer = championship("Sommer")
    team = Team.objects.get_or_create(championship=summer, number=1, name="Rose")[0]
    summer.entries.filter(name=name).update(team=team)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changes_is_seen_at_once(change: Callable[[ClubSeries], object]) -> None:
    made = season()
    Entry.objects.filter(name="Chiara Caduff").update(category="woman")
    put_into_team("Beat Bühler")
    before = told(load_shared_series(again(made)))
    change(made)
    after = told(load_shared_series(again(made)))
    assert after == told(load_series(again(made)))
    assert after != before


def test_only_the_ranking_that_has_changed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = season()
    first = load_shared_series(again(made))
    read: list[object] = []
    real = loading._load_snapshots

    def note(pks: Sequence[int]) -> dict[int, str]:
        read.append(len(pks))
        return real(pks)

    monkeypatch.setattr(loading, "_load_snapshots", note)
    edit(made, weight=Decimal(2))
    assert load_shared_series(again(made)).table != first.table
    publish_totals(championship("Sommer"), [1, 2], [1, 2])
    after = load_shared_series(again(made))
    assert read == [0, 1]
    kept = {event.key: event for event in first.document.events}
    assert [kept[event.key] is event for event in after.document.events] == [True, False]
    assert told(after) == told(load_series(again(made)))


def test_rules_that_do_not_fit_are_refused_each_time_and_left_out_of_several() -> None:
    made, other = season(), season()
    ClubSeries.objects.filter(pk=made.pk).update(rules={**again(made).rules, "always": ["nobody"]})
    for _ in range(2):
        with pytest.raises(SeriesError):
            load_shared_series(again(made))
    assert [one.series.pk for one in load_several_series([again(made), again(other)])] == [other.pk]


def test_several_ask_no_more_than_one_once_they_are_known() -> None:
    found = [season() for _ in range(4)]

    def queries(listed: list[ClubSeries]) -> int:
        load_several_series(listed)
        with CaptureQueriesContext(connection) as asked:
            load_several_series(listed)
        return len(asked)

    assert queries(found) == queries(found[:1])
    assert queries(found) <= 9


def test_the_largest_ones_are_dropped_first_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = season(), season()
    first = load_shared_series(again(one))
    monkeypatch.setattr(cached_series.KEPT, "most_size", 5)
    load_shared_series(again(other))
    assert load_shared_series(again(one)).results is not first.results
    assert told(load_shared_series(again(one))) == told(load_series(one))
