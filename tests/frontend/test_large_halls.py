"""A hall of any size: pages show a hundred tables at a time; a person's page reads one table."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.presenters.tables import hall
from tests.frontend.evening import client, html, opened, person, table
from tests.tournaments.table_play import write_sheet
from tournaments.services.referee import disputes

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "PAGE", 2)


def shown(name: str, page: int, who: str | None = None) -> list[int]:
    parts = ["herbstcup", 1] if name == "round" else ["herbstcup"]
    body = html(client(who).get(reverse(name, args=parts), {"page": page}))
    return [int(number) for number in re.findall(r'<span class="chip" aria-hidden="true">(\d+)', body)]


@pytest.mark.usefixtures("two_at_a_time")
@pytest.mark.parametrize("name", ["tables", "board", "round"])
def test_every_table_stands_on_one_page(name: str) -> None:
    opened("sheet", people=20)

    pages = [shown(name, page, "fredi") for page in (1, 2, 3)]

    assert pages == [[1, 2], [3, 4], [5]]
    assert shown(name, 9, "fredi") == [5], "a page beyond the last is the last"


@pytest.mark.usefixtures("two_at_a_time")
def test_the_board_begins_with_calls_wherever_the_table_stands() -> None:
    round_ = opened("sheet", people=20)
    disputes.raise_dispute(table(round_, 5), actor=person("gabi"))
    write_sheet(table(round_, 1), [100] * 8)

    assert shown("board", 1, "fredi") == [5, 2]
    assert shown("board", 3, "fredi") == [1], "the finished one comes last"
    assert "<dd>1 / 5</dd>" in html(client("fredi").get(reverse("board", args=["herbstcup"]), {"page": 2}))


@pytest.mark.usefixtures("two_at_a_time")
def test_the_part_asked_for_again_is_of_the_same_page() -> None:
    opened("sheet", people=20)

    body = html(client().get(reverse("tables", args=["herbstcup"]), {"page": 2}))

    assert f'hx-get="{reverse("tables", args=["herbstcup"])}?page=2"' in body


@pytest.mark.usefixtures("two_at_a_time")
def test_the_own_table_is_known_on_every_page() -> None:
    round_ = opened("dealt", people=20)
    own = round_.seatings.get(entry__name="Anna Ammann").table

    for page in (1, 2, 3):
        body = html(client("anna").get(reverse("round", args=["herbstcup", 1]), {"page": page}))
        assert f"To my table, {own.number}" in body


@pytest.mark.usefixtures("two_at_a_time")
def test_whoever_closes_is_told_of_all_tables_that_play() -> None:
    opened("sheet", people=20)

    assert "5 tables are still playing" in html(client("fredi").get(reverse("round", args=["herbstcup", 1])))


def test_a_slip_reads_one_table() -> None:
    round_ = opened("sheet", people=20)
    number = round_.seatings.filter(table__number=3).values_list("entry__number", flat=True)[0]

    with CaptureQueriesContext(connection) as asked:
        body = html(client().get(reverse("round_slip", args=["herbstcup", 1, number])))

    seatings = [q["sql"] for q in asked if '"tournaments_table"."mode"' in q["sql"].partition("FROM")[0]]
    with connection.cursor() as cursor:
        cursor.execute(seatings[0])
        assert len(cursor.fetchall()) == 4
    assert '<p class="place-mark">3' in body
