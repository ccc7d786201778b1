"""The predicted effect of a ruling on the ranking equals its real effect; and the visibility of its mark."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from games import game_state
from games.models import User
from tests.tournaments import table_play
from tournaments import incident_kinds
from tournaments.models import Championship, Dispute, Round
from tournaments.services.current_regulations import load_regulations
from tournaments.services.referee import appeals, disputes, ruling_impact, rulings
from tournaments.services.referee.ruling_impact import HypotheticalRuling
from tournaments.services.scores import ranking_basis, ruling_marks
from tournaments.services.scores.scores_without_calls import scores_without_calls

Opened = Callable[..., Round]


@pytest.fixture
def disputed(open_round: Opened, gabi: User) -> Dispute:
    """Two sheets; the sweep of the second deal at table 1 is disputed."""
    round_ = open_round("sheet", "sheet")
    one, other = round_.tables.select_related("game", "round__championship").order_by("number")
    table_play.write_sheet(one, [100, 157, 60], sweeps={2: 0})
    table_play.write_sheet(other, [90, 90, 90])
    table_play.game_of(one).refresh_from_db()
    return disputes.raise_dispute(one, actor=gabi, deal=2, incident="wrong_sum")


def suppose(dispute: Dispute, **ruling: Any) -> HypotheticalRuling:
    return HypotheticalRuling(ruling.get("deal"), rulings.preview(dispute, ruling))


@pytest.mark.parametrize(
    "ruling",
    [
        {"kind": "annul_deal", "deal": 2},
        {"kind": "score_change", "deal": 2, "scores": [100, 57]},
        {"kind": "penalty", "against": 0, "points": 300},
        {"kind": "warning"},
    ],
)
def test_places_and_totals_come_as_they_were_shown(
    championship: Championship, disputed: Dispute, gabi: User, ruling: dict[str, Any]
) -> None:
    before = {row.key: row for row in ranking_basis.live_ranking(championship)}
    [shown] = ruling_impact.compute_shifts(disputed, [suppose(disputed, **ruling)])
    rulings.rule(disputed, actor=gabi, ruling=ruling, answer="so")
    after = {row.key: row for row in ranking_basis.live_ranking(championship)}
    numbers = list(disputed.table.seatings.order_by("seat").values_list("entry__number", flat=True))
    assert [shift.number for shift in shown] == numbers
    for shift in shown:
        was, now = before[shift.number], after[shift.number]
        assert (shift.place, shift.total) == (was.place, was.total)
        assert (shift.place_after, shift.total_after) == (now.place, now.total)
    assert any(shift.moves for shift in shown) == (ruling["kind"] != "warning")


def test_a_sweep_goes_with_its_points_also_where_it_is_only_supposed(
    championship: Championship, disputed: Dispute, gabi: User
) -> None:
    basis = ranking_basis.load_basis(championship)
    table = next(t for t in basis.tables if t.table == disputed.table.number)
    gone = ruling_impact._apply_outcome(
        table,
        suppose(disputed, kind="score_change", deal=2, scores=[257, 1]),
        game_state.load_snapshot(str(disputed.table.game_id)).state,
    )
    assert (table.sweeps, gone.sweeps) == ((1, 0), (0, 0))


def test_a_sweep_that_a_ruling_would_make_is_counted_where_it_is_supposed(
    championship: Championship, disputed: Dispute, gabi: User
) -> None:
    basis = ranking_basis.load_basis(championship)
    table = next(t for t in basis.tables if t.table == disputed.table.number)
    state = game_state.load_snapshot(str(disputed.table.game_id)).state
    other = suppose(disputed, kind="score_change", deal=1, scores=[0, 257])
    assert ruling_impact._apply_outcome(table, other, state).sweeps == (1, 1)


def test_a_game_that_is_over_has_the_winners_that_the_ruling_would_give_it(
    championship: Championship, open_round: Opened, gabi: User
) -> None:
    table = open_round("sheet", people=4).tables.select_related("game", "round__championship").get()
    table_play.write_sheet(table, [80] * 8)
    game = table_play.game_of(table)
    game.refresh_from_db()
    assert game.winners == [0]
    dispute = disputes.raise_dispute(table, actor=gabi, deal=8)
    basis = ranking_basis.load_basis(championship)

    supposed = ruling_impact._apply_outcome(
        basis.tables[0],
        suppose(dispute, kind="penalty", against=0, points=100),
        game_state.load_snapshot(str(table.game_id)).state,
    )

    assert (basis.tables[0].winners, supposed.winners) == ((0,), (1,))


def test_without_what_was_called_a_deal_counts_its_cards(disputed: Dispute) -> None:
    state = game_state.load_snapshot(str(disputed.table.game_id)).state.copy()
    assert scores_without_calls(state, 1) == (100, 57)
    assert scores_without_calls(state, 9) is None


def test_an_incident_nobody_knows_has_no_remedy(championship: Championship) -> None:
    regulations = load_regulations(championship)
    assert incident_kinds.remedy_for("sulking", regulations) is None
    alone = replace(regulations, play=replace(regulations.play, variant="coiffeur", seats=3), remedies={})
    for rules, ruling in ((replace(regulations, remedies={}), "award_from_trick"), (alone, "annul_deal")):
        foreseen = incident_kinds.remedy_for("revoke", rules)
        assert foreseen is not None
        assert foreseen.ruling == ruling
    in_time = incident_kinds.remedy_for("wrong_dealer", regulations)
    late = incident_kinds.remedy_for("wrong_dealer", regulations, late=True)
    assert in_time is not None
    assert late is not None
    assert (in_time.ruling, late.ruling) == ("annul_deal", "warning")
    misdeal = incident_kinds.remedy_for("misdeal", regulations)
    assert incident_kinds.remedy_for("misdeal", regulations, late=True) == misdeal
    assert incident_kinds.remedy_for("revoke", regulations) == regulations.remedies["revoke"]
    claim = incident_kinds.remedy_for("wrong_claim", regulations)
    assert claim is not None
    assert claim.ruling == "score_change"


def test_ten_suppositions_cost_no_more_queries_than_one(disputed: Dispute) -> None:
    thought = [suppose(disputed, kind="penalty", against=0, points=n) for n in range(10, 110, 10)]
    counts = []
    for some in (thought[:1], thought):
        with CaptureQueriesContext(connection) as context:
            ruling_impact.compute_shifts(disputed, some)
        counts.append(len(context))
    assert counts[0] == counts[1] <= 9


def test_a_ruling_marks_everybody_at_its_table_and_an_appeal_makes_it_provisional(
    championship: Championship, disputed: Dispute, gabi: User
) -> None:
    players = table_play.refs(disputed.table)
    assert ruling_marks.load_entry_marks(championship) == {}
    rulings.rule(disputed, actor=gabi, ruling={"kind": "annul_deal", "deal": 2}, answer="so")
    marks = ruling_marks.load_entry_marks(championship)
    numbers = set(disputed.table.seatings.values_list("entry__number", flat=True))
    assert set(marks) == {(1, number) for number in numbers}
    [mark] = next(iter(marks.values()))
    assert (mark.dispute, mark.deal, mark.ruling, mark.provisional) == (disputed.pk, 2, 1, False)

    appeals.make_appeal(disputed, actor=None, by_ref=players[0], reason="nein")
    one = min(numbers)
    marks = ruling_marks.load_entry_marks(championship)
    assert {number for (_round, number), [mark] in marks.items() if mark.provisional} == numbers
    assert set(ruling_marks.load_entry_marks(championship, [one])) == {(1, one)}
    assert [mark.status for mark in ruling_marks.load_game_marks(str(disputed.table.game_id))] == ["appealed"]


def test_a_matter_settled_by_word_leaves_no_mark(
    championship: Championship, disputed: Dispute, gabi: User
) -> None:
    rulings.rule(disputed, actor=gabi, ruling=None, answer="geklärt")
    assert ruling_marks.load_entry_marks(championship) == {}
