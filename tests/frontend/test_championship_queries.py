"""The number of a page's queries is the same for a hundred tables as for two; the figures are limits."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend import fragment_cache
from frontend.presenters.standings import loaded_rankings
from tests.bench import _evening_hall, _pages_place
from tests.frontend.evening import cached_version, championship, client, first, person
from tests.tournaments.table_play import enter
from tournaments.models import Championship, Round, Table
from tournaments.services import cache_versions
from tournaments.services.draw import drawing, seating_by_hand
from tournaments.services.referee import disputes
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking
from tournaments.services.series import winners

pytestmark = pytest.mark.django_db

LIMITS = {
    "home": 20,
    "championship": 20,
    "entries": 12,
    "rounds": 8,
    "round": 20,
    "round_wall": 14,
    "round_codes": 14,
    "standings": 17,
    "prints": 14,
    "projector": 14,
    "tables": 14,
    "tables_projector": 17,
    "board": 17,
    "round_results": 11,
    "where": 9,
    "persons_evening": 18,
    "seating_projector": 14,
    "disputes": 7,
    "table_codes": 12,
    "prizes": 12,
    "cash": 12,
}
OFFICIALS_ONLY = ("board", "round_codes", "round_results", "table_codes", "cash")
NUMBERED = ("round", "round_wall", "round_codes", "round_results", "persons_evening")
"""Name → queries of whoever comes first, with those for session, user and roles and the four that say which
cache version there is; those who come later ask less."""


def evening(people: int) -> Championship:
    """An open round with sheets begun, a call, and a published ranking."""
    made = championship(people)
    round_ = first(made)
    tables = [list(range(at, at + 4)) for at in range(1, people + 1, 4)]
    seating_by_hand.seat_by_hand(round_, tables, actor=person("fredi"))
    Table.objects.filter(round=round_).update(mode="sheet")
    rounds.open_round(round_, actor=person("fredi"))
    opened = list(round_.tables.select_related("game", "round__championship"))
    for one in opened[:6]:
        enter(one, 1, 100)
    for one in opened[:2]:
        disputes.raise_dispute(one, actor=person("gabi"))
    published_ranking.publish(made, reason="asked_for")
    return made


def over(made: Championship) -> None:
    """Out of the way, so that the next one can have its address."""
    Championship.objects.filter(pk=made.pk).update(slug=f"alt-{made.pk}", status="finished")


def queries(name: str, who: str) -> int:
    parts: list[str | int] = [] if name == "home" else ["herbstcup"]
    address = reverse(name, args=[*parts, 1] if name in NUMBERED else parts)
    browser = client(who)
    fragment_cache.KEPT.clear()
    winners.KEPT.clear()
    cache_versions.forget_all()
    with CaptureQueriesContext(connection) as context:
        assert browser.get(address).status_code == 200
    return len(context)


@pytest.mark.slow
def test_a_hundred_tables_cost_no_more_queries_than_two() -> None:
    over(evening(8))
    found = evening(8)
    few = {name: queries(name, "fredi") for name in LIMITS}
    over(found)
    evening(400)
    many = {name: queries(name, "fredi") for name in LIMITS}

    assert {name: many[name] - few[name] for name in LIMITS if many[name] > few[name]} == {}
    assert {name: many[name] for name in LIMITS if many[name] > LIMITS[name]} == {}


def test_a_second_round_with_totals_asks_at_most_twenty_times_a_page() -> None:
    """What `manage.py bench evening` measures with a hundred tables; whoever comes first."""
    made, director = _evening_hall.championship(24)
    for number in (1, 2):
        round_ = made.rounds.get(number=number)
        drawing.draw_round(round_, actor=director)
        rounds.open_round(round_, actor=director)
        if number == 1:
            _evening_hall.type_results(round_, director)
            rounds.close_round(round_, actor=director)
    browser = Client()
    browser.force_login(director)
    asked = {}
    for name, address in _evening_hall.pages(made.slug).items():
        fragment_cache.KEPT.clear()
        cache_versions.forget_all()
        with CaptureQueriesContext(connection) as context:
            assert browser.get(address).status_code == 200
        asked[name] = len(context)
    assert {name: count for name, count in asked.items() if count > _evening_hall.QUERIES} == {}


def test_a_live_ranking_of_which_nothing_is_kept_asks_at_most_twenty_times() -> None:
    """What `manage.py bench pages --tables` measures."""
    made = _pages_place.championship(16, "halle")
    browser = client("director")
    browser.get(reverse("rounds", args=[made.slug]))
    fragment_cache.KEPT.clear()
    loaded_rankings.KEPT.clear()
    cache_versions.forget_all()
    with CaptureQueriesContext(connection) as context:
        shown = browser.get(reverse("standings", args=[made.slug]), {"live": "1"})
    assert "Gast" in shown.content.decode()
    assert len(context) <= 20, [query["sql"][:80] for query in context]


@pytest.mark.parametrize("who", ["anna", "eva"])
def test_players_and_spectators_cost_no_more_than_the_director(who: str) -> None:
    evening(16)

    asked = {name: queries(name, who) for name in LIMITS if name not in OFFICIALS_ONLY}

    assert {name: n for name, n in asked.items() if n > LIMITS[name]} == {}


def test_many_championships_cost_the_first_page_no_more_than_one() -> None:
    over(evening(4))
    evening(8)
    championship(4, slug="naechster", name="Nächster")
    before = queries("home", "fredi")
    for number in range(5):
        championship(4, slug=f"weiterer-{number}", name=f"Weiterer {number}")

    assert queries("home", "fredi") == before
    Championship.objects.filter(slug__startswith="weiterer").update(status=Championship.Status.RUNNING)
    Round.objects.filter(championship__slug__startswith="weiterer", number=1).update(
        status=Round.Status.CLOSED
    )
    assert queries("home", "fredi") == before


def test_the_polled_part_of_the_board_is_cheap() -> None:
    evening(100)
    browser = client("fredi")
    address = reverse("board", args=["herbstcup"])

    with cached_version(), CaptureQueriesContext(connection) as context:
        browser.get(address, headers={"HX-Request": "true"})

    assert len(context) <= LIMITS["board"]


@pytest.mark.parametrize("people", [8, 100])
def test_computing_the_cache_version_takes_a_few_sums(people: int) -> None:
    made = evening(people)

    with CaptureQueriesContext(connection) as context:
        cache_versions.load_cache_version(made.pk, fresh=True)

    assert len(context) <= 11


@pytest.mark.parametrize("name", ["championship", "tables", "standings", "projector", "tables_projector"])
def test_what_another_one_has_seen_is_not_read_again(name: str) -> None:
    evening(16)
    address = reverse(name, args=["herbstcup"])

    with cached_version():
        client("eva").get(address, headers={"HX-Request": "true"})
        with CaptureQueriesContext(connection) as context:
            client().get(address, headers={"HX-Request": "true"})

    assert len(context) <= 4, [query["sql"][:80] for query in context]
