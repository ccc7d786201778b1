"""A sheet counts what is written as the game counts what is played: fields, sums and scores of every game."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine import IllegalCommand, decide, list_sheet_fields, replay
from engine.audit import audit
from engine.card_points import VALUES
from engine.commands import ConfirmResult, CorrectResult, EnterResult
from engine.events import DealScored, GameEnded, GameStarted, ResultCorrected, ResultEntered
from engine.ledger.state import DealRecord, SheetResult, State
from engine.queries.describing import describe
from engine.registry import VARIANTS, build_game_context, get_rules
from engine.rules.sheet_fields import SheetField, sums_without
from engine.sheets.sheet_checks import attainable_sums, possible_sums
from tests.engine.random_games import GAMES, Game, log_of
from tests.engine.tables import ANNA, BEAT, CHIARA, DARIO, Table, only

every_game = pytest.mark.parametrize("game", GAMES, ids=str)


def field(table: Table, name: str, deal: int | None = None) -> SheetField:
    """The field of that name for a deal."""
    (found,) = [field for field in list_sheet_fields(table.state, deal) if field.name == name]
    return found


def as_written(state: State, record: DealRecord, fields: set[str]) -> dict[str, Any]:
    """What a scorer writes of a deal that was played."""
    sides = list(get_rules(state).sides_of(state))
    takers = {None if t.taker is None else sides[t.taker] for t in record.tricks}
    melds = [
        sum(points or 0 for side, points in record.melds if side == own) for own in range(len(state.totals))
    ]
    nought = [s for s in range(len(sides)) if s in takers and not record.card_points[s]]
    facts = {
        "contract": record.contract,
        "slot": record.slot,
        "chooser": record.chooser if record.bid is None else state.declarer,
        "bid": record.bid,
        "predictions": list(record.variant_state.predictions[: state.seats]),
        "took_trick": nought or None,
        "dealer": record.dealer if record.deal == 1 else None,
        "sweep": takers.pop() if len(takers) == 1 and record.variant_state.conceded is None else None,
        "stoeck": sides[record.stoeck[0][0]] if record.stoeck else None,
        "stoeck_points": record.stoeck[0][1] if record.stoeck else None,
        "melds": melds if any(melds) else None,
    }
    return {name: value for name, value in facts.items() if name in fields}


@pytest.mark.long(15)
@every_game
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_sheet_of_a_game_that_was_played_counts_the_same(game: Game, seed: int) -> None:
    log = log_of(game, seed)
    start = log[0]
    assert isinstance(start, GameStarted)
    table = Table(game.variant, game.seats, preset=game.preset, mode="sheet")
    last = 0
    for at, event in enumerate(log):
        if not isinstance(event, DealScored):
            continue
        state = replay(log[: at + 1])
        record = state.records[-1]
        if isinstance(log[at + 1] if at + 1 < len(log) else None, GameEnded) and (
            len(record.tricks) < record.size or get_rules(state).play.targets
        ):
            break
        last += 1
        names = {field.name for field in list_sheet_fields(table.state)}
        card_points = [points or 0 for points in record.card_points]
        said = as_written(state, record, names)
        if record.variant_state.conceded is not None:
            said["stoeck"] = 1 if record.variant_state.conceded > 157 else None
        entered = only(
            table.do(EnterResult(seat=ANNA, deal=last, card_points=card_points, **said)), ResultEntered
        )
        assert entered.scores == event.scores
        assert entered.totals == event.totals
        assert entered.ties == event.ties
    assert last
    assert audit(table.log) is None
    assert replay(table.log) == table.state


def test_a_sum_is_refused_with_its_deal_and_how_far_it_is_off() -> None:
    table = Table("differenzler", 4, mode="sheet")
    wrong = EnterResult(seat=ANNA, deal=1, card_points=[60, 40, 40, 20], predictions=[60, 40, 40, 17])
    with pytest.raises(IllegalCommand) as refused:
        decide(table.state, wrong)
    assert refused.value.code == "sheet/wrong_sum"
    assert refused.value.params == {
        "deal": 1, "sum": 160, "expected": 157, "difference": 3, "least": 157, "most": 157,
    }  # fmt: skip


def write(deal: int, points: list[int], seat: int = ANNA, **rest: Any) -> EnterResult:
    return EnterResult(seat=seat, deal=deal, card_points=points, **rest)


def scores(table: Table, command: EnterResult) -> list[int]:
    found: list[int] = only(table.do(command), ResultEntered).scores
    return found


def test_predictions_on_the_sheet_give_the_penalties() -> None:
    table = Table("differenzler", 3, preset="club", mode="sheet")
    said = [0, 60, 90]
    assert table.refused(write(1, [0, 57, 100])) == "sheet/predictions_missing"
    assert table.refused(write(1, [0, 57, 100], predictions=[0, 60, 158])) == "sheet/out_of_bounds"
    assert table.refused(write(1, [0, 57, 100], predictions=[0, 60])) == "sheet/wrong_sides"
    assert scores(table, write(1, [0, 57, 100], predictions=said)) == [0, 3, 10]
    assert scores(table, write(2, [0, 60, 97], predictions=said, took_trick=[ANNA])) == [-10, -10, 7]
    nobody = write(3, [0, 60, 97], predictions=said, took_trick=[3])
    assert table.refused(nobody) == "sheet/no_such_side"


def test_a_sheet_asks_for_no_more_than_the_options_need() -> None:
    """Who took a trick is a matter of the bonus for an exact nought, who dealt of the dealer's share."""

    def names(**options: int) -> set[str]:
        table = Table("differenzler", 3, mode="sheet", options=options)
        return {field.name for field in list_sheet_fields(table.state)}

    plain = names()
    assert not plain & {"took_trick", "dealer"}
    assert names(exact_bonus=10) == plain | {"took_trick"}
    assert names(dealer_incentive=2) == plain | {"dealer"}


