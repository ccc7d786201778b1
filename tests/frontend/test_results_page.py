"""The desk's grid of results: a line a table, saved one by one, two desks at once, wrong totals."""

import json
import re
from typing import Any
from zlib import crc32

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.audit import audit
from engine.commands import ConfirmResult, EnterResult
from engine.events import ResultEntered
from games import game_state
from games.models import DealResult, Game
from games.play.submit import submit
from tests.frontend.evening import client, first, html, opened, person
from tournaments.models import Championship, Round, Table
from tournaments.presets import PRESETS
from tournaments.services.draw import draw_undoing, drawing, seat_exchanges
from tournaments.services.referee import disputes, rulings
from tournaments.services.rounds import breaking_off, rounds
from tournaments.services.scores import desk_results, ranking_basis

pytestmark = pytest.mark.django_db
TOTALS = {"rounds": 1, "hand_in": "totals"}


def held(people: int = 8, **changes: Any) -> Round:
    return opened("sheet", people=people, changes={**TOTALS, **changes})


def head(table: int = 1) -> int:
    return Game.objects.get(tournament_table__number=table).head_seq


def people(table: int = 1) -> str:
    """Who sits there, as a line says it; of no table none."""
    return "".join(row.people for row in desk_results.desk_rows(Round.objects.get(number=1), table))


def post(table: int = 1, name: str = "hanna", /, **line: Any) -> Any:
    body = {
        "id": f"t{table}:{crc32(str(line).encode())}",
        "people": line.get("people") or people(table),
        "seen": line.get("seen") or head(table),
        "scores": [712, 544],
        "signed": True,
        **line,
    }
    address = reverse("round_result", args=["herbstcup", 1, table])
    return client(name).post(address, json.dumps(body), content_type="application/json")


def test_one_line_a_table_is_the_result_of_the_round() -> None:
    held()
    page = html(client("hanna").get(reverse("round_results", args=["herbstcup", 1])))
    assert page.count("data-row=") == 2
    assert reverse("round_results", args=["herbstcup", 1]) in html(
        client("hanna").get(reverse("round", args=["herbstcup", 1]))
    )
    row = post(1, scores=[812, 564], sweeps=[1, 0], stoecks=[0, 1]).json()["row"]
    assert (row["status"], row["scores"], row["sweeps"]) == ("ended", [812, 564], [1, 0])
    kept = DealResult.objects.get()
    assert (kept.by_desk, kept.witness, kept.confirmed) == (True, "paper", True)
    log = game_state.load_snapshot(kept.game_id).events
    assert audit(log) is None
    post(2)
    rounds.close_round(first(Championship.objects.get()), actor=person("fredi"))
    best = ranking_basis.live_ranking(Championship.objects.get())[0]
    assert (best.total, best.sweeps) == (812, 1)


def test_the_next_step_and_every_row_lead_to_the_line_of_the_table() -> None:
    held()
    grid = reverse("round_results", args=["herbstcup", 1])
    overview = html(client("fredi").get(reverse("championship", args=["herbstcup"])))
    assert f'class="button" href="{grid}"' in overview
    for page in ("round", "board"):
        address = reverse(page, args=["herbstcup", 1] if page == "round" else ["herbstcup"])
        shown = html(client("fredi").get(address))
        assert f'href="{grid}#table-1"' in shown
        assert f'href="{grid}#table-2"' in shown
    assert 'id="table-2"' in html(client("fredi").get(grid))
    looks_on = html(client("eva").get(reverse("round", args=["herbstcup", 1])))
    assert grid not in looks_on


def test_one_line_is_missing_where_totals_are_handed_in() -> None:
    held()
    page = reverse("round", args=["herbstcup", 1])
    shown = html(client("fredi").get(page))
    assert shown.count("the totals are missing") == 2
    assert "without a result" not in shown
    post(1)
    shown = html(client("fredi").get(page))
    assert shown.count("the totals are missing") == 1
    board = html(client("fredi").get(reverse("board", args=["herbstcup"])))
    assert "without a result" not in board


