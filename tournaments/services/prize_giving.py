"""The prizes of a championship: the plan, the winners by the latest published ranking, and
the prize giving.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournaments.errors import TournamentError
from tournaments.models import Booking, Championship, Entry, PrizeGiving, Table
from tournaments.permissions import Actor, require
from tournaments.prizes import (
    Award,
    CallUp,
    Candidate,
    PrizePlan,
    award,
    decode_plan,
    encode_plan,
    order_calls,
    postpone_calls,
    stored_plan,
)
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.money import prize_money
from tournaments.services.scores import published_ranking
from tournaments.standings import RankingRow


class Giving(NamedTuple):
    """State of a prize giving.

    steps: all calls in order; step: number of calls made; taken: number of the entry → index of the gift
    chosen; version: number that each change increments.
    """

    plan: PrizePlan
    awards: list[Award]
    steps: list[CallUp]
    step: int
    taken: dict[int, int]
    version: int

    @property
    def current(self) -> CallUp | None:
        """The person or pair called last, who stands in front."""
        return self.steps[self.step - 1] if 0 < self.step <= len(self.steps) else None

    @property
    def given(self) -> list[Award]:
        """The awards of everyone called so far."""
        return [award for call_up in self.steps[: self.step] for award in call_up.awards]

    @property
    def left(self) -> dict[int, str]:
        gone = set(self.taken.values())
        return {n: thing for n, thing in enumerate(self.plan.table) if n not in gone}


def load_plan(championship: Championship) -> PrizePlan:
    """Load the prize plan; empty if none is stored."""
    stored = PrizeGiving.objects.filter(championship=championship).first()
    return _decode_stored_plan(stored)


def _decode_stored_plan(stored: PrizeGiving | None) -> PrizePlan:
    return decode_plan({} if stored is None else stored_plan(stored.plan, begun=stored.step > 0))


def records_sweeps(championship: Championship) -> bool:
    """Return whether sheets of rounds opened from now on record sweeps."""
    rewarded = any(prize.kind == "sweeps" for prize in load_plan(championship).prizes)
    return load_regulations(championship).records_sweeps(rewarded=rewarded)


def may_reward_sweeps(championship: Championship) -> bool:
    """Return whether a prize for sweeps is possible.

    Sweeps must matter in this game, and either new sheets record sweeps anyway, or no sheet has begun.
    """
    if not load_regulations(championship).makes_sweeps():
        return False
    begun = Table.objects.filter(round__championship=championship, game__mode=Game.Mode.SHEET)
    return records_sweeps(championship) or not begun.exists()


def load_version(championship: Championship) -> int:
    """Return the version of the prize giving, 0 before the first change. Each change increments it.

    The services below compare it with the version that the actor saw.
    """
    found = PrizeGiving.objects.filter(championship=championship).values_list("version", flat=True)
    return found.first() or 0


def set_plan(
    championship: Championship, plan: PrizePlan, *, actor: Actor, version: int | None = None
) -> None:
    """Replace the prize plan.

    `version`: the version that the actor saw; None skips the check. Raises PrizesError, and TournamentError
    `prizes/done_since`, `prizes/begun` once a winner has been called, `prizes/no_sweeps`.
    """
    require(actor, "prizes", championship)
    encoded = encode_plan(plan)
    decode_plan(encoded)
    with _changing(championship, actor, version) as giving:
        if giving.step:
            raise TournamentError(
                "prizes/begun", _("Prizes are already being given; go back to the beginning first.")
            )
        sweeps = any(prize.kind == "sweeps" for prize in plan.prizes)
        if sweeps and not may_reward_sweeps(championship):
            raise TournamentError(
                "prizes/no_sweeps",
                _("The sheets of this evening do not record sweeps: there is no prize for them."),
            )
        giving.plan, giving.taken, giving.later = encoded, {}, []


def load_candidates(championship: Championship) -> list[Candidate]:
    """Load everyone in the latest published ranking, with the facts on which prizes depend."""
    snapshot = published_ranking.load_latest_snapshot(championship)
    rows = [] if snapshot is None else published_ranking.decode_rows(snapshot)
    numbers = {number for row in rows for number in row.numbers}
    entries = {entry.number: entry for entry in championship.entries.filter(number__in=numbers)}
    lowest = load_regulations(championship).directions().total < 0
    played = {score.round for row in rows for score in row.rounds if score.points is not None}
    return [
        _build_candidate(
            order,
            row,
            [entries[number] for number in row.numbers if number in entries],
            lowest_wins=lowest,
            complete=_took_part(row, played),
        )
        for order, row in enumerate(rows)
    ]


def _took_part(row: RankingRow, rounds: Set[int]) -> bool:
    """Return whether the person was present in all these rounds, and played in at least one round.

    Present means: a result of a table, a table broken off before it gave a result, or a bye.
    """
    sat = [score for score in row.rounds if score.absent is not True]
    there = [score for score in sat if score.points is not None or score.unfinished or score.broken_off]
    return {score.round for score in there} >= rounds and any(
        score.played or score.broken_off for score in there
    )


def _build_candidate(
    order: int, row: RankingRow, people: Sequence[Entry], *, lowest_wins: bool, complete: bool
) -> Candidate:
    """Build the candidate of a row of the ranking.

    A pair has a club or category only if both partners have the same one. Its birth year is the older
    partner's.
    """
    played = [
        score.points
        for score in row.rounds
        if score.played and score.points is not None and not (lowest_wins and score.unfinished)
    ]
    best = (min if lowest_wins else max)(played) if played else None
    clubs, categories = {entry.club for entry in people}, {entry.category for entry in people}
    return Candidate(
        key=row.key,
        place=row.place,
        order=order,
        total=row.total,
        sweeps=row.sweeps,
        best_round=best,
        club=clubs.pop() if len(clubs) == 1 else "",
        categories=frozenset(categories - {""}) if len(categories) == 1 else frozenset(),
        birth_year=min((entry.birth_year for entry in people if entry.birth_year), default=0),
        complete=complete,
    )


def load_giving(championship: Championship) -> Giving:
    """Load the awards by the latest published ranking, and the state of the prize giving."""
    stored = PrizeGiving.objects.filter(championship=championship).first()
    plan = _decode_stored_plan(stored)
    people = load_candidates(championship)
    awards = award(plan, people, lowest_wins=load_regulations(championship).directions().total < 0)
    steps = postpone_calls(order_calls(plan, people, awards), stored.later if stored is not None else [])
    if stored is None:
        return Giving(plan, awards, steps, 0, {}, 0)
    taken = {int(number): thing for number, thing in stored.taken.items()}
    return Giving(plan, awards, steps, min(stored.step, len(steps)), taken, stored.version)


def has_calls_left(championship: Championship) -> bool:
    """Return whether any winner is still to be called."""
    giving = load_giving(championship)
    return giving.step < len(giving.steps)


def call(championship: Championship, step: int, *, version: int, actor: Actor) -> None:
    """Make `step` the number of calls made so far.

    If it grows, the money of the new calls is booked as handed over; if it shrinks, the money of the calls
    taken back is reversed. The gifts of the current call and of later ones become free. 0 also ends all
    postponements. Raises TournamentError `prizes/done_since` (see `load_version`), `prizes/no_such_step`.
    """
    with _changing(championship, actor, version) as giving:
        now = load_giving(championship)
        if not 0 <= step <= len(now.steps):
            raise TournamentError("prizes/no_such_step", _("Nobody is called at this place."), step=step)
        called = {str(key) for one in now.steps[: max(step - 1, 0)] for key in one.keys if one.chooses}
        if step > now.step:
            newly = [award for one in now.steps[now.step : step] for award in one.awards]
            prize_money.hand_over(giving.championship, newly, actor=actor)
        else:
            prize_money.reverse_others(giving.championship, now._replace(step=step).given, actor=actor)
        giving.step = step
        giving.taken = {number: thing for number, thing in giving.taken.items() if number in called}
        if step == 0:
            giving.later = []


def postpone_current(championship: Championship, *, version: int, actor: Actor) -> None:
    """Move the call of the person in front, who did not come, to the end, and call the next one.

    Money booked for the postponed call is reversed. Raises TournamentError `prizes/done_since`,
    `prizes/nobody_next`.
    """
    with _changing(championship, actor, version) as giving:
        now = load_giving(championship)
        if now.current is None or now.step == len(now.steps):
            raise TournamentError(
                "prizes/nobody_next", _("Nobody is called after this person: the prize cannot be postponed.")
            )
        gone = now.current
        giving.later = [*(one for one in giving.later if one != gone.id), gone.id]
        then = now._replace(steps=postpone_calls(now.steps, giving.later))
        prize_money.reverse_others(giving.championship, then.given, actor=actor)
        newly = then.current.awards if then.current is not None else ()
        prize_money.hand_over(giving.championship, newly, actor=actor)
        left = {str(key) for key in gone.keys}
        giving.taken = {number: thing for number, thing in giving.taken.items() if number not in left}


def compute_amount_to_take_back(giving: Giving, step: int) -> int:
    """Return the money, in Rappen, won in the calls that are undone if the prize giving returns to `step`
    calls.
    """
    return sum(one.amount for call_up in giving.steps[step : giving.step] for one in call_up.awards)


def take_gift(championship: Championship, number: int, thing: int, *, version: int, actor: Actor) -> None:
    """Store the gift (`thing`: its index in `plan.table`) that the called person `number` takes, instead of
    an earlier one.

    Raises TournamentError `prizes/done_since`, `prizes/not_in_front`, `prizes/gone`.
    """
    with _changing(championship, actor, version) as giving:
        now = load_giving(championship)
        in_front = now.current
        if in_front is None or not in_front.chooses or number not in in_front.keys:
            raise TournamentError("prizes/not_in_front", _("Somebody else is being called now."))
        others: Mapping[int, int] = {key: taken for key, taken in now.taken.items() if key != number}
        if not 0 <= thing < len(now.plan.table) or thing in others.values():
            raise TournamentError("prizes/gone", _("This prize is no longer on the table."), thing=thing)
        giving.taken = {**giving.taken, str(number): thing}


def list_unsettled(championship: Championship, giving: Giving) -> list[prize_money.Unsettled]:
    """List the prizes whose money handed over differs from that won by the winners called so far."""
    return prize_money.list_differences(championship, giving.given)


def compute_money_to_hand_over(championship: Championship) -> int:
    """Return the money, in Rappen, won by the latest published ranking, minus the money handed over."""
    won = load_giving(championship).awards
    return sum(state.won - state.handed_over for state in prize_money.list_differences(championship, won))


def settle(
    championship: Championship, number: int, line: int, *, actor: Actor, method: str = Booking.Method.CASH
) -> None:
    """Book one money prize of a called winner as handed over, for example again after a reversal.

    `number`: the winner's key in the ranking; `line`: the prize's index in the plan. Raises TournamentError
    `prizes/not_called`, `prizes/handed_over`.
    """
    with locks.for_official(championship, actor, "cash") as (locked, _ref):
        given = [one for one in load_giving(locked).given if one.amount]
        own = [one for one in given if (one.key, one.prize) == (number, line)]
        if not own:
            raise TournamentError("prizes/not_called", _("Nobody has been called for this money."))
        _hand_over(locked, own, actor, method)


def settle_all(championship: Championship, *, actor: Actor, method: str = Booking.Method.CASH) -> int:
    """Book all unbooked prize money of called winners as handed over; return the number of bookings.

    This includes prizes that were given before the platform booked their money, and money whose booking was
    reversed. Raises TournamentError `prizes/handed_over` if there is nothing to book.
    """
    with locks.for_official(championship, actor, "cash") as (locked, _ref):
        return _hand_over(locked, load_giving(locked).given, actor, method)


def _hand_over(locked: Championship, awards: Sequence[Award], actor: Actor, method: str) -> int:
    count = prize_money.hand_over(locked, awards, actor=actor, method=method)
    if not count:
        raise TournamentError("prizes/handed_over", _("This money is already booked as handed over."))
    return count


@contextmanager
def _changing(championship: Championship, actor: Actor, version: int | None) -> Iterator[PrizeGiving]:
    """Lock the prize giving, yield it for changes, and store it with the next version.

    Raises TournamentError `prizes/done_since` if its version is not `version`.
    """
    with locks.for_official(championship, actor, "prizes") as (locked, _ref):
        giving, _made = PrizeGiving.objects.get_or_create(championship=locked)
        if version is not None and giving.version != version:
            raise TournamentError(
                "prizes/done_since",
                _("Somebody else has continued in the meantime; check the page as it is now."),
            )
        yield giving
        giving.version += 1
        giving.save(update_fields=["plan", "step", "taken", "later", "version"])
