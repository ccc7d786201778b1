"""The pages that compare a deal at all tables: what they say, when they open, what they cost."""

import re
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from frontend.presenters.tables.compared_deals import draw_spreads
from frontend.presenters.words.figures import format_figure
from games.models import Game
from tests.frontend.evening import client, html, opened, person
from tests.tournaments import table_play
from tournaments import demo_record, regulations
from tournaments.models import Round, Table
from tournaments.presets import PRESETS
from tournaments.services.rounds import rounds
from tournaments.services.scores.deal_comparison import load_compared_deal, summarise_compared

pytestmark = pytest.mark.django_db
LIST = "/c/herbstcup/rounds/1/deals/"
FIELD = {"rounds": 1, "deals": 2, "same_cards": True}


def of(people: int, *modes: str, credit: str = "field") -> Round:
    play = {**regulations.encode(PRESETS["santiago"])["play"], "credit": credit}
    return opened(*(modes or ("sheet",)), people=people, changes={**FIELD, "play": play})


def tables(round_: Round) -> list[Table]:
    return list(round_.tables.select_related("game").order_by("number"))


def write(round_: Round, *points: list[int]) -> None:
    for table, mine in zip(tables(round_), points, strict=True):
        table_play.write_sheet(table, mine)


def test_before_a_deal_is_open_nothing_is_there() -> None:
    round_ = of(8)
    assert "No deal is shown yet" in html(client().get(LIST))
    table_play.enter(tables(round_)[0], 1, 90)
    assert "No deal is shown yet" in html(client().get(LIST))
    assert client().get(f"{LIST}1/").status_code == 404
    assert client("fredi").get(f"{LIST}1/").status_code == 404


def test_an_open_deal_names_all_tables_their_points_and_the_difference_from_the_mean() -> None:
    round_ = of(12)
    write(round_, [100, 50], [90, 60], [70, 60])
    rounds.close_round(round_, actor=person("fredi"))
    listed = html(client().get(LIST))
    assert f'href="{LIST}1/"' in listed
    assert "86.67" in listed
    assert "70 … 100" in listed
    shown = html(client().get(f"{LIST}1/"))
    assert shown.index(">Table 1<") < shown.index(">Table 2<") < shown.index(">Table 3<")
    for difference in ("+20", "+5", "−25", "−20", "+25"):
        assert difference in shown
    assert shown.count("<circle") == 6
    assert "odd chips: from 70 to 100, mean 86.67" in shown
    for table in tables(round_):
        assert f"/g/{table.game_id}/" in shown
    assert f'href="{LIST}2/"' in shown
    assert f'href="{LIST}1/"' in html(client().get(f"{LIST}2/"))


def test_dealt_tables_show_contract_chooser_and_a_way_to_the_replay() -> None:
    round_ = of(8, "dealt")
    for table in tables(round_):
        demo_record.play_out_with_bots(str(table.game_id))
    rounds.close_round(round_, actor=person("fredi"))
    found = load_compared_deal(Round.objects.get(pk=round_.pk), 1)
    assert all(one.contract and one.chooser is not None for one in found)
    shown = html(client().get(f"{LIST}1/"))
    assert shown.count("/replay/") == 2
    names = "|".join(round_.championship.entries.values_list("name", flat=True))
    assert len(re.findall(rf" by ({names})\b", shown)) >= 2


def test_the_round_leads_there_only_where_all_play_the_same_cards() -> None:
    of(8)
    assert LIST in html(client().get("/c/herbstcup/rounds/1/"))


def test_elsewhere_there_is_no_such_page() -> None:
    opened("sheet", people=8)
    assert LIST not in html(client().get("/c/herbstcup/rounds/1/"))
    assert client().get(LIST).status_code == client().get(f"{LIST}1/").status_code == 404


def test_more_tables_take_no_more_queries() -> None:
    few: list[int] = []
    many: list[int] = []
    for people, found in ((8, few), (16, many)):
        round_ = of(people)
        write(round_, *([80 + n, 60] for n in range(people // 4)))
        rounds.close_round(round_, actor=person("fredi"))
        for address in (LIST, f"{LIST}1/"):
            with CaptureQueriesContext(connection) as asked:
                client().get(address.replace("herbstcup", round_.championship.slug))
            found.append(len(asked))
        round_.championship.slug = f"other{people}"
        round_.championship.save()
    assert many <= few


def test_the_spread_draws_each_table_once_and_piles_equal_points_up() -> None:
    round_ = of(12)
    write(round_, [100, 50], [100, 60], [70, 60])
    rounds.close_round(round_, actor=person("fredi"))
    found = load_compared_deal(Round.objects.get(pk=round_.pk), 1)
    [one, other] = draw_spreads(summarise_compared(1, found), found, ["odd chips", "even chips"])
    assert len({(dot.x, dot.y) for dot in one.dots}) == len({(dot.x, dot.y) for dot in other.dots}) == 3
    assert [points for points, _x in one.ticks] == [70, 100]
    assert one.datum == "90"


def test_a_single_table_is_compared_with_nobody() -> None:
    round_ = of(4)
    write(round_, [100, 50])
    rounds.close_round(round_, actor=person("fredi"))
    shown = html(client().get(f"{LIST}1/"))
    assert "<circle" not in shown
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    ("said", "shown"),
    [("1/3", "0.33"), ("-1/20", "−0.05"), ("-1/300", "0"), ("0/1", "0"), ("25/2", "12.5")],
)
def test_differences_are_rounded_to_two_decimals(said: str, shown: str) -> None:
    assert format_figure(Fraction(said)) == shown
