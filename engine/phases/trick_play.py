"""Phase `trick_play`: cards are played in turn, tricks are taken and their points counted.

Most cards without declarations take a fast path, which tests/bench/engine.py measures; other cards go
through a draft. For speed the rule of legal cards is implemented three times: for one card, for folding a
log, and for a rollout. tests/engine/test_trick_implementations.py compares them.
"""

from collections.abc import Sequence
from typing import Final, NoReturn

from engine.card_points import LAST_TRICK
from engine.cards import ALL, BIT, DECK, INDEX, SINGLE, SUIT_NAMES, SUIT_OF, Card, codes
from engine.commands import Command, Play
from engine.errors import IllegalCommand
from engine.events import CardPlayed, ContractSet, Event, TrickTaken
from engine.ledger.evolve import complete_trick, replay
from engine.ledger.state import NextPlay, State, Trick
from engine.melds.declaring import declare_melds, score_melds, take_trick
from engine.melds.stoeck import declare_stoeck
from engine.rules import IN_TURN, Chooser, Draft, GameContext, Phase, Turn, check_turn, on
from engine.scoring.game_end import build_closing_events, end_if_target_reached, finish_deal
from engine.scoring.running_totals import compute_points_to_target, is_target_near
from engine.tricks.modes import current_mode, strongest
from engine.tricks.trick_tables import POINTS, judge

TURNS: Final = tuple(Turn(seat, "trick_play", ("play",)) for seat in range(4))


def next_legal(context: GameContext) -> NextPlay:
    """Compute and return the next seat and the mask of its legal cards. Both are cached in the context until
    the next event.
    """
    state = context.state
    trick = state.trick
    if trick:
        seat = state.trick_seats[-1] + 1
        if seat == state.seats:
            seat = 0
        hand = state.hands[seat]
        ways = (
            context.trick_tables
            if context.trick_tables_at == state.phase_version
            else context.current_trick_tables()
        )
        asked, special, follow, _ = ways[len(state.tricks)][SUIT_OF[trick[0]]]
        legal = follow(hand, trick) if hand & special else hand & asked or hand
    else:
        seat = _find_leader(context)
        legal = state.hands[seat]
        if state.marked:
            legal = legal & ~state.barred[seat] or legal
    found = context.next_play = (seat, legal)
    context.play_at = state.seq
    return found


def _next_play(context: GameContext) -> NextPlay:
    return context.next_play if context.play_at == context.state.seq else next_legal(context)


def _find_leader(context: GameContext) -> int:
    state = context.state
    return context.rules.play.lead(state) if state.leader is None else state.leader


def _turn(context: GameContext) -> Turn:
    seat, _ = _next_play(context)
    return TURNS[seat or 0]


def _play(context: GameContext, command: Play) -> list[Event]:
    state = context.state
    turn, legal = context.next_play if context.play_at == state.seq else next_legal(context)
    seat = command.seat
    code = command.card
    if seat != turn or not legal & BIT[code]:
        _refuse(context, seat, code)
    silent = not (command.melds or command.heard) and command.stoeck is None
    if silent and (state.contract is not None or _follows_suit(state, code)):
        if len(state.trick) + 1 < state.seats:
            return [CardPlayed(seq=state.seq, seat=seat, card=code)]
        if _scores_cards_only(context):
            return _complete_trick(context, seat, code)
    return _play_with_draft(context, command)


def _follows_suit(state: State, code: Card | None) -> bool:
    return not state.trick or SUIT_OF[state.trick[0]] == SUIT_OF[INDEX[code]]


def _complete_trick(context: GameContext, seat: int, code: Card | None) -> list[Event]:
    """Return the events of a trick's last card. The trick must score nothing but its cards."""
    state = context.state
    lying = [*state.trick, INDEX[code]]
    order = (*state.trick_seats, seat)
    done = len(state.tricks)
    by_suit = context.trick_tables[
        done
    ]  # `trick_tables` is current: the legal cards of this trick were computed from it
    taker, points = judge(lying, order, by_suit[SUIT_OF[lying[0]]].worths)
    seq, last = state.seq, done + 1 == state.sizes[0]
    if last:
        points += LAST_TRICK
    events: list[Event] = [
        CardPlayed(seq=seq, seat=seat, card=code),
        TrickTaken(seq=seq + 1, seat=taker, points=points),
    ]
    if last or context.rules.after_trick:
        trick = Trick(order, lying, taker, points)
        events += _after_trick_events(context, trick, seq + 2)
        if last:
            events += build_closing_events(context, state.record(trick), seq + len(events))
    return events


