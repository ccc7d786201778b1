"""The prize plan: prizes, their conditions, and the handling of ties.

Clubs give money for the first places, gifts chosen from a table by rank, and special prizes. Source:
published regulations and prize lists of club evenings. Omitted: prizes for series of evenings.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from engine import Refused
from tournaments.standings import Figure

Kind = Literal["place", "category", "oldest", "sweeps", "best_round", "last", "club_team"]
Sharing = Literal["shared", "in_order"]
Text = Annotated[str, Meta(max_length=60)]
Rappen = Annotated[int, Meta(ge=0, le=10_000_000)]
"""Amounts in hundredths of a franc."""
MAX_PRIZES: Final = 500


class PrizesError(Refused):
    """Error of an invalid prize plan. `params` contain the number of an invalid line."""

    def __init__(self, code: str, detail: str, **params: int | str) -> None:
        super().__init__(detail, code=code, **params)


class Prize(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One prize: an amount of money, a thing, or both.

    kind: the order of people; number: the position that wins.
      place       by the ranking
      category    by the ranking, among the people of the `category` (women, youth, …)
      oldest      by age
      sweeps      by deals in which their side took every trick
      best_round  by points of the best round; drawn partners both have them
      last        by the ranking, from its end
      club_team   the club with the best sum of its best `number` people; they share it
    """

    kind: Kind
    number: Annotated[int, Meta(ge=1, le=4000)] = 1
    category: Text = ""
    amount: Rappen = 0
    thing: Text = ""


class PrizePlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All prizes of a championship.

    sharing: level people divide the sum of their prizes (`shared`), or get them in the order
    of the ranking's list (`in_order`). Things cannot be divided. once: winners of
    a prize for a place or of a special prize get no other special prize; it goes to the next person.
    complete: special prizes are for people who took part in every round; if false, for everybody in the
    ranking. A plan without this field whose prize giving has begun is read as false (`stored_plan`). table:
    gifts to choose from, one each, by rank, for people without a prize for a place.
    """

    prizes: Annotated[tuple[Prize, ...], Meta(max_length=MAX_PRIZES)] = ()
    sharing: Sharing = "shared"
    once: bool = True
    complete: bool = True
    table: Annotated[tuple[Text, ...], Meta(max_length=MAX_PRIZES)] = ()


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the ranking, with the facts on which prizes depend.

    key: of the row. order: its index in the ranking, which also orders level people. total, best_round: as
    the ranking counts them; best_round is None if nothing was played. sweeps: number of deals in which the
    person's side took every trick. birth_year 0: unknown. complete: the person took part in every round, and
    not only by byes.
    """

    key: int
    place: int
    order: int
    total: Figure
    sweeps: int = 0
    best_round: Figure | None = None
    club: str = ""
    categories: frozenset[str] = frozenset()
    birth_year: int = 0
    complete: bool = True


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """A prize of one person.

    prize: index of its line in the plan. key, place: of the person in the ranking. amount: the person's share
    in Rappen. shared_by: number of people who divided the prize. level: only the order of the list decided
    between level people.
    """

    prize: int
    key: int
    place: int
    amount: int = 0
    thing: str = ""
    shared_by: int = 1
    level: bool = False


def decode_plan(data: Mapping[str, Any]) -> PrizePlan:
    """Decode and check a plan from JSON data.

    Raises PrizesError `prizes/unreadable`, and the errors of `check_plan`.
    """
    try:
        plan = msgspec.convert(dict(data), PrizePlan)
    except msgspec.ValidationError as error:
        raise PrizesError("prizes/unreadable", f"the prizes cannot be read: {error}") from None
    check_plan(plan)
    return plan


def stored_plan(data: Mapping[str, Any], *, begun: bool) -> dict[str, Any]:
    """Return the JSON of a stored plan as it applies now. begun: whether winners were already called by this
    plan.
    """
    return {"complete": False, **data} if begun and data else dict(data)


def encode_plan(plan: PrizePlan) -> dict[str, Any]:
    """Encode the plan as JSON data."""
    data: dict[str, Any] = msgspec.to_builtins(plan)
    return data


def check_plan(plan: PrizePlan) -> None:
    """Raise PrizesError for a line without a prize, a duplicate line, or a missing or needless category."""
    seen: set[tuple[str, int, str]] = set()
    for line, prize in enumerate(plan.prizes, 1):
        if not prize.amount and not prize.thing:
            raise PrizesError("prizes/nothing", f"line {line} gives nothing", line=line)
        if (prize.kind == "category") != bool(prize.category):
            raise PrizesError("prizes/category", f"line {line}: which category?", line=line)
        what = (prize.kind, prize.number if prize.kind != "last" else 0, prize.category)
        if what in seen:
            raise PrizesError("prizes/twice", f"line {line} stands there already", line=line)
        seen.add(what)
