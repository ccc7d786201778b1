"""What a corrected result of a knock-out would change: who advances, places, and what has been played."""

import pytest

from frontend.presenters.disputes.corrections import describe_consequences as words
from tests.frontend.evening import person
from tests.frontend.test_bracket_page import cup, play
from tests.tournaments.table_play import write_sheet
from tournaments.models import Championship, Table
from tournaments.services.draw import drawing
from tournaments.services.referee import corrections
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking

pytestmark = pytest.mark.django_db
TURNED = {"card_points": [50, 107]}
"""The other side wins."""


def first_table(made: Championship) -> Table:
    found = Table.objects.select_related("round__championship", "game")
    return found.get(round__championship=made, round__number=1, number=1)


def pairs_at(table: Table) -> tuple[str, str]:
    """Return the refs of the winners, who sit first, and of the losers."""
    numbers = list(table.seatings.order_by("seat").values_list("entry__entrant__number", flat=True))
    return f"n{numbers[0]:04}", f"n{numbers[1]:04}"


def test_another_winner_goes_on_instead() -> None:
    made = cup(4)
    play(made, 1)
    table = first_table(made)
    winner, loser = pairs_at(table)

    found = corrections.preview(table, 1, TURNED)

    assert found.bracket is not None
    assert (found.bracket.out, found.bracket.instead) == ((winner,), (loser,))
    assert (found.bracket.played, found.bracket.drawn) == (False, False)
    moved = {shift.number: (shift.place, shift.place_after) for shift in found.movement.at_table}
    assert moved[int(loser[1:])][1] <= 2 < moved[int(winner[1:])][1]


def test_the_preview_is_what_the_correction_does() -> None:
    made = cup(4)
    play(made, 1)
    table = first_table(made)
    found = corrections.preview(table, 1, TURNED)
    told = {
        shift.number: shift.place_after for shift in (*found.movement.at_table, *found.movement.elsewhere)
    }

    corrections.correct_result(table, 1, TURNED, actor=person("fredi"), reason="Seiten verwechselt")

    rows = published_ranking.decode_rows(made.snapshots.latest("version"))
    assert told.items() <= {row.key: row.place for row in rows}.items()


def test_the_same_winner_changes_nothing_in_the_bracket() -> None:
    made = cup(4)
    play(made, 1)
    found = corrections.preview(first_table(made), 1, {"card_points": [90, 67]})
    assert found.bracket is not None
    assert (found.bracket.out, found.bracket.instead) == ((), ())


def test_it_says_whether_the_next_round_is_drawn_or_has_results() -> None:
    made = cup(4)
    play(made, 1)
    assert follow(made) == (False, False)
    second = drawing.draw_round(made.rounds.get(number=2), actor=person("fredi"))
    assert follow(made) == (False, True)
    rounds.open_round(second, actor=person("fredi"))
    assert follow(made) == (False, True)
    for table in second.tables.all():
        write_sheet(table, [100])
    assert follow(made) == (True, True)
    rounds.close_round(second, actor=person("fredi"))
    assert follow(made) == (True, True)


def follow(made: Championship) -> tuple[bool, bool]:
    """Whether the next round of the first table has results, and is drawn."""
    found = corrections.preview(first_table(made), 1, TURNED).bracket
    assert found is not None
    return found.played, found.drawn


def test_the_page_names_who_goes_on_instead() -> None:
    made = cup(4)
    play(made, 1)
    table = first_table(made)
    people = list(table.seatings.order_by("seat").values_list("entry__name", flat=True))

    shown = words(table, corrections.preview(table, 1, TURNED), ("A", "B"))
    assert len(shown.bracket) == 1
    assert shown.bracket[0].startswith("Knock-out: ")
    assert people[1] in shown.bracket[0].partition("instead of")[0]
    assert people[0] in shown.bracket[0].partition("instead of")[2]
    assert not shown.contradicts
    play(made, 2)
    shown = words(first_table(made), corrections.preview(first_table(made), 1, TURNED), ("A", "B"))
    assert shown.contradicts
    assert "already been played" in shown.bracket[1]
