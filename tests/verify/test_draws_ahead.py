"""Rounds that were drawn ahead start from the seats of that moment, not from later changes."""

import io
from types import ModuleType

import pytest

from games.models import User
from tests.tournaments import table_play
from tests.verify.evening import export
from tournaments.models import Entry, Round
from tournaments.services.championships import championships
from tournaments.services.draw import drawing_ahead, seat_exchanges
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds


@pytest.mark.parametrize("preset", ["einzelschieber_at_start", "whist"])
@pytest.mark.django_db
def test_changed_chairs_of_an_earlier_round_are_no_difference(puur_verify: ModuleType, preset: str) -> None:
    """Two people exchange chairs in round 1 after all rounds are drawn: those draws knew nothing of it."""
    fredi = User.objects.create_user("fredi")
    changes = {"rounds": 2, "deals": 1, "hand_in": "deals", "counting": {"what": "sum"}}
    made = championships.create(actor=fredi, name="Start", slug="start", preset=preset, changes=changes)
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(8)]
    entries.add_entries(made, people, actor=fredi)
    drawing_ahead.draw_ahead(made, actor=fredi)
    first = made.rounds.get(number=1)
    one, other = (first.seatings.get(table__number=number, seat=0).entry.number for number in (1, 2))
    seat_exchanges.exchange_seats(first, one, other, actor=fredi)
    for round_ in made.rounds.order_by("number"):
        for table in round_.tables.all():
            rounds.set_mode(table, "sheet", actor=fredi)
        rounds.open_round(round_, actor=fredi)
        for table in round_.tables.order_by("number"):
            table_play.write_sheet(table, [90 + table.number])
        rounds.close_round(Round.objects.get(pk=round_.pk), actor=fredi)

    report = puur_verify.verify(io.BytesIO(export(made).public))

    assert report.differences == []
