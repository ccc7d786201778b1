"""A round from the draw to its end by the director's buttons, and the seating for wall and slips."""

import re

import pytest
from django.db.models import Subquery
from django.urls import reverse
from django.utils.html import strip_tags

from engine.commands import EnterResult
from frontend.views.championship_context import PageContext
from games.models import Game
from games.play.submit import submit
from tests.client_responses import Answer
from tests.frontend.evening import (
    championship,
    client,
    drawn,
    first,
    html,
    opened,
    person,
    table,
    work,
)
from tests.tournaments.table_play import enter, write_sheet
from tournaments import jobs
from tournaments.models import Championship, Job, Round
from tournaments.services.draw import drawing
from tournaments.services.entries import pairs
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def act(what: str, number: int = 1, name: str = "fredi", /, **fields: str) -> Answer:
    address = reverse("round_act", args=["herbstcup", number, what])
    return client(name).post(address, fields, follow=True)


def page(number: int = 1, name: str | None = "fredi") -> str:
    return html(client(name).get(reverse("round", args=["herbstcup", number])))


def test_draw_is_a_job_whose_progress_the_page_asks_for() -> None:
    made = championship(8)

    answer = act("draw")

    job = Job.objects.get()
    assert (job.kind, job.state) == ("draw", "queued")
    assert f'hx-get="{reverse("job", args=[job.pk])}?refresh=1"' in html(answer)
    assert "Draw round 1" not in html(answer), "nobody presses twice what is at work"

    work()

    assert first(made).status == Round.Status.DRAWN
    assert page().count('class="seat-letter"') == 8


def test_two_directors_pressing_draw_at_once_make_one_draw() -> None:
    made = championship(8)

    act("draw")
    second = html(act("draw"))
    work()

    assert "jobs/at_work" in second
    assert first(made).draws == 1


def test_a_draw_that_is_not_possible_says_why_on_the_page() -> None:
    championship(3)

    act("draw")
    work()

    shown = page()
    assert "draw/too_few" in shown
    assert "Draw round 1" in shown, "it can be tried again"


def test_the_page_counts_what_the_draw_repeats() -> None:
    drawn(8)

    assert re.search(r"<dt>partners a second time</dt><dd>0</dd>", page())


def test_a_draw_is_undone_until_the_first_result() -> None:
    round_ = opened("sheet")
    enter(table(round_, 1), 1, 100)

    refused = html(act("undo"))

    assert "draw/results_exist" in refused
    round_.refresh_from_db()
    assert round_.status == Round.Status.OPEN


def test_a_draw_is_undone_and_drawn_anew() -> None:
    round_ = drawn(8)

    act("undo", reason="somebody came")

    round_.refresh_from_db()
    assert round_.status == Round.Status.PLANNED
    assert round_.draws == 1


def test_seats_drawn_in_the_hall_are_written_down() -> None:
    made = championship(8)

    act("by-hand", tables="1 2 3 4\n8,7,6,5\n")

    round_ = first(made)
    seats = round_.seatings.order_by("table__number", "seat").values_list("entry__number", flat=True)
    assert list(seats) == [1, 2, 3, 4, 8, 7, 6, 5]


def test_what_is_wrong_is_said_line_by_line_and_all_that_was_typed_stays() -> None:
    made = championship(8)
    typed = "1 2 3 x\n1 2 3 4\n5 6 7\n5 6 7 99\n8 4 5 6"

    answer = act("by-hand", tables=typed)

    assert answer.status_code == 400
    told = html(answer)
    assert typed in told.replace("\r", "")
    for sentence in (
        "Line 1 contains more than numbers.",
        "Line 3 has 3 numbers; a table has 4.",
        "Line 4: number 5 is already in line 3.",
        "Line 4: nobody with the number 99 is here.",
        "Line 5: number 4 is already in line 2.",
    ):
        assert sentence in told
    assert first(made).status == Round.Status.PLANNED


def test_a_draw_by_hand_that_comes_too_late_keeps_what_was_typed() -> None:
    made = championship(8)
    act("by-hand", tables="1 2 3 4\n5 6 7 8")
    answer = act("by-hand", tables="8 7 6 5\n1 2 3 4")
    assert answer.status_code == 400
    assert "8 7 6 5" in html(answer)
    assert "Round 1 is already drawn." in html(answer)
    assert first(made).seatings.get(table__number=1, seat=0).entry.number == 1


def test_the_director_chooses_the_kind_of_each_table() -> None:
    round_ = drawn(8)

    act("modes", **{"table-1": "sheet", "table-2": "transcribed"})

    assert list(round_.tables.order_by("number").values_list("mode", flat=True)) == ["sheet", "transcribed"]

    act("modes", all="dealt")

    assert set(round_.tables.values_list("mode", flat=True)) == {"dealt"}


def test_an_unknown_kind_of_table_is_refused() -> None:
    drawn(8)

    assert "rounds/unknown_mode" in html(act("modes", all="poker"))


def test_opening_makes_a_game_for_every_table() -> None:
    round_ = drawn(8)

    act("open")
    work()

    round_.refresh_from_db()
    assert round_.status == Round.Status.OPEN
    assert Game.objects.count() == 2


