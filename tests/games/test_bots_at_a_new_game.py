"""Bots play an unknown game by its stated values, not by its phases."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Literal

import pytest

from engine import State, advance, decode_command
from engine.commands import Choose, Command
from engine.registry import VARIANTS
from engine.rules import AnyVariant
from engine.rules.aims import Aim
from games.bots import choose
from games.bots.bidding import MAX_DEALS_WITHOUT_BID
from games.bots.rollout_decisions import think
from tests.bench import bots
from tests.games.eighth_games import EIGHTH_GAMES, HAGGLED, HIGH, LOW, LOW_PARTNERS

LITTLE = 300
DEALS = 120
CLEARLY = 8
"""Points a deal by which a bot is ahead of each of those who play anything legal."""


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in (*EIGHTH_GAMES, HAGGLED):
        monkeypatch.setitem(VARIANTS, game.key, game)


def ahead(game: AnyVariant, seats: int, bot: bots.Player) -> float:
    """By how many points a deal the bot is better than chance."""
    return bots.duel(bot, bots.random_legal, DEALS, b"a new game", {}, game.key, seats).ahead.value


@pytest.mark.long(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "bot"),
    [
        pytest.param(game, seats, bot, id=f"{game.key}-{seats}-{way}")
        for game, seats, ways in (
            (HIGH, 3, ["quick"]),
            (HIGH, 4, ["quick", "thinking"]),
            (LOW, 3, ["quick", "thinking"]),
            (LOW, 4, ["quick"]),
            (LOW_PARTNERS, 4, ["quick", "thinking"]),
        )
        for way in ways
        for bot in [choose if way == "quick" else partial(think, effort=LITTLE)]
    ],
)
def test_chance_is_beaten_clearly_in_a_game_never_seen(
    game: AnyVariant, seats: int, bot: bots.Player
) -> None:
    figure = ahead(game, seats, bot)
    print(game.key, seats, figure)
    assert figure > CLEARLY


def test_a_game_states_its_direction_once() -> None:
    assert [game.aim.points for game in EIGHTH_GAMES] == ["most", "fewest", "fewest"]


@pytest.mark.parametrize(("score_direction", "told"), [(1, "fewest"), (-1, "most")])
def test_a_direction_that_contradicts_the_aim_is_refused(
    score_direction: Literal[1, -1], told: Literal["most", "fewest"]
) -> None:
    with pytest.raises(ValueError, match="eighth-low-partners: score_direction"):
        replace(LOW_PARTNERS, score_direction=score_direction, aim=Aim(told))


def hands(*held: str) -> list[str]:
    """A deck that gives forehand the first hand and so on."""
    packets = [hand.split()[at : at + 3] for at in (0, 3, 6) for hand in held]
    return [card for packet in packets for card in packet]


def test_who_plays_for_few_points_names_what_takes_little() -> None:
    state = State()
    high = "HJ H9 HA HK HQ H10 DA SA CA"
    rest = [card for card in bots.duel_deck(b"rest", 1) if card not in high.split()]
    deck = hands(high, *(" ".join(rest[9 * n : 9 * n + 9]) for n in range(3)))
    for command in (
        {"cmd": "start", "variant": LOW_PARTNERS.key, "seats": 4},
        {"cmd": "deal", "deck": deck, "dealer": 3},
    ):
        advance(state, decode_command(command))
    said = choose(state, 0, b"few")
    assert not isinstance(said, Choose) or said.contract != "hearts"


def test_bots_come_to_a_bid_in_an_auction_that_nobody_taught_them() -> None:
    decks: Iterator[list[str]] = (bots.duel_deck(b"haggled", number) for number in count())
    state = bots.game_played([choose] * 4, {"variant": HAGGLED.key}, decks, b"haggled", 20)
    assert state.over
    assert state.records[0].deal == MAX_DEALS_WITHOUT_BID + 1


@pytest.mark.parametrize("game", EIGHTH_GAMES, ids=lambda game: str(game.key))
def test_the_same_view_gives_the_same_moves_in_a_new_game(game: AnyVariant) -> None:
    done: list[list[Command]] = [[], []]
    for moves in done:

        def noted(state: State, seat: int, seed: bytes, moves: list[Command] = moves) -> Command:
            moves.append(think(state, seat, seed, 100))
            return moves[-1]

        decks: Iterator[list[str]] = (bots.duel_deck(b"new", number) for number in count())
        start = {"variant": game.key}
        state = bots.game_played([noted] * game.seats[0], start, decks, b"new", 1)
        assert state.records
    assert done[0] == done[1]
