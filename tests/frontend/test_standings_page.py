"""The ranking: as published, live, on the projector, as a graph and as a file."""

import io
import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from openpyxl import load_workbook

from frontend.presenters.disputes.rulings import PointsChange, compare_points
from frontend.presenters.names.round_partners import load_round_partners
from frontend.presenters.standings.ranking_lines import load_ranked_people, ranked_lines
from tests.frontend.evening import championship, client, first, html, opened, person, table, work
from tests.tournaments.table_play import enter, write_sheet
from tournaments import jobs
from tournaments.models import Championship, Job, Round
from tournaments.services.championships import officials
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import seating_by_hand
from tournaments.services.rounds import rounds
from tournaments.services.scores import exports, ranking_basis
from tournaments.standings import RankingRow, RoundScore, Separation

pytestmark = pytest.mark.django_db
SEATS = ([[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 5, 2, 6], [3, 7, 4, 8]])


def played(closed: int = 1, people: int = 8, count: int | None = None) -> Championship:
    """So many rounds on sheets, closed, of `count`. Round 1: numbers 1 and 3 make 900, 5 and 7 make 700."""
    made = championship(people, count=count or closed)
    for number in range(1, closed + 1):
        round_ = made.rounds.get(number=number)
        seating_by_hand.seat_by_hand(round_, SEATS[number - 1], actor=person("fredi"))
        for one in round_.tables.select_related("round__championship"):
            rounds.set_mode(one, "sheet", actor=person("fredi"))
        rounds.open_round(round_, actor=person("fredi"))
        write_sheet(table(round_, 1), [100] * 7 + [157], {8: 0})
        write_sheet(table(round_, 2), [90] * 7 + [70])
        rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))
    return made


def page(query: str = "", name: str | None = None) -> str:
    return html(client(name).get(reverse("standings", args=["herbstcup"]) + query))


def names(shown: str) -> list[str]:
    return re.findall(r'<th scope="row"><a [^>]*>([^<]+)<', shown)


def test_everybody_is_listed_in_the_order_of_the_points() -> None:
    played()

    shown = page()

    assert "After round 1" in shown
    assert len(names(shown)) == 8
    assert set(names(shown)[:2]) == {"Anna Ammann", "Chiara Caduff"}
    totals = [int(n) for n in re.findall(r'class="num total">(\d+)<', shown)]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == 957


def test_ones_own_line_is_marked() -> None:
    played()

    assert "(you)" in page(name="anna")
    assert "(you)" not in page(name="gabi")


def test_what_italics_mean_is_said_where_there_are_any() -> None:
    made = played(people=9)
    shown = page()
    assert re.findall(r'class="num[^"]* given"', shown)
    assert "In italics: the points for a bye." in shown

    Championship.objects.filter(pk=made.pk).update(slug="alt", status="finished")
    played()
    assert "In italics" not in page()


def test_live_counts_what_is_known_of_the_open_round() -> None:
    round_ = opened("sheet")
    enter(table(round_, 1), 1, 120)

    shown = page()

    assert "The present state" in shown
    assert "120" in shown


def test_an_older_ranking_stays_to_be_read() -> None:
    played(2)

    assert "After round 2" in page()
    old = page("?after=1")
    assert "After round 1" in old
    assert ">R2<" not in old


def test_moves_since_the_last_round_are_shown() -> None:
    played(2)

    assert "▲" in page()


def test_before_any_result_the_page_says_when_there_will_be_one() -> None:
    championship(8)

    assert "No ranking yet" in page()


@pytest.mark.parametrize("query", ["?page=0", "?page=99999999999", "?after=x", "?after=-1", "?page=%FF"])
def test_nonsense_in_the_address_is_no_error(query: str) -> None:
    played()

    assert client().get(reverse("standings", args=["herbstcup"]) + query).status_code == 200