def test_the_first_preset_takes_one_number_a_table() -> None:
    opened("sheet", people=20, preset=next(iter(PRESETS)))
    page = html(client("hanna").get(reverse("round_results", args=["herbstcup", 1])))
    assert page.count("data-row=") == 5
    assert page.count("<input") - page.count('type="hidden"') == 2 * 5 + 3, "two a table, and the bar"
    assert post(1, scores=[700, 556]).json()["row"]["status"] == "ended"


def test_the_desk_confirms_nothing_where_only_the_other_side_does() -> None:
    held(confirmation="other_side")
    row = post().json()["row"]
    assert (row["status"], row["confirmed"], row["by_desk"]) == ("running", False, True)


def test_the_same_numbers_typed_twice_confirm_and_others_do_not() -> None:
    held(confirmation="second_typing")
    post()
    other = post(1, scores=[721, 535])
    assert (other.status_code, other.json()["code"]) == (400, "sheet/typed_otherwise")
    assert post(1, id="again").json()["row"]["status"] == "ended"
    assert DealResult.objects.get().witness == "second_typing"


def test_a_total_that_cannot_be_is_refused_with_what_would_explain_it() -> None:
    held()
    refused = post(1, scores=[721, 544])
    told = refused.json()
    assert (refused.status_code, told["code"]) == (400, "sheet/wrong_total")
    assert (told["params"]["difference"], told["params"]["likely"]) == (9, [[0, 721, 712]])
    assert not DealResult.objects.exists()


def test_a_wrong_sum_is_shared_as_the_regulations_say_and_recorded_as_that() -> None:
    held(wrong_sum="split")
    wrong = [712, 554]
    assert post(1, scores=wrong).json()["shares"] == [{"scores": [707, 549], "scorer": None}]
    told = post(1, scores=wrong, share=True).json()
    assert "code" not in told, told
    row = told["row"]
    assert (row["status"], row["scores"]) == ("ended", [707, 549])
    log = game_state.load_snapshot(DealResult.objects.get().game_id).events
    [entered] = [event for event in log if isinstance(event, ResultEntered)]
    assert entered.reason == "On the slip: 712 : 554. The sides share the difference."
    assert audit(log) is None


def test_who_wrote_the_slip_carries_the_difference_where_the_regulations_say_so() -> None:
    held(wrong_sum="scorer")
    wrong = {"scores": [812, 574], "sweeps": [1, 0], "stoecks": [0, 1]}
    shares = post(1, **wrong).json()["shares"]
    assert shares == [{"scores": [802, 574], "scorer": 0}, {"scores": [812, 564], "scorer": 1}]
    row = post(1, **wrong, share=True, scorer=1).json()["row"]
    assert (row["scores"], row["sweeps"]) == ([812, 564], [1, 0])


@pytest.mark.parametrize(
    ("policy", "line"),
    [
        ("refuse", {"scores": [712, 554]}),
        ("split", {"scores": [712, 544]}),
        ("split", {"scores": [712]}),
        ("split", {"scores": [5000, 0]}),
        ("split", {"scores": [712, 554], "signed": False}),
        ("scorer", {"scores": [712, 554]}),
        ("scorer", {"scores": [712, 554], "scorer": 7}),
    ],
)
def test_nothing_is_shared_where_the_regulations_or_the_figures_do_not_let_it(
    policy: str, line: dict[str, Any]
) -> None:
    held(wrong_sum=policy)
    answer = post(1, **line, share=True).json()
    assert answer["code"] == "results/nothing_to_share"
    assert not DealResult.objects.exists()


def test_two_desks_at_once_the_second_is_refused_and_sees_the_others_numbers() -> None:
    held(confirmation="other_side")
    before = head()
    post()
    refused = post(1, "fredi", seen=before, scores=[700, 556])
    told = refused.json()
    assert (refused.status_code, told["code"]) == (409, "results/changed_since")
    assert told["row"]["scores"] == [712, 544]


def test_a_finished_line_leads_to_its_correction_for_who_may_correct() -> None:
    held()
    post(1)
    address = reverse("correct_of", args=["herbstcup", 1])
    grid = html(client("fredi").get(reverse("round_results", args=["herbstcup", 1])))
    links = re.findall(rf'<a data-correct href="{address}\?table=(\d)"[^>]*?( hidden)?>', grid)
    assert links == [("1", ""), ("2", " hidden")], "an open line has none until it is finished"
    answer = client("fredi").get(f"{address}?table=1", follow=True)
    assert 'id="correction-form"' in html(answer)


