"""The order in which prizes are given: from place 4 to the last, what is special, the podium at the end."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from tournaments.prizes.plan import Award, Candidate, PrizePlan

PODIUM: Final = 3


class CallUp(msgspec.Struct, frozen=True, kw_only=True):
    """One person called to the front, or several for one special prize. keys: as in the ranking; awards: what
    they get; chooses: takes something from the table.
    """

    keys: tuple[int, ...]
    place: int
    awards: tuple[Award, ...] = ()
    chooses: bool = False
    special: bool = False

    @property
    def id(self) -> str:
        """What tells this call from the others, whatever its turn is."""
        return f"prize:{self.awards[0].prize}" if self.special else f"key:{self.keys[0]}"


def choosers(plan: PrizePlan, people: Sequence[Candidate], awards: Sequence[Award]) -> list[int]:
    """Who takes something from the table, in the order of the ranking; no more than there are things."""
    for_places = {one.key for one in awards if plan.prizes[one.prize].kind == "place"}
    return [one.key for one in people if one.key not in for_places][: len(plan.table)]


def order_of_giving(plan: PrizePlan, ranking: Iterable[Candidate], awards: Sequence[Award]) -> list[CallUp]:
    """Everybody once for his place and the table, each special prize once.

    The podium comes last, and from the third to the first; where it takes from the table too it comes first,
    because whoever stands in front chooses first.
    """
    people = sorted(ranking, key=lambda one: one.order)
    choosing = choosers(plan, people, awards)
    calls = []
    for one in people:
        own = tuple(a for a in awards if a.key == one.key and plan.prizes[a.prize].kind == "place")
        if own or one.key in choosing:
            calls.append(CallUp(keys=(one.key,), place=one.place, awards=own, chooses=one.key in choosing))
    podium = [call for call in calls if call.place <= PODIUM]
    others = [call for call in calls if call.place > PODIUM]
    special = _special(plan, awards)
    if any(call.chooses for call in podium):
        return [*podium, *others, *special]
    return [*others, *special, *reversed(podium)]


def postponed(steps: Sequence[CallUp], later: Sequence[str]) -> list[CallUp]:
    """The same calls with those of these ids at the end, in the order in which they were put off."""
    turn = {one: at for at, one in enumerate(later)}
    put_off = sorted((step for step in steps if step.id in turn), key=lambda step: turn[step.id])
    return [*(step for step in steps if step.id not in turn), *put_off]


def _special(plan: PrizePlan, awards: Sequence[Award]) -> list[CallUp]:
    """The last one's consolation first: he has just been called."""
    lines = [line for line, prize in enumerate(plan.prizes) if prize.kind != "place"]
    lines.sort(key=lambda line: plan.prizes[line].kind != "last")
    found = []
    for line in lines:
        own = tuple(a for a in awards if a.prize == line)
        if own:
            keys = tuple(dict.fromkeys(a.key for a in own))
            found.append(CallUp(keys=keys, place=own[0].place, awards=own, special=True))
    return found
