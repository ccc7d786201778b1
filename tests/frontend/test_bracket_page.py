"""The page of the bracket, its links, and what a draw says of itself."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from frontend.presenters.rounds.draw_notes import SENTENCES, note_sentences
from tests.frontend.evening import championship, client, html, person
from tests.tournaments import table_play
from tournaments.models import Championship, Entry, Round
from tournaments.services.draw import drawing
from tournaments.services.entries import entries, pairs
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking

pytestmark = pytest.mark.django_db
ADDRESS = "/c/herbstcup/bracket/"


def cup(count: int) -> Championship:
    """Make a cup of this many pairs with one deal a round."""
    made = championship(
        0,
        preset="cup",
        changes={
            "rounds": 3,
            "deals": 1,
            "hand_in": "deals",
            "pairing": {"system": "knock_out", "options": {"third": True}},
        },
    )
    names = [f"Person{n} Muster" for n in range(1, 2 * count + 1)]
    wanted = [entries.NewEntry(name, status=Entry.Status.ARRIVED) for name in names]
    there = entries.add_entries(made, wanted, actor=person("fredi"))
    pairs.pair_up(made, zip(there[::2], there[1::2], strict=True), actor=person("fredi"))
    return made


def begin(made: Championship, number: int) -> Round:
    """Draw and open a round, and write its tables: the first side wins."""
    round_ = drawing.draw_round(made.rounds.get(number=number), actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    for table in round_.tables.order_by("number"):
        table_play.write_sheet(table, [100 + table.number])
    return round_


def play(made: Championship, number: int) -> None:
    rounds.close_round(begin(made, number), actor=person("fredi"))


def test_the_bracket_stands_from_the_first_draw_on() -> None:
    made = cup(4)
    assert "No bracket yet" in html(client().get(ADDRESS))
    drawing.draw_round(made.rounds.get(number=1), actor=person("fredi"))
    shown = html(client().get(ADDRESS))
    assert "Semi-finals" in shown
    assert shown.index("Semi-finals") < shown.index("Final</h2>")
    assert shown.count("Person1 Muster / Person2 Muster") == 1
    assert 'aria-current="step"' in shown


def test_results_stand_in_the_bracket_when_their_round_is_closed() -> None:
    made = cup(4)
    opened = begin(made, 1)
    shown = html(client().get(ADDRESS))
    assert "101" not in shown
    assert "<b>" not in shown
    rounds.close_round(opened, actor=person("fredi"))
    shown = html(client().get(ADDRESS))
    assert "101" in shown
    assert shown.count("<b>") == 2
    assert "for place 3" in shown
    play(made, 2)
    shown = html(client().get(ADDRESS))
    rows = published_ranking.decode_rows(made.snapshots.latest("version"))
    winner = made.entries.get(number=rows[0].numbers[0]).name
    assert shown.count(f"<b>{winner} /") == 2, "won in both phases"


def test_the_rounds_and_the_ranking_lead_to_the_bracket_where_there_is_one() -> None:
    cup(4)
    for name in ("rounds", "standings"):
        assert ADDRESS in html(client().get(reverse(name, args=["herbstcup"]))), name


def test_without_a_bracket_there_is_no_page_and_no_link() -> None:
    championship(8)
    assert client().get(ADDRESS).status_code == 404
    for name in ("rounds", "standings"):
        assert ADDRESS not in html(client().get(reverse(name, args=["herbstcup"]))), name


def test_a_larger_bracket_takes_no_more_queries() -> None:
    made = cup(4)
    play(made, 1)
    with CaptureQueriesContext(
        connection,
    ) as few:
        client().get(ADDRESS)
    Championship.objects.filter(pk=made.pk).update(slug="other")
    larger = cup(8)
    play(larger, 1)
    play(larger, 2)
    with CaptureQueriesContext(connection) as many:
        client().get(ADDRESS)
    assert len(many) <= len(few)


def test_the_round_says_what_its_draw_says_of_itself() -> None:
    made = cup(4)
    play(made, 1)
    gone = made.entries.get(
        entrant__number=published_ranking.decode_rows(made.snapshots.latest("version"))[0].key,
        number__in=[1, 3, 5, 7],
    )
    for entry in made.entries.filter(entrant=gone.entrant):
        entries.withdraw_entry(entry, actor=person("fredi"))
    drawing.draw_round(made.rounds.get(number=2), actor=person("fredi"))
    shown = html(client().get(reverse("round", args=["herbstcup", 2])))
    assert "About this draw" in shown
    assert "advance without a game" in shown
    assert gone.name in shown


def test_notes_without_a_sentence_are_not_shown() -> None:
    made = championship(4)
    known = {"code": "pairing/repeats", "meetings": 3}
    told = note_sentences(made, {"notes": [{"code": "pairing/unheard_of", "x": 1}, known]}, officials=True)
    assert told == ["Repeated meetings, since no others are left: 3."]
    assert note_sentences(made, None, officials=True) == note_sentences(made, {}, officials=True) == []


@pytest.mark.parametrize("key", SENTENCES)
def test_every_sentence_can_be_said(key: str) -> None:
    made = championship(4)
    _area, name, *rest = key.split("/")
    ways: dict[str, dict[str, object]] = {
        "table": {"table": 1},
        "match": {"refs": ["n0001"]},
        "nobody": {"refs": ["n0001"]},
        "soft": {"how": "soft"},
    }
    by: dict[str, object] = {"by": rest[0]} if name == "level" else ways.get(rest[0], {}) if rest else {}
    winners = [] if rest == ["nobody"] else ["n0003"]
    values: dict[str, object] = {
        "refs": ["n0001", "n0002"],
        "winners": winners,
        "for": "n0004",
        "meetings": 2,
        "pairs": [["n0001", "n0002", "soft" if rest == ["soft"] else "hard"]],
        "rounds": 7,
        "entrants": 8,
        "round": 1,
    }
    note = {"code": f"pairing/{name}", **values, "waiting": 3, **by}
    if name == "by_hand":
        note |= {"alike": 1, "tables": 2, "here": 3, "own": 1}
    elif name != "no_result":
        note["table"] = 1
    (told,) = note_sentences(made, {"notes": [note]}, officials=True)
    assert "%(" not in told
