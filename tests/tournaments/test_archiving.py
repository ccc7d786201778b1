"""An archived championship is read-only and restorable; only one without a drawn round can be deleted."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from games import store
from games.models import Deadline, Event, Stream, User
from tests.tournaments import table_play
from tests.tournaments.test_corrections import wrong
from tournaments import jobs, regulations
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Job, Official, Round
from tournaments.services.audit import auditing
from tournaments.services.championship_seals import list_unsealed
from tournaments.services.championships import (
    archiving,
    championship_copy,
    championships,
    officials,
    regulations_change,
)
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import draw_undoing, drawing
from tournaments.services.entries import entries
from tournaments.services.money import bookings
from tournaments.services.referee import corrections, disputes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.both

Opened = Callable[..., Round]
People = Callable[[int], list[Entry]]


@pytest.fixture
def over(championship: Championship, open_round: Opened, fredi: User) -> Championship:
    """Finished after one round of one table."""
    data = regulations.encode(load_regulations(championship))
    regulations_change.change_regulations(championship, {**data, "rounds": 1}, actor=fredi)
    round_ = open_round("sheet", people=4)
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    championships.finish(championship, actor=fredi)
    championship.refresh_from_db()
    return championship


def told(championship: Championship) -> list[str]:
    return [event.type for event in store.read(championship.stream_id)]


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(TournamentError) as refusal:
        act()
    assert refusal.value.code == code


def findings_of_everything() -> list[str]:
    audit = auditing.start_audit(None, actor=None)
    while auditing.check_next(audit):
        pass
    return [finding.detail for finding in auditing.load_findings(audit)]


# --- archived


def test_what_is_over_is_archived_read_only_and_comes_back_as_it_was(over: Championship, fredi: User) -> None:
    table = Round.objects.get().tables.select_related("game", "round__championship").get()
    archiving.archive(over, actor=fredi)
    archiving.archive(over, actor=fredi)
    for act in (
        lambda: championships.edit_championship(over, actor=fredi, name="x"),
        lambda: entries.add_entry(over, actor=fredi, name="Zu Spät"),
        lambda: entries.edit_entry(over.entries.earliest("number"), actor=fredi, name="Anders"),
        lambda: entries.leave(over.entries.earliest("number"), actor=fredi),
        lambda: disputes.raise_dispute(table, actor=fredi),
        lambda: corrections.correct_result(table, 1, {"card_points": [57, 100]}, actor=fredi, reason="x"),
        lambda: officials.appoint(over, fredi, Official.Role.DESK, actor=fredi),
        lambda: bookings.book(over, "income", "Los", 100, actor=fredi),
    ):
        refused("championship/archived", act)
    assert told(over).count("championship_archived") == 1
    assert wrong(over) == []
    archiving.unarchive(over, actor=fredi)
    archiving.unarchive(over, actor=fredi)
    corrections.correct_result(table, 1, {"card_points": [57, 100]}, actor=fredi, reason="x")
    over.refresh_from_db()
    assert (over.status, over.archived_at) == ("finished", None)
    assert told(over)[-3:] == ["championship_archived", "championship_unarchived", "standings_published"]
    assert wrong(over) == []


def test_one_that_was_never_finished_is_archived_and_its_times_are_void(
    championship: Championship, arrived: People, fredi: User
) -> None:
    arrived(4)
    first = championship.rounds.get(number=1)
    rounds.schedule_round(first, actor=fredi, opens_at=timezone.now() + timedelta(hours=1))
    assert Deadline.objects.filter(stream=first.stream_id).exists()
    archiving.archive(championship, actor=fredi)
    first.refresh_from_db()
    assert (first.opens_at, Deadline.objects.filter(stream=first.stream_id).exists()) == (None, False)
    assert championship not in list_unsealed()
    job = jobs.start_job(Job.Kind.DRAW, first, actor=fredi)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, "championship/archived")


def test_nobody_archives_while_a_round_is_on(
    championship: Championship, arrived: People, fredi: User, gabi: User
) -> None:
    arrived(4)
    first = championship.rounds.get(number=1)
    drawing.draw_round(first, actor=fredi)
    refused("championship/round_on", lambda: archiving.archive(championship, actor=fredi))
    rounds.open_round(first, actor=fredi)
    refused("championship/round_on", lambda: archiving.archive(championship, actor=fredi))
    for act in (archiving.archive, archiving.unarchive, archiving.delete):
        with pytest.raises(NotAllowed):
            act(championship, actor=gabi)
    assert "championship_archived" not in told(championship)


def test_a_mark_set_by_hand_is_found(over: Championship) -> None:
    Championship.objects.filter(pk=over.pk).update(archived_at=timezone.now())
    [found] = wrong(over)
    assert "archived_at" in found


def test_archived_ones_are_no_drafts_that_one_has_too_many_of(
    championship: Championship, fredi: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(championships, "MAX_DRAFTS", 1)
    fredi.may_found = True
    fredi.save()
    refused("championship/too_many_drafts", lambda: championships.found_championship(actor=fredi, name="x"))
    archiving.archive(championship, actor=fredi)
    assert championships.found_championship(actor=fredi, name="x").name == "x"


# --- deleted


def test_one_without_people_is_deleted_and_its_streams_say_so(
    championship: Championship, fredi: User
) -> None:
    first = championship.rounds.get(number=1)
    rounds.schedule_round(first, actor=fredi, opens_at=timezone.now() + timedelta(hours=1))
    job = jobs.start_job(Job.Kind.STANDINGS, championship, actor=fredi)
    streams = [championship.stream_id, *championship.rounds.values_list("stream_id", flat=True)]
    archiving.delete(championship, actor=fredi)
    assert not Championship.objects.exists()
    assert not Round.objects.exists()
    assert not Deadline.objects.exists()
    assert jobs.run(job.pk) is False
    assert Stream.objects.filter(pk__in=streams).count() == len(streams)
    assert Event.objects.filter(stream=streams[0], type="championship_deleted").count() == 1
    assert findings_of_everything() == []


def test_people_who_are_entered_ask_for_the_name(
    championship: Championship, arrived: People, fredi: User
) -> None:
    arrived(4)
    for typed in ("", "Clubaben", "Santiago"):
        refused("championship/name_differs", partial(archiving.delete, championship, actor=fredi, name=typed))
    archiving.delete(championship, actor=fredi, name=" clubabend ")
    assert not Entry.objects.exists()
    assert findings_of_everything() == []


def test_what_was_drawn_or_paid_stays(championship: Championship, arrived: People, fredi: User) -> None:
    arrived(4)
    booking = bookings.book(championship, "income", "Los", 100, actor=fredi)
    delete = partial(archiving.delete, championship, actor=fredi, name="Clubabend")
    refused("championship/money", delete)
    bookings.cancel(booking, actor=fredi)
    refused("championship/money", delete)
    drawing.draw_round(championship.rounds.get(number=1), actor=fredi)
    refused("championship/played", delete)
    assert Championship.objects.filter(pk=championship.pk).exists()


def test_a_draw_that_was_undone_is_in_nobodys_way(
    championship: Championship, arrived: People, fredi: User
) -> None:
    arrived(4)
    first = championship.rounds.get(number=1)
    drawing.draw_round(first, actor=fredi)
    draw_undoing.undo_draw(first, actor=fredi, reason="nur probiert")
    archiving.delete(championship, actor=fredi, name="Clubabend")
    assert findings_of_everything() == []


def test_evenings_made_from_it_and_the_seals_of_others_stay_whole(
    championship: Championship, over: Championship, fredi: User
) -> None:
    fredi.may_found = True
    fredi.save()
    second = championship_copy.duplicate_championship(over, actor=fredi, name="Zweiter", people=True)
    third = championship_copy.duplicate_championship(second, actor=fredi, name="Dritter", people=True)
    archiving.delete(second, actor=fredi, name="Zweiter")
    third.refresh_from_db()
    assert (third.copied_from, third.entries.count(), third.officials.count()) == (None, 4, 2)
    assert wrong(third) == []
    assert wrong(over) == []
    assert findings_of_everything() == []


def test_who_was_on_the_way_when_it_was_deleted_is_told(championship: Championship, fredi: User) -> None:
    old = Championship.objects.get(pk=championship.pk)
    first = championship.rounds.get(number=1)
    archiving.delete(championship, actor=fredi)
    for act in (
        lambda: entries.add_entry(old, actor=fredi, name="Zu Spät"),
        lambda: championships.edit_championship(old, actor=fredi, name="x"),
        lambda: rounds.schedule_round(first, actor=fredi),
        lambda: archiving.delete(old, actor=fredi),
        lambda: archiving.archive(old, actor=fredi),
    ):
        with pytest.raises(TournamentError) as refusal:
            act()
        assert refusal.value.code in ("championship/gone", "tournaments/not_allowed")
