"""An independent count of a championship of Schieber from its logs, by the written rules.

It uses neither the engine nor the standings, only the played cards, the contracts and the declared Stöck.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

PLAIN = {"A": 11, "K": 4, "Q": 3, "J": 2, "10": 10}
TRUMP = {**PLAIN, "J": 20, "9": 14}
TOP_DOWN = {**PLAIN, "8": 8}
BOTTOM_UP = {"K": 4, "Q": 3, "J": 2, "10": 10, "8": 8, "6": 11}
RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TRUMP_RANKS = ["6", "7", "8", "10", "Q", "K", "A", "9", "J"]
SUITS = {"diamonds": "D", "hearts": "H", "spades": "S", "clubs": "C"}


class Round(NamedTuple):
    """One side's round: points with Stöck and sweeps, and the number of sweeps."""

    points: int
    sweeps: int


def worth(card: str, contract: str) -> int:
    suit, rank = card[0], card[1:]
    if contract in SUITS:
        return (TRUMP if SUITS[contract] == suit else PLAIN).get(rank, 0)
    return (TOP_DOWN if contract == "obenabe" else BOTTOM_UP).get(rank, 0)


def taker(trick: Sequence[tuple[int, str]], contract: str) -> int:
    """Return the seat that takes four cards, played in this order."""
    led = trick[0][1][0]

    def power(played: tuple[int, str]) -> tuple[int, int]:
        suit, rank = played[1][0], played[1][1:]
        if SUITS.get(contract) == suit:
            return (2, TRUMP_RANKS.index(rank))
        if suit != led:
            return (0, 0)
        return (1, -RANKS.index(rank) if contract == "undenufe" else RANKS.index(rank))

    return max(trick, key=power)[0]


def round_of(log: Iterable[dict[str, Any]]) -> tuple[Round, Round]:
    """Return the points of both sides of a table of simple deals: 157, sweep 100, Stöck 20."""
    points, sweeps = [0, 0], [0, 0]
    contract = ""
    trick: list[tuple[int, str]] = []
    takers: list[int] = []
    for event in log:
        if event["type"] == "contract_set":
            contract, trick, takers = event["contract"], [], []
        elif event["type"] == "stoeck_declared":
            points[event["seat"] % 2] += 20
        elif event["type"] == "card_played":
            trick.append((event["seat"], event["card"]))
            if len(trick) == 4:
                side = taker(trick, contract) % 2
                takers.append(side)
                last = len(takers) == 9
                points[side] += sum(worth(card, contract) for _, card in trick) + 5 * last
                trick = []
                if last and len(set(takers)) == 1:
                    points[side] += 100
                    sweeps[side] += 1
    return Round(points[0], sweeps[0]), Round(points[1], sweeps[1])


def order(rounds: Sequence[Round]) -> tuple[int, list[int], int]:
    """Return a person's ranking key: the sum, then the best round, the next best …, then sweeps."""
    best = sorted((played.points for played in rounds), reverse=True)
    return (sum(best), best, sum(played.sweeps for played in rounds))
