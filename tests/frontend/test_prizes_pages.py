"""Prizes are planned, published, and given step by step in front of the hall."""

import re
from typing import Any

import pytest
from django.urls import reverse

from tests.client_responses import Answer
from tests.frontend.evening import client, html, person
from tests.frontend.test_standings_page import played
from tournaments.models import Championship
from tournaments.prizes import Prize, PrizePlan
from tournaments.services import prize_giving

pytestmark = pytest.mark.django_db

EMPTY = {"prize-TOTAL_FORMS": "0", "prize-INITIAL_FORMS": "0", "sharing": "shared", "once": "on"}


def address(name: str) -> str:
    return reverse(name, args=["herbstcup"])


def page(name: str = "prizes", who: str | None = None) -> str:
    return html(client(who).get(address(name)))


def write(**told: str) -> Answer:
    return client("fredi").post(address("prize_plan"), {**EMPTY, **told})


def row(n: int, **told: Any) -> dict[str, str]:
    return {f"prize-{n}-{name}": str(value) for name, value in told.items()}


def test_the_money_of_all_places_is_one_line() -> None:
    made = played()

    assert write(places="200 150 100.50 80.-").status_code == 302
    assert [prize.amount for prize in prize_giving.load_plan(made).prizes] == [20_000, 15_000, 10_050, 8_000]
    assert 'value="200 150 100.50 80"' in page("prize_plan", "fredi")