def test_the_dealers_share_goes_to_who_dealt() -> None:
    table = Table("differenzler", 3, mode="sheet", options={"dealer_incentive": 5})
    points, said = [57, 50, 50], [57, 50, 60]
    first = only(table.do(write(1, points, predictions=said, dealer=ANNA)), ResultEntered)
    assert (first.dealer, first.scores) == (ANNA, [-2, 0, 10])
    table.rule("annul_deal", deal=1)
    again = only(table.do(write(2, points, predictions=said)), ResultEntered)
    assert (again.dealer, again.scores) == (ANNA, [-2, 0, 10])
    assert only(table.do(write(3, points, predictions=said)), ResultEntered).dealer == BEAT
    corrected = CorrectResult(seat=ANNA, deal=1, card_points=points, predictions=[57, 50, 50])
    assert only(table.do(corrected), ResultCorrected).dealer == ANNA
    other = Table("differenzler", 3, mode="sheet", options={"dealer_incentive": 5})
    assert only(other.do(write(1, points, predictions=said)), ResultEntered).dealer == CHIARA


def test_a_stoeck_of_either_sign_needs_one() -> None:
    table = Table("differenzler", 3, mode="sheet", options={"stoeck": True})
    said: dict[str, Any] = {"points": [57, 50, 50], "predictions": [57, 50, 30]}
    assert field(table, "stoeck_points").choices == (20, -20)
    assert table.refused(write(1, stoeck=CHIARA, **said)) == "sheet/stoeck_points_missing"
    assert table.refused(write(1, stoeck_points=20, **said)) == "sheet/stoeck_points_missing"
    assert scores(table, write(1, stoeck=CHIARA, stoeck_points=-20, **said)) == [0, 0, 0]


def test_a_slot_counts_its_multiple_and_is_played_once() -> None:
    table = Table("coiffeur", 4, mode="sheet")
    points = [100, 57]
    assert table.refused(write(1, points, chooser=BEAT)) == "sheet/slot_missing"
    assert table.refused(write(1, points, chooser=BEAT, slot="whist")) == "sheet/slot_not_offered"
    assert table.refused(write(1, points, chooser=DARIO, slot="slalom", melds=[20, 0])) == "sheet/no_melds"
    assert scores(table, write(1, points, chooser=BEAT, slot="guschti")) == [0, 570]
    assert table.refused(write(2, points, chooser=DARIO, slot="guschti")) == "sheet/slot_played"
    assert "guschti" not in field(table, "slot").open_to[BEAT]
    assert "guschti" in field(table, "slot").open_to[ANNA]
    assert "guschti" in field(table, "slot", 1).open_to[BEAT]
    assert scores(table, write(2, points, chooser=ANNA, slot="joker8")) == [800, 0]
    table.do(CorrectResult(seat=ANNA, deal=1, card_points=[0, 157], chooser=DARIO, slot="guschti"))
    assert table.state.totals == (800, 1570)
    table.rule("annul_deal", deal=1)
    assert "guschti" in field(table, "slot").open_to[BEAT]