def test_closing_says_which_tables_are_missing_and_what() -> None:
    round_ = opened("sheet")
    write_sheet(table(round_, 1), [100] * 8)
    enter(table(round_, 2), 1, 80)

    shown = page()

    assert "1 table is still playing" in shown
    assert "7 deals without a result, to be confirmed: deal 1" in shown


def test_who_plays_against_whom_stands_in_the_order_of_their_totals() -> None:
    where = table(opened("sheet", people=3, preset="bieter", changes={"rounds": 1}), 1)
    names = list(where.seatings.order_by("seat").values_list("entry__name", flat=True))

    def told() -> str:
        return re.sub(r"\s+", " ", strip_tags(page().partition('class="seat-list')[2].partition("<p")[0]))

    before = told()
    assert "0" not in before
    assert before.index(names[0]) < before.index(names[1]) < before.index(names[2])
    entered = EnterResult(deal=1, chooser=2, bid=600, card_points=[100, 57])
    submit(str(where.game_id), entered, actor="d" * 32, command_id="one")
    after = told()
    assert after.index(names[2]) < after.index(names[0]) < after.index(names[1])
    assert after.index("100") < after.index("57")


def test_closing_says_what_a_table_that_lacks_deals_counts_where_the_fewest_points_win() -> None:
    made = opened("sheet", preset="differenzler", changes={"rounds": 1})
    assert "fewer deals would be an advantage" in page()
    assert "missing deals do not" not in page()
    entered = EnterResult(deal=1, card_points=[40, 40, 40, 37], predictions=[40, 30, 50, 37])
    submit(str(table(made, 1).game_id), entered, actor="d" * 32, command_id="one")
    rounds.close_round(made, actor=person("fredi"), force=True, reason="heim")
    closed = page()
    assert "Tables were still playing at the close: 1, 2." in closed
    assert "No reason was given." not in closed
    ranking = html(client().get(reverse("standings", args=["herbstcup"])))
    assert "Crossed out: a table that lacks deals" in ranking
    assert "Crossed out: does not count." not in ranking


def test_a_round_is_closed_by_force_only_when_said_so() -> None:
    round_ = opened("sheet")

    act("close")
    work()
    round_.refresh_from_db()
    assert round_.status == Round.Status.OPEN
    assert "rounds/tables_playing" in page()

    act("close", force="on", reason="power gone")
    work()
    round_.refresh_from_db()
    assert round_.status == Round.Status.CLOSED


def test_a_finished_round_is_closed_with_one_button_and_opened_again() -> None:
    round_ = opened("sheet")
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)
    assert "Every table has finished" in page()

    act("close")
    work()
    assert "Reopen, to continue playing" in page()

    act("reopen", reason="typing error")
    round_.refresh_from_db()
    assert round_.status == Round.Status.OPEN


def test_times_are_set_and_a_wrong_order_is_refused() -> None:
    round_ = drawn(8)

    act("times", opens_at="2030-01-01T19:30", closes_at="2030-01-01T21:00")
    round_.refresh_from_db()
    assert round_.opens_at is not None

    refused = act("times", opens_at="2030-01-01T19:30", closes_at="2030-01-01T19:00")
    assert "A round must close after it opens" in html(refused)


def test_the_wall_lists_everybody_by_name_and_by_table() -> None:
    drawn(8)

    shown = html(client().get(reverse("round_wall", args=["herbstcup", 1])))

    by_name, by_table = shown.split('id="by-table"')
    names = re.findall(r"/slip/\d+/\">([^<]+)<", by_name)
    assert len(names) == 8
    assert names == sorted(names)
    assert by_table.count('class="seat-letter"') == 8


TOGETHER = "The first and the third number of a line play together"
LETTERS = r'class="seat-letter" aria-hidden="true">(\w+)<'


def test_chips_of_partners_are_both_even_or_both_odd_and_stand_together() -> None:
    drawn(8)

    shown = page()

    assert [int(n) for n in re.findall(LETTERS, shown)] == [1, 3, 2, 4, 5, 7, 6, 8]
    sides = re.findall(r"<li><span class=\"seat-letter.*?</li>", shown)
    assert len(sides) == 4
    assert all("+" in side for side in sides)
    wall = html(client().get(reverse("round_wall", args=["herbstcup", 1])))
    assert re.findall(LETTERS, wall) == re.findall(LETTERS, shown)


@pytest.mark.parametrize(("preset", "said"), [("santiago", True), ("differenzler", False)])
def test_who_writes_seats_down_reads_which_numbers_play_together(preset: str, said: bool) -> None:
    championship(8, preset=preset)
    assert (TOGETHER in page()) is said


def test_where_everybody_plays_alone_the_chairs_stand_in_their_order() -> None:
    drawn(8, preset="differenzler")

    shown = page()

    assert 'class="seat-list partners"' not in shown
    assert re.findall(LETTERS, shown) in (list("ABCDABCD"), [str(n) for n in range(1, 9)])


