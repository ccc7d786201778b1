"""Substitutes for missing people: recorded on the page of the round by desk or director, and undone there."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.presenters.rounds.chairs import list_seat_candidates
from tests.frontend.evening import client, drawn, html, opened, person
from tests.tournaments import table_play
from tournaments.models import Entry, Round, Substitute
from tournaments.services.entries import entries

pytestmark = pytest.mark.django_db


def sits_at(round_: Round, table: int, seat: int) -> Entry:
    return round_.seatings.get(table__number=table, seat=seat).entry


def written(round_: Round, name: str = "hanna", **given: object) -> str:
    address = reverse("round_stand_in", args=["herbstcup", round_.number])
    return html(client(name).post(address, given, follow=True))


def rename(entry: Entry, other: Entry) -> None:
    """Store the name of `other` for `entry` too."""
    names = {name: getattr(other, name) for name in ("name", "first_name", "family_name", "sort_name")}
    Entry.objects.filter(pk=entry.pk).update(**names)


def page(name: str | None = "hanna") -> str:
    return html(client(name).get(reverse("round", args=["herbstcup", 1])))


def test_who_sits_out_takes_the_chair_and_it_is_undone_with_one_press() -> None:
    round_ = drawn(9)
    comes, goes = round_.byes.get().entry, sits_at(round_, 2, 0)

    said = written(round_, instead=goes.name, player=comes.name, what="gone")

    assert f"{comes.name} has the seat of {goes.name} for the whole round." in said
    assert sits_at(round_, 2, 0) == comes
    assert said.count(">Undo</button>") == 1
    written(round_, instead=comes.number, player=goes.number, what="out")
    assert sits_at(round_, 2, 0) == goes
    assert round_.byes.get().entry == comes


def test_a_substitute_stands_beside_the_name_on_page_wall_and_slip() -> None:
    round_ = opened("sheet", "sheet", people=9)
    plays, owner = round_.byes.get().entry, sits_at(round_, 1, 1)

    said = written(round_, instead=f"{owner.number} {owner.name}", player=plays.number, what="for", deal="5")

    assert f"{plays.name} plays for {owner.name} from deal 5 on" in said
    assert f"{plays.name} plays, from deal 5 on" in page(None)
    wall = html(client().get(reverse("round_wall", args=["herbstcup", 1])))
    assert f"{plays.name} plays, from deal 5 on" in wall
    said = written(round_, instead=owner.number, player=owner.number, what="for", deal="5")
    assert f"{owner.name} plays again from deal 5 on." in said
    assert not Substitute.objects.exists()


def test_somebody_who_is_not_on_the_list_plays_for_another_and_is_not_ranked() -> None:
    round_ = opened("sheet", "sheet")
    owner = sits_at(round_, 1, 1)
    refused = written(round_, instead=owner.number, player="Xaver Zgraggen", what="for")
    assert "Nobody called “Xaver Zgraggen” is free" in refused
    assert not Substitute.objects.exists()

    written(round_, instead=owner.number, player="Xaver Zgraggen", new="on", what="for", deal="2")

    new = Entry.objects.get(name="Xaver Zgraggen")
    assert new.house
    assert Substitute.objects.get().entry == new


def test_a_new_name_is_not_written_down_where_the_rest_is_refused() -> None:
    round_ = opened("sheet", "sheet")
    table_play.enter(round_.tables.get(number=1), 1, 100)
    said = written(
        round_, instead=sits_at(round_, 1, 1).number, player="Xaver Zgraggen", new="on", what="gone"
    )
    assert "A result is already entered at table 1" in said
    assert not Entry.objects.filter(name="Xaver Zgraggen").exists()


def test_spectators_see_it_and_write_nothing() -> None:
    round_ = opened("sheet", "sheet", people=9)
    plays, owner = round_.byes.get().entry, sits_at(round_, 1, 1)
    written(round_, instead=owner.number, player=plays.number, what="for")
    told = page(None)
    assert "Substitutes" in told
    assert "Somebody is missing" not in told
    assert ">Undo</button>" not in told


def test_the_page_asks_as_often_however_many_play_for_others() -> None:
    round_ = opened("sheet", "sheet", people=11)
    browser, address = client("hanna"), reverse("round", args=["herbstcup", 1])
    counts = []
    for seat, out in enumerate(round_.byes.order_by("pk")):
        written(round_, instead=sits_at(round_, 1, seat).number, player=out.entry.number, what="for")
        with CaptureQueriesContext(connection) as asked:
            browser.get(address)
        counts.append(len(asked))
    assert max(counts) == counts[0]


def test_a_substitute_with_the_name_of_the_drawn_person_is_shown() -> None:
    round_ = opened("sheet", "sheet", people=9)
    plays, owner = round_.byes.get().entry, sits_at(round_, 1, 1)
    rename(plays, owner)

    written(round_, instead=owner.number, player=plays.number, what="for", deal="5")

    said = f"{owner.name} plays, from deal 5 on"
    assert said in page(None)
    assert said in html(client().get(reverse("round_wall", args=["herbstcup", 1])))


@pytest.mark.usefixtures("template_contexts")
def test_a_drawn_person_who_plays_again_has_a_page_at_the_table() -> None:
    round_ = opened("sheet", "sheet", people=9)
    plays, owner = round_.byes.get().entry, sits_at(round_, 1, 1)
    address = reverse("table_live", args=[round_.tables.get(number=1).game_id])

    written(round_, instead=owner.number, player=plays.number, what="for", deal="2")
    assert client().get(address).context["page_data"]["extra"]["people"][1] == ""
    written(round_, instead=owner.number, player=owner.number, what="for", deal="4")

    own = reverse("persons_evening", args=["herbstcup", owner.number])
    assert client().get(address).context["page_data"]["extra"]["people"][1] == own
    assert f"{plays.name} plays, from" not in page(None)


def test_a_person_with_a_bye_is_offered_first_however_many_people_there_are() -> None:
    round_ = opened("sheet", "sheet", people=9)
    bye = round_.byes.get().entry
    Entry.objects.filter(pk=bye.pk).update(sort_name="zz")
    for name in ("Aaron Aal", "Abel Abt"):
        entries.add_entry(round_.championship, actor=person("fredi"), name=name)
    here = entries.add_entry(round_.championship, actor=person("fredi"), name="Zora Zbinden")
    Entry.objects.filter(pk=here.pk).update(status=Entry.Status.ARRIVED)

    offered = list_seat_candidates(round_, {bye.pk}, 3)

    assert [one.name for one in offered] == [bye.name, "Zora Zbinden", "Aaron Aal"]
    assert [one.where for one in offered] == ["has a bye", "", "not here so far"]


def test_a_substitute_is_not_offered_for_another_seat_until_the_drawn_person_plays_again() -> None:
    round_ = opened("sheet", "sheet", people=9)
    bye, owner = round_.byes.get().entry, sits_at(round_, 1, 1)
    offer = f'<option value="{bye.number} {bye.name}">'
    assert offer in page()
    written(round_, instead=owner.number, player=bye.number, what="for", deal="2")
    assert offer not in page()
    other = sits_at(round_, 2, 1)
    told = written(round_, instead=other.number, player=bye.name, what="for", deal="3")
    assert "is already playing at table 1" in told
    written(round_, instead=owner.number, player=owner.number, what="for", deal="4")
    assert offer in page()
