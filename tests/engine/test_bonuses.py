"""What explains a total that is more than its cards: bonuses by side, and nothing else."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine import IllegalCommand, decide
from engine.commands import EnterResult
from engine.events import ResultEntered
from engine.registry import get_rules
from engine.sheets.bonuses import MAX_EXPLANATIONS, Bonuses, explanations
from tests.engine.tables import Table, only

DEALS = 8
WHOLE = DEALS * 157
NONE = Bonuses()


def totals(**options: Any) -> Table:
    return Table(preset="championship", mode="sheet", hand_in="totals", options={"deals": DEALS, **options})


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Table, list[int], Bonuses]:
    """A table, its totals and the bonuses that are among them."""
    sweep_bonus = draw(st.sampled_from([0, 50, 100]))
    stoeck, melds = draw(st.booleans()), draw(st.booleans())
    table = totals(sweep_bonus=sweep_bonus, stoeck=stoeck, melds=melds)
    few = st.tuples(st.integers(0, 2), st.integers(0, 2))
    sweeps = draw(few) if sweep_bonus else None
    stoecks = draw(few) if stoeck else None
    one_side = draw(st.sampled_from([20, 50, 70, 100, 170]))
    of_melds = draw(st.sampled_from([(0, 0), (one_side, 0), (0, one_side)])) if melds else None
    found = Bonuses(sweeps, stoecks, of_melds)
    one, other = sweeps or (0, 0)
    cards = draw(st.integers(157 * one, WHOLE - 157 * other))
    beside = found.worth(get_rules(table.state))
    return table, [cards + beside[0], WHOLE - cards + beside[1]], found


def refusal(table: Table, command: EnterResult) -> IllegalCommand | None:
    try:
        decide(table.state, command)
    except IllegalCommand as refused:
        return refused
    return None


def line(scores: list[int], bonuses: Bonuses = NONE) -> EnterResult:
    return EnterResult(
        deal=1,
        scores=scores,
        sweeps=None if bonuses.sweeps is None else list(bonuses.sweeps),
        stoecks=None if bonuses.stoecks is None else list(bonuses.stoecks),
        melds=None if bonuses.melds is None else list(bonuses.melds),
    )


def zeros_left_out(bonuses: Bonuses) -> tuple[tuple[int, ...], ...]:
    return tuple(values or (0, 0) for values in (bonuses.sweeps, bonuses.stoecks, bonuses.melds))


@given(evenings())
def test_what_a_slip_holds_beside_its_cards_is_offered_and_taken(
    evening: tuple[Table, list[int], Bonuses],
) -> None:
    table, scores, bonuses = evening
    assert refusal(table, line(scores, bonuses)) is None
    refused = refusal(table, line(scores))
    if sum(scores) == WHOLE:
        return
    assert refused is not None
    assert refused.code == "sheet/wrong_total"
    offered = explanations(get_rules(table.state), DEALS, scores, Bonuses())
    explained = refused.params["explained"]
    assert isinstance(explained, list)
    assert len(explained) == len(offered)
    if len(offered) < MAX_EXPLANATIONS:
        assert zeros_left_out(bonuses) in map(zeros_left_out, offered)
    for one in offered[:20]:
        assert refusal(table, line(scores, one)) is None


@given(evenings(), st.data())
def test_a_digit_that_is_wrong_is_never_taken_with_the_bonuses_of_the_slip(
    evening: tuple[Table, list[int], Bonuses], data: st.DataObject
) -> None:
    table, scores, bonuses = evening
    side = data.draw(st.integers(0, 1))
    digits = list(str(scores[side]))
    at = data.draw(st.integers(0, len(digits) - 1))
    digits[at] = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != digits[at]]))
    scores[side] = int("".join(digits))
    refused = refusal(table, line(scores, bonuses))
    assert refused is not None
    assert refused.code == "sheet/wrong_total"


def test_a_difference_is_taken_apart_into_a_sweep_and_a_stoeck() -> None:
    refused = refusal(totals(sweep_bonus=50), line([740, 586]))
    assert refused is not None
    assert refused.params["explained"] == [
        {"sweeps": sweeps, "stoecks": stoecks} for sweeps in ((1, 0), (0, 1)) for stoecks in ((1, 0), (0, 1))
    ]


def test_what_is_written_already_is_part_of_the_explanation() -> None:
    refused = refusal(totals(), line([740, 636], Bonuses(sweeps=(1, 0))))
    assert refused is not None
    assert refused.params["explained"] == [
        {"sweeps": (1, 0), "stoecks": (1, 0)},
        {"sweeps": (1, 0), "stoecks": (0, 1)},
    ]


def test_a_sweep_is_offered_to_nobody_who_cannot_have_made_it() -> None:
    refused = refusal(totals(stoeck=False), line([1256, 100]))
    assert refused is not None
    assert refused.params["explained"] == [{"sweeps": (1, 0)}]
    nothing = refusal(totals(stoeck=False), line([700, 566]))
    assert nothing is not None
    assert nothing.params["explained"] == []


def test_melds_count_what_melds_can() -> None:
    table = totals(melds=True, sweep_bonus=0, stoeck=False)
    assert table.refused(line([730, 556], Bonuses(melds=(30, 0)))) == "sheet/no_such_melds"
    refused = refusal(table, line([730, 556]))
    assert refused is not None
    assert refused.params["explained"] == []
    entered = only(table.do(line([740, 556], Bonuses(melds=(40, 0)))), ResultEntered)
    assert entered.card_points == [700, 556]
