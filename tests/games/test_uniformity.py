"""Decks are uniformly distributed, and the test detects it if they are not."""

import random

import pytest
from django.core.management import call_command

from games.randomness.dealing import DECK, Source, deck
from games.randomness.uniformity import counted, upper_tail

# The upper tail as tables of the chi-square distribution print it.
TABLE = [(3.841, 1, 0.05), (18.307, 10, 0.05), (124.342, 100, 0.05), (135.807, 100, 0.01), (0.0039, 1, 0.95)]


@pytest.mark.parametrize(("statistic", "freedom", "p"), TABLE)
def test_the_tail_is_that_of_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert upper_tail(statistic, freedom) == pytest.approx(p, rel=0.01)


def test_the_tail_begins_at_one() -> None:
    assert upper_tail(0, 105) == 1
    assert upper_tail(1e-9, 105) == pytest.approx(1)
    assert upper_tail(10_000, 105) == pytest.approx(0, abs=1e-12)


def test_the_statistic_of_even_shuffles_is_distributed_as_it_is_said() -> None:
    """The mean of 60 p-values of Python's own shuffling is near one half."""
    chance = random.Random(7)
    found = []
    for _ in range(60):
        counts = counted(lambda _n: chance.sample(DECK, 36), 150)
        found.append((counts.by_seat().p, counts.by_place().p))
    for column in zip(*found, strict=True):
        assert 0.38 < sum(column) / len(column) < 0.62


@pytest.mark.parametrize("seed", range(3))
def test_decks_of_a_round_come_out_evenly(seed: int) -> None:
    source = Source(bytes([seed]) * 32)
    counts = counted(lambda number: deck(source, 1, number), 4_000)
    assert (counts.by_seat().freedom, counts.by_place().freedom) == (105, 1225)
    assert counts.by_seat().p > 0.001
    assert counts.by_place().p > 0.001


def test_a_shuffle_with_a_well_known_mistake_is_found() -> None:
    """Swapping each card with any other one, not only with those that are left."""
    chance = random.Random(1)

    def wrong(_number: int) -> list[str]:
        cards = list(DECK)
        for i in range(36):
            j = chance.randrange(36)
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    assert counted(wrong, 4_000).by_place().p < 1e-6


def test_the_command_prints_both_figures(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("chi_square_deals", deals=2000, seed="00" * 32)
    told = capsys.readouterr().out
    assert "card × seat" in told
    assert "1225 degrees" in told


def test_the_command_fails_where_chance_cannot_be_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.management.commands.chi_square_deals.deck", lambda *_: DECK)
    with pytest.raises(SystemExit):
        call_command("chi_square_deals", deals=100)
