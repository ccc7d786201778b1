"""Presenters with plain values: elapsed times, places as lines, sides, chairs, next steps."""

from datetime import timedelta

import pytest
from django.utils import timezone

from frontend.presenters.disputes.rulings import NEEDS, OPTIONAL, list_ruling_fields
from frontend.presenters.standings.places_graph import PlaceHistory, draw_places_graph
from frontend.presenters.tables.moment import build_moment
from frontend.presenters.tables.tables import ChairLabel, seat_mark, sides_with_totals
from frontend.presenters.words.elapsed import format_elapsed
from frontend.presenters.words.refusals import refusal_sentence
from frontend.views.numbers import parse_bounded
from games.store import ConcurrencyError
from tournaments.errors import TournamentError
from tournaments.regulation_checks import ALLOWED_VALUES


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=9), "just now"),
        (timedelta(seconds=10), "10 seconds ago"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(days=2), "2 days ago"),
    ],
)
def test_a_moment_is_named_by_its_distance(passed: timedelta, words: str) -> None:
    now = timezone.now()

    assert format_elapsed(now - passed, now) == words
    assert format_elapsed(None, now) == "nothing yet"


def test_each_course_is_a_line_through_its_places() -> None:
    drawn = draw_places_graph(
        [
            PlaceHistory("Anna", (2, 1)),
            PlaceHistory("Beat", (1, 2)),
            PlaceHistory("Chiara", (None, 3), mine=True),
        ]
    )

    assert drawn is not None
    anna, beat, chiara = drawn.lines
    assert [dot.place for dot in anna.dots] == [2, 1]
    assert anna.dots[0].y == beat.dots[1].y, "the same place lies at the same height"
    assert [dot.x for dot in anna.dots] == [dot.x for dot in beat.dots] == ["0%", "100%"], (
        "it fills its panel"
    )
    assert [(begin.place, end.place) for begin, end in anna.steps] == [(2, 1)]
    assert len(chiara.dots) == 1, "who came later begins later"
    assert chiara.tone == "mine"


def test_people_who_share_a_place_keep_a_row_of_their_own_for_the_name() -> None:
    drawn = draw_places_graph([PlaceHistory("Anna", (1, 1)), PlaceHistory("Beat", (1, 1))])

    assert drawn is not None
    assert [line.label for line in drawn.lines] == ["Anna", "Beat"], "each player has a row"
    assert drawn.lines[0].dots == drawn.lines[1].dots


def test_one_round_and_nobody_make_no_graph() -> None:
    assert draw_places_graph([PlaceHistory("Anna", (1,))]) is None
    assert draw_places_graph([]) is None


def test_with_many_people_only_some_places_are_named() -> None:
    drawn = draw_places_graph([PlaceHistory(str(n), (n, n)) for n in range(1, 101)])

    assert drawn is not None
    assert [place for place, _y in drawn.rows] == [1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]


def test_partners_stand_together_on_their_side() -> None:
    chairs = [ChairLabel(letter, name, 0) for letter, name in zip("ABCD", ("A", "B", "C", "D"), strict=True)]

    assert [side.names for side in sides_with_totals(chairs, [1, 2], [0, 1, 0, 1])] == ["A + C", "B + D"]
    assert [side.names for side in sides_with_totals(chairs, [1, 2, 3, 4], range(4))] == ["A", "B", "C", "D"]
    assert [side.names for side in sides_with_totals(chairs[:3], [1, 2], [1, 0, 1])] == ["B", "A + C"]
    before_the_auction = sides_with_totals(chairs[:3], [0, 0], [1, 1, 1])
    assert [(side.names, side.total) for side in before_the_auction] == [
        ("A", None),
        ("B", None),
        ("C", None),
    ]


def test_chips_count_through_the_hall_and_letters_begin_at_each_table() -> None:
    assert [seat_mark(2, seat, chips=4) for seat in range(4)] == ["5", "6", "7", "8"]
    assert [seat_mark(2, seat, chips=0) for seat in range(4)] == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        ("0", 1),
        ("999", 9),
        ("", 5),
        (None, 5),
        ("٣", 5),
        ("-1", 5),
        ("1e3", 5),
        ("9" * 19, 9),
        ("9" * 30, 5),
    ],
)
def test_a_number_from_an_address_stays_within_its_bounds(text: str | None, number: int) -> None:
    assert parse_bounded(text, least=1, most=9, default=5) == number


def test_every_ruling_of_the_engine_can_be_chosen_and_takes_only_its_fields() -> None:
    assert {key.partition("/")[0] for key in NEEDS} == set(ALLOWED_VALUES["remedies.*.ruling"].choices)
    given = {"deal": 1, "trick": 2, "against": 3, "points": 4, "scores": [5, 6], "suit": "hearts", "to": 1}

    for key in NEEDS:
        fields = list_ruling_fields(key, given)
        of_the_engine = {*NEEDS[key], *OPTIONAL.get(key, ())} - {
            "chosen_by",
            "first",
        }  # the dispute's; only where it is asked
        assert set(fields) - {"kind", "choice"} == of_the_engine


def test_a_refusal_keeps_its_stable_code_beside_the_sentence() -> None:
    error = TournamentError("draw/too_few", "%(here)s people", here=3)

    assert refusal_sentence(error) == "3 people"
    assert "quicker" in refusal_sentence(ConcurrencyError("stale"))


def test_a_game_without_cards_has_no_moment() -> None:
    assert build_moment([], ["A", "B", "C", "D"], deal=1) is None
