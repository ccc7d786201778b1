"""Two games in one day: a series adds up the members of the teams that its evenings name."""

import pytest
from django.urls import reverse

from tests.frontend.evening import client, html, person
from tests.tournaments.series_evenings import evening
from tournaments.clubs import rolls
from tournaments.models import Championship, ClubSeries
from tournaments.services.championships import championships
from tournaments.services.entries import teams
from tournaments.services.series import editing
from tournaments.services.series.loading import load_series

pytestmark = pytest.mark.django_db
SCHIEBER = {"Anna Ammann": 900, "Beat Bühler": 800, "Chiara Caduff": 700, "Dario Dörig": 600}
COIFFEUR = {"Dario Dörig": 90, "Chiara Caduff": 80, "Beat Bühler": 70, "Anna Ammann": 60}
TEAM_OF = {"Anna Ammann": "Blitz", "Beat Bühler": "Donner", "Chiara Caduff": "Blitz", "Dario Dörig": "Donner"}
PLACE_POINTS = (25, 18, 15, 12)


def day(*, spelt: str = "BLITZ", size: int = 4) -> ClubSeries:
    """Both games of a day; the second one spells a team in another way."""
    fredi = person("fredi")
    found = editing.create_series(rolls.default_club(fredi), name="Tag", preset="two_games", actor=fredi)
    for name, totals in (("Schieber", SCHIEBER), ("Coiffeur", COIFFEUR)):
        rules = {"teams": {"size": size, "best": 1, "apart": "free"}}
        made = evening(fredi, name, totals, changes=rules)
        for entry in made.entries.all():
            team = TEAM_OF[entry.name]
            team = spelt if (name, team) == ("Coiffeur", "Blitz") else team
            teams.join(made, [entry], team, actor=fredi)
        editing.add_event(found, championship=made, actor=fredi)
    return found


def test_the_table_of_teams_is_the_sum_of_the_members_lines() -> None:
    loaded = load_series(day())
    expected: dict[str, int] = {}
    for totals in (SCHIEBER, COIFFEUR):
        for points, name in zip(PLACE_POINTS, totals, strict=True):
            expected[TEAM_OF[name]] = expected.get(TEAM_OF[name], 0) + points
    table = loaded.team_table
    assert table is not None
    found = {loaded.team_names[row.ref].casefold(): row.total for row in (*table.rows, *table.unranked)}
    assert found == {name.casefold(): total for name, total in expected.items()}
    assert len(loaded.table.rows) == 4


def test_the_page_shows_the_table_of_teams_below_that_of_people() -> None:
    made = day()
    shown = html(client().get(reverse("series", args=[made.slug])))
    people, _heading, of_teams = shown.partition('id="team-table"')
    assert "Anna Ammann" in people
    assert "BLITZ" in of_teams
    assert "Donner" in of_teams
    assert "Chiara Caduff" in of_teams
    assert "Teams of up to 4 people" in shown


def test_people_called_by_numbers_have_teams_called_by_numbers() -> None:
    made = day()
    for found in Championship.objects.all():
        championships.edit_championship(found, actor=person("fredi"), public_names="numbers")
    shown = html(client().get(reverse("series", args=[made.slug])))
    assert "BLITZ" not in shown
    assert "Anna Ammann" not in shown
    assert "Team 1" in shown


def test_a_team_that_is_too_large_is_said_and_the_table_of_people_stays() -> None:
    made = day(spelt="Donner", size=4)
    fredi = person("fredi")
    third = evening(
        fredi, "Dritter", dict.fromkeys(("Eva", "Fritz", "Gabi"), 5), changes={"teams": {"size": 4}}
    )
    for entry in third.entries.all():
        teams.join(third, [entry], "Donner", actor=fredi)
    editing.add_event(made, championship=third, actor=fredi)
    shown = html(client().get(reverse("series", args=[made.slug])))
    assert "has more members than" in shown or "more members" in shown
    assert "Anna Ammann" in shown
    assert 'id="team-table"' not in shown
