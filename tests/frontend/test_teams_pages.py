"""The pages of teams: who belongs where, their ranking on page, projector, paper and in a file."""

import csv
import io
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from frontend.forms.regulations import RegulationsForm
from frontend.presenters.standings.teams import describe_rules
from frontend.static_export import plan
from frontend.static_export.asking import fetch_as_anonymous
from frontend.views.standings import team_standings
from tests.frontend.evening import PEOPLE, cached_version, championship, client, html, person, work
from tests.tournaments import table_play
from tournaments.models import Championship, Entry, Official, Round
from tournaments.regulations import encode
from tournaments.services.championships import championships, officials
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, entry_link, teams
from tournaments.services.rounds import rounds
from tournaments.standings import TeamCounting

pytestmark = pytest.mark.django_db
TEAMS, RANKING = "/c/herbstcup/teams/", "/c/herbstcup/standings/teams/"
Queries = Callable[[int], AbstractContextManager[Any]]


def evening(people: int = 16, count: int = 4, **rules: Any) -> Championship:
    """An Einzelschieber of one deal a round, with so many teams of four of whom three count."""
    changes = {"rounds": 2, "deals": 1, "hand_in": "deals", "teams": {"size": 4, "best": 3, **rules}}
    made = championship(0, preset="einzelschieber", changes=changes)
    names = [*PEOPLE, *(f"Gast {n:04}" for n in range(len(PEOPLE) + 1, people + 1))][:people]
    wanted = [
        entries.NewEntry(
            name,
            status=Entry.Status.ARRIVED,
            team=f"Team {'ABCDEFGHIJ'[n % count] if count <= 10 else n % count}" if count else "",
            club=f"Club {n % 3}",
        )
        for n, name in enumerate(names)
    ]
    entries.add_entries(made, wanted, actor=person("fredi"))
    return made


def begin(made: Championship, number: int = 1) -> Round:
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [100 + table.number])
    return round_


def play(made: Championship, number: int = 1) -> None:
    rounds.close_round(begin(made, number), actor=person("fredi"))


def act(do: str, **said: Any) -> Any:
    return client("hanna").post(f"{TEAMS}{do}/", said)


def members(made: Championship) -> dict[str, list[int]]:
    return {team.name: [one.number for one in there] for team, there in teams.load_teams(made).items()}


def test_everybody_reads_the_teams_and_only_the_desk_changes_them() -> None:
    made = evening(4, 2)
    shown = html(client().get(TEAMS))
    assert "Teams of 4, the best 3 count, members do not meet" in shown
    assert "Anna Ammann" in shown
    assert "<form" not in shown.partition("<main")[2].partition("</main")[0]
    assert client("eva").post(f"{TEAMS}join/", {"people": "1", "team": "X"}).status_code == 403
    assert client().post(f"{TEAMS}join/", {"people": "1", "team": "X"}).status_code == 302
    assert members(made) == {"Team A": [1, 3], "Team B": [2, 4]}


def test_the_desk_puts_people_together_by_number_or_name() -> None:
    made = evening(5, 0)
    assert act("join", people="1, Bühler Beat\nchiara", team="Blitz").status_code == 302
    assert members(made) == {"Blitz": [1, 2, 3]}
    shown = html(client("hanna").get(TEAMS))
    assert "Without a team" in shown
    assert "Dario Dörig" in shown
    assert act("leave", entry="2").status_code == 302
    assert act("clubs").status_code == 302
    assert members(made) == {"Blitz": [1, 3], "Club 1": [2, 5], "Club 0": [4]}


def test_a_refused_form_keeps_what_was_written_and_says_why() -> None:
    made = evening(5, 0)
    answer = act("join", people="1 2 3", team="")
    assert answer.status_code == 400
    answer = act("join", people="1\n2\n3\n4\n5", team="Voll")
    assert answer.status_code == 400
    assert "Voll would have more than 4 people." in html(answer)
    assert 'value="Voll"' in html(answer)
    assert "1\n2\n3\n4\n5" in html(answer)
    answer = act("join", people="99", team="Voll")
    assert answer.status_code == 400
    assert members(made) == {}


def test_a_misspelt_team_is_renamed_or_put_together() -> None:
    made = evening(4, 2)
    assert act("rename", number="1", name="Blitz").status_code == 302
    answer = act("rename", number="2", name="blitz")
    assert answer.status_code == 400
    assert "There is already a team Blitz" in html(answer)
    assert act("rename", number="2", name="").status_code == 400
    assert act("rename", number="7", name="Donner").status_code == 404
    assert act("merge", number="1", other="Donner").status_code == 400
    assert act("merge", number="1", other="blitz").status_code == 400
    assert act("merge", number="1", other="TEAM B").status_code == 302
    assert members(made) == {"Blitz": [1, 2, 3, 4]}
    assert act("sell", number="1").status_code == 404