@pytest.mark.parametrize("how", ["drawn_again", "chairs_exchanged"])
def test_a_line_that_names_other_people_than_now_sit_there_is_refused(how: str) -> None:
    round_ = held()
    shown, seen = people(), head()
    fredi = person("fredi")
    if how == "drawn_again":
        draw_undoing.undo_draw(round_, reason="wrong", actor=fredi)
        drawing.draw_round(round_, actor=fredi)
        for table in round_.tables.all():
            rounds.set_mode(table, "sheet", actor=fredi)
        rounds.open_round(round_, actor=fredi)
    else:
        one, other = (round_.tables.get(number=number).seatings.get(seat=0).entry for number in (1, 2))
        seat_exchanges.exchange_seats(round_, one.number, other.number, actor=fredi)
    refused = post(1, people=shown, seen=seen)
    assert (refused.status_code, refused.json()["code"]) == (409, "results/other_people")
    assert not DealResult.objects.exists()
    assert post(1).json()["row"]["status"] == "ended"


def test_the_same_line_sent_twice_is_stored_once() -> None:
    held()
    seen = head()
    assert post(1, id="once", seen=seen).json() == post(1, id="once", seen=seen).json()
    assert DealResult.objects.count() == 1


def test_an_id_that_is_too_long_to_be_kept_is_refused() -> None:
    held()
    assert post(1, id="x" * 51).json()["code"] == "results/unreadable"
    assert post(1, id="x" * 50).json()["row"]["status"] == "ended"


def test_a_sheet_of_a_table_that_was_broken_off_is_refused() -> None:
    round_ = held()
    breaking_off.break_off(round_.tables.get(number=1), actor=person("fredi"), reason="late")
    assert Game.objects.get(tournament_table__number=1).status == "closed"
    refused = post()
    assert (refused.status_code, refused.json()["code"]) == (409, "results/broken_off")


def test_a_closed_round_takes_no_line() -> None:
    round_ = held()
    post(1)
    post(2)
    rounds.close_round(round_, actor=person("fredi"))
    assert post(1).json()["code"] == "results/round_not_open"


@pytest.mark.parametrize("name", ["gabi", "anna", "eva"])
def test_only_desk_and_director_type_results(name: str) -> None:
    held()
    page = client(name).get(reverse("round_results", args=["herbstcup", 1]))
    line = client(name).post(
        reverse("round_result", args=["herbstcup", 1, 1]), "{}", content_type="application/json"
    )
    assert (page.status_code, line.status_code) == (403, 403)
    assert not DealResult.objects.exists()


def test_what_is_no_line_is_refused() -> None:
    held()
    address = reverse("round_result", args=["herbstcup", 1, 1])
    answer = client("hanna").post(address, '{"id": 1}', content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "results/unreadable")
    assert post(9, seen=1).json()["code"] == "results/no_table"


def test_a_hundred_tables_ask_no_more_than_twenty_times() -> None:
    round_ = held(people=40)
    assert len(desk_results.desk_rows(round_)) == 10
    viewer = client("hanna")
    address = reverse("round_results", args=["herbstcup", 1])
    viewer.get(address)
    with CaptureQueriesContext(connection) as asked:
        viewer.get(address)
    assert len(asked) <= 20


def by_deals(preset: str) -> Round:
    return opened("sheet", preset=preset, changes={"rounds": 1, "hand_in": "deals"})


def write_deals(table: int, *deals: int) -> None:
    """Deals of Differenzler, each signed on paper."""
    game = Game.objects.get(tournament_table__number=table).pk
    for deal in deals:
        entered = EnterResult(deal=deal, card_points=[40, 40, 40, 37], predictions=[40, 30, 50, 37])
        submit(game, entered, actor="d" * 32, command_id=f"{table}:{deal}")
        submit(game, ConfirmResult(deal=deal, by="paper"), actor="d" * 32, command_id=f"{table}:{deal}:paper")


