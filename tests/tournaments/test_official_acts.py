"""Acts of officials on draws, chairs, entries and sealed numbers are limited, and recorded with a reason."""

import io
from collections.abc import Callable
from types import ModuleType

import pytest
from django.test import Client
from django.urls import reverse

from games import store
from games.models import User
from games.randomness import round_seed
from tests.tournaments import table_play
from tests.verify.conftest import SCRIPT
from tournaments.archive import PUBLIC, export_championship
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Official, Round
from tournaments.services.championships import championships, officials
from tournaments.services.draw import draw_undoing, drawing, seat_exchanges, seating_by_hand
from tournaments.services.entries import entries, merging, pairs
from tournaments.services.referee import corrections, opened_hands
from tournaments.services.rounds import breaking_off, rounds

pytestmark = pytest.mark.django_db


def begun(mode: str = "sheet", people: int = 8, **changes: object) -> Championship:
    """A championship whose first round is drawn by hand and open; Gabi is its referee."""
    fredi, gabi = (User.objects.get_or_create(username=name)[0] for name in ("fredi", "gabi"))
    changes = {"rounds": 2, "deals": 2, **changes}
    made = championships.create(actor=fredi, name="Cup", slug="cup", changes=changes)
    officials.appoint(made, gabi, Official.Role.REFEREE, actor=fredi)
    there = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, people + 1)]
    entries.add_entries(made, there, actor=fredi)
    first = made.rounds.get(number=1)
    seating_by_hand.seat_by_hand(first, [range(1, 5), range(5, 9)], actor=fredi)
    for table in first.tables.all():
        rounds.set_mode(table, mode, actor=fredi)
    rounds.open_round(first, actor=fredi)
    return made


def fredi() -> User:
    return User.objects.get(username="fredi")


def gabi() -> User:
    return User.objects.get(username="gabi")


def first_of(made: Championship) -> Round:
    return made.rounds.get(number=1)


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises((TournamentError, NotAllowed)) as refusal:
        act()
    assert refusal.value.code == code


def test_a_draw_is_not_undone_after_an_official_looked_at_a_hand() -> None:
    made = begun("dealt")
    table = first_of(made).tables.select_related("round__championship", "game").get(number=1)
    opened_hands.open_hand(table, actor=gabi(), deal=1, reason="eine Karte lag offen")
    refused(
        "draw/hands_seen",
        lambda: draw_undoing.undo_draw(first_of(made), actor=fredi(), reason="Drucker kaputt"),
    )
    assert first_of(made).status == Round.Status.OPEN


def test_dealt_tables_are_drawn_again_only_with_a_reason_and_from_a_new_number() -> None:
    made = begun("dealt")
    refused("draw/reason_missing", lambda: draw_undoing.undo_draw(first_of(made), actor=fredi(), reason=" "))
    draw_undoing.undo_draw(first_of(made), actor=fredi(), reason="Drucker kaputt")
    chapters = round_seed.chapters_of(store.read(first_of(made).stream_id))
    assert [chapter.revealed is not None for chapter in chapters] == [True, False]
    seating_by_hand.seat_by_hand(first_of(made), [range(1, 5), range(5, 9)], actor=fredi())
    rounds.open_round(first_of(made), actor=fredi())
    assert first_of(made).status == Round.Status.OPEN


def signed() -> Championship:
    made = begun()
    for table in first_of(made).tables.order_by("number"):
        table_play.write_sheet(table, [100, 90])
    return made


def test_only_a_referee_changes_chairs_after_a_result_and_says_why() -> None:
    made = signed()
    found = first_of(made)
    refused(
        "chairs/results_exist", lambda: seat_exchanges.exchange_seats(found, 1, 5, actor=fredi(), reason="x")
    )
    refused("chairs/reason_missing", lambda: seat_exchanges.exchange_seats(found, 1, 5, actor=gabi()))
    seat_exchanges.exchange_seats(found, 1, 5, actor=gabi(), reason="falsch abgeschrieben")
    event = store.read(found.stream_id)[-1]
    assert (event.type, event.body["reason"]) == ("seats_exchanged", "falsch abgeschrieben")


def test_before_a_result_the_desk_changes_chairs_and_no_reason_is_stored() -> None:
    made = begun()
    refused(
        "tournaments/not_allowed", lambda: seat_exchanges.exchange_seats(first_of(made), 1, 5, actor=gabi())
    )
    seat_exchanges.exchange_seats(first_of(made), 1, 5, actor=fredi(), reason="unnötig")
    assert "reason" not in store.read(first_of(made).stream_id)[-1].body


def test_only_a_referee_merges_somebody_who_has_played_and_says_why() -> None:
    made = signed()
    rounds.close_round(first_of(made), actor=fredi())
    friend = entries.add_entry(made, actor=fredi(), name="Freund", status=Entry.Status.ARRIVED)
    winner = made.entries.get(number=1)
    entries.withdraw_entry(winner, actor=fredi())
    refused("merge/results_exist", lambda: merging.merge_entries(winner, friend, actor=fredi(), reason="x"))
    refused("merge/reason_missing", lambda: merging.merge_entries(winner, friend, actor=gabi()))
    merging.merge_entries(winner, friend, actor=gabi(), reason="zweimal angemeldet")
    told = [event.body for event in store.read(made.stream_id) if event.type == "entries_merged"]
    assert [body["reason"] for body in told] == ["zweimal angemeldet"]


