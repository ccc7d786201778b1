"""The page that prints hands for tables that deal by hand."""

import pytest

from frontend.prints.hands import hand_lines, hand_slips
from tests.frontend.evening import client, html, opened, person
from tournaments.models import Official, Round
from tournaments.services.championships import officials
from tournaments.services.draw.printed_hands import PrintedDeal

pytestmark = pytest.mark.django_db
ADDRESS = "/c/herbstcup/rounds/1/hands/"
ROUND = "/c/herbstcup/rounds/1/"
SAME = {"rounds": 1, "deals": 2, "same_cards": True}


def same(*modes: str) -> Round:
    return opened(*modes, people=8, changes=SAME)


def test_printing_is_a_press_of_its_own_and_stands_on_the_pages_of_the_round() -> None:
    same("dealt", "transcribed")
    assert ADDRESS in html(client("fredi").get(ROUND))
    assert "Nobody has printed" in html(client("fredi").get(ADDRESS))
    answer = client("fredi").post(ADDRESS)
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")
    assert answer["Cache-Control"] == "no-store"
    assert "Fredi" in html(client("fredi").get(ADDRESS))
    assert "An official printed the hands" in html(client().get(ROUND))


def test_who_does_not_direct_finds_no_page() -> None:
    same("transcribed")
    for name, status in (("gabi", 403), ("hanna", 403), ("anna", 403), (None, 302)):
        assert client(name).get(ADDRESS).status_code == status, name
        assert client(name).post(ADDRESS).status_code == status, name
        assert ADDRESS not in html(client(name).get(ROUND)), name


def test_a_director_who_plays_is_told_why_not() -> None:
    round_ = same("transcribed")
    officials.appoint(round_.championship, person("anna"), Official.Role.DIRECTOR, actor=person("fredi"))
    answer = client("anna").post(ADDRESS)
    assert answer["Content-Type"].startswith("text/html")
    assert "Nobody may look at hidden cards that they play themselves." in html(answer)


def test_without_a_table_that_deals_by_hand_there_is_nothing_to_print() -> None:
    same("dealt")
    assert ADDRESS not in html(client("fredi").get(ROUND))
    assert "nothing needs to be printed" in html(client("fredi").get(ADDRESS))


def test_rounds_with_cards_of_their_own_have_no_such_page() -> None:
    opened("transcribed", people=8)
    assert client("fredi").get(ADDRESS).status_code == client("fredi").post(ADDRESS).status_code == 404


def test_slips_name_the_chairs_as_the_round_does() -> None:
    round_ = same("transcribed")
    deal = PrintedDeal(1, 0, ((), (), (), ()))
    by_chips = hand_slips(round_, list(round_.tables.order_by("number")), [deal], "ch", chips=4)
    assert [one["chair"] for one in by_chips["slips"]] == [str(n) for n in range(1, 9)]
    assert by_chips["chair"] == "Chip"
    by_letters = hand_slips(round_, list(round_.tables.order_by("number")), [deal], "ch", chips=0)
    assert [one["chair"] for one in by_letters["slips"]] == list("ABCDABCD")


def test_a_hand_is_a_line_a_suit_from_the_highest_card_down() -> None:
    lines = hand_lines(["D6", "DA", "D10", "HK", "SJ"], "ch")
    assert lines == [("Bells", "Ace Banner 6"), ("Roses", "King"), ("Shields", "Under"), ("Acorns", "–")]