@pytest.mark.parametrize(("preset", "deals"), [("differenzler", 4), ("coiffeur", 20)])
def test_a_row_says_how_many_deals_of_all_are_written(preset: str, deals: int) -> None:
    by_deals(preset)
    page = html(client("hanna").get(reverse("round_results", args=["herbstcup", 1])))
    assert page.count(f"Sheet: deals 0 of {deals}") == 2
    if preset == "differenzler":
        write_deals(1, 1, 2, 3)
        page = html(client("hanna").get(reverse("round_results", args=["herbstcup", 1])))
        assert "Sheet: deals 3 of 4" in page
        assert ", to be confirmed" not in page, "all that is written is signed"


def test_a_deal_that_was_annulled_is_still_to_be_written() -> None:
    by_deals("differenzler")
    write_deals(1, 1, 2, 3)
    where = Table.objects.get(number=1)
    call = disputes.raise_dispute(where, actor=person("gabi"), deal=2)
    rulings.rule(call, actor=person("gabi"), ruling={"kind": "annul_deal", "deal": 2}, answer="vergeben")
    write_deals(1, 4)
    [row] = desk_results.desk_rows(where.round, 1)
    assert (row.deals, row.of_deals, row.lacks_deals, row.confirmed) == (3, 4, True, True)
    write_deals(1, 5)
    [row] = desk_results.desk_rows(where.round, 1)
    assert (row.deals, row.of_deals, row.lacks_deals) == (4, 4, False)


def test_the_first_sheet_that_lacks_a_deal_has_the_focus() -> None:
    by_deals("differenzler")
    grid = reverse("round_results", args=["herbstcup", 1])
    sheets = {n: reverse("table_sheet", args=[game_at(n)]) for n in (1, 2)}
    assert f'href="{sheets[1]}" autofocus' in html(client("hanna").get(grid))
    write_deals(1, 1, 2, 3, 4)
    assert f'href="{sheets[2]}" autofocus' in html(client("hanna").get(grid))


def test_the_sheet_of_the_desk_leads_to_the_next_that_lacks_a_deal_and_to_the_grid() -> None:
    round_ = by_deals("differenzler")
    grid = reverse("round_results", args=["herbstcup", 1])
    sheets = {n: reverse("table_sheet", args=[game_at(n)]) for n in (1, 2)}
    page = html(client("hanna").get(sheets[2]))
    assert f'href="{grid}#table-2"' in page
    assert "Continue to table 1" in page, "from the last table on to the first"
    write_deals(1, 1, 2, 3, 4)
    page = html(client("hanna").get(sheets[2]))
    assert "Continue to table" not in page
    assert "No other table lacks a deal." in page
    nobody = html(client("eva").get(sheets[2]))
    assert grid not in nobody
    assert "data-signed" not in nobody
    write_deals(2, 1, 2, 3, 4)
    rounds.close_round(round_, actor=person("fredi"))
    assert grid not in html(client("hanna").get(sheets[2])), "the round is over"


def game_at(table: int) -> str:
    return str(Game.objects.get(tournament_table__number=table).pk)


@pytest.mark.usefixtures("template_contexts")
def test_at_differenzler_the_desk_types_one_total_a_person() -> None:
    round_ = opened("sheet", people=8, preset="differenzler", changes={"rounds": 1, "hand_in": "totals"})
    where = reverse("round_results", args=["herbstcup", 1])
    page = client("hanna").get(where)
    assert html(page).count("data-points") == 8
    assert page.context["page_data"]["bounds"] == [0, 628]
    assert "Type each person" in html(page)
    told = post(scores=[12, 60, 0, None]).json()
    assert told["code"] == "sheet/both_sides"
    told = post(scores=[12, 60, 0, 629]).json()
    assert told["code"] == "sheet/out_of_bounds"
    assert told["shares"] == []
    row = post(scores=[12, 60, 0, 47]).json()["row"]
    assert (row["status"], row["scores"]) == ("ended", [12, 60, 0, 47])
    regulations = html(client("fredi").get(reverse("regulations", args=["herbstcup"])))
    assert "the totals" in regulations.lower()
    assert round_.status == "open"
