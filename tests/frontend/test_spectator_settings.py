"""Settings for spectators of a round: the delay, and the featured table."""

import re

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from games import game_state
from games.models import Game
from games.play.submit import submit
from tests.client_responses import Answer
from tests.frontend.evening import client, drawn, first, html, opened, person, table
from tests.games.cast import next_command
from tests.tournaments.table_play import game_of, play_to_the_end, refs
from tournaments.models import Round
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db
SLUG = "herbstcup"


def press(act: str, who: str = "fredi", **sent: str) -> Answer:
    return client(who).post(reverse("round_act", args=[SLUG, 1, act]), sent, follow=True)


def page(who: str | None = None) -> str:
    return re.sub(r"\s+", " ", html(client(who).get(reverse("round", args=[SLUG, 1]))))


def delay_of(round_: Round) -> set[int]:
    return set(Game.objects.filter(tournament_table__round=round_).values_list("delay_minutes", flat=True))


def move(round_: Round, number: int) -> None:
    game = game_of(table(round_, number))
    command = next_command(game)
    seq = game_state.load_snapshot(game.pk).head.seq
    submit(game.pk, command, actor=refs(table(round_, number))[command.seat], command_id=f"m{seq}")


def test_the_director_says_how_late_a_round_is_shown() -> None:
    round_ = opened("dealt", "sheet")
    assert "shown 5 minutes late" not in page()

    assert "From now on everything is shown 5 minutes late." in html(press("delay", minutes="5"))
    assert delay_of(round_) == {5}
    assert "This round is shown 5 minutes late." in page()
    assert "When it closes, everything is shown" in page("fredi")
    assert 'value="5" aria-pressed="true"' in page("fredi")
    assert 'name="minutes"' not in page()

    assert "Everything is shown at once." in html(press("delay", minutes="0"))
    assert delay_of(round_) == {0}


@pytest.mark.parametrize("minutes", ["-1", "61", "soon", ""])
def test_nonsense_is_no_delay(minutes: str) -> None:
    round_ = opened("dealt")
    assert "up to 60 minutes" in html(press("delay", minutes=minutes))
    assert delay_of(round_) == {0}


@pytest.mark.parametrize("who", ["gabi", "hanna", "anna", "eva"])
def test_nobody_else_says_so(who: str) -> None:
    round_ = opened("dealt")
    press("delay", who, minutes="5")
    press("feature", who, table="1")
    round_.refresh_from_db()
    assert (delay_of(round_), round_.featured) == ({0}, None)


def test_a_round_that_is_drawn_is_late_from_its_first_card_on() -> None:
    round_ = drawn(4)
    press("delay", minutes="2")
    for one in round_.tables.select_related("round__championship"):
        rounds.set_mode(one, "dealt", actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    game = game_of(table(round_, 1))
    assert (game.delay_minutes, game.head_seq) == (2, 0)
    assert game_state.load_snapshot(game.pk).head.seq > 0


def test_the_regulations_say_it_for_every_round() -> None:
    round_ = opened("dealt", people=4, changes={"rounds": 1, "delay_minutes": 10})
    assert delay_of(round_) == {10}
    shown = html(client().get(reverse("regulations", args=[SLUG])))
    assert "everything is shown 10 minutes late" in shown


def test_closing_shows_everything_and_publishes_the_ranking() -> None:
    round_ = opened("dealt", "sheet")
    press("delay", minutes="15")
    play_to_the_end(round_)
    assert {game_of(table(round_, number)).status for number in (1, 2)} <= {"waiting", "running"}
    assert "still play" not in page("fredi"), "who closes it sees that all are done"

    rounds.close_round(round_, actor=person("fredi"))
    assert delay_of(round_) == {0}
    assert {game_of(table(round_, number)).status for number in (1, 2)} == {"ended"}
    assert first(round_.championship).championship.snapshots.count() == 1
    assert "delay" not in page("fredi").lower()

    refused = press("delay", minutes="5")
    assert "everything is shown" in html(refused)
    assert delay_of(round_) == {0}


def test_a_table_in_front_is_on_every_page_of_the_wall_and_first_beside_others() -> None:
    opened("dealt", people=24)
    wall = reverse("tables_projector", args=[SLUG])
    beside = reverse("beside", args=[SLUG, 1, 2])

    assert "Table 6 is shown first." in html(press("feature", table="6"))
    for number in ("1", "2"):
        shown = html(client().get(wall, {"page": number}))
        assert re.findall(r'featured" data-projected aria-labelledby="table-(\d+)"', shown) == ["6"]
    assert re.findall(r'id="table-(\d+)"', shown) == ["6", "4", "5"]
    listed = html(client().get(beside, headers={"HX-Request": "true"}))
    assert re.findall(r'id="beside-(\d+)"', listed)[0] == "6"
    assert "in front" in listed

    assert "The closest table is shown first." in html(press("feature", table=""))
    shown = html(client().get(wall))
    assert re.findall(r'featured" data-projected aria-labelledby="table-(\d+)"', shown) == ["1"]


@pytest.mark.parametrize("asked", ["2", "9", "x"])
def test_only_a_table_whose_cards_are_shown_is_put_in_front(asked: str) -> None:
    round_ = opened("dealt", "sheet")
    assert "cannot be shown first" in html(press("feature", table=asked))
    round_.refresh_from_db()
    assert round_.featured is None


def test_a_table_in_front_gives_way_when_its_game_is_over() -> None:
    round_ = opened("dealt", people=8)
    press("feature", table="2")
    Game.objects.filter(pk=table(round_, 2).game_id).update(status=Game.Status.ENDED)
    shown = html(client().get(reverse("tables_projector", args=[SLUG])))
    assert re.findall(r'featured" data-projected aria-labelledby="table-(\d+)"', shown) == ["1"]


def test_the_wall_asks_as_nobody_where_tables_are_shown_late() -> None:
    """Whoever is signed in at the projector does not show in time what the hall is to see late."""
    opened("dealt", people=4)
    wall = reverse("tables_projector", args=[SLUG])
    assert "/ws/games/" in html(client("fredi").get(wall))
    press("delay", minutes="5")
    shown = html(client("fredi").get(wall))
    assert "/ws/strangers/games/" in shown
    assert "/ws/games/" not in shown
    assert "shown 5 minutes late" in shown


def test_a_table_says_how_late_it_is_and_to_whom() -> None:
    round_ = opened("dealt", people=4)
    press("delay", minutes="5")
    move(round_, 1)
    live = reverse("table_live", args=[table(round_, 1).game_id])
    assert "Shown 5 minutes late" in html(client().get(live))
    assert "You see this table in time, everybody else 5 minutes late." in html(client("fredi").get(live))


@pytest.mark.parametrize(("tables", "buttons"), [(24, 25), (25, 2)])
def test_of_many_tables_the_one_in_front_is_named_by_its_number(tables: int, buttons: int) -> None:
    opened("dealt", people=4)
    round_ = Round.objects.get(championship__slug=SLUG, number=1)
    shown = render_to_string(
        "parts/round_watching.html",
        {
            "championship": round_.championship,
            "round": round_,
            "delays_offered": [0],
            "delay": 0,
            "may_be_featured": list(range(1, tables + 1)),
        },
    )
    of_tables = shown[shown.index("in-front") :]
    assert of_tables.count("<button") == buttons
    assert ('type="number"' in of_tables) == (tables > 24)