def test_special_prizes_are_lines_of_their_own_and_come_back_as_they_were() -> None:
    made = played()
    told = {
        "prize-TOTAL_FORMS": "3",
        "places": "100",
        "table": "Käse\n\nWurst\n",
        **row(0, kind="last", thing="Trostpreis"),
        **row(1, kind="category", category="Damen", number=1, amount="25"),
        **row(2, kind="place", number=""),
    }

    assert write(**told).status_code == 302
    assert prize_giving.load_plan(made) == PrizePlan(
        prizes=(
            Prize(kind="place", number=1, amount=10_000),
            Prize(kind="last", thing="Trostpreis"),
            Prize(kind="category", category="Damen", amount=2_500),
        ),
        table=("Käse", "Wurst"),
    )
    shown = page("prize_plan", "fredi")
    assert 'value="Trostpreis"' in shown
    assert 'value="25.00"' in shown


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"places": "200 viel"}, "“viel” is not an amount"),
        ({"places": " ".join(["1"] * 401)}, "At most 400 places."),
        ({"table": "x" * 61}, "longer than 60 letters"),
        (
            {"prize-TOTAL_FORMS": "1", **row(0, kind="category", amount="5")},
            "Line 1: “the best of a category” needs a category",
        ),
        (
            {"prize-TOTAL_FORMS": "1", "places": "5", **row(0, kind="place", number=1, amount="5")},
            "Line 2: this already has a prize.",
        ),
        ({"prize-TOTAL_FORMS": "1", **row(0, kind="last", amount="1e3")}, "An amount in francs"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_lost(told: dict[str, str], sentence: str) -> None:
    made = played()
    answer = write(**told)

    assert answer.status_code == 400
    assert sentence in html(answer)
    assert prize_giving.load_plan(made) == PrizePlan()


def test_everybody_sees_who_has_won_what() -> None:
    played()
    write(places="100 50", table="Käse")

    shown = page()
    assert "Anna Ammann" in shown
    assert "Käse" in shown
    assert address("prize_plan") not in shown
    assert address("prize_plan") in page(who="fredi")


def test_without_prizes_the_page_says_what_to_do() -> None:
    played()

    assert "No prizes yet" in page()
    assert "Enter the prizes" in page(who="fredi")


def test_the_hall_sees_who_is_called_and_what_he_takes() -> None:
    played()
    write(table="Käse\nWurst")
    director = client("fredi")
    director.post(address("prize_call"), {"step": "1", "version": "1"})
    shown = page("prize_giving", "fredi")
    number = re.search(r'name="number" value="(\d+)"', shown)
    assert number is not None
    director.post(address("prize_call"), {"number": number[1], "thing": "1", "version": "2"})

    assert "Wurst" in page("prizes_projector")
    assert "Takes: Wurst" in page("prize_giving", "fredi")
    assert 'value="1">Wurst' not in page("prize_giving", "fredi"), "it is not on the table any more"


def test_the_wall_asks_for_its_part_alone() -> None:
    played()
    part = html(client().get(address("prizes_projector"), headers={"HX-Request": "true"}))

    assert "<html" not in part
    assert 'class="projector"' in part


def test_from_the_first_call_to_the_last_everybody_is_named_once() -> None:
    made = played()
    write(places="30 20 10", table="\n".join(f"Ding {n}" for n in range(9)))
    count = len(prize_giving.load_giving(made).steps)
    director = client("fredi")
    called = []
    for step in range(1, count + 1):
        version = prize_giving.load_giving(made).version
        director.post(address("prize_call"), {"step": str(step), "version": str(version)})
        found = re.search(r'<p class="who">([^<]+)</p>', page("prizes_projector"))
        assert found is not None
        called.append(found[1])

    assert sorted(called) == sorted(made.entries.values_list("name", flat=True))
    assert "Call " not in page("prize_giving", "fredi")


def test_the_pages_ask_the_database_the_same_for_any_number_of_prizes(
    django_assert_max_num_queries: Any,
) -> None:
    made = played()
    plan = PrizePlan(prizes=tuple(Prize(kind="place", number=n, amount=100) for n in range(1, 60)))
    prize_giving.set_plan(made, plan, actor=person("fredi"))
    for name in ("prizes", "prize_giving", "prizes_projector"):
        browser = client("fredi")
        with django_assert_max_num_queries(16):
            browser.get(address(name))


def test_going_back_to_the_beginning_asks_before_it_takes_payouts_back() -> None:
    made = played()
    fredi = person("fredi")
    prize_giving.set_plan(
        made, PrizePlan(prizes=(Prize(kind="place", number=1, amount=10_000),)), actor=fredi
    )
    count = len(prize_giving.load_giving(made).steps)
    prize_giving.call(made, count, version=1, actor=fredi)
    director, address = client("fredi"), reverse("prize_call", args=[made.slug])
    asked = html(director.post(address, {"step": "0", "version": "2"}))
    assert "Reverse the money?" in asked
    assert "CHF 100.–" in asked
    assert prize_giving.load_giving(made).step == count
    director.post(address, {"step": "0", "version": "2", "sure": "1"})
    assert prize_giving.load_giving(made).step == 0


def test_the_rule_of_special_prizes_stands_beside_them() -> None:
    made = played()
    fredi = person("fredi")
    plan = PrizePlan(prizes=(Prize(kind="last", thing="Trost"),))
    prize_giving.set_plan(made, plan, actor=fredi)
    page = reverse("prizes", args=[made.slug])
    assert "of people who took part in every round" in html(client().get(page))
    prize_giving.set_plan(made, PrizePlan(prizes=plan.prizes, complete=False), actor=fredi)
    assert "of everybody in the ranking" in html(client().get(page))


def test_who_missed_a_round_can_win_special_prizes_where_that_is_ticked() -> None:
    made = played()
    write(places="100", everybody="on")
    assert prize_giving.load_plan(made).complete is False
    assert re.search(r'name="everybody"[^>]* checked', page("prize_plan", "fredi"))


def test_lines_without_end_are_refused_before_they_are_read() -> None:
    played()
    answer = write(**{"prize-TOTAL_FORMS": "2147483648"})
    assert answer.status_code == 400
    assert len(re.findall(r'name="prize-\d+-thing"', html(answer))) <= 100


@pytest.mark.parametrize(
    ("year", "finished", "said"),
    [
        (None, False, "No year of birth is known"),
        (1950, False, "Years of birth are removed 30 days after the end"),
        (None, True, "The years of birth have been removed"),
    ],
)
def test_a_prize_for_the_oldest_says_what_is_known_of_years(
    year: int | None, finished: bool, said: str
) -> None:
    made = played()
    prize_giving.set_plan(made, PrizePlan(prizes=(Prize(kind="oldest", amount=2000),)), actor=person("fredi"))
    made.entries.filter(number=1).update(birth_year=year)
    status = Championship.Status.FINISHED if finished else made.status
    Championship.objects.filter(pk=made.pk).update(keep_days=30, status=status)
    for name in ("prizes", "prize_plan"):
        assert said in html(client("fredi").get(reverse(name, args=[made.slug])))


def test_without_a_prize_for_the_oldest_years_are_no_matter() -> None:
    made = played()
    prize_giving.set_plan(made, PrizePlan(prizes=(Prize(kind="place", amount=2000),)), actor=person("fredi"))
    assert "ear of birth" not in html(client().get(reverse("prizes", args=[made.slug])))
