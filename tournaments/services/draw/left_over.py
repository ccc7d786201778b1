"""People who do not fill a table: their number, and the ways to handle them in one round (byes, tables of
three, players of the house, bots), each with its effect.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, get_args

from tournaments.models import Championship, Entry
from tournaments.pairing import PairingProblem
from tournaments.pairing.systems import DRAWN
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries import pairs

Way = Literal["three", "house", "bot", "sit_out"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
THREE: Final = 3


class Choice(NamedTuple):
    """One way to handle people who do not fill a table, and its effect.

    `full`: number of full tables; `threes`: of tables of three; `out`: of byes; `house`: of players of the
    house who play; `bots`: of bots who play.
    """

    way: Way
    full: int
    threes: int
    out: int
    house: int
    bots: int = 0


class Gap(NamedTuple):
    """Numbers of people and places for the next draw.

    `arrived`: people present, without players of the house; `house`: players of the house present; `tables`:
    full tables of `arrived`; `over`: people left over; `missing`: people needed to fill one more table with
    them; `of_pairs`: partners stay together; `proposed`: how to handle the people left over (None: nobody is,
    or nothing is possible).
    """

    arrived: int
    house: int
    table_size: int
    tables: int
    over: int
    missing: int
    of_pairs: bool = False
    proposed: Choice | None = None


def count_gap(championship: Championship) -> Gap:
    """Count the people present, and the people who are missing to fill the last table."""
    regulations = load_regulations(championship)
    size, of_pairs = regulations.play.seats, regulations.play.format == pairs.FORMAT
    here = championship.entries.filter(status=Entry.Status.ARRIVED, bot=False)
    there = here.values_list("house", flat=True)
    house = sum(there)
    arrived = len(there) - house
    over = 0 if regulations.plays_in_teams else arrived % size
    proposed = select_choice(regulations, arrived, house)
    return Gap(arrived, house, size, arrived // size, over, (size - over) % size, of_pairs, proposed)


def list_choices(regulations: Regulations, guests: int, house: int) -> list[Choice]:
    """List the possible choices for these numbers of guests and of players of the house.

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
    """Return the number of tables of three that, together with tables of four, seat all people. 0 if none is
    needed or it is impossible.
    """
    threes = -people % 4
    return threes if THREE * threes <= people else 0


def select_choice(regulations: Regulations, guests: int, house: int, way: str = "") -> Choice | None:
    """Return the choice to propose for people who do not fill a table.

    With `way`, only that way is considered. Otherwise the first possible one of these is proposed: tables of
    three, if the regulations prefer them; players of the house, if enough are present; byes. None: there
    is no such choice.
    """
    found = {choice.way: choice for choice in list_choices(regulations, guests, house)}
    if way:
        return next((choice for choice in found.values() if choice.way == way), None)
    preferred: tuple[Way, ...] = ("house", "sit_out")
    if regulations.byes.policy == "three":
        preferred = ("three", *preferred)
    return next((found[one] for one in preferred if one in found), None)


def list_bye_candidates(problem: PairingProblem) -> Sequence[int]:
    """List the players who can get a bye in the first round of the problem: those who have played most often.

    Players of `sit_out_last` are listed only if all others get a bye. Empty without byes, and for fixed
    pairs, who get byes together.
    """
    if not problem.bye_count or problem.fixed_pairs:
        return ()
    played = [player for one in problem.past for table in one.tables for player in table]
    last = set(problem.sit_out_last)
    keys = {p: (p in last, -played.count(p)) for p in range(problem.players)}
    bound = sorted(keys.values())[problem.bye_count - 1]
    return [p for p in range(problem.players) if keys[p] <= bound]