def test_no_result_is_new_once_the_sealed_number_is_public() -> None:
    counting = {"what": "nearest", "number": 0, "least": 100, "most": 900, "tie_breaks": ["lot"]}
    made = begun(rounds=1, counting=counting)
    one, other = first_of(made).tables.select_related("round__championship", "game").order_by("number")
    table_play.write_sheet(one, [100, 90])
    table_play.enter(other, 1, 80)
    table_play.confirm(other, 1)
    rounds.close_round(first_of(made), actor=fredi(), force=True)
    rounds.reopen_round(first_of(made), actor=fredi(), reason="Tisch 2 fehlt")
    other = first_of(made).tables.select_related("round__championship", "game").get(number=2)
    refused("breaks/number_public", lambda: breaking_off.resume_table(other, actor=fredi(), reason="weiter"))
    refused(
        "corrections/number_public",
        lambda: corrections.correct_result(
            other, 2, {"card_points": [77, 80]}, actor=fredi(), reason="gefunden"
        ),
    )
    corrections.correct_result(other, 1, {"card_points": [70, 87]}, actor=fredi(), reason="verlesen")


def test_acts_stand_on_the_rounds_page_on_the_cards_page_and_on_the_wall(client: Client) -> None:
    made = begun("dealt")
    draw_undoing.undo_draw(first_of(made), actor=fredi(), reason="Drucker <kaputt>")
    seating_by_hand.seat_by_hand(first_of(made), [range(1, 5), range(5, 9)], actor=fredi())
    rounds.open_round(first_of(made), actor=fredi())
    table = first_of(made).tables.select_related("round__championship", "game").get(number=2)
    opened_hands.open_hand(table, actor=gabi(), deal=1, reason="eine Karte lag offen")
    rounds.close_round(first_of(made), actor=fredi(), force=True, reason="Wirt schliesst")
    rounds.reopen_round(first_of(made), actor=fredi(), reason="zu früh")
    made.public = True
    made.save(update_fields=["public"])
    for name in ("round", "round_fairness", "round_wall"):
        page = client.get(reverse(name, args=["cup", 1])).content.decode()
        for told in ("Draw 1 was undone.", "Drucker &lt;kaputt&gt;", "eine Karte lag offen", "zu früh"):
            assert told in page, (name, told)


def test_the_verifier_notes_what_officials_did(puur_verify: ModuleType) -> None:
    made = signed()
    seat_exchanges.exchange_seats(first_of(made), 1, 5, actor=gabi(), reason="falsch abgeschrieben")
    rounds.close_round(first_of(made), actor=fredi())
    out = io.BytesIO()
    export_championship(made, out, level=PUBLIC)
    out.seek(0)
    report = puur_verify.verify(out)
    assert any("after results were written: falsch abgeschrieben" in line for line in report.notes)
    assert not any("published rankings are those" in line for line in report.checked)


@pytest.fixture
def puur_verify() -> ModuleType:
    import importlib.util

    found = importlib.util.spec_from_file_location("puur_verify", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_whoever_has_played_stays_in_the_ranking_or_out_of_it() -> None:
    made = signed()
    winner = made.entries.get(number=1)
    refused("entries/house_fixed", lambda: entries.edit_entry(winner, actor=fredi(), house=True))
    entries.edit_entry(winner, actor=fredi(), house=False, club="Bern")
    late = entries.add_entry(made, actor=fredi(), name="Helfer", status=Entry.Status.ARRIVED)
    entries.edit_entry(late, actor=fredi(), house=True)
    assert made.entries.get(pk=late.pk).house


def test_a_pair_of_which_nobody_is_left_goes_on_with_nobody() -> None:
    fredi = User.objects.create(username="fredi")
    made = championships.create(
        actor=fredi,
        name="Paare",
        slug="paare",
        preset="partnerschieber",
        changes={"rounds": 2, "hand_in": "deals"},
    )
    people = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(1, 11)]
    there = entries.add_entries(made, people, actor=fredi)
    pairs.pair_up(made, [(there[n], there[n + 1]) for n in (0, 2)], actor=fredi)
    for absent in there[4:]:
        entries.leave(absent, actor=fredi)
    first = first_of(made)
    drawing.draw_round(first, actor=fredi)
    rounds.open_round(first, actor=fredi)
    one, other, *_, friend, another = there
    entries.withdraw_entry(one, actor=fredi, after_round=True)
    pairs.pair(other, friend, actor=fredi)
    entries.withdraw_entry(other, actor=fredi, after_round=True)
    refused("pairs/nobody_left", lambda: pairs.pair(friend, another, actor=fredi))
    refused("pairs/nobody_left", lambda: pairs.pair(another, friend, actor=fredi))
    entries.reinstate(one, actor=fredi)
    assert pairs.find_partner(one) == friend


def test_only_a_referee_merges_somebody_who_has_sat_out_and_says_why() -> None:
    made = begun(people=9)
    for table in first_of(made).tables.order_by("number"):
        table_play.write_sheet(table, [100, 90])
    rounds.close_round(first_of(made), actor=fredi())
    friend = entries.add_entry(made, actor=fredi(), name="Freund", status=Entry.Status.ARRIVED)
    out = made.entries.get(number=9)
    entries.withdraw_entry(out, actor=fredi())
    refused("merge/results_exist", lambda: merging.merge_entries(out, friend, actor=fredi(), reason="x"))
    refused("merge/reason_missing", lambda: merging.merge_entries(out, friend, actor=gabi()))
    merging.merge_entries(out, friend, actor=gabi(), reason="zweimal angemeldet")