def _scores_cards_only(context: GameContext) -> bool:
    """Return whether the current trick will score nothing but its cards, and cannot end the game before the
    trick is over.
    """
    state = context.state
    if state.contract is None or (state.declared and not state.tricks):
        return False
    rules = context.rules
    if rules.cards_only:
        return True
    last = len(state.tricks) + 1 == state.sizes[0]
    return not (last and _has_after_last_events(context)) and not is_target_near(context)


def _has_after_last_events(context: GameContext) -> bool:
    """Return whether `after_last` functions add events after the last trick."""
    return any(after_last(context, context.state.seq) for after_last in context.rules.after_last)


def _audit_run(context: GameContext, log: Sequence[Event], at: int) -> int:
    """Fold whole tricks of a log, and return the number of events. A trick is folded if its cards are legal
    and in turn, and if the rules give the events that follow it in the log.
    """
    state = context.state
    if state.trick or state.marked or state.contract is None:
        return 0
    left = compute_points_to_target(context)
    if left is not None and min(left) <= 0:
        return 0
    begun, end, seats, in_turn = at, len(log), state.seats, IN_TURN[state.seats]
    rules, ways, leader = context.rules, context.current_trick_tables(), _find_leader(context)
    after_trick, sides = rules.after_trick, rules.sides_of(state)
    for by_suit in ways[len(state.tricks) :]:
        last = at + seats
        if last >= end:
            break
        led = log[at]
        if type(led) is not CardPlayed:
            break
        asked, special, follow, worths = by_suit[SUIT_OF[INDEX[led.card]]]
        hands, order, place = state.hands[:], in_turn[leader], at
        lying: list[int] = []
        best = total = 0
        for seat in order:
            event = log[place]
            if type(event) is not CardPlayed or event.seat != seat or event.seq != place:
                return at - begun
            card = INDEX[event.card]
            bit = SINGLE[card]
            hand = hands[seat]
            if not hand & bit & asked:
                legal = follow(hand, lying) if lying and hand & special else hand & asked or hand
                if not legal & bit:
                    return at - begun
            hands[seat] = hand ^ bit
            lying.append(card)
            place += 1
            worth = worths[card]
            total += worth
            if worth > best:
                best = worth
                leader = seat
        ends = len(state.tricks) + 1 == len(ways)
        points = (total & POINTS) + (LAST_TRICK if ends else 0)
        taken = log[last]
        if type(taken) is not TrickTaken or taken.seq != last:
            break
        if taken.seat != leader or taken.points != points or (ends and _has_after_last_events(context)):
            break
        if left is not None:
            side = sides[leader]
            left[side] -= points
            if left[side] <= (rules.play.sweep_bonus if ends else 0):
                break
        last += 1
        trick = Trick(order, lying, leader, points)
        events = _after_trick_events(context, trick, last) if after_trick else []
        if ends:
            events += build_closing_events(context, state.record(trick), last + len(events))
        if events and log[last : last + len(events)] != events:
            break
        state.hands, state.seq = hands, last
        complete_trick(state, trick)
        replay(events, state)
        at = last + len(events)
    return at - begun


def _after_trick_events(context: GameContext, trick: Trick, seq: int) -> list[Event]:
    """Return the events of all `after_trick` functions for a trick."""
    events: list[Event] = []
    for after_trick in context.rules.after_trick:
        events += after_trick(context, trick, seq + len(events))
    return events


def _play_fast(context: GameContext, choose: Chooser, log: list[Event]) -> None:
    """Play whole tricks as long as they score nothing but their cards, and close the deal after the last
    trick.
    """
    state = context.state
    if state.trick or state.marked or not _scores_cards_only(context):
        return
    cards_only, after_trick = context.rules.cards_only, context.rules.after_trick
    seq, hands, append = state.seq, state.hands, log.append
    ways = context.current_trick_tables()
    leader, in_turn = _find_leader(context), IN_TURN[state.seats]
    for by_suit in ways[len(state.tricks) :]:
        if not (cards_only or _scores_cards_only(context)):
            return
        order = in_turn[leader]
        lying: list[int] = []
        best = total = 0
        _, _, follow, worths = by_suit[0]
        asked, special = ALL, 0  # a leader may play any card
        for seat in order:
            hand = hands[seat]
            legal = follow(hand, lying) if hand & special else hand & asked or hand
            card = choose(seat, legal)
            bit = SINGLE[card]
            if not bit & legal:
                state.seq, state.trick, state.trick_seats = seq, lying, [*order[: len(lying)]]
                _refuse(context, seat, DECK[card])
            if not lying:
                asked, special, follow, worths = by_suit[SUIT_OF[card]]
            append(CardPlayed(seq=seq, seat=seat, card=DECK[card]))
            seq += 1
            hands[seat] = hand ^ bit
            lying.append(card)
            worth = worths[card]
            total += worth
            if worth > best:
                best = worth
                leader = seat
        ends = len(state.tricks) + 1 == len(ways)
        points = (total & POINTS) + (LAST_TRICK if ends else 0)
        append(TrickTaken(seq=seq, seat=leader, points=points))
        seq += 1
        state.seq = seq
        trick = Trick(order, lying, leader, points)
        complete_trick(state, trick)
        events = _after_trick_events(context, trick, seq) if after_trick else []
        if ends:
            events += build_closing_events(context, state.record(), seq + len(events))
        if events:
            log += events
            replay(events, state)
            seq = state.seq