def test_a_slip_names_table_partner_and_opponents() -> None:
    round_ = drawn(8)
    mine = round_.seatings.get(entry__number=1)
    others = round_.seatings.filter(table=mine.table).exclude(pk=mine.pk).select_related("entry")
    partner = next(s.entry.name for s in others if s.seat % 2 == mine.seat % 2)

    shown = html(client().get(reverse("round_slip", args=["herbstcup", 1, 1])))

    assert f"With <strong>{partner}</strong>" in shown


def test_who_has_no_seat_has_no_slip() -> None:
    drawn(8)

    assert client().get(reverse("round_slip", args=["herbstcup", 1, 99])).status_code == 404


def test_somebody_who_sits_out_is_named() -> None:
    drawn(9)

    assert ">Byes<" in page(name=None)


def test_before_the_draw_players_read_that_it_is_to_come() -> None:
    championship(8)

    shown = page(name="anna")

    assert "This round is not drawn yet" in shown
    assert "Draw round 1" not in shown


def test_who_would_draw_before_anybody_is_here_is_sent_to_the_desk() -> None:
    championship(8, status="registered")

    shown = page()

    assert "Draw round 1" not in shown
    assert f'href="{reverse("entries", args=["herbstcup"])}">Check in the people who are here' in shown


def test_a_round_that_is_not_there_is_not_found() -> None:
    championship(8)

    assert client("fredi").get(reverse("round", args=["herbstcup", 9])).status_code == 404
    assert client("fredi").post(reverse("round_act", args=["herbstcup", 1, "burn"])).status_code == 404


def test_all_rounds_stand_in_a_list() -> None:
    championship(8, count=4)
    act("by-hand", tables="1 2 3 4\n5 6 7 8")

    shown = html(client().get(reverse("rounds", args=["herbstcup"])))

    assert shown.count('class="tile"') == 4
    assert "2 tables" in shown


def test_a_job_is_shown_to_who_started_it_and_to_officials_only() -> None:
    championship(8)
    act("draw")
    address = reverse("job", args=[Job.objects.get().pk])

    assert client("gabi").get(address).status_code == 200
    assert client("anna").get(address).status_code == 404
    assert client().get(address).status_code == 404
    assert client("fredi").get(reverse("job", args=["0" * 32])).status_code == 404


def test_a_job_that_is_over_has_the_page_loaded_again() -> None:
    championship(8)
    act("draw")
    address = reverse("job", args=[Job.objects.get().pk])
    htmx = {"HX-Request": "true"}

    assert "HX-Refresh" not in client("fredi").get(address, {"refresh": "1"}, headers=htmx).headers
    work()

    assert client("fredi").get(address, {"refresh": "1"}, headers=htmx).headers["HX-Refresh"] == "true"
    assert "HX-Refresh" not in client("fredi").get(address, headers=htmx).headers


def test_a_page_asked_for_while_the_job_ends_still_comes_to_the_new_status(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker is done between two queries of the page."""
    championship(8)
    real = PageContext.find_round

    def read_and_drawn(page: PageContext, number: int, **more: Subquery) -> Round:
        found = real(page, number, **more)
        work()
        return found

    monkeypatch.setattr(PageContext, "find_round", read_and_drawn)
    jobs.start_job(Job.Kind.DRAW, Round.objects.get(number=1), actor=person("fredi"))
    shown = page()
    assert Round.objects.get(number=1).status == Round.Status.DRAWN
    assert 'hx-trigger="every 1s"' in shown, "or it shows the old status for ever"


def test_finishing_needs_all_rounds() -> None:
    made = championship(8)

    refused = client("fredi").post(reverse("championship_finish", args=["herbstcup"]), follow=True)

    assert "championship/rounds_left" in html(refused)
    made.refresh_from_db()
    assert made.status == Championship.Status.DRAFT


def test_a_call_is_marked_at_its_table() -> None:
    round_ = opened("sheet")
    disputes.raise_dispute(table(round_, 1), actor=person("gabi"), text="komm bitte")

    assert page().count("tile attention") == 1


def test_a_pair_that_sits_out_stands_on_one_line_wherever_it_is_said() -> None:
    made = championship(10, preset="partnerschieber", changes={"rounds": 1})
    people = list(made.entries.order_by("number"))
    pairs.pair_up(made, zip(people[::2], people[1::2], strict=True), actor=person("fredi"))
    round_ = drawing.draw_round(first(made), actor=person("fredi"))
    one, other = (out.entry for out in round_.byes.select_related("entry").order_by("entry__sort_name"))

    def words(name: str, *of: object) -> str:
        return " ".join(strip_tags(html(client().get(reverse(name, args=["herbstcup", *of])))).split())

    listed = f"{one.listed} / {other.listed}"
    for shown, pair in (
        (words("round", 1), f"{one.name} / {other.name}"),
        (words("round_wall", 1), listed),
        (words("seating_projector"), listed),
    ):
        assert pair in shown
        assert shown.count(one.family_name) == 1


def test_nobody_is_asked_for_a_wrong_result_before_there_is_one() -> None:
    round_ = opened("sheet")
    assert "Is a result wrong?" not in page()

    enter(table(round_, 1), 1, 100)

    assert "Is a result wrong?" in page()
