"""The order of calls at the prize giving: usually from place 4 to the last, then special prizes, then the
podium.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from tournaments.prizes.plan import Award, Candidate, PrizePlan

PODIUM: Final = 3


class CallUp(msgspec.Struct, frozen=True, kw_only=True):
    """A call of one person to the front, or of several for a special prize.

    keys: of the people in the ranking. place: their place. awards: their prizes. chooses: they choose a gift
    from the prize table. special: the call is for a special prize.
    """

    keys: tuple[int, ...]
    place: int
    awards: tuple[Award, ...] = ()
    chooses: bool = False
    special: bool = False

    @property
    def id(self) -> str:
        """Identifier of the call. It stays the same when the order of calls changes."""
        return f"prize:{self.awards[0].prize}" if self.special else f"key:{self.keys[0]}"


def list_choosers(plan: PrizePlan, people: Sequence[Candidate], awards: Sequence[Award]) -> list[int]:
    """List the keys of the first people without a prize for a place, one for each gift on the table."""
    for_places = {one.key for one in awards if plan.prizes[one.prize].kind == "place"}
    return [one.key for one in people if one.key not in for_places][: len(plan.table)]


def order_calls(plan: PrizePlan, ranking: Iterable[Candidate], awards: Sequence[Award]) -> list[CallUp]:
    """Return the calls in order: one for each person with a gift or a prize for a place, and one for each
    special prize.

    The podium comes last, from third to first. If anybody on the podium chooses a gift, it comes first, from
    first to third.
    """
    people = sorted(ranking, key=lambda one: one.order)
    choosing = list_choosers(plan, people, awards)
    calls = []
    for one in people:
        own = tuple(a for a in awards if a.key == one.key and plan.prizes[a.prize].kind == "place")
        if own or one.key in choosing:
            calls.append(CallUp(keys=(one.key,), place=one.place, awards=own, chooses=one.key in choosing))
    podium = [call for call in calls if call.place <= PODIUM]
    others = [call for call in calls if call.place > PODIUM]
    special = _special_calls(plan, awards)
    if any(call.chooses for call in podium):
        return [*podium, *others, *special]
    return [*others, *special, *reversed(podium)]


def postpone_calls(steps: Sequence[CallUp], later: Sequence[str]) -> list[CallUp]:
    """Move the calls with these ids to the end, in the order in which they were postponed."""
    turn = {one: at for at, one in enumerate(later)}
    put_off = sorted((step for step in steps if step.id in turn), key=lambda step: turn[step.id])
    return [*(step for step in steps if step.id not in turn), *put_off]


def _special_calls(plan: PrizePlan, awards: Sequence[Award]) -> list[CallUp]:
    """Build the calls for special prizes. The consolation prize of the last place comes first, because the
    last place was called just before.
    """
    lines = [line for line, prize in enumerate(plan.prizes) if prize.kind != "place"]
    lines.sort(key=lambda line: plan.prizes[line].kind != "last")
    found = []
    for line in lines:
        own = tuple(a for a in awards if a.prize == line)
        if own:
            keys = tuple(dict.fromkeys(a.key for a in own))
            found.append(CallUp(keys=keys, place=own[0].place, awards=own, special=True))
    return found
