"""More than a thousand people at tables.

SQLite accepts no expression of depth a thousand, and a list of so many keys may become one. All pages and
services that process a whole round run with so many people here.
"""

import io
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from pytest_django import Settings

from games import sealing
from games.models import Game, TableToken, User
from tests.tournaments.test_archive import empty
from tournaments import personal_data
from tournaments.archive import BACKUP, export_championship
from tournaments.archive.restoring import import_championship
from tournaments.models import Championship, Entry, Official, Table
from tournaments.services.audit import auditing
from tournaments.services.championships import championships, officials
from tournaments.services.draw import draw_undoing, seating_by_hand
from tournaments.services.entries import entries, seat_codes
from tournaments.services.rounds import rounds

TABLES = 270
NOT_HERE = {"championship_file", "job"}

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def fredi() -> User:
    return User.objects.create_user("fredi")


@pytest.fixture
def hall(fredi: User) -> Championship:
    """1,080 people, seated at open tables; an account for each, two tables dealt by the server."""
    made = championships.create(actor=fredi, name="Hall", slug="hall")
    people = [entries.NewEntry(f"Person {number}") for number in range(TABLES * 4)]
    entries.add_entries(made, people, actor=fredi)
    accounts = User.objects.bulk_create(User(username=f"person{n}") for n in range(TABLES * 4))
    for entry, account in zip(made.entries.order_by("number"), accounts, strict=True):
        entry.status, entry.user = Entry.Status.ARRIVED, account
        entry.save()
    round_ = made.rounds.get(number=1)
    seats = [[4 * table + seat + 1 for seat in range(4)] for table in range(TABLES)]
    seating_by_hand.seat_by_hand(round_, seats, actor=fredi)
    Table.objects.filter(number__gt=2).update(mode=Game.Mode.SHEET)
    Table.objects.filter(number__lte=2).update(mode=Game.Mode.DEALT)
    rounds.open_round(round_, actor=fredi)
    return made


def test_every_page_of_a_championship_answers(hall: Championship, fredi: User) -> None:
    director, seen = Client(headers={"host": "localhost"}), set()
    director.force_login(fredi)
    fill = {"slug": hall.slug, "number": 1, "table": 1, "place": 0, "deal": 1, "entry": 1}
    for name, ways in get_resolver().reverse_dict.lists():
        for [(path, names)], *_ in ways:
            if (
                isinstance(name, str)
                and path.startswith("c/")
                and {*names} <= {*fill}
                and name not in NOT_HERE
            ):
                answer = director.get(reverse(name, kwargs={key: fill[key] for key in names}))
                assert answer.status_code in (200, 302, 404, 405, 409), name  # 409: only as a job
                seen |= {name} if answer.status_code == 200 else set()
    assert {"round", "round_fairness", "round_codes", "board", "tables", "round_wall", "entries"} <= seen
    made = director.post(reverse("round_codes", args=[hall.slug, 1]))
    assert len(re.findall(r"<code>[0-9a-f]{32}</code>", made.content.decode())) == 2 * TABLES + 4
    assert TableToken.objects.count() == 2 * TABLES + 4


def test_every_service_that_goes_over_a_whole_round_does(hall: Championship, fredi: User) -> None:
    gabi, round_ = User.objects.create_user("gabi"), hall.rounds.get(number=1)
    officials.appoint(hall, gabi, Official.Role.REFEREE, actor=fredi)
    officials.dismiss(hall, gabi, Official.Role.REFEREE, actor=fredi)
    championships.edit_championship(hall, actor=fredi, public=False)
    seat_codes.issue_codes(round_, actor=fredi)
    audit = auditing.start_audit(hall, actor=fredi)
    while auditing.check_next(audit):
        pass
    assert auditing.load_findings(audit) == []
    rounds.close_round(round_, actor=fredi, force=True, reason="too many")
    audit = auditing.start_audit()
    while auditing.check_next(audit):
        pass
    second = hall.rounds.get(number=2)
    seating_by_hand.seat_by_hand(
        second, [[4 * t + s + 1 for s in range(4)] for t in range(TABLES)], actor=fredi
    )
    draw_undoing.undo_draw(second, actor=fredi, reason="anew")
    for person in (personal_data.find_subject("hall/7"), personal_data.find_subject("person9")):
        assert personal_data.export_data(person)
        personal_data.erase_data(person)


def test_a_championship_of_so_many_is_exported_and_imported(
    hall: Championship, settings: Settings, tmp_path: Path
) -> None:
    settings.SEAL_KEY = tmp_path / "seal_key"
    sealing.make_seal_key(settings.SEAL_KEY)
    file = io.BytesIO()
    export_championship(hall, file, level=BACKUP)
    empty()
    made = import_championship(file, owner=User.objects.create_user("hugo"))
    assert made.rounds.get(number=1).seatings.count() == 4 * TABLES
