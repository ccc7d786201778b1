"""The desk's page of pairs: one line a pair, both members with one press."""

import pytest

from tests.frontend.evening import championship, client, html
from tournaments.models import Entry
from tournaments.services.entries import pairs

pytestmark = pytest.mark.django_db
PAGE = "/c/herbstcup/pairs/"


def test_pairs_are_entered_line_by_line_and_noted_together() -> None:
    made = championship(0, preset="partnerschieber", changes={})
    desk = client("hanna")
    lines = "Müller Fredi / Meier Heidi\nErna Egli / Rosa Roth"
    said = {"do": "lines", "text": lines, "status": "registered"}
    assert desk.post(PAGE, said).status_code == 302
    assert len(pairs.load_pairs(made)) == 2
    assert desk.post(PAGE, {"do": "arrive", "number": "1"}).status_code == 302
    assert set(made.entries.filter(status=Entry.Status.ARRIVED).values_list("number", flat=True)) == {1, 2}
    shown = html(desk.get(PAGE))
    assert "Fredi Müller" in shown
    assert desk.post(PAGE, {"do": "part", "number": "1"}).status_code == 302
    assert desk.post(PAGE, {"do": "order"}).status_code == 302
    assert len(pairs.load_pairs(made)) == 2


def test_a_line_that_cannot_be_is_named_and_what_was_written_stays() -> None:
    made = championship(0, preset="partnerschieber", changes={})
    said = {"do": "lines", "text": "Anna Ammann / Anna Ammann", "status": "arrived"}
    answer = client("hanna").post(PAGE, said)
    assert answer.status_code == 400
    assert "Line 1: Nobody can be their own partner." in html(answer)
    assert "Anna Ammann / Anna Ammann" in html(answer)
    assert not made.entries.exists()


def test_there_is_no_such_page_where_partners_are_drawn() -> None:
    championship(4)
    assert client("hanna").get(PAGE).status_code == 404
