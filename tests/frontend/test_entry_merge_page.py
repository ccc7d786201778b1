"""Merging two entries of one person from the page: preview, merge, and undo."""

import pytest
from django.urls import reverse

from frontend.presenters.entries.persons_evening import load_evening
from frontend.prints.occasion import Occasion
from frontend.prints.own_sheets import own_sheets
from tests.client_responses import Answer
from tests.frontend.evening import championship, client, entry, first, html, person
from tests.tournaments import test_merging
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import seating_by_hand
from tournaments.services.entries import merging
from tournaments.services.rounds import rounds
from tournaments.services.scores import ranking_basis

pytestmark = pytest.mark.django_db


def merge_page(number: int, other: str = "") -> Answer:
    asked = {"other": other} if other else {}
    return client("hanna").get(reverse("entry_merge", args=["herbstcup", number]), asked)


def press(number: int, other: int) -> Answer:
    return client("hanna").post(reverse("entry_merge", args=["herbstcup", number]), {"other": other})


def test_what_it_does_is_said_before_it_is_done() -> None:
    made = championship(9)

    shown = html(merge_page(2, "9 Imhof Ida"))

    assert "<strong>Number 2, Beat Bühler,</strong> stays." in shown
    assert "<strong>Number 9, Ida Imhof,</strong> is removed" in shown
    assert 'name="other" value="9"' in shown
    assert not made.entries.filter(merged_into__isnull=False).exists()


def test_it_is_done_by_a_press_and_undone_by_another() -> None:
    made = championship(9)

    assert press(9, 2)["Location"] == "/c/herbstcup/entries/2/"

    struck = entry(made, "Ida Imhof")
    assert struck.merged_into == entry(made, "Beat Bühler")
    desk = html(client("hanna").get("/c/herbstcup/entries/"))
    assert "same as 2" in desk
    assert "/entries/9/take-back/" not in desk
    assert "is the same person" in html(client("hanna").get("/c/herbstcup/entries/2/"))
    assert "They are two different people" in html(client("hanna").get("/c/herbstcup/entries/9/"))

    client("hanna").post(reverse("entry_part", args=["herbstcup", 9]))
    assert entry(made, "Ida Imhof").merged_into is None
    assert "/entries/9/take-back/" in html(client("hanna").get("/c/herbstcup/entries/"))


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ("2", "Choose two different entries"),
        ("77", "There is no entry 77."),
        ("Zita", "Nobody who is entered is called “Zita”."),
    ],
)
def test_what_cannot_be_is_said_on_the_page(other: str, sentence: str) -> None:
    championship(9)
    assert sentence in html(merge_page(2, other))


def test_who_sits_at_two_tables_is_refused_with_what_to_do() -> None:
    made = championship(8)
    seating_by_hand.seat_by_hand(first(made), [[1, 2, 3, 4], [5, 6, 7, 8]], actor=person("fredi"))

    assert "give one of the seats to somebody else" in html(merge_page(2, "8"))
    assert press(2, 8).status_code == 400


def test_the_ranking_shows_one_line_for_one_person() -> None:
    made = championship(9)
    fredi = person("fredi")
    round_ = seating_by_hand.seat_by_hand(first(made), [[1, 2, 3, 4], [5, 6, 7, 8]], actor=fredi)
    round_.tables.update(mode="sheet")
    rounds.open_round(round_, actor=fredi)
    merging.merge_entries(entry(made, "Ida Imhof"), entry(made, "Beat Bühler"), actor=fredi)

    assert [row.key for row in ranking_basis.live_ranking(made) if row.key in (2, 9)] == [2]
    shown = html(client().get(reverse("standings", args=["herbstcup"])))
    assert "Ida Imhof" not in shown


def test_the_evening_of_a_merged_person_and_the_score_card_know_both_numbers() -> None:
    fredi = person("fredi")
    made = test_merging.evening(fredi)
    test_merging.play(made, 1, [[1, 2, 3, 4], [5, 6, 7, 8]], fredi)  # 9 has a bye
    test_merging.play(made, 2, [[5, 6, 7, 8], [1, 3, 9, 4]], fredi)  # 2 has a bye
    merging.merge_entries(
        made.entries.get(number=2), made.entries.get(number=9), actor=fredi, reason="zweimal"
    )
    kept = made.entries.get(number=2)

    rounds = load_evening(made, kept, load_regulations(made)).rounds
    assert [(one.table, one.bye) for one in rounds] == [(1, False), (2, False)]
    assert [[mate.name for mate in one.partners] for one in rounds] == [["Person 4"], ["Person 1"]]

    occasion = Occasion(made, load_regulations(made), made.rounds.get(number=2), "en", "a4", "")
    (card,) = (one for one in own_sheets(occasion)["people"] if one["number"] == "2")
    played = [(row["table"][0], row["others"]) for row in card["rounds"] if row["table"]]
    assert played == [("1", ("Person 4",)), ("2", ("Person 1",))]