def test_the_projector_turns_its_pages_and_begins_again() -> None:
    made = championship(16)
    round_ = first(made)
    tables = [[4 * t + s for s in (1, 2, 3, 4)] for t in range(4)]
    seating_by_hand.seat_by_hand(round_, tables, actor=person("fredi"))
    for one in round_.tables.select_related("round__championship"):
        rounds.set_mode(one, "sheet", actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    enter(table(round_, 1), 1, 100)
    address = reverse("projector", args=["herbstcup"])

    now = html(client().get(address, {"live": "1"}))
    later = html(client().get(address, {"live": "1", "page": "2"}, headers={"HX-Request": "true"}))

    assert now.count('class="name"') == 10
    assert "page=2" in now
    assert later.count('class="name"') == 6
    assert "page=1" in later
    assert "<html" not in later


def test_the_graph_has_a_line_for_everybody_after_two_rounds() -> None:
    played(2)

    shown = html(client().get(reverse("standings_graph", args=["herbstcup"])))

    assert shown.count("<line x1") == 8
    assert shown.count("<circle") == 16


def test_one_round_makes_no_graph() -> None:
    played(1)

    shown = html(client().get(reverse("standings_graph", args=["herbstcup"])))

    assert "<line x1" not in shown
    assert "No places over several rounds yet" in shown


def test_the_file_is_written_by_a_job_and_opens_in_a_spreadsheet() -> None:
    played()

    client("fredi").post(reverse("standings_export", args=["herbstcup"]))
    job = Job.objects.get(kind="export")
    assert client("fredi").get(reverse("job_file", args=[job.pk])).status_code == 404
    work()
    answer = client("fredi").get(reverse("job_file", args=[job.pk]))

    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert "Anna Ammann" in answer.content.decode()
    assert 'filename="herbstcup-standings.csv"' in answer.headers["Content-Disposition"]
    assert reverse("job_file", args=[job.pk]) in html(client("fredi").get(reverse("job", args=[job.pk])))


def test_results_of_all_tables_are_a_spreadsheet_in_the_language_of_who_asks() -> None:
    played()
    browser = client("fredi")
    asked = {"what": "results", "format": "xlsx"}
    browser.post(reverse("standings_export", args=["herbstcup"]), asked, headers={"accept-language": "de"})
    work()
    answer = browser.get(reverse("job_file", args=[Job.objects.get(kind="export").pk]))

    assert 'filename="herbstcup-results.xlsx"' in answer.headers["Content-Disposition"]
    sheet: Any = load_workbook(io.BytesIO(answer.content)).active
    head, first, *rest = sheet.iter_rows(values_only=True)
    assert head[:5] == ("Passe", "Tisch", "Platz", "Nummer", "Name")
    assert first[:3] == (1, 1, "A")
    assert len(rest) == 7
    assert {type(cell) for cell in first} == {int, str}


@pytest.mark.parametrize("asked", [{"what": "secrets"}, {"format": "exe"}])
def test_a_file_that_there_is_not_is_no_file(asked: dict[str, str]) -> None:
    played()
    client("fredi").post(reverse("standings_export", args=["herbstcup"]), asked)
    work()
    job = Job.objects.get(kind="export")
    assert job.message == "jobs/no_such_file"
    assert client("fredi").get(reverse("job_file", args=[job.pk])).status_code == 404


def test_a_file_of_the_entries_is_for_whoever_could_ask_for_it_now() -> None:
    made = played()
    job = jobs.start_job("export", made, actor=person("hanna"), what="entries")
    work()
    address = reverse("job_file", args=[job.pk])
    assert "paid" in client("hanna").get(address).content.decode()
    assert client("gabi").get(address).status_code == 404, "a referee knows the number of the job"
    officials.dismiss(made, person("hanna"), "desk", actor=person("fredi"))
    assert client("hanna").get(address).status_code == 404, "hanna ordered it while an official"


def test_who_may_not_export_is_told_so() -> None:
    played()

    address = reverse("standings_export", args=["herbstcup"])

    assert "tournaments/not_allowed" in html(client("anna").post(address))
    assert client().post(address).status_code == 302
    assert "Save the file" not in page(name="anna")
    assert address not in page(name="anna")
    assert not Job.objects.exists()


def test_the_sealed_number_is_told_with_the_distance_to_it_once_the_last_round_is_closed() -> None:
    made = championship(8, preset="preisjassen", changes={"rounds": 1, "hand_in": "deals"})
    round_ = made.rounds.get()
    seating_by_hand.seat_by_hand(round_, SEATS[0], actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)
    address = reverse("standings", args=["herbstcup"])
    shown = html(client().get(f"{address}?live=1"))
    assert "stays sealed until the last round is closed" in shown
    assert "off by" not in shown

    rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))

    shown = html(client().get(address))
    sealed = ranking_basis.sealed_number(made, load_regulations(made))
    assert sealed is not None
    assert f"The sealed number: {sealed}" in shown
    for total in (800, 456):
        assert f"off by {abs(total - sealed)}<" in shown


