"""Who does not fill a table: what can be done about it in one round, and what that means for whom."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, get_args

from tournaments.pairing import PairingProblem
from tournaments.regulations import Regulations

Way = Literal["three", "house", "bot", "sit_out"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
THREE: Final = 3


class Choice(NamedTuple):
    """One way. `full` tables and `threes`; so many sit `out`; so many of the `house`, or `bots`, play."""

    way: Way
    full: int
    threes: int
    out: int
    house: int
    bots: int = 0


def choices(regulations: Regulations, guests: int, house: int) -> list[Choice]:
    """The ways there are for so many people, besides so many of the house; none where all tables are full."""
    size = regulations.play.seats
    over = guests % size
    if not over:
        return []
    found = []
    threes = threes_for(guests)
    if threes and regulations.seats_three():
        found.append(Choice("three", (guests - THREE * threes) // size, threes, 0, 0))
    if house >= size - over:
        found.append(Choice("house", guests // size + 1, 0, 0, size - over))
    if regulations.play.mode == "dealt" and regulations.play.format != "fixed_pairs":
        found.append(Choice("bot", guests // size + 1, 0, 0, 0, bots=size - over))
    if guests >= size:
        found.append(Choice("sit_out", guests // size, 0, over, 0))
    return found


def threes_for(people: int) -> int:
    """How many tables of three seat everybody beside tables of four; 0: it does not come out, or none."""
    threes = -people % 4
    return threes if THREE * threes <= people else 0


def choice_taken(regulations: Regulations, guests: int, house: int, way: str = "") -> Choice | None:
    """The one that is taken, and that every page proposes: the `way` asked for; else tables of three where
    the regulations say so; else the players of the house who are here, where they are enough; else whoever
    is over sits out. None: nobody is left over, or what was asked for is not possible.
    """
    found = {choice.way: choice for choice in choices(regulations, guests, house)}
    if way:
        return next((choice for choice in found.values() if choice.way == way), None)
    preferred: tuple[Way, ...] = ("house", "sit_out")
    if regulations.byes.policy == "three":
        preferred = ("three", *preferred)
    return next((found[one] for one in preferred if one in found), None)


def may_sit_out(problem: PairingProblem) -> Sequence[int]:
    """Who can be drawn to sit out in the first round: those who have done so least often, without whom it
    does not come out. Pairs that are fixed sit out together; of them nothing is said here.
    """
    if not problem.sitting_out or problem.fixed_pairs:
        return ()
    played = [player for one in problem.past for table in one.tables for player in table]
    last = set(problem.sit_out_last)
    keys = {p: (p in last, -played.count(p)) for p in range(problem.players)}
    bound = sorted(keys.values())[problem.sitting_out - 1]
    return [p for p in range(problem.players) if keys[p] <= bound]
