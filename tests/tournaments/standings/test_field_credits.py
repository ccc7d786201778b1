"""Points against the field, deal by deal."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.standings.field_credits import TableDeals, credit_against_field

POINTS = st.integers(0, 157)


@st.composite
def halls(choose: st.DrawFn, missing: bool = True) -> list[list[list[int | None] | None]]:
    sides, deals = choose(st.sampled_from([2, 4])), choose(st.integers(0, 4))
    one: st.SearchStrategy[list[int | None]] = st.lists(POINTS, min_size=sides, max_size=sides)
    maybe = st.none() | one if missing else one
    table = st.lists(maybe, min_size=0 if missing else deals, max_size=deals)
    found: list[list[list[int | None] | None]] = choose(st.lists(table, max_size=5))
    return found


def recount(tables: list[list[list[int | None] | None]], at: int, side: int) -> Fraction | None:
    """One side of one table, by the definition."""
    found, deals = [], set()
    for other in tables:
        deals |= {number for number, deal in enumerate(other) if deal is not None}
    for number, deal in enumerate(tables[at]):
        others = [
            table[number][side]  # type: ignore[index]  # the condition below leaves out None
            for n, table in enumerate(tables)
            if n != at and number < len(table) and table[number] is not None
        ]
        if deal is not None and others:
            found.append((deal[side] or 0) - Fraction(sum(points or 0 for points in others), len(others)))
    return sum(found, Fraction(0)) / len(found) * len(deals) if found else None


@settings(max_examples=150, deadline=None)
@given(halls())
def test_each_side_gets_what_the_definition_says(tables: list[list[list[int | None] | None]]) -> None:
    for at, sides in enumerate(credit_against_field(tables)):
        assert sides == [recount(tables, at, side) for side in range(len(sides))]


@settings(max_examples=100, deadline=None)
@given(halls(missing=False))
def test_the_credits_of_a_side_add_up_to_nothing_over_the_hall(
    tables: list[list[list[int | None] | None]],
) -> None:
    credits = credit_against_field(tables)
    for side in range(max(map(len, credits), default=0)):
        assert sum((of[side] or Fraction(0) for of in credits), Fraction(0)) == 0


@settings(max_examples=100, deadline=None)
@given(halls())
def test_the_order_of_the_tables_changes_nothing(tables: list[TableDeals]) -> None:
    turned = credit_against_field(tables[::-1])[::-1]
    assert credit_against_field(tables) == turned


def test_a_missed_deal_counts_the_mean_of_the_others() -> None:
    tables: list[TableDeals] = [[[100, 57], [50, 107]], [[90, 67], None], [[80, 77], [60, 97]]]
    assert [sides[0] for sides in credit_against_field(tables)] == [
        Fraction(100 - 85) + Fraction(50 - 60),
        Fraction(2 * (90 - 90)),
        Fraction(80 - 95) + Fraction(60 - 50),
    ]


def test_a_deal_that_only_one_table_has_played_says_nothing() -> None:
    assert credit_against_field([[[100, 57]], [None], []]) == [[None, None], [], []]
