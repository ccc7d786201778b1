"""People who do not fill a table: the options of one round, and their effect."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, get_args

from tournaments.pairing import PairingProblem
from tournaments.pairing.systems import DRAWN
from tournaments.regulations import Regulations

Way = Literal["three", "house", "bot", "sit_out"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
THREE: Final = 3


class Choice(NamedTuple):
    """One option: numbers of `full` tables, of tables of three, of byes (`out`), of `house` players and of
    bots."""

    way: Way
    full: int
    threes: int
    out: int
    house: int
    bots: int = 0


def list_choices(regulations: Regulations, guests: int, house: int) -> list[Choice]:
    """List the options for this number of guests and of house players.

    Empty if all tables are full, or if a pairing system decides on byes itself.
    """
    size = regulations.play.seats
    over = guests % size
    if not over or regulations.pairing_system != DRAWN:
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
    """Return the number of tables of three that, with tables of four, seat everybody; 0: none or
    impossible."""
    threes = -people % 4
    return threes if THREE * threes <= people else 0


def select_choice(regulations: Regulations, guests: int, house: int, way: str = "") -> Choice | None:
    """Return the option to propose for people who do not fill a table.

    In this order: the `way` asked for; tables of three, if the regulations allow them; players of the house,
    if enough are present; byes. None: all tables are full, or the `way` asked for is not possible.
    """
    found = {choice.way: choice for choice in list_choices(regulations, guests, house)}
    if way:
        return next((choice for choice in found.values() if choice.way == way), None)
    preferred: tuple[Way, ...] = ("house", "sit_out")
    if regulations.byes.policy == "three":
        preferred = ("three", *preferred)
    return next((found[one] for one in preferred if one in found), None)


def bye_candidates(problem: PairingProblem) -> Sequence[int]:
    """List the players who can get a bye in the first round: those with the fewest byes.

    Fixed pairs get byes together; for them the list is empty.
    """
    if not problem.sitting_out or problem.fixed_pairs:
        return ()
    played = [player for one in problem.past for table in one.tables for player in table]
    last = set(problem.sit_out_last)
    keys = {p: (p in last, -played.count(p)) for p in range(problem.players)}
    bound = sorted(keys.values())[problem.sitting_out - 1]
    return [p for p in range(problem.players) if keys[p] <= bound]