def test_game_points_and_apples_follow_from_card_points() -> None:
    table = Table("la-pomme", 2, mode="sheet")
    points = field(table, "card_points")
    assert (points.sum_least, points.sum_most) == (11, 152)
    assert scores(table, write(1, [132, 20])) == [1, -1]
    assert table.refused(write(2, [4, 5])) == table.refused(write(2, [133, 20])) == "sheet/wrong_sum"
    assert scores(table, write(2, [21, 20])) == [1, -1]
    plain = Table("la-pomme", 2, mode="sheet", options={"puur_value": 20, "goal": "apples"})
    assert plain.refused(write(1, [132, 20])) == "sheet/wrong_sum"
    for deal in (1, 2, 3):
        plain.do(write(deal, [131, 20]))
        ended = plain.do(ConfirmResult(seat=BEAT, deal=deal))
    assert only(ended, GameEnded).winners == [ANNA]


def test_ties_are_remembered_on_the_sheet_and_follow_a_correction() -> None:
    table = Table("plus-minus", 4, mode="sheet")
    first = only(table.do(write(1, [60, 60, 20, 17])), ResultEntered)
    assert (first.scores, first.ties) == ([0, 0, 0, 1], [[ANNA, BEAT]])
    second = only(table.do(write(2, [70, 40, 30, 17])), ResultEntered)
    assert (second.scores, second.ties, second.totals) == ([2, 0, 0, 1], [], [2, 0, 0, 2])
    table.do(ConfirmResult(seat=BEAT, deal=2))
    made = only(table.do(CorrectResult(seat=ANNA, deal=1, card_points=[61, 59, 20, 17])), ResultCorrected)
    assert made.rescored is not None
    assert [(r.deal, r.scores, r.ties) for r in made.rescored] == [(2, [1, 0, 0, 1], [])]
    assert (made.scores, made.totals) == ([1, 0, 0, 1], [2, 0, 0, 2])
    assert table.state.results[1].scores == (1, 0, 0, 1)
    assert table.state.results[1].confirmed
    assert audit(table.log) is None


def test_an_annulled_deal_on_the_sheet_remembers_no_tie() -> None:
    table = Table("plus-minus", 4, mode="sheet")
    table.do(write(1, [60, 60, 20, 17]))
    table.do(write(2, [70, 40, 30, 17]))
    table.rule("annul_deal", deal=1)
    assert table.state.totals == (1, 0, 0, 1)
    third = only(table.do(write(3, [70, 40, 30, 17])), ResultEntered)
    assert (third.scores, third.totals) == ([1, 0, 0, 1], [2, 0, 0, 2])
    assert audit(table.log) is None


def test_a_bid_on_the_sheet_gives_the_strokes() -> None:
    table = Table("lake-constance", 2, mode="sheet")
    said = {"chooser": ANNA, "bid": 100}
    assert scores(table, write(1, [137, 20], **said)) == [1, -1]
    assert scores(table, write(2, [99, 58], **said)) == [0, 1]
    assert scores(table, write(3, [100, 10], **said)) == [1, 0]
    assert scores(table, write(4, [10, 58], chooser=BEAT, bid=155)) == [1, 0]
    assert table.refused(write(5, [90, 10], **said)) == "sheet/not_certain"
    assert table.refused(write(5, [158, 0], **said)) == "sheet/wrong_sum"
    for bid in (55, 62, 160):
        assert table.refused(write(5, [90, 67], chooser=ANNA, bid=bid)) == "sheet/out_of_bounds"
    table.do(ConfirmResult(seat=BEAT, deal=1))
    assert (table.state.declarer, table.state.bid) == (BEAT, 155)


