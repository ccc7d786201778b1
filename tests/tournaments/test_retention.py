"""Personal data that a championship keeps for a number of days after its end."""

import hashlib
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from games import store
from games.models import User
from tests.tournaments import table_play
from tournaments import regulations, tasks
from tournaments.models import Championship, Entry, Job, Round, SheetPhoto
from tournaments.pictures import Picture
from tournaments.services.championships import championships, regulations_change
from tournaments.services.current_regulations import load_regulations
from tournaments.services.rounds import rounds
from tournaments.services.scores import photos

pytestmark = pytest.mark.both


@pytest.fixture
def held(championship: Championship, open_round: Callable[..., Round], fredi: User) -> Championship:
    """A finished championship with contacts and a photo."""
    data = regulations.encode(load_regulations(championship))
    regulations_change.change_regulations(championship, {**data, "rounds": 1}, actor=fredi)
    round_ = open_round("sheet", "sheet")
    table = round_.tables.order_by("number")[0]
    taken = b"a photo"
    picture = Picture(taken, 30, 20, hashlib.sha256(taken).hexdigest())
    photos.store_photo(table, picture, by_ref=table_play.refs(table)[0])
    Entry.objects.update(email="a@example.ch", licence="L-1", note="vegi", birth_year=1950, club="Karo")
    table_play.play_to_the_end(round_)
    rounds.close_round(round_, actor=fredi)
    championships.finish(championship, actor=fredi)
    Job.objects.create(championship=championship, kind=Job.Kind.EXPORT)
    return championship


def ended(days: int) -> None:
    Round.objects.update(closed_at=timezone.now() - timedelta(days=days))


def test_contacts_years_and_photos_go_when_their_time_is_over(held: Championship, fredi: User) -> None:
    ended(10_000)
    assert tasks.erase_expired() == 0, "the organiser has said nothing"
    championships.edit_championship(held, actor=fredi, keep_days=30)
    ended(29)
    assert tasks.erase_expired() == 0
    ended(30)
    assert tasks.erase_expired() == 1
    for entry in Entry.objects.all():
        assert (entry.email, entry.licence, entry.note, entry.birth_year) == ("", "", "", None)
        assert (entry.name, entry.club) != ("", "")
        assert entry.club == "Karo"
    [taken] = SheetPhoto.objects.all()
    assert (bytes(taken.data), taken.erased_at is not None) == (b"", True)
    stream = taken.table.round.stream_id
    assert store.read(stream)[-1].type == "sheet_photo_erased"
    store.verify(stream)
    assert not Job.objects.filter(kind=Job.Kind.EXPORT).exists()
    assert tasks.erase_expired() == 0


def test_an_unfinished_championship_keeps_what_it_needs(
    championship: Championship, open_round: Callable[..., Round], fredi: User
) -> None:
    open_round("sheet", "sheet")
    Entry.objects.update(email="a@example.ch")
    championships.edit_championship(championship, actor=fredi, keep_days=30)
    ended(400)
    assert tasks.erase_expired() == 0
    assert Entry.objects.filter(email="a@example.ch").exists()
