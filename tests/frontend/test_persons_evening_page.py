"""The page of one person: rounds, partners, opponents, points, places; names as visible to the reader."""

import re

import pytest
from django.urls import reverse

from frontend import fragment_cache
from frontend.views.entries import persons_evening
from tests.frontend.evening import championship, client, html, opened, person, table
from tests.frontend.test_standings_page import played
from tests.tournaments.table_play import enter, write_sheet
from tournaments.models import Entry, Round
from tournaments.services.championships import championships
from tournaments.services.draw import substitutions
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def page(number: int, name: str | None = None) -> str:
    return html(client(name).get(reverse("persons_evening", args=["herbstcup", number])))


def words(shown: str) -> str:
    body = shown.partition('<div class="stack-large"')[2].partition("</main>")[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


def test_each_round_says_with_whom_against_whom_for_how_much_and_which_place() -> None:
    played(2)

    shown = page(1)

    assert "Chiara Caduff against Beat Bühler , Dario Dörig" in words(shown)
    assert "957" in words(shown)
    assert 'class="places-graph"' in shown


def test_a_table_that_is_played_is_one_press_away_and_so_is_its_score() -> None:
    one = table(opened("sheet"), 1)
    enter(one, 1, 120)
    number = one.seatings.order_by("seat")[0].entry.number

    shown = page(number)

    assert reverse("table_live", args=[one.game_id]) in shown
    assert "so far" in shown


def test_names_lead_to_people_from_standings_rounds_and_the_search() -> None:
    made = played(1)
    at = reverse("persons_evening", args=["herbstcup", 3])

    assert at in html(client().get(reverse("standings", args=["herbstcup"])))
    assert at in html(client().get(reverse("round", args=["herbstcup", 1])))
    assert at in html(client().get(reverse("where", args=["herbstcup"]), {"q": "chi"}))
    one = table(made.rounds.get(number=1), 1)
    assert at in html(client().get(reverse("table_live", args=[one.game_id])))


def test_whoever_does_not_belong_reads_initials_also_of_those_he_played_with() -> None:
    championships.edit_championship(played(2), actor=person("fredi"), public_names="initials")

    shown = page(1)

    assert "C. C." in shown
    assert not [name for name in ("Anna", "Chiara", "Caduff", "Dörig") if name in shown]
    assert "Chiara Caduff" in page(1, "gabi")


def test_somebody_whose_name_is_erased_is_a_number() -> None:
    played(1)
    Entry.objects.filter(number=3).update(name="", family_name="", first_name="", sort_name="")

    assert "No. 3" in page(3)
    assert "No. 3" in page(1)


def test_an_entry_that_was_merged_leads_to_the_one_that_counts() -> None:
    made = championship(4)
    made.entries.filter(number=4).update(merged_into=made.entries.get(number=3))

    answer = client().get(reverse("persons_evening", args=["herbstcup", 4]))

    assert answer["Location"] == reverse("persons_evening", args=["herbstcup", 3])


def test_a_substitute_is_named_on_both_pages() -> None:
    round_ = opened("sheet", people=9)
    spare = round_.championship.entries.exclude(seatings__round=round_).get()
    seated = table(round_, 1).seatings.order_by("seat")[0].entry
    substitutions.substitute(round_, spare.number, seated.number, deal=2, actor=person("fredi"))

    assert f"{spare.name} plays, from deal 2 on" in words(page(seated.number))
    assert "Played for others" in page(spare.number)
    assert seated.name in page(spare.number)


def test_of_a_private_championship_nobody_else_gets_a_page_nor_of_nobody() -> None:
    made = championship(4)
    address = reverse("persons_evening", args=["herbstcup", 1])
    assert client().get(reverse("persons_evening", args=["herbstcup", 99])).status_code == 404

    championships.edit_championship(made, actor=person("fredi"), public=False)

    assert client().get(address).status_code == 404
    assert client("eva").get(address).status_code == 404
    assert client("anna").get(address).status_code == 200


def test_the_part_is_asked_for_again_only_while_a_round_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    made = played(1)
    address = reverse("persons_evening", args=["herbstcup", 1])
    assert f'hx-get="{address}"' not in page(1)
    Round.objects.filter(championship=made).update(status=Round.Status.OPEN)

    part = client().get(address, headers={"HX-Request": "true"})

    assert "<html" not in part.content.decode()
    fragment_cache.KEPT.clear()
    monkeypatch.delattr(persons_evening, "load_evening")
    again = client().get(address, headers={"HX-Request": "true", "If-None-Match": part["ETag"]})
    assert again.status_code == 304


def test_after_the_last_round_nobody_is_told_to_wait_for_a_draw() -> None:
    round_ = opened("sheet", changes={"rounds": 1})
    entries.withdraw_entry(round_.championship.entries.get(number=1), actor=person("fredi"), after_round=True)
    for number in (1, 2):
        write_sheet(table(round_, number), [100] * 8)
    rounds.close_round(round_, actor=person("fredi"))
    place = reverse("where", args=["herbstcup"])
    for asked in ({}, {"q": "chiara"}):
        shown = html(client().get(place, asked))
        assert "The last round is over" in shown
        assert "drawn" not in shown.partition("<main")[2]
    ranking = html(
        client("fredi").get(reverse("standings", args=["herbstcup"]), headers={"Accept-Language": "de"})
    )
    assert "(abgemeldet)" in ranking
    assert "zurückgezogen" not in ranking