def test_elsewhere_no_number_is_spoken_of() -> None:
    played()

    assert "The sealed number" not in html(client().get(reverse("standings", args=["herbstcup"])))


def test_what_separates_two_does_not_run_into_a_name_nor_break_between_its_figures() -> None:
    separated = Separation(tie_break="table_points", mine=(2,), theirs=(-1,), against=2)
    row = RankingRow(key=1, place=1, shared=False, total=900, sweeps=0, rounds=(), separation=separated)
    made = championship(2)
    (line,) = ranked_lines([row], load_ranked_people(made, [row]), [])

    shown = re.sub(
        r"<[^>]+>", "", render_to_string("parts/standings_row.html", {"line": line, "championship": made})
    )

    assert "Anna Ammann points at the tables 2\u00a0:\u00a0−1 against Beat Bühler" in shown


def test_points_below_zero_have_a_minus_sign_wherever_they_are_compared() -> None:
    separated = Separation(tie_break="table_points", mine=(-1,), theirs=(2,), against=2)
    scored = RoundScore(round=1, points=-1, sweeps=0, counts=True, played=True)
    row = RankingRow(key=1, place=1, shared=False, total=-1, sweeps=0, rounds=(scored,), separation=separated)
    made = championship(2)
    (line,) = ranked_lines([row], load_ranked_people(made, [row]), [1])

    assert (line.sum, [cell.text for cell in line.cells if cell]) == ("−1", ["−1"])
    assert line.reason is not None
    assert "−1\u00a0:\u00a02" in line.reason.short
    assert compare_points([-1, 2], None) == PointsChange("−1 : 2", "–")


def test_where_partners_are_drawn_each_round_a_row_names_those_of_each() -> None:
    played(2)

    row = page().split("Anna Ammann", 1)[1].split("</th>", 1)[0]

    assert re.findall(r'<li value="(\d)">([^<]+)</li>', row) == [("1", "Chiara Caduff"), ("2", "Beat Bühler")]


def test_where_nobody_has_a_partner_of_a_round_none_is_named() -> None:
    made = championship(4, preset="partnerschieber")
    there = list(made.entries.order_by("number"))

    assert load_round_partners(made, {entry.number for entry in there}, [1]) == {}


def test_programs_of_an_office_get_a_file_at_once_by_its_address() -> None:
    played()
    address = reverse("standings_export", args=["herbstcup"])

    told = client("hanna").get(address, {"what": "results", "format": "json"})
    german = client("hanna").get(address, {"format": "csv", "language": "de"})

    assert told.json()["rows"][0]["round"] == 1
    assert told["Content-Disposition"] == 'attachment; filename="herbstcup-results.json"'
    assert german.content.decode("utf-8-sig").startswith("Rang;")
    assert not Job.objects.filter(kind="export").exists()


@pytest.mark.parametrize("asked", [{"what": "cash"}, {"format": "ods"}, {"language": "xx"}])
def test_a_file_that_is_none_is_refused_with_a_code(asked: dict[str, str]) -> None:
    championship(4)
    answer = client("hanna").get(reverse("standings_export", args=["herbstcup"]), asked)
    assert (answer.status_code, answer.json()["code"]) == (404, "jobs/no_such_file")


def test_a_file_that_takes_long_is_left_to_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    championship(4)
    monkeypatch.setattr(exports, "QUICK_ENTRIES", 3)
    answer = client("hanna").get(reverse("standings_export", args=["herbstcup"]))
    assert (answer.status_code, answer.json()["code"]) == (409, "jobs/takes_a_job")
