"""An evening with real cards: no page mentions cards dealt by the platform."""

import re
from collections.abc import Iterator

import pytest
from django.urls import reverse

from games.models import Game
from tests.frontend.evening import championship, client, first, html, opened, person
from tests.tournaments import table_play
from tournaments.models import Championship, Round
from tournaments.presets import PRESETS
from tournaments.services.draw import drawing
from tournaments.services.rounds import rounds
from tournaments.services.scores import desk_results

pytestmark = pytest.mark.django_db
OF_DEALT_CARDS = re.compile(
    r"check the cards|chance for the cards|add chance|the seed|from a seed|shuffl"
    r"|see the cards|see no cards|see all hands",
    re.IGNORECASE,
)
CLUB = next(iter(PRESETS))


def seen(name: str | None) -> Iterator[tuple[str, str]]:
    """What the pages of the evening say to somebody."""
    slug = Championship.objects.get().slug
    for page in ("championship", "rounds", "round", "tables", "standings", "where", "regulations_document"):
        parts = [slug, 1] if page == "round" else [slug]
        yield page, html(client(name).get(reverse(page, args=parts)))
    if name == "fredi":
        for page in ("board", "entries", "prints"):
            yield page, html(client(name).get(reverse(page, args=[slug])))


def nothing_is_said() -> None:
    for name in (None, "anna", "hanna", "fredi"):
        for page, text in seen(name):
            assert not OF_DEALT_CARDS.search(text), (name, page, OF_DEALT_CARDS.search(text))


@pytest.mark.slow
def test_from_the_draw_to_the_ranking_nothing_is_said_of_cards_dealt_here() -> None:
    made = championship(8, preset=CLUB)
    nothing_is_said()
    drawing.draw_round(first(made), actor=person("fredi"))
    nothing_is_said()
    round_ = rounds.open_round(first(made), actor=person("fredi"))
    nothing_is_said()
    for row in desk_results.desk_rows(round_):
        line = desk_results.Typed(f"t{row.table}", row.people, row.head, [700, 556], signed=True)
        desk_results.save_line(round_, row.table, line, actor=person("hanna"))
    nothing_is_said()
    rounds.close_round(first(made), actor=person("fredi"))
    nothing_is_said()


def test_one_table_that_is_dealt_here_brings_it_back() -> None:
    opened("dealt", "sheet")
    page = html(client("fredi").get(reverse("round", args=["herbstcup", 1])))
    assert "Check the cards" in page


def test_where_nobody_has_a_sweep_there_is_no_column_for_them() -> None:
    made = championship(4, preset="differenzler", changes={"rounds": 1})
    page = html(client().get(reverse("standings", args=[made.slug])))
    assert "Sweeps" not in page


def test_sweeps_of_schieber_are_told() -> None:
    round_: Round = opened("sheet", people=4)
    table = round_.tables.get()
    table_play.write_sheet(table, [157, *[100] * 7], sweeps={1: 0})
    assert Game.objects.get().status == Game.Status.ENDED
    rounds.close_round(round_, actor=person("fredi"))
    page = html(client().get(reverse("standings", args=["herbstcup"])))
    assert "Sweeps" in page
    assert 'title="1 sweep"' in page
