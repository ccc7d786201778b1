"""Teams: people join and leave them, members are drawn apart, and their ranking is published."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from games import store
from games.models import User
from tests.tournaments import table_play
from tournaments.errors import NotAllowed, TournamentError
from tournaments.models import Championship, Entry, Round, Team
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, importing, pairs, teams
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking, ranking_basis

pytestmark = pytest.mark.django_db
Evening = Callable[..., Championship]
RULES = {"size": 4, "best": 3}


@pytest.fixture
def evening(fredi: User) -> Evening:
    """An Einzelschieber with teams of four of whom three count; so many people here, teams in turn."""

    def make(
        people: int, count: int, rules: dict[str, Any] | None = None, preset: str = "einzelschieber"
    ) -> Championship:
        changes = {"rounds": 3, "deals": 1, "hand_in": "deals", "teams": rules or RULES}
        made = championships.create(actor=fredi, name="Teams", preset=preset, changes=changes)
        wanted = [
            entries.NewEntry(
                f"Person {n}",
                status=Entry.Status.ARRIVED,
                team=f"Team {n % count}" if count else "",
                club=f"Club {n % 3}",
            )
            for n in range(people)
        ]
        entries.add_entries(made, wanted, actor=fredi)
        return made

    return make


def person(made: Championship, number: int) -> Entry:
    return made.entries.select_related("team").get(number=number)


def play(made: Championship, number: int, fredi: User) -> Round:
    """A round drawn, opened, written and closed: table t gives its first side 100 + t."""
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=fredi)
    rounds.open_round(round_, actor=fredi)
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [100 + table.number])
    return rounds.close_round(round_, actor=fredi)


def differences(made: Championship) -> list[str]:
    made.refresh_from_db()
    return list(row_audit.find_championship_differences(made, store.read(made.stream_id)))


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(TournamentError) as error:
        act()
    return error.value.code


def meetings(round_: Round) -> list[tuple[int, int]]:
    """The teams of each two people at one table."""
    found = []
    for table in round_.tables.all():
        found += list(combinations(table.seatings.values_list("entry__team", flat=True), 2))
    return found


def test_people_join_the_team_that_their_entry_names_however_it_is_spelt(
    evening: Evening, fredi: User
) -> None:
    made = evening(4, 2)
    entries.add_entry(made, actor=fredi, name="Zita", team="  team  0 ")
    assert {team.name: len(people) for team, people in teams.load_teams(made).items()} == {
        "Team 0": 3,
        "Team 1": 2,
    }
    assert differences(made) == []


def test_members_of_a_team_neither_meet_nor_play_together(evening: Evening, fredi: User) -> None:
    made = evening(16, 4)
    for number in (1, 2, 3):
        assert all(one != other for one, other in meetings(play(made, number, fredi)))


def test_members_meet_but_are_no_partners_where_the_regulations_say_so(evening: Evening, fredi: User) -> None:
    made = evening(8, 1, {"size": 8, "best": 3, "apart": "never_partner"})
    entries.add_entries(
        made,
        [entries.NewEntry(f"Gast {n}", status=Entry.Status.ARRIVED) for n in range(8)],
        actor=fredi,
    )
    for table in play(made, 1, fredi).tables.all():
        seats = list(table.seatings.order_by("seat").values_list("entry__team", flat=True))
        for one, other in ((0, 2), (1, 3)):
            assert seats[one] is None or seats[one] != seats[other]


def test_a_swiss_round_keeps_members_apart_too(evening: Evening, fredi: User) -> None:
    made = evening(16, 4, preset="einzelschieber")
    made = championships.create(
        actor=fredi,
        name="Swiss",
        preset="einzelschieber",
        changes={
            "rounds": 2,
            "deals": 1,
            "hand_in": "deals",
            "teams": RULES,
            "pairing": {"system": "swiss", "options": {}},
        },
    )
    wanted = [
        entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED, team=f"Team {n % 4}") for n in range(16)
    ]
    entries.add_entries(made, wanted, actor=fredi)
    for number in (1, 2):
        assert all(one != other for one, other in meetings(play(made, number, fredi)))


def test_the_ranking_of_teams_is_published_and_equals_a_naive_recount(evening: Evening, fredi: User) -> None:
    made = evening(16, 4)
    for number in (1, 2, 3):
        play(made, number, fredi)
    snapshot = published_ranking.load_latest_snapshot(made)
    assert snapshot is not None
    totals = {row.key: row.total for row in published_ranking.decode_rows(snapshot)}
    sums = []
    for team in made.teams.all():
        numbers = team.members.values_list("number", flat=True)
        sums.append((sum(sorted((totals[n] for n in numbers), reverse=True)[:3]), team.number))
    rows = published_ranking.decode_teams(snapshot)
    assert rows is not None
    assert sorted((row.total, row.key) for row in rows) == sorted(sums)
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    assert rows[0].place == 1
    published = [e for e in store.read(made.stream_id) if e.type == "standings_published"]
    assert [event.body["teams_digest"] for event in published][-1] == published_ranking.digest_rows(
        snapshot.teams
    )
    assert ranking_basis.live_teams(made) == rows
    assert differences(made) == []


def test_a_championship_without_teams_publishes_what_it_always_did(fredi: User, evening: Evening) -> None:
    made = championships.create(actor=fredi, name="Alone", preset="einzelschieber", changes={"deals": 1})
    assert refused(lambda: entries.add_entry(made, actor=fredi, name="Zita", team="Team")) == "teams/none"
    assert not made.entries.exists()
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(4)]
    entries.add_entries(made, wanted, actor=fredi)
    snapshot = published_ranking.publish(made, reason="asked_for")
    [event] = [e for e in store.read(made.stream_id) if e.type == "standings_published"]
    assert snapshot.teams is None
    assert "teams_digest" not in event.body
    assert "teams" not in regulations_text(made)


def regulations_text(made: Championship) -> dict[str, Any]:
    data: dict[str, Any] = made.regulations.get().data
    return data


def test_a_short_team_holds_the_first_draw_until_somebody_says_all_the_same(
    evening: Evening, fredi: User
) -> None:
    made = evening(11, 3)  # teams of 4, 4 and 3
    entries.leave(person(made, 3), actor=fredi)
    assert [(one.team.name, one.missing) for one in teams.list_short(made)] == [("Team 2", 1)]
    first = made.rounds.get(number=1)
    assert refused(lambda: drawing.draw_round(first, actor=fredi)) == "teams/short"
    first.refresh_from_db()
    assert first.status == Round.Status.PLANNED
    drawing.draw_round(first, actor=fredi, short_teams=True)


def test_a_short_team_is_ranked_with_whom_it_has_where_the_regulations_say_so(
    evening: Evening, fredi: User
) -> None:
    made = evening(8, 0, {"size": 4, "best": 3, "short": "ranked"})
    teams.join(made, [person(made, 1), person(made, 2)], "Zwei", actor=fredi)
    play(made, 1, fredi)
    [row] = ranking_basis.live_teams(made) or []
    assert row.place == 1
    assert len(row.members) == 2


def test_a_short_team_has_no_place_otherwise(evening: Evening, fredi: User) -> None:
    made = evening(8, 0)
    teams.join(made, [person(made, 1), person(made, 2)], "Zwei", actor=fredi)
    drawing.draw_round(made.rounds.get(number=1), actor=fredi, short_teams=True)
    rounds.open_round(made.rounds.get(number=1), actor=fredi)
    [row] = ranking_basis.live_teams(made) or []
    assert row.place is None


def test_a_team_does_not_take_more_people_than_it_may_have(evening: Evening, fredi: User) -> None:
    made = evening(6, 0)
    people = list(made.entries.all())
    assert refused(lambda: teams.join(made, people[:5], "Voll", actor=fredi)) == "teams/full"
    assert not made.teams.exists()
    teams.join(made, people[:4], "Voll", actor=fredi)
    assert refused(lambda: teams.join(made, people[4:5], "Voll", actor=fredi)) == "teams/full"
    entries.withdraw_entry(people[0], actor=fredi)
    teams.join(made, people[4:5], "Voll", actor=fredi)
    assert differences(made) == []


def test_whoever_has_played_changes_teams_only_with_a_reason(evening: Evening, fredi: User) -> None:
    made = evening(8, 4)
    play(made, 1, fredi) if not teams.list_short(made) else drawing.draw_round(
        made.rounds.get(number=1), actor=fredi, short_teams=True
    )
    if made.rounds.get(number=1).status == Round.Status.DRAWN:
        rounds.open_round(made.rounds.get(number=1), actor=fredi)
    one = person(made, 1)
    assert refused(lambda: teams.join(made, [one], "Andere", actor=fredi)) == "teams/played"
    assert refused(lambda: teams.join(made, [one], "", actor=fredi)) == "teams/played"
    teams.join(made, [one], "Andere", actor=fredi, reason="entered wronglyly")
    joined = [event.body for event in store.read(made.stream_id) if event.type == "team_joined"]
    assert joined[-1]["reason"] == "entered wronglyly"
    assert all("reason" not in body for body in joined[:-1])
    assert differences(made) == []


def test_a_misspelt_team_is_renamed_or_put_together_with_the_other(evening: Evening, fredi: User) -> None:
    made = evening(4, 2)
    one, other = made.teams.order_by("number")
    teams.rename(other, "Teem 0", actor=fredi)
    assert refused(lambda: teams.rename(other, "TEAM 0", actor=fredi)) == "teams/name_taken"
    assert refused(lambda: teams.rename(other, "  ", actor=fredi)) == "names/missing"
    teams.merge(one, other, actor=fredi)
    assert [team.name for team in made.teams.all()] == ["Team 0"]
    assert one.members.count() == 4
    assert differences(made) == []


def test_teams_are_formed_from_the_clubs_of_who_has_none(evening: Evening, fredi: User) -> None:
    made = evening(6, 0)
    teams.join(made, [person(made, 1)], "Own", actor=fredi)
    assert teams.form_from_clubs(made, actor=fredi) == 5
    assert sorted(team.name for team in made.teams.all()) == ["Club 0", "Club 1", "Club 2", "Own"]


def test_partners_of_different_clubs_join_the_team_of_the_first(fredi: User) -> None:
    changes = {"teams": {"size": 2, "best": 2}}
    made = championships.create(actor=fredi, name="Pairs", preset="partnerschieber", changes=changes)
    clubs = ["Bär", "Egg", "Egg", "", "", "bär"]
    wanted = [entries.NewEntry(f"Person {n}", club=club) for n, club in enumerate(clubs)]
    there = entries.add_entries(made, wanted, actor=fredi)
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    assert teams.form_from_clubs(made, actor=fredi) == 6
    assert [one.team.name for one in made.entries.order_by("number") if one.team is not None] == [
        *["Bär", "Bär", "Egg", "Egg", "Bär", "Bär"]
    ]
    told = [event.type for event in store.read(made.stream_id) if event.type.startswith("team_")]
    assert told == ["team_formed", "team_joined"] * 2
    assert differences(made) == []


def test_partners_who_stay_together_join_as_one(fredi: User) -> None:
    changes = {"deals": 1, "hand_in": "deals", "teams": {"size": 2, "best": 2}}
    made = championships.create(actor=fredi, name="Pairs", preset="partnerschieber", changes=changes)
    wanted = [entries.NewEntry(f"Person {n}", status=Entry.Status.ARRIVED) for n in range(8)]
    there = entries.add_entries(made, wanted, actor=fredi)
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=fredi)
    teams.join(made, [person(made, 1), person(made, 4)], "Eins", actor=fredi)
    teams.join(made, [person(made, 5), person(made, 7)], "Zwei", actor=fredi)
    assert Team.objects.get(name="Eins").members.count() == 4
    round_ = play(made, 1, fredi)
    for table in round_.tables.all():
        assert table.seatings.values_list("entry__team", flat=True).distinct().count() == 2
    rows = published_ranking.decode_teams(made.snapshots.get())
    assert rows is not None
    assert [[member.key for member in row.members] for row in rows]
    assert sum(row.total for row in rows) == 2 * 157


def test_nobody_of_the_house_and_nobody_from_elsewhere_is_in_a_team(evening: Evening, fredi: User) -> None:
    made, elsewhere = evening(2, 0), evening(1, 0)
    helper = entries.add_entry(made, actor=fredi, name="Haus", house=True)
    assert refused(lambda: teams.join(made, [helper], "Team", actor=fredi)) == "teams/house"
    stranger = elsewhere.entries.get()
    assert refused(lambda: teams.join(made, [stranger], "Team", actor=fredi)) == "teams/elsewhere"


def test_only_who_may_enter_people_forms_teams(evening: Evening, eva: User) -> None:
    made = evening(2, 1)
    with pytest.raises(NotAllowed):
        teams.join(made, [person(made, 1)], "Andere", actor=eva)
    with pytest.raises(NotAllowed):
        teams.rename(made.teams.get(), "Andere", actor=eva)


def test_a_list_brings_teams_where_there_are_teams_and_clubs_elsewhere(evening: Evening, fredi: User) -> None:
    text = "Name;Vorname;Mannschaft\nAmmann;Anna;Blitz\nBühler;Beat;Blitz\n".encode()
    made = evening(0, 0)
    importing.import_entries(made, text, actor=fredi)
    assert [team.name for team in made.teams.all()] == ["Blitz"]
    assert set(made.entries.values_list("club", flat=True)) == {""}
    other = championships.create(actor=fredi, name="Alone", preset="einzelschieber")
    importing.import_entries(other, text, actor=fredi)
    assert set(other.entries.values_list("club", flat=True)) == {"Blitz"}
