"""Pages of teams that play against each other: round, ranking, bracket, seats, regulations."""

from typing import Any

import pytest

from frontend.forms.regulations import RegulationsForm
from tests.frontend.evening import championship, client, html, person
from tests.tournaments import table_play
from tournaments.models import Championship, Entry, Round
from tournaments.presets import PRESETS
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import exports

pytestmark = pytest.mark.django_db
ROUND, RANKING = "/c/herbstcup/rounds/1/", "/c/herbstcup/standings/"
NAMES = ("Blitz", "Eichle", "Rose")


def league(**changes: Any) -> Championship:
    """Three teams of four with a reserve each, all of them here."""
    given = {"rounds": 3, "deals": 1, "hand_in": "deals", **changes}
    made = championship(0, preset="team_league", changes=given)
    wanted = [
        entries.NewEntry(f"P{place} {name}", status=Entry.Status.ARRIVED, team=name)
        for place in range(5)
        for name in NAMES
    ]
    entries.add_entries(made, wanted, actor=person("fredi"))
    return made


def play(made: Championship) -> Round:
    round_ = drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [100 + table.number])
    return round_


def test_pages_name_teams_and_their_encounters() -> None:
    made = league()
    round_ = play(made)
    first = round_.tables.get(number=1)
    sides = [seating.entry.team for seating in first.seatings.select_related("entry__team").order_by("seat")]
    assert sides[0] is not None
    assert sides[1] is not None
    met = f"{sides[0].name} – {sides[1].name}"
    [out] = set(NAMES) - {sides[0].name, sides[1].name}
    shown = html(client().get(ROUND))
    assert met in shown.partition('id="encounters"')[2].partition("</section>")[0]
    # 101 + 102 against 56 + 55: a lead of 92 gives 14 of 20
    assert "203&nbsp;:&nbsp;111" in shown
    assert "14&nbsp;:&nbsp;6" in shown
    assert shown.count(f'<p class="encounter">{met}</p>') == 2
    assert f"{out}: " in shown.partition('id="byes"')[2]
    rounds.close_round(round_, actor=person("fredi"))
    ranked = html(client().get(RANKING))
    assert [ranked.index(f">{name}</a>") for name in (sides[0].name, out, sides[1].name)] == sorted(
        ranked.index(f">{name}</a>") for name in NAMES
    )
    lines = list(exports.list_standings_lines(made))
    assert [line[2] for line in lines[1:]] == [sides[0].name, out, sides[1].name]
    seat = first.seatings.select_related("entry").order_by("seat")[0].entry.number
    assert met in html(client().get(f"{ROUND}slip/{seat}/"))
    assert met in html(client().get(f"{ROUND}wall/"))


def test_a_bracket_and_the_teams_page_show_teams() -> None:
    made = league(
        pairing={"system": "knock_out"},
        byes={"points": "average"},
        counting={"what": "sum", "tie_breaks": []},
    )
    gone = made.entries.filter(team__name="Rose")
    for entry in gone[:2]:
        entries.leave(entry, actor=person("fredi"))
    shown = html(client("fredi").get(ROUND))
    assert "Rose (1 missing)" in shown
    entries.arrive(gone.order_by("number")[0], actor=person("fredi"))
    round_ = play(made)
    rounds.close_round(round_, actor=person("fredi"))
    bracket = html(client().get("/c/herbstcup/bracket/"))
    assert all(name in bracket for name in NAMES)
    assert "P0" not in bracket.partition("<main")[2]
    page = html(client().get("/c/herbstcup/teams/"))
    assert "Teams of 4 against each other, at 2 tables side by side" in page


def test_the_form_of_regulations_chooses_teams() -> None:
    held = PRESETS["team_league"]
    form = RegulationsForm(regulations=held)
    shown = {field.html_name: field.value() for _title, fields in form.groups() for field in fields}
    data = {name: value for name, value in shown.items() if value is not None and value is not False}
    same = RegulationsForm(data, regulations=held)
    assert same.is_valid(), same.errors
    assert (same.changed().entrants, same.changed().team_size) == ("teams", 4)
    assert same.changed().pairing == held.pairing
    eight = RegulationsForm({**data, "team_size": "8", "format": "fixed_pairs"}, regulations=held)
    assert eight.is_valid(), eight.errors
    assert (eight.changed().team_size, eight.changed().play.format) == (8, "pairs")
    alone = RegulationsForm({**data, "entrants": "", "system": "drawn"}, regulations=held)
    assert alone.is_valid(), alone.errors
    assert not alone.changed().plays_in_teams
