"""Following a person: the link to their table, the note without one, and the page that follows them."""

import re

import pytest
from django.urls import reverse

from frontend.presenters.tables.player_search import PersonNow, find_player
from games.models import Game
from tests.client_responses import Answer
from tests.frontend.evening import (
    championship,
    client,
    first,
    forget_what_is_shared,
    html,
    opened,
    person,
    table,
)
from tests.frontend.test_queue_page import come, heat, seat, session
from tests.frontend.test_standings_page import played
from tournaments.models import Bye, Championship, Entry, Round
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing, substitutions
from tournaments.services.open_heat import starts
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def asked(number: int, **query: str) -> Answer:
    return client().get(reverse("follow", args=["herbstcup", number]), query)


def part(number: int, **query: str) -> str:
    forget_what_is_shared()
    address = reverse("follow", args=["herbstcup", number])
    answer = client().get(address, query, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", html(answer))


def where(of: Championship, number: int) -> PersonNow:
    entry = Entry.objects.get(championship=of, number=number)
    return find_player(Championship.objects.get(pk=of.pk), entry, load_regulations(of))


def seated(round_: Round, number: int, seat: int = 0) -> Entry:
    return table(round_, number).seatings.select_related("entry").get(seat=seat).entry


def test_the_way_leads_to_the_table_at_which_somebody_sits_now() -> None:
    round_ = opened("dealt", "sheet", people=8)
    for number in (1, 2):
        entry = seated(round_, number)

        answer = asked(entry.number)

        live = reverse("table_live", args=[table(round_, number).game_id])
        assert answer.status_code == 302
        assert answer.headers["Location"] == f"{live}?follow={entry.number}"
        shown = html(client().get(answer.headers["Location"]))
        assert reverse("follow", args=["herbstcup", entry.number]) in shown


def test_it_is_said_what_somebody_does_who_plays_on_paper_or_sits_out() -> None:
    round_ = opened("dealt", "sheet", people=8)
    assert "plays at table 1 (1), round 1" in part(seated(round_, 1).number)
    assert "plays on paper at table 2 (5), round 1" in part(seated(round_, 2).number)

    late = Entry.objects.create(
        championship=round_.championship, number=99, name="Zita Zaugg", player_ref="z" * 32, status="arrived"
    )
    assert "does not play in round 1" in part(99)
    Bye.objects.create(round=round_, entry=late)
    assert "has a bye in round 1" in part(99)
    assert "has a bye in round 1" in html(asked(99)), "there is no table to go to"


def test_before_and_between_rounds_it_is_said_what_is_waited_for() -> None:
    made = championship(4, count=2)
    assert where(made, 1) == PersonNow("waits")
    round_ = drawing.draw_round(first(made), actor=person("fredi"))
    assert where(made, 1).doing == "will_play"
    assert "will sit at table 1" in html(asked(1))
    rounds.open_round(round_, actor=person("fredi"))
    assert where(made, 1).doing in ("plays", "paper")


def test_after_a_round_he_waits_for_the_next_one_and_at_the_end_nobody_is_waited_for() -> None:
    made = played(1)
    assert where(made, 1).doing == "waits"
    Entry.objects.filter(number=1).update(status=Entry.Status.WITHDRAWN)
    assert where(made, 1).doing == "away"
    Championship.objects.update(status=Championship.Status.FINISHED)
    assert where(made, 1).doing == "over"
    assert "The championship is over." in html(asked(1))


def test_a_page_goes_on_when_he_sits_at_another_table_and_only_then() -> None:
    round_ = opened("sheet", people=8)
    number = seated(round_, 1).number
    here, other = (str(table(round_, n).game_id) for n in (1, 2))

    assert part(number, at=here).strip() == "", "the page itself shows that the person plays"
    to = f"{reverse('table_live', args=[here])}?follow={number}"
    assert f'data-moves-to href="{to}"' in part(number, at=other)
    assert "data-moves-to" in part(number, at="")
    assert "data-moves-to" not in part(number), "the first page stays where it is"


def test_whose_table_is_over_is_told_of_there_until_he_sits_at_another() -> None:
    made = played(1)
    [here] = Game.objects.filter(tournament_table__seatings__entry__number=1).values_list("pk", flat=True)

    assert where(made, 1).doing == "waits"
    assert "is waiting for the next table" in part(1, at=here)


def test_the_menu_of_his_table_says_who_is_followed_and_can_end_it() -> None:
    round_ = opened("sheet", people=8)
    entry = seated(round_, 1)
    live = reverse("table_live", args=[table(round_, 1).game_id])

    assert f'data-unfollow="herbstcup/{entry.number}"' in html(client().get(live, {"follow": entry.number}))
    assert "data-unfollow" not in html(client().get(live))


@pytest.mark.usefixtures("template_contexts")
def test_who_is_followed_sits_at_the_near_edge() -> None:
    """The page is unchanged without a person, and for a person who has left the chair."""
    round_ = opened("dealt", people=8)
    place = table(round_, 1)
    live = reverse("table_live", args=[place.game_id])
    chair = place.seatings.select_related("entry").get(seat=2)

    def near(**query: int) -> object:
        return client().get(live, query).context["page_data"]["extra"].get("near")

    assert near(follow=chair.entry.number) == 2
    assert near() is None
    assert near(follow=9999) is None


def test_who_plays_for_somebody_else_is_followed_there_and_the_other_is_gone() -> None:
    round_ = opened("sheet", people=9)
    spare = round_.byes.select_related("entry").get().entry
    sat = seated(round_, 2)
    substitutions.substitute(round_, spare.number, sat.number, deal=2, actor=person("fredi"))

    assert where(round_.championship, spare.number).table == 2
    assert where(round_.championship, sat.number) == PersonNow("replaced", 1, 2)


def test_a_table_nobody_may_look_at_is_not_gone_to() -> None:
    round_ = opened("dealt", people=4)
    Game.objects.update(visibility=Game.Visibility.PRIVATE)
    number = seated(round_, 1).number

    shown = html(asked(number))

    assert "plays at table 1" in shown
    assert str(table(round_, 1).game_id) not in shown
    assert str(table(round_, 1).game_id) not in part(number, at="")


def test_who_does_not_belong_reads_initials_and_of_a_private_championship_nothing() -> None:
    round_ = opened("sheet", people=8)
    entry = seated(round_, 1)
    championships.edit_championship(round_.championship, actor=person("fredi"), public_names="initials")
    assert entry.name not in part(entry.number)
    championships.edit_championship(Championship.objects.get(), actor=person("fredi"), public=False)
    assert asked(entry.number).status_code == 404
    assert asked(4711).status_code == 404


def test_an_entry_that_was_merged_leads_to_the_one_that_counts() -> None:
    made = championship(4)
    one, two = Entry.objects.filter(championship=made).order_by("number")[:2]
    Entry.objects.filter(pk=two.pk).update(merged_into=one)

    assert asked(two.number).headers["Location"] == reverse("follow", args=["herbstcup", one.number])


def test_a_persons_page_offers_it_and_the_first_page_finds_him_again() -> None:
    round_ = opened("sheet", people=8)
    number = seated(round_, 1).number

    assert reverse("follow", args=["herbstcup", number]) in html(
        client().get(reverse("persons_evening", args=["herbstcup", number]))
    )
    assert "data-followed" in html(client().get(reverse("home")))
    live = reverse("table_live", args=[table(round_, 1).game_id])
    assert "data-follow=" not in html(client().get(live))
    assert "data-follow=" not in html(client().get(live, {"follow": "<script>"}))


@pytest.mark.usefixtures("template_contexts")
def test_in_an_open_heat_a_person_is_followed_to_each_start_in_each_open_session() -> None:
    made = heat()
    here, there = session(made), session(made, 2)
    people = come(here, 4)
    seat(here, 120)
    come(there, 3)
    again = starts.add_start(there, people[0], actor=person("fredi"))
    assert (where(made, 1).doing, where(made, 1).game) == ("done", table(here, 1).game_id)

    seat(there)

    game = table(there, 1).game_id
    assert (where(made, 1).doing, where(made, 1).round, where(made, 1).game) == ("paper", 2, game)
    assert (where(made, 6).doing, where(made, 6).round) == ("paper", 2)
    assert where(made, 2).doing == "done"
    shown = client().get(asked(1).headers["Location"])
    seats = list(table(there, 1).seatings.order_by("seat").values_list("entry", flat=True))
    assert shown.context["page_data"]["extra"]["near"] == seats.index(again.pk)
    assert shown.context["followed"] == people[0]
