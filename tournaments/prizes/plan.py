"""Prizes as data: what there is to win, for what, and what becomes of it where people are level.

Swiss clubs give something to (nearly) everybody: money for the first places, things to choose from a table in
the order of the ranking, and special prizes beside it. Source: published regulations and prize lists of club
evenings. Omitted: prizes for series of evenings, which their plan will say.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from engine import Refused

Kind = Literal["place", "category", "oldest", "sweeps", "best_round", "last", "club_team"]
Sharing = Literal["shared", "in_order"]
Text = Annotated[str, Meta(max_length=60)]
Rappen = Annotated[int, Meta(ge=0, le=10_000_000)]
"""Money is counted in hundredths of a franc."""
MAX_PRIZES: Final = 500


class PrizesError(Refused):
    """A plan that nobody could give prizes by; `params` say which line."""

    def __init__(self, code: str, detail: str, **params: int | str) -> None:
        super().__init__(detail, code=code, **params)


class Prize(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One prize: an amount of money, a thing, or both.

    kind: what it is for.
      place       the `number`-th of the ranking
      category    the `number`-th among the people of the `category` (women, youth, …)
      oldest      the oldest person
      sweeps      whose side took every trick most often
      best_round  the most points in one round; where partners were drawn both have them
      last        the last of the ranking
      club_team   the club whose `number` best have most points together; shared by those
    """

    kind: Kind
    number: Annotated[int, Meta(ge=1, le=4000)] = 1
    category: Text = ""
    amount: Rappen = 0
    thing: Text = ""


class PrizePlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All prizes of an evening.

    sharing: level people add up what their places give and divide it (`shared`), or take it in the order of
    the list, where the chain has not separated them (`in_order`). A thing cannot be divided.
    once: who has a prize already, for his place or a special one, gets no other special one; the next one
    does.
    complete: special prizes are for those who took part in every round; without it for everybody in the
    ranking. A plan of which prizes had been given before there was this rule goes on without it
    (`as_stored`).
    table: things to choose from, one each, in the order of the ranking, for whoever has no prize for a place.
    """

    prizes: Annotated[tuple[Prize, ...], Meta(max_length=MAX_PRIZES)] = ()
    sharing: Sharing = "shared"
    once: bool = True
    complete: bool = True
    table: Annotated[tuple[Text, ...], Meta(max_length=MAX_PRIZES)] = ()


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the ranking, as far as prizes look at it.

    key: as in the ranking; order: its line there, which also orders those who are level; total and best_round
    as the ranking counts, the latter None where nothing was played; birth_year 0: not known. complete: there
    in every round, and not only sitting out.
    """

    key: int
    place: int
    order: int
    total: int
    sweeps: int = 0
    best_round: int | None = None
    club: str = ""
    categories: frozenset[str] = frozenset()
    birth_year: int = 0
    complete: bool = True


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody gets. prize: the number of its line in the plan; amount in Rappen, his share of it.

    shared_by: how many have divided it; level: it went by the order of the list between people who are level.
    """

    prize: int
    key: int
    place: int
    amount: int = 0
    thing: str = ""
    shared_by: int = 1
    level: bool = False


def decode_plan(data: Mapping[str, Any]) -> PrizePlan:
    """The plan of JSON data, checked. Raises PrizesError `prizes/unreadable` and those of `check_plan`."""
    try:
        plan = msgspec.convert(dict(data), PrizePlan)
    except msgspec.ValidationError as error:
        raise PrizesError("prizes/unreadable", f"the prizes cannot be read: {error}") from None
    check_plan(plan)
    return plan


def as_stored(data: Mapping[str, Any], *, begun: bool) -> dict[str, Any]:
    """The JSON of a plan as it holds. begun: somebody has been called by it already."""
    return {"complete": False, **data} if begun and data else dict(data)


def encode_plan(plan: PrizePlan) -> dict[str, Any]:
    """The plan as JSON data."""
    data: dict[str, Any] = msgspec.to_builtins(plan)
    return data


def check_plan(plan: PrizePlan) -> None:
    """Raise PrizesError for a prize that is nothing, stands there twice, or whose category is missing."""
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