def test_a_team_of_somebody_who_has_played_changes_with_a_reason_only() -> None:
    made = evening(16, 4)
    begin(made)
    answer = act("leave", entry="1")
    assert answer.status_code == 400
    assert "Anna Ammann has played: give the reason" in html(answer)
    assert act("leave", entry="1", reason="entered in the wrong team").status_code == 302
    assert 1 not in members(made)["Team A"]


def test_a_team_is_named_beside_an_entry() -> None:
    made = evening(3, 0)
    desk = client("hanna")
    page = html(desk.get("/c/herbstcup/entries/"))
    assert 'name="team"' in page
    said = {"family_name": "Zita Zimmermann", "status": "arrived", "team": "Blitz"}
    assert desk.post("/c/herbstcup/entries/add/", said).status_code == 302
    assert members(made) == {"Blitz": [4]}
    edited = {"family_name": "Zimmermann", "first_name": "Zita", "team": "Donner"}
    assert desk.post("/c/herbstcup/entries/4/", edited).status_code == 302
    assert members(made) == {"Donner": [4]}
    assert 'value="Donner"' in html(desk.get("/c/herbstcup/entries/4/"))
    assert desk.post("/c/herbstcup/entries/4/", {**edited, "team": ""}).status_code == 302
    assert members(made) == {}


def test_whoever_enters_themselves_names_their_team() -> None:
    made = evening(3, 0)
    link = entry_link.set_link(made, on=True, actor=person("fredi"))
    page = reverse("enter_oneself", args=["herbstcup", link])
    assert 'name="team"' in html(client().get(page))
    said = {"family_name": "Zimmermann", "first_name": "Zita", "team": "Blitz"}
    assert client().post(page, said).status_code == 302
    assert members(made) == {"Blitz": [4]}


def test_nothing_asks_for_teams_where_there_are_none() -> None:
    championship(4)
    desk = client("hanna")
    assert 'name="team"' not in html(desk.get("/c/herbstcup/entries/"))
    assert 'name="team"' not in html(desk.get("/c/herbstcup/entries/1/"))
    for page in (TEAMS, RANKING, f"{RANKING}projector/"):
        assert desk.get(page).status_code == 404
    assert desk.post(f"{TEAMS}clubs/").status_code == 404
    assert "team-ranking" not in html(desk.get("/c/herbstcup/prints/"))


def test_the_ranking_shows_who_counts_live_and_as_published() -> None:
    made = evening()
    assert "No ranking of teams yet" in html(client().get(RANKING))
    round_ = begin(made)
    live = html(client().get(f"{RANKING}?live=1"))
    assert live.count("<tr") == 5
    assert 'class="dropped"' in live
    rounds.close_round(round_, actor=person("fredi"))
    shown = html(client().get(RANKING))
    assert "After round 1" in shown
    first = shown.partition("<tbody>")[2].partition("</tr>")[0]
    assert first.count("<li") == 4
    assert first.count('class="dropped"') == 1
    assert 'href="/c/herbstcup/standings/teams/"' in html(client().get("/c/herbstcup/standings/"))
    assert client("eva").get(f"{RANKING}?after=7").status_code == 200


def test_the_part_that_is_asked_for_again_is_not_sent_again() -> None:
    begin(evening())
    asked = {"HX-Request": "true"}
    answer = client().get(f"{RANKING}?live=1", headers=asked)
    assert "<table" in html(answer)
    assert "<html" not in html(answer)
    known = client().get(f"{RANKING}?live=1", headers={**asked, "If-None-Match": answer["ETag"]})
    assert known.status_code == 304


def test_the_projector_shows_ten_teams_at_a_time() -> None:
    made = evening(48, 12, size=4, best=3)
    play(made)
    first = html(client().get(f"{RANKING}projector/"))
    assert first.count('<span class="name') == 10
    assert "1 / 2" in first
    assert html(client().get(f"{RANKING}projector/?page=2")).count('<span class="name') == 2


def test_people_called_by_numbers_have_teams_called_by_numbers() -> None:
    made = evening()
    play(made)
    championships.edit_championship(made, actor=person("fredi"), public_names="numbers")
    for page in (TEAMS, RANKING):
        shown = html(client().get(page))
        assert "Team A" not in shown
        assert "Anna Ammann" not in shown
        assert "Team 1" in shown
        assert "Team A" in html(client("hanna").get(page))


@pytest.mark.parametrize("form", ["csv", "xlsx", "json"])
def test_the_ranking_is_written_as_a_file(form: str) -> None:
    play(evening())
    answer = client("hanna").get(f"/c/herbstcup/standings/export/?what=teams&format={form}&language=en")
    assert answer.status_code == 200
    if form == "csv":
        lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
        assert len(lines) == 16
        best = [line for line in lines if line["place"] == "1" and line["counts"] == "yes"]
        assert sum(int(line["total"]) for line in best if line["team"] == best[0]["team"]) == int(
            best[0]["total of the team"]
        )


