"""A second ruling on a deal begins from what the deal counts, not from what was recorded of it."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import IllegalCommand, encode
from engine.audit import audit
from engine.commands import CorrectResult, EnterResult, Rule
from engine.events import RulingMade
from engine.registry import build_game_context
from engine.ruling import preview_ruling
from engine.scoring.ruling_effects import get_current_scores, is_annulled, list_deals, score_deal
from tests.engine.random_games import Game
from tests.engine.tables import ANNA, BEAT, DARIO, SUIT_EACH, Table, only
from tests.engine.test_rulings_of_all_games import after_a_deal, every_game
from tests.engine.test_transcripts import play_all, transcript
from tournaments.services.scores.scores_without_calls import scores_without_calls


def random_ruling(table: Table, roll: random.Random) -> dict[str, Any]:
    """Some ruling on the first deal, sometimes in the place of an earlier one."""
    sides, seats = build_game_context(table.state).rules.sides, table.state.seats
    kind = roll.choice(
        ["award_from_trick", "card_powerless", "annul_deal", "short_hand", "score_change", "penalty"]
    )
    said: dict[str, Any] = {"kind": kind, "deal": 1}
    if kind in ("award_from_trick", "card_powerless"):
        said |= {"trick": roll.randint(1, 9), "against": roll.randrange(seats)}
    if kind == "short_hand":
        said |= {"against": roll.randrange(seats), "choice": roll.choice(["points", "annul"])}
    if kind == "score_change":
        said |= {"scores": [roll.randint(0, 157) for _ in range(sides)]}
    if kind == "penalty":
        said |= {"against": roll.randrange(seats), "points": roll.randint(1, 50)}
    if table.state.rulings and roll.random() < 0.2:
        said["replaces"] = roll.randint(1, len(table.state.rulings))
    return said


def changes_nothing(table: Table) -> list[dict[str, Any]]:
    """Rulings that in themselves leave the first deal as it is."""
    state = table.state
    record = next(r for r in list_deals(state) if r.deal == 1)
    counts = get_current_scores(build_game_context(state), 1)
    found: list[dict[str, Any]] = [
        {"kind": "warning", "deal": 1, "against": 0},
        {"kind": "penalty", "deal": 1, "against": 0, "points": 5},
        {"kind": "score_change", "deal": 1, "scores": list(counts or ())},
    ]
    moved = [r for r in state.rulings if r.kind in ("award_from_trick", "card_powerless")]
    for at, trick in enumerate(record.tricks if not moved else (), 1):
        found += [
            {"kind": "card_powerless", "deal": 1, "trick": at, "against": seat}
            for seat in trick.seats
            if seat != trick.taker
        ][:1]
    return found


def as_it_counts(table: Table) -> None:
    counts = get_current_scores(build_game_context(table.state), 1)
    for said in changes_nothing(table):
        outcome = preview_ruling(table.state, Rule(reason="seen", **said))
        assert outcome.scores_before == outcome.scores_after == counts, said
    assert scores_without_calls(table.state, 1, kinds=()) == counts
    if not any(record.stoeck or record.melds for record in list_deals(table.state)) and not any(
        result.stoeck is not None or result.melds for result in table.state.results
    ):
        assert scores_without_calls(table.state, 1) == counts


@pytest.mark.long(12)
@every_game
@pytest.mark.parametrize("seed", range(4))
def test_what_changes_nothing_leaves_a_deal_as_it_counts_after_any_rulings(game: Game, seed: int) -> None:
    table, roll = after_a_deal(game, seed), random.Random(seed)
    for _ in range(6):
        try:
            table.rule(**random_ruling(table, roll))
        except IllegalCommand:
            continue
        as_it_counts(table)
    assert audit(table.log) is None


@pytest.mark.parametrize("seed", range(12))
def test_what_changes_nothing_leaves_a_sheet_as_it_counts_after_rulings_and_corrections(seed: int) -> None:
    roll = random.Random(seed)
    game = roll.choice([("schieber", "championship", 4), ("differenzler", "club", 4), ("coiffeur", None, 3)])
    table = Table(game[0], game[2], preset=game[1], mode="sheet")
    sides = build_game_context(table.state).rules.sides

    def written(cls: type[Any]) -> Any:
        points = roll.randint(0, 157)
        more: dict[str, Any] = {"reason": "seen"}
        if game[0] == "differenzler":
            more["predictions"] = [roll.randint(0, 157) for _ in range(4)]
        if game[0] == "schieber" and 0 < points < 157:
            more["stoeck"] = roll.choice([None, 0, 1])
        if game[0] == "coiffeur":
            more |= {"slot": "spades", "chooser": 0}
        card_points = [points, 157 - points, *[0] * (sides - 2)]
        return cls(seat=ANNA, deal=1, card_points=card_points, **more)

    while not table.state.results:
        try:
            table.do(written(EnterResult))
        except IllegalCommand:
            continue
    for _ in range(8):
        try:
            if roll.random() < 0.4:
                table.do(written(CorrectResult))
            else:
                table.rule(**random_ruling(table, roll))
        except IllegalCommand:
            continue
        as_it_counts(table)
    assert audit(table.log) is None


def schieber() -> Table:
    table = Table(preset="championship", options={"deals": 2})
    table.deal(SUIT_EACH, dealer=DARIO)
    table.choose("spades")
    table.play("SQ H6 D6 C6")
    table.play("SK", stoeck=True)
    table.play_out()
    assert table.state.totals == (277, 0)
    return table


def test_points_move_on_from_the_score_that_a_ruling_has_set() -> None:
    table = schieber()
    table.rule("score_change", deal=1, scores=[267, 10])
    made = only(table.rule("award_from_trick", deal=1, trick=9, against=ANNA), RulingMade)
    moved = 277 - 10 - (made.scores or [0])[0]
    assert moved > 0
    assert (made.scores_before, made.scores, made.after) == ([267, 10], [267 - moved, 10 + moved], 1)
    assert '"after":1' in encode(made).decode()
    assert audit(table.log) is None


def test_nobody_loses_what_a_ruling_has_taken_already() -> None:
    table = schieber()
    table.rule("score_change", deal=1, scores=[0, 277])
    made = only(table.rule("award_from_trick", deal=1, trick=2, against=ANNA), RulingMade)
    assert made.scores == [0, 277]


@pytest.mark.parametrize("kind", ["award_from_trick", "card_powerless"])
def test_an_annulled_deal_stays_annulled_until_that_ruling_is_replaced(kind: Any) -> None:
    table = schieber()
    table.rule("annul_deal", deal=1)
    made = only(table.rule(kind, deal=1, trick=2, against=ANNA), RulingMade)
    assert made.scores == [0, 0]
    assert is_annulled(table.state, 1)
    table.rule("warning", replaces=1)
    assert not is_annulled(table.state, 1)
    assert get_current_scores(build_game_context(table.state), 1) != (0, 0)
    assert audit(table.log) is None


def test_a_late_stoeck_comes_off_what_counts_after_a_revoke() -> None:
    table = schieber()
    table.rule("award_from_trick", deal=1, trick=1, against=ANNA)
    assert get_current_scores(build_game_context(table.state), 1) == (0, 277)
    assert scores_without_calls(table.state, 1) == (0, 257)


def test_late_melds_come_off_what_a_deal_counts() -> None:
    tables = (after_a_deal(Game("schieber", None, 4), seed) for seed in range(100))
    table = next(table for table in tables if table.state.records[0].melds)
    context, record = build_game_context(table.state), table.state.records[0]
    without = score_deal(context, replace(record, melds=())).scores
    assert scores_without_calls(table.state, 1, kinds=("melds",)) == without != get_current_scores(context, 1)


@pytest.mark.parametrize(
    ("fixed", "left"),
    [
        ([267, 10], (247, 10)),  # it adds up with the Stöck: that is still in it
        ([157, 0], (157, 0)),
        ([0, 277], (0, 277)),  # nobody knows on which side it is
    ],
)
def test_a_late_stoeck_comes_off_a_set_score_only_where_it_is_in_it(
    fixed: list[int], left: tuple[int, ...]
) -> None:
    table = schieber()
    table.rule("score_change", deal=1, scores=fixed)
    assert scores_without_calls(table.state, 1) == left


def test_a_record_from_before_counts_as_it_did() -> None:
    """A ruling that moved points after one that set the score began from the cards."""
    table = schieber()
    table.rule("score_change", deal=1, scores=[100, 57])
    [made] = table.do(Rule(kind="award_from_trick", deal=1, trick=9, against=BEAT, reason="seen", after=0))
    assert isinstance(made, RulingMade)
    assert (made.scores, made.after) == ([277, 0], None)
    assert audit(table.log) is None
    assert not is_annulled(table.state, 1)


def test_a_score_that_was_set_stays_where_nobody_knows_what_the_tricks_bring() -> None:
    table = transcript("spades")
    play_all(table, hide=frozenset({"S7", "S8"}))
    table.rule("score_change", deal=1, scores=[100, 57])
    made = only(table.rule("award_from_trick", deal=1, trick=9, against=ANNA), RulingMade)
    assert made.scores == [100, 57]