def test_scores_are_an_override_where_the_game_was_opened_for_it() -> None:
    table = Table(preset="championship", mode="sheet", written_scores=True)
    assert field(table, "scores").required is False
    assert table.refused(write(1, [100, 58], scores=[1, 2, 3])) == "sheet/wrong_sides"
    assert table.refused(write(1, [100, 58])) == "sheet/wrong_sum"
    split = only(table.do(write(1, [100, 58], scores=[99, 58])), ResultEntered)
    assert (split.by_hand, split.totals) == (True, [99, 58])
    assert only(table.do(write(2, [100, 57], scores=[100, 57])), ResultEntered).by_hand is False
    table.rule("warning", deal=1)
    assert table.state.totals == (199, 115)
    table.rule("score_change", deal=1, scores=[100, 57])
    assert table.state.totals == (200, 114)
    assert audit(table.log) is None


def test_scores_by_hand_stand_when_an_earlier_deal_is_corrected() -> None:
    table = Table("plus-minus", 4, mode="sheet", written_scores=True)
    table.do(write(1, [60, 60, 20, 17]))
    table.do(write(2, [70, 40, 30, 17], scores=[5, 0, 0, 0]))
    table.do(CorrectResult(seat=ANNA, deal=1, card_points=[61, 59, 20, 17]))
    assert table.state.totals == (6, 0, 0, 1)
    assert audit(table.log) is None


@pytest.mark.parametrize("key", VARIANTS)
def test_every_game_describes_its_sheet(key: str) -> None:
    for fields in describe(VARIANTS[key])["sheet"].values():
        points = next(field for field in fields if field["name"] in ("card_points", "own_points"))
        assert (points["sum_most"] or points["most"]) in (157, 152)
        assert all(field["label"] for field in fields)
        assert {field["name"] for field in fields} <= set(EnterResult.__struct_fields__)


def test_the_sums_that_are_left_when_cards_are_missing() -> None:
    sums = sums_without(VALUES["obenabe"], 1)
    left = {total for total in range(153) if sums >> total & 1}
    assert left == {152 - worth for worth in (0, 2, 3, 4, 8, 10, 11)}


@every_game
def test_what_was_played_can_always_be_written_and_what_no_cards_give_is_refused(game: Game) -> None:
    """As many cards as are played, their values by contract, and the last trick."""
    context = build_game_context(Table(game.variant, game.seats, preset=game.preset, mode="sheet").state)
    rules = context.rules
    for seed in range(4):
        state = replay(log_of(game, seed))
        for record in state.records:
            known = [points for points in record.card_points if points is not None]
            if len(record.tricks) < record.size:
                continue
            sheet = rules.sheet(context, record.deal)
            written = SheetResult(
                0, 0, 0, tuple(known), contract=record.contract, slot=record.slot, chooser=record.chooser
            )
            unsaid = replace(written, contract=None)
            for result in (written, unsaid):
                possible = attainable_sums(context, sheet, result)
                assert all(possible >> points & 1 for points in known), (record.contract, known)
            worth = rules.play.values[record.contract or "obenabe"]
            most = sum(sorted(worth)[sheet.unused :]) + 5
            if record.variant_state.conceded is None:
                assert possible_sums(context, sheet, None) >> sum(known) & 1
            assert attainable_sums(context, sheet, written).bit_length() - 1 == most
            assert not attainable_sums(context, sheet, written) >> 1 & 1, "no card counts one"


@pytest.mark.parametrize("points", [[1, 156], [156, 1]])
def test_points_that_no_cards_have_are_refused_with_those_beside_them(points: list[int]) -> None:
    table = Table(preset="championship", mode="sheet", options={"deals": 2})
    code, _said, params = table.refusal(EnterResult(seat=ANNA, deal=1, card_points=points))
    assert code == "sheet/impossible_points"
    assert (params["side"], params["least"], params["most"]) == (0, 0, 157)
    assert (params["below"], params["above"]) == ((0, 2) if points[0] == 1 else (155, 157))


@pytest.mark.parametrize("melds", [[10, 0], [0, 30]])
def test_melds_that_no_cards_make_are_refused(melds: list[int]) -> None:
    table = Table(mode="sheet")
    written = EnterResult(seat=ANNA, deal=1, card_points=[100, 57], contract="hearts", melds=melds)
    assert table.refused(written) == "sheet/no_such_melds"


def test_a_sheet_of_before_takes_what_it_took() -> None:
    table = Table("la-pomme", 2, mode="sheet", counting=1)
    assert scores(table, write(1, [138, 20])) == [1, -1]
    assert audit(table.log) is None
