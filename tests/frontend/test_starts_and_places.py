"""Places and the waiting list of an open heat: a place is a person's, whatever number of starts they have."""

import re

import pytest
from django.urls import reverse

from games import store
from tests.frontend.evening import championship, client, html, person
from tests.frontend.test_door_list import text
from tests.tournaments import table_play
from tests.tournaments.series_evenings import club_of
from tournaments import regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, OwnPage, QueuePlace, Round
from tournaments.presets import PRESETS
from tournaments.services.audit import row_audit
from tournaments.services.entries import entries, entry_link, entry_terms, own_pages, waiting_list
from tournaments.services.entries.entries import NewEntry
from tournaments.services.open_heat import seating, sessions, starts

pytestmark = pytest.mark.django_db


def heat(limit: int) -> Championship:
    """An open heat of two sessions, which people enter by a link."""
    made = championship(
        0,
        preset="klubabend",
        changes={
            "play": {**regulations.encode(PRESETS["klubabend"])["play"], "mode": "sheet"},
            "rounds": 2,
            "deals": 1,
            "hand_in": "deals",
            "counting": {"what": "best", "number": 1, "tie_breaks": []},
            "pairing": {"system": "open", "options": {}},
        },
    )
    entry_link.set_link(made, on=True, actor=person("hanna"))
    entry_terms.set_terms(made, actor=person("hanna"), limit=limit, opens_at=None, closes_at=None)
    return made


def enter(made: Championship, *names: str) -> list[Entry]:
    made.refresh_from_db()
    return [
        entry_link.enter_by_link(made, made.entry_link, "192.0.2.1", NewEntry(family_name=name))[0].entry
        for name in names
    ]


def session(made: Championship) -> Round:
    return sessions.open_session(made.rounds.get(number=1), actor=person("fredi"))


def start(opened: Round, entry: Entry) -> Entry:
    return starts.add_start(opened, entry, actor=person("hanna"))


def differences(made: Championship) -> list[str]:
    """What the rows say otherwise than the log."""
    told = store.read(made.stream_id)
    return list(row_audit.find_championship_differences(Championship.objects.get(pk=made.pk), told))


def own_address(entry: Entry) -> str:
    page = OwnPage.objects.select_related("entry").get(entry=entry)
    return reverse("own_entry", args=["herbstcup", own_pages.token_of(page)])


def test_a_further_start_takes_no_place() -> None:
    made = heat(3)
    anna, _bea = enter(made, "Anna", "Bea")
    opened = session(made)
    for _ in range(3):
        start(opened, anna)
    made.refresh_from_db()

    assert made.entries.count() == 4
    assert waiting_list.count_taken(made) == 2
    assert not enter(made, "Cleo")[0].waits
    assert enter(made, "Dora")[0].waits
    shown = re.sub(r"\s+", " ", html(client("hanna").get("/c/herbstcup/entries/")))
    assert '<dd>3 <small class="muted">/ 3</small></dd>' in shown


def test_the_page_of_the_club_counts_people_and_not_their_starts() -> None:
    made = heat(3)
    anna, _bea = enter(made, "Anna", "Bea")
    opened = session(made)
    start(opened, anna)
    start(opened, anna)

    shown = html(client().get(reverse("club", args=[club_of(person("fredi")).slug])))

    assert "2 players" in shown
    assert "3 players" not in shown


def test_the_place_stays_taken_while_one_start_of_the_person_stands() -> None:
    made = heat(1)
    (anna,) = enter(made, "Anna")
    opened = session(made)
    start(opened, anna)
    further = start(opened, anna)

    starts.take_back_start(anna, actor=person("hanna"))
    assert waiting_list.count_free(made) == 0
    starts.take_back_start(further, actor=person("hanna"))
    assert waiting_list.count_free(made) == 1
    assert differences(made) == []


def test_whoever_waits_gets_no_start_before_they_have_a_place() -> None:
    made = heat(1)
    _anna, bea = enter(made, "Anna", "Bea")
    opened = session(made)

    with pytest.raises(TournamentError) as refused:
        start(opened, bea)

    assert refused.value.code == "entries/waits"
    bea.refresh_from_db()
    assert bea.waits
    assert not QueuePlace.objects.exists()
    shown = html(client("hanna").get("/c/herbstcup/rounds/1/queue/?q=bea"))
    assert "on the waiting list" in shown
    assert "Sell start" not in shown
    assert "Add to the queue" not in shown

    waiting_list.move_up(bea, actor=person("hanna"))
    assert start(opened, bea).number == bea.number
    assert differences(made) == []


def test_nobody_with_further_starts_goes_back_to_the_list() -> None:
    made = heat(1)
    _anna, bea = enter(made, "Anna", "Bea")
    waiting_list.move_up(bea, actor=person("hanna"))
    opened = session(made)
    start(opened, bea)
    further = start(opened, bea)
    sessions.undo_opening(opened, actor=person("fredi"))

    with pytest.raises(TournamentError) as refused:
        waiting_list.put_back(bea, actor=person("hanna"))
    assert refused.value.code == "entries/has_starts"
    assert waiting_list.list_returnable(made) == set()

    entries.withdraw_entry(further, actor=person("hanna"))
    assert waiting_list.list_returnable(made) == {bea.pk}
    waiting_list.put_back(bea, actor=person("hanna"))
    assert waiting_list.count_taken(made) == 1
    assert waiting_list.list_returnable(made) == set()
    assert differences(made) == []


def test_whoever_withdraws_by_their_page_withdraws_with_all_starts_and_the_next_moves_up() -> None:
    made = heat(1)
    anna, bea = enter(made, "Anna", "Bea")
    opened = session(made)
    start(opened, anna)
    start(opened, anna)
    sessions.undo_opening(opened, actor=person("fredi"))

    client().post(own_address(anna), {"do": "withdraw", "sure": "1"})

    assert set(made.entries.filter(name="Anna").values_list("status", flat=True)) == {"withdrawn"}
    bea.refresh_from_db()
    assert bea.status == Entry.Status.REGISTERED
    assert differences(made) == []


def test_the_own_page_shows_the_starts_of_the_person() -> None:
    made = heat(9)
    anna, *others = enter(made, "Anna", "Bea", "Cleo", "Dora")
    assert "Your starts" not in html(client().get(own_address(anna)))
    opened = session(made)
    for entry in (anna, *others, anna):
        start(opened, entry)
    (table,) = seating.seat_next(opened, actor=person("fredi"))
    table_play.write_sheet(table, [100])

    shown = html(client().get(own_address(anna)))

    assert "Your starts have the numbers 1, 5." in shown
    assert "The first session has begun." in shown
    assert "Session 1" in re.sub(r"<[^>]*>", "", shown)
    assert "Your starts" not in html(client().get(own_address(others[0])))


def test_a_link_made_for_a_further_start_is_the_one_of_the_person() -> None:
    made = heat(9)
    (anna,) = enter(made, "Anna")
    opened = session(made)
    start(opened, anna)
    further = start(opened, anna)

    token = own_pages.make_new_link(further, actor=person("hanna"))

    found = own_pages.find_page("herbstcup", token)
    assert found is not None
    assert found.entry == anna
    assert OwnPage.objects.count() == 1


def test_the_list_for_the_door_names_each_person_once() -> None:
    made = heat(9)
    anna, _bea = enter(made, "Anna", "Bea")
    opened = session(made)
    start(opened, anna)
    start(opened, anna)

    said = text()

    assert said.count("Anna") == 1
    assert "Entered: 2, paid: 1" in said
