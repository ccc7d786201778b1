"""Phase `auction`: seats bid in turn, each bid higher than the last, until all but the last bidder have
passed.
"""

from collections.abc import Callable, Sequence
from itertools import islice

from engine.cards import codes
from engine.commands import Bid, Command, Defer, Pass
from engine.errors import IllegalCommand
from engine.events import AuctionFailed, AuctionWon, BidDeferred, BidMade, BidPassed, Event, TalonTaken
from engine.infractions.faults import Faults, with_faults
from engine.ledger.evolve import replay
from engine.ledger.state import State, VariantState
from engine.rules import Bids, Draft, GameContext, Phase, Turn, from_forehand, on


def _count_acts(state: State, seat: int) -> int:
    variant_state = state.variant_state
    bids = sum(bidder == seat for bidder, _ in variant_state.bids)
    return bids + variant_state.passed.count(seat) + variant_state.deferred.count(seat)


def _seat_in_turn(context: GameContext) -> int:
    """Return the seat whose turn it is: among the seats that have not passed, the first from forehand with
    the fewest acts.
    """
    state = context.state
    return min(
        (s for s in from_forehand(state) if s not in state.variant_state.passed),
        key=lambda s: _count_acts(state, s),
    )


def _close(draft: Draft, state: State, left: list[int], last: tuple[int, int] | None) -> list[Event]:
    """Emit the end of the auction if no other seat in `left` can raise the last bid, and return the draft's
    events. The winner takes the talon.
    """
    if not left:
        draft.emit(AuctionFailed(seq=draft.seq))
    elif last is not None and left == [last[0]]:
        draft.events += _won_events(state.variant_state, *last, draft.seq)
    return draft.events


def _won_events(variant_state: VariantState, seat: int, points: int, seq: int) -> list[Event]:
    won: list[Event] = [AuctionWon(seq=seq, seat=seat, points=points)]
    if variant_state.talon_size or variant_state.talon_open:
        talon = codes(variant_state.talon_open | variant_state.talon_closed)
        won.append(TalonTaken(seq=seq + 1, seat=seat, cards=talon))
    return won


def auction(
    is_open: Callable[[State], bool],
    bounds: Bids,
    *,
    highest: int | None = None,
    may_defer: bool = False,
) -> Phase:
    """Return the phase. `is_open`: whether a deal has an auction that is not over. Bids follow `bounds` and
    do not exceed `highest`. With `may_defer` a seat may defer as its first act.
    """
    step = bounds.step

    def least(state: State) -> int:
        bids = state.variant_state.bids
        return bounds.after(bids[-1][1] if bids else None)

    def commands(context: GameContext) -> tuple[str, ...]:
        state = context.state
        names = ["pass"]
        if may_defer and not _count_acts(state, _seat_in_turn(context)):
            names.insert(0, "defer")
        if highest is None or least(state) <= highest:
            names.insert(0, "bid")
        return tuple(names)

    def bid(context: GameContext, command: Bid) -> list[Event]:
        state = context.state
        if command.won and state.mode != "transcribed":
            raise IllegalCommand("bid/not_over", "only in a transcript an auction ends at once")
        faults = Faults(state, command.seat)
        faults.check_turn("bid", command.seat if command.won else _seat_in_turn(context))
        points, bound = command.points, least(state)
        if points < bound or (highest is not None and points > highest):
            upper = "" if highest is None else f" and at most {highest}"
            faults.add(
                IllegalCommand(
                    "bid/out_of_bounds",
                    f"a bid is at least {bound}{upper}, not {points}",
                    points=points,
                    least=bound,
                    highest=highest,
                )
            )
        if points % step:
            faults.add(
                IllegalCommand(
                    "bid/wrong_step", f"bids are multiples of {step}, not {points}", points=points, step=step
                )
            )
        draft = Draft(context)
        draft.emit(BidMade(seq=draft.seq, seat=command.seat, points=points))
        faults.emit(draft)
        if command.won:
            return [*draft.events, *_won_events(state.variant_state, command.seat, points, draft.seq)]
        left = [s for s in range(state.seats) if s == command.seat or s not in state.variant_state.passed]
        return _close(draft, state, left, (command.seat, points))

    def defer(context: GameContext, command: Defer) -> list[Event]:
        state = context.state
        faults = Faults(state, command.seat)
        faults.check_turn("defer", _seat_in_turn(context))
        if not may_defer or _count_acts(state, command.seat):
            what = "only the first word of a seat can be put off"
            faults.add(IllegalCommand("defer/not_now", what, seat=command.seat))
        draft = Draft(context)
        draft.emit(BidDeferred(seq=draft.seq, seat=command.seat))
        return with_faults(faults, draft)

    def give_up(context: GameContext, command: Pass) -> list[Event]:
        faults = Faults(context.state, command.seat)
        faults.check_turn("pass", _seat_in_turn(context))
        draft = Draft(context)
        draft.emit(BidPassed(seq=draft.seq, seat=command.seat))
        faults.emit(draft)
        variant_state = context.state.variant_state
        left = [s for s in range(context.state.seats) if s != command.seat and s not in variant_state.passed]
        return _close(draft, context.state, left, variant_state.bids[-1] if variant_state.bids else None)

    def audit_run(context: GameContext, log: Sequence[Event], at: int) -> int:
        """Fold acts in turn from a log, up to the end of the auction, and return the number of events."""
        state = context.state
        variant_state, begun = state.variant_state, at
        left = [seat for seat in from_forehand(state) if seat not in variant_state.passed]
        if state.mode != "dealt" or not left:
            return 0
        last = variant_state.bids[-1] if variant_state.bids else None
        spoken = [_count_acts(state, seat) for seat in range(state.seats)]
        for event in islice(log, at, None):
            seat = min(left, key=spoken.__getitem__)
            if event.seq != at or getattr(event, "seat", None) != seat:
                break
            if type(event) is BidMade:
                points = event.points
                too_high = highest is not None and points > highest
                if too_high or points % step or points < bounds.after(last and last[1]):
                    break
                last = (seat, points)
            elif type(event) is BidPassed:
                left.remove(seat)
            elif type(event) is not BidDeferred or not may_defer or spoken[seat]:
                break
            spoken[seat] += 1
            if not left or (last is not None and left == [last[0]]):
                end = (
                    _won_events(variant_state, *last, at + 1)
                    if left and last
                    else [AuctionFailed(seq=at + 1)]
                )
                at += 1 + len(end) if log[at + 1 : at + 1 + len(end)] == end else 0
                break
            at += 1
        replay(log[begun:at], state)
        return at - begun

    def offers(context: GameContext) -> list[Command]:
        seat, bound = _seat_in_turn(context), least(context.state)
        offered: list[Command] = [Pass(seat=seat)]
        if "defer" in commands(context):
            offered.append(Defer(seat=seat))
        top = bound + 3 * step if highest is None else min(bound + 3 * step, highest)
        offered += [Bid(seat=seat, points=points) for points in range(bound, top + 1, step)]
        return offered

    return Phase(
        "auction",
        lambda context: is_open(context.state),
        lambda context: Turn(_seat_in_turn(context), "auction", commands(context)),
        on(Bid, bid) | on(Defer, defer) | on(Pass, give_up),
        offers,
        audit_run=audit_run,
        bids=bounds,
    )
