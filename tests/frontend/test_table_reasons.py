"""Why the tables of a round are as they are: on the page of its cards, in a fold for each table."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from frontend.presenters.rounds.table_reasons import SENTENCES, load_reasons
from games import store
from tests.frontend.evening import championship, client, html, person
from tests.tournaments.table_play import write_sheet
from tournaments.models import Championship, Entry, Round
from tournaments.services.current_regulations import with_regulations
from tournaments.services.draw import draw_undoing, drawing, seating_by_hand
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds

pytestmark = pytest.mark.django_db


def make(preset: str, count: int, **changes: Any) -> Championship:
    """Enter so many people, in pairs where the preset has them."""
    made = championship(0, preset=preset, changes={"rounds": 3, "deals": 1, "hand_in": "deals", **changes})
    names = [f"Person{n} Muster" for n in range(1, count + 1)]
    there = entries.add_entries(
        made, [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in names], actor=person("fredi")
    )
    if pairs.has_fixed_pairs(made):
        pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=person("fredi"))
    return made


def draw(made: Championship, number: int) -> Round:
    return drawing.draw_round(made.rounds.get(number=number), actor=person("fredi"))


def play(made: Championship, number: int) -> None:
    round_ = draw(made, number)
    for table in round_.tables.select_related("round__championship"):
        rounds.set_mode(table, "sheet", actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    for table in round_.tables.order_by("number"):
        write_sheet(table, [80 + 9 * table.number + 3 * number])
    rounds.close_round(Round.objects.get(pk=round_.pk), actor=person("fredi"))


def shown(number: int) -> str:
    return html(client().get(reverse("round_fairness", args=["herbstcup", number])))


def folds(page: str) -> list[str]:
    return re.findall(r'<details class="more"><summary>(Table [^<]*)</summary>', page)


def test_a_swiss_round_says_how_far_apart_and_why_not_nearer() -> None:
    """Pairs 5 and 6, third and fourth, have met; pair 7 had a bye."""
    made = make("swiss_pairs", 14, byes={"points": "fixed", "fixed": 0})
    first = made.rounds.get(number=1)
    seating_by_hand.seat_by_hand(first, [[1, 3, 2, 4], [5, 7, 6, 8], [9, 11, 10, 12]], actor=person("fredi"))
    rounds.open_round(first, actor=person("fredi"))
    for table, points in zip(first.tables.order_by("number"), (150, 100, 85), strict=True):
        write_sheet(table, [points])
    rounds.close_round(Round.objects.get(pk=first.pk), actor=person("fredi"))
    draw(made, 2)

    page = shown(2)

    assert "Why these tables" in page
    assert re.search(r"Table \d · places [\d.]+ and [\d.]+, [\d.]+ apart", page)
    assert "would be nearer, but" in page
    assert "Person3 Muster / Person4 Muster: no table, as the lowest" in page
    assert "somebody is pulled up" in page
    assert 'href="/c/herbstcup/rounds/2/fairness/#why"' in html(
        client().get(reverse("round", args=["herbstcup", 2]))
    )


@pytest.mark.parametrize(
    ("preset", "people", "second", "said"),
    [
        ("ladder", 8, True, "Moved up: Person"),
        ("cup", 16, False, "The lot has given the places of the bracket"),
        ("whist", 8, False, "Round 1 of a plan for 8 people"),
        ("round_robin", 12, False, "Round 1 of a circle of 6"),
        ("klubabend", 8, False, "2 tables: nobody meets again."),
    ],
)
def test_each_way_of_drawing_says_what_it_can(preset: str, people: int, second: bool, said: str) -> None:
    made = make(preset, people, **({"deals": 4} if preset == "ladder" else {}))
    if second:
        draw(made, 1)
        rounds.open_round(made.rounds.get(number=1), actor=person("fredi"))
        rounds.close_round(made.rounds.get(number=1), actor=person("fredi"), force=True)
        draw(made, 2)
    else:
        draw(made, 1)
    assert said in shown(2 if second else 1)


def test_who_meets_again_is_counted_at_the_table() -> None:
    made = make("klubabend", 4)
    play(made, 1)
    play(made, 2)
    play(made, 3)

    assert folds(shown(3)) == ["Table 1"]
    assert "4 repeated pairs of opponents." in shown(3)


def test_a_draw_by_hand_and_none_at_all() -> None:
    made = make("klubabend", 4)
    assert "Why these tables" not in shown(1)
    seating_by_hand.seat_by_hand(made.rounds.get(number=1), [[1, 2, 3, 4]], actor=person("fredi"))
    assert "Drawn by hand" in shown(1)
    draw_undoing.undo_draw(made.rounds.get(number=1), actor=person("fredi"))
    assert "Why these tables" not in shown(1)


def test_one_query_reads_the_names_however_many_tables() -> None:
    made = make("ladder", 16, deals=4)
    draw(made, 1)
    round_ = made.rounds.get(number=1)
    events = store.read(round_.stream_id, parts=False)
    shown = with_regulations(Championship.objects.filter(pk=made.pk)).get()
    with CaptureQueriesContext(connection) as queries:
        found = load_reasons(shown, round_.stream_id, events)
    assert found is not None
    assert len(found.folds) == 4
    assert len(queries) == 1


@pytest.mark.parametrize("language", ["de", "fr", "it", "es"])
def test_the_sentences_take_their_values_in_each_language(language: str) -> None:
    names = dict.fromkeys(("names", "nearest", "first", "extra", "best", "last", "round", "entrants"), "7")
    with override(language):
        assert all(str(sentence) % names for sentence in SENTENCES.values())