def test_a_static_copy_has_every_page_of_the_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_standings, "PAGE", 3)
    monkeypatch.setattr(plan, "RANKED_TEAMS", 3)
    made = evening()
    play(made)

    planned = plan.build_copy_plan(made)

    found = [page for page in planned.pages if "team-ranking" in page.file]
    assert [page.file for page in found] == ["pages/team-ranking.html", "pages/team-ranking-2.html"]
    shown = [fetch_as_anonymous(page.address) for page in found]
    assert sorted(re.findall(r"Team [A-D]", "".join(shown))) == ["Team A", "Team B", "Team C", "Team D"]
    [onward] = re.findall(r'href="([^"]*page=2[^"]*)"', shown[0])
    assert planned.leads(found[0].file, found[0].address, unescape(onward)) == "team-ranking-2.html"
    assert planned.leads("pages/ranking-1.html", RANKING, RANKING) == "team-ranking.html"


def test_the_exported_people_have_their_teams_and_are_read_again() -> None:
    evening(4, 2)
    answer = client("hanna").get("/c/herbstcup/standings/export/?what=entries&format=csv&language=en")
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
    assert [line["team"] for line in lines] == ["Team A", "Team B", "Team A", "Team B"]


@pytest.mark.slow
def test_the_ranking_is_printed_with_the_seal() -> None:
    play(evening())
    answer = client().get("/c/herbstcup/prints/team-ranking.pdf?language=en")
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")
    assert "team-ranking" in html(client().get("/c/herbstcup/prints/"))


def test_a_short_team_is_named_before_the_first_draw() -> None:
    made = evening(15, 4)  # the last team has three
    entries.leave(made.entries.get(number=15), actor=person("fredi"))
    teams.join(made, [made.entries.get(number=11)], "", actor=person("fredi"))
    director = client("fredi")
    page = "/c/herbstcup/rounds/1/"
    assert "Team C" in html(director.get(page)).partition("would have no place:")[2].partition("</div>")[0]
    director.post(f"{page}do/draw/", {})
    work()
    assert "these teams would have no place" in html(director.get(page))
    assert made.rounds.get(number=1).status == Round.Status.PLANNED
    director.post(f"{page}do/draw/", {"short_teams": "1"})
    work()
    assert made.rounds.get(number=1).status == Round.Status.DRAWN


def test_the_round_page_says_which_members_meet_all_the_same() -> None:
    made = evening(8, 2)
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))
    shown = html(client("fredi").get("/c/herbstcup/rounds/1/"))
    assert "sit together at table" in shown
    assert shown.count("sit together at table") <= 20


def test_the_regulations_tell_and_take_the_rules_of_teams() -> None:
    made = evening(0, 0, size=8, best=6, apart="never_partner", short="ranked")
    held = load_regulations(made)
    said = describe_rules(held.teams)  # type: ignore[arg-type]  # this one has teams
    assert said == (
        "teams of 8, the best 6 count, members are not partners, with fewer members the present ones count"
    )
    assert said in html(client().get("/c/herbstcup/regulations/document/"))
    form = RegulationsForm(regulations=held)
    data = {field.html_name: field.value() for _title, fields in form.groups() for field in fields}
    sent = {name: value for name, value in data.items() if value is not None and value is not False}
    again = RegulationsForm(sent, regulations=held)
    assert again.is_valid(), again.errors
    assert again.changed().teams == held.teams
    without = RegulationsForm({**sent, "teams_size": ""}, regulations=held)
    assert without.is_valid()
    assert "teams" not in rules_text(without)
    all_of_them = RegulationsForm({**sent, "teams_best": ""}, regulations=held)
    assert all_of_them.is_valid()
    assert all_of_them.changed().teams == TeamCounting(size=8, best=8, apart="never_partner", short="ranked")


def rules_text(form: RegulationsForm) -> dict[str, Any]:
    return encode(form.changed())


def test_more_members_than_there_are_cannot_count_and_the_field_says_so() -> None:
    made = evening(0, 0)
    page = "/c/herbstcup/regulations/"
    form = RegulationsForm(regulations=load_regulations(made))
    data = {field.html_name: field.value() for _title, fields in form.groups() for field in fields}
    sent = {name: value for name, value in data.items() if value is not None and value is not False}
    answer = client("fredi").post(page, {**sent, "teams_size": "3", "teams_best": "5"})
    assert answer.status_code == 400
    assert "The best 5 of a team of 3 cannot count." in html(answer)


@pytest.mark.parametrize(("page", "most"), [(TEAMS, 16), (RANKING, 16), (f"{RANKING}?live=1", 22)])
def test_the_pages_cost_as_much_with_many_teams(
    page: str, most: int, django_assert_max_num_queries: Queries
) -> None:
    play(evening(40, 10))
    desk = client("hanna")
    with cached_version(), django_assert_max_num_queries(most):
        desk.get(page)


def test_the_desk_alone_is_shown_the_reason_field() -> None:
    made = evening(4, 2)
    officials.appoint(made, person("eva"), Official.Role.REFEREE, actor=person("fredi"))
    assert 'name="reason"' in html(client("hanna").get(TEAMS))
    assert 'name="reason"' not in html(client("eva").get(TEAMS))
