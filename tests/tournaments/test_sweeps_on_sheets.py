"""Sheets record sweeps wherever they count: for points, a tie, a prize."""

from typing import Any

import pytest
from django.urls import reverse

from engine.commands import EnterResult
from engine.queries.sheet_form import list_sheet_fields
from games import game_state
from games.models import Game
from games.play.submit import submit
from tests.frontend.evening import championship, client, drawn, html, opened, person
from tournaments.errors import TournamentError
from tournaments.models import Championship
from tournaments.presets import PRESETS
from tournaments.prizes import Prize, PrizePlan
from tournaments.regulations import GameChoice, Regulations, rules_of_play
from tournaments.services import prize_giving
from tournaments.services.current_regulations import load_regulations
from tournaments.services.rounds import rounds
from tournaments.standings import Counting

pytestmark = pytest.mark.django_db
PLAIN: dict[str, Any] = {
    "rounds": 1,
    "hand_in": "totals",
    "counting": {"tie_breaks": ["highest_round", "lot"]},
    "play": {"variant": "schieber", "preset": "championship", "options": {"sweep_bonus": 0, "stoeck": False}},
}


def fields() -> set[str]:
    game = Game.objects.filter(tournament_table__number=1).get()
    return {field.name for field in list_sheet_fields(game_state.load_snapshot(game.pk).state)}


def test_where_sweeps_break_ties_totals_take_them_though_nothing_counts_for_them() -> None:
    opened("sheet", preset="einzelschieber", count=4)
    assert "sweeps" in fields()
    game = Game.objects.filter(tournament_table__number=1).get()
    whole = 157 * load_regulations(Championship.objects.get()).deals
    written = EnterResult(deal=1, scores=[whole - 700, 700], sweeps=[2, 0])
    submit(str(game.pk), written, actor="d" * 32, command_id="one")
    assert game_state.load_snapshot(game.pk).state.results[0].sweeps == (2, 0)
    assert game_state.load_snapshot(game.pk).state.totals == (whole - 700, 700), "nothing counts for them"


def test_where_nothing_goes_by_them_no_sheet_asks_and_there_is_no_prize_later() -> None:
    opened("sheet", changes=PLAIN)
    championship = Championship.objects.get()
    assert fields() & {"sweep", "sweeps"} == set()
    assert not prize_giving.records_sweeps(championship)
    plan = PrizePlan(prizes=(Prize(kind="sweeps", amount=1000),))
    with pytest.raises(TournamentError) as refused:
        prize_giving.set_plan(championship, plan, actor=person("fredi"))
    assert refused.value.code == "prizes/no_sweeps"
    page = client("fredi").get(reverse("prize_plan", args=["herbstcup"]))
    assert 'value="sweeps"' not in html(page)


def test_a_prize_for_sweeps_has_the_sheets_say_them() -> None:
    round_ = drawn(changes=PLAIN)
    plan = PrizePlan(prizes=(Prize(kind="sweeps", amount=1000),))
    prize_giving.set_plan(Championship.objects.get(), plan, actor=person("fredi"))
    for table in round_.tables.select_related("round__championship"):
        rounds.set_mode(table, "sheet", actor=person("fredi"))
    rounds.open_round(round_, actor=person("fredi"))
    assert "sweeps" in fields()
    page = html(client("hanna").get(reverse("round_results", args=["herbstcup", 1])))
    assert "data-sweeps" in page
    assert 'value="sweeps"' in html(client("fredi").get(reverse("prize_plan", args=["herbstcup"])))


@pytest.mark.parametrize(
    ("preset", "offered"), [("differenzler", False), ("la_pomme", False), ("bieter", True)]
)
def test_a_prize_for_sweeps_is_offered_only_where_a_side_can_sweep(preset: str, offered: bool) -> None:
    made = championship(preset=preset, changes={})
    assert prize_giving.may_reward_sweeps(made) == offered


def test_presets_record_sweeps_if_a_prize_or_tie_break_needs_them() -> None:
    for key, preset in PRESETS.items():
        bonus = preset.records_sweeps()
        assert preset.records_sweeps(rewarded=True), key
        assert bonus or "sweeps" not in preset.counting.tie_breaks, key


def test_a_game_that_the_engine_does_not_know_makes_no_sweeps() -> None:
    unknown = Regulations(preset="x", play=GameChoice(variant="skat"), counting=Counting(tie_breaks=("lot",)))
    assert rules_of_play(unknown) is None
    assert not unknown.makes_sweeps()
    assert not unknown.records_sweeps()
    assert unknown.records_sweeps(rewarded=True)