def _play_with_draft(context: GameContext, command: Play) -> list[Event]:
    draft = Draft(context)
    if command.heard:
        raise IllegalCommand("melds/not_seen", "melds are declared with their cards")
    if command.melds:
        declare_melds(draft, command.seat, command.melds)
    draft.emit(CardPlayed(seq=draft.seq, seat=command.seat, card=command.card))
    set_named_trumps(draft)
    if command.stoeck is not None and command.stoeck is not False:
        declare_stoeck(draft, command)
    after = draft.state
    if end_if_target_reached(draft) or len(after.trick) < after.seats:
        return draft.events
    if not after.tricks:
        score_melds(draft)
        if after.over:
            return draft.events
    lying = after.trick
    last = len(after.tricks) + 1 == after.sizes[0]
    taker = after.trick_seats[strongest(lying, current_mode(after))]
    take_trick(draft, taker, count_trick_points(draft.context, lying, last), last)
    close_trick(draft, last)
    return draft.events


def close_trick(draft: Draft, last: bool) -> None:
    """Emit the events that follow a taken trick. `last`: it is the last one, so also close the deal."""
    state = draft.state
    rules = draft.context.rules
    for event in () if state.over else _after_trick_events(draft.context, state.tricks[-1], draft.seq):
        draft.emit(event)
    for after_last in rules.after_last if last and not state.over else ():
        more = after_last(draft.context, draft.seq)
        for event in more:
            draft.emit(event)
        if more and end_if_target_reached(draft):
            return
    if last and not state.over:
        finish_deal(draft)


def count_trick_points(context: GameContext, lying: Sequence[int], last: bool = False) -> int | None:
    """Return the points of the cards `lying`, all known, under the deal's contract; None if the deal has no
    contract. `last`: add the points for the last trick.
    """
    contract = context.state.contract
    if contract is None:
        return None
    return sum(map(context.rules.play.values[contract].__getitem__, lying)) + (LAST_TRICK if last else 0)


def set_named_trumps(draft: Draft) -> None:
    """In a deal without a contract, emit one if the card just played does not follow suit: its suit becomes
    trumps. The card must be known.
    """
    state = draft.state
    if state.contract is None:
        suit = SUIT_OF[state.trick[-1]]
        if suit != SUIT_OF[state.trick[0]]:
            draft.emit(ContractSet(seq=draft.seq, contract=SUIT_NAMES[suit]))


def _refuse(context: GameContext, seat: int, code: str | None) -> NoReturn:
    state = context.state
    turn, allowed = next_legal(context)
    check_turn("play", seat, turn)
    if code is None:
        raise IllegalCommand("play/card_missing", "the card must be named")
    if not state.hands[seat] & BIT[code]:
        raise IllegalCommand("play/not_in_hand", f"{code} is not in the hand of seat {seat}", card=code)
    legal = codes(allowed)
    lying = [DECK[card] for card in state.trick]
    raise IllegalCommand(
        "play/illegal_card",
        f"{code} may not be played on {' '.join(lying) or 'an empty table'}; legal: {' '.join(legal)}",
        card=code,
        lying=lying,
        legal=legal,
    )


def _offers(context: GameContext) -> list[Command]:
    """Return a command for each legal card, without possible declarations."""
    seat, legal = _next_play(context)
    return [Play(seat=seat or 0, card=card) for card in codes(legal)]


def trick_play() -> Phase:
    """Return the phase. It is open whenever no earlier phase is open."""
    return Phase(
        "trick_play",
        lambda context: True,
        _turn,
        on(Play, _play),
        _offers,
        next_legal,
        _audit_run,
        _play_fast,
    )
