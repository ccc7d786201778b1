"""Declarations and their points: melds with a player's first card, the Stöck with the second of its cards."""

from collections.abc import Sequence

from engine.card_points import STOECK_POINTS
from engine.cards import INDEX, SUIT_NAMES, codes, mask
from engine.commands import Declared, Play
from engine.contracts import STOECK
from engine.errors import IllegalCommand
from engine.events import MeldsDeclared, MeldsScored, StoeckDeclared, TrickTaken
from engine.ledger.state import State
from engine.melds import combinations as meldbook
from engine.melds.comparison import scoring_side
from engine.melds.declared_melds import declared_melds
from engine.rules import Draft, GameContext
from engine.scoring.game_end import end_if_target_reached, finish_deal
from engine.scoring.running_totals import compute_running_totals


def get_trump(state: State) -> int | None:
    """Return the number of the trump suit, None if the deal has none."""
    return SUIT_NAMES.index(state.contract) if state.contract in SUIT_NAMES else None


def open_stoeck(context: GameContext) -> int | None:
    """Return the seat that can still declare the Stöck: it holds both cards, or has played one and holds the
    other. None if no seat can.
    """
    state = context.state
    trump = get_trump(state)
    if trump is None or not context.rules.play.stoeck or state.stoeck:
        return None
    pair = STOECK[trump]
    for seat in range(state.seats):
        held = state.hands[seat] & pair
        if held and held | state.played_by(seat) & pair == pair:
            return seat
    return None


def _has_priority(draft: Draft, rivals: Sequence[int]) -> bool:
    """Declare an open Stöck if its points reach the target, since the Stöck counts before melds and tricks.
    Return whether it ended the game. `rivals`: sides that are about to reach the target.
    """
    state = draft.state
    play = draft.context.rules.play
    if not play.stoeck_priority or play.targets is None or not play.automatic:
        return False
    seat = open_stoeck(draft.context)
    if seat is None:
        return False
    side = draft.context.rules.sides_of(state)[seat]
    gain = STOECK_POINTS * play.multiplier(state.contract, state.slot)
    if side in rivals or compute_running_totals(draft.context)[side] + gain < play.goals(state)[side]:
        return False
    draft.emit(StoeckDeclared(seq=draft.seq, seat=seat, points=STOECK_POINTS))
    finish_deal(draft, [side])
    return True


def read_melds(context: GameContext, lists: Sequence[Sequence[str]]) -> list[meldbook.Meld]:
    """Return the melds that these lists of cards are. Raises IllegalCommand if one is no meld, melds overlap
    or do not count, or, in a dealt game, are late.
    """
    state = context.state
    play = context.rules.play
    if not play.melds:
        raise IllegalCommand("melds/not_played", "melds do not count in this game")
    if state.tricks and state.mode != "transcribed":
        raise IllegalCommand("melds/too_late", "melds are declared with the first card of the deal")
    melds = [meldbook.read(cards, play.low_quads) for cards in lists]
    meldbook.check_overlap(melds)
    return melds


def announce_melds(
    draft: Draft, seat: int, melds: Sequence[meldbook.Meld], heard: Sequence[Declared] = (), **more: bool
) -> None:
    """Emit `melds_declared` for one seat.

    `melds`: melds with known cards. `heard`: melds known by points and deciding card only. `more`: further
    fields of the event.
    """
    contract = draft.state.contract or "obenabe"
    draft.emit(
        MeldsDeclared(
            seq=draft.seq,
            seat=seat,
            declared=[*(meldbook.announce(meld, contract) for meld in melds), *heard],
            melds=[codes(meld.cards) for meld in melds],
            **more,
        )
    )


def declare_melds(draft: Draft, seat: int, lists: Sequence[Sequence[str]]) -> None:
    """Emit the melds declared with a seat's first card. Raises IllegalCommand for melds that the seat does
    not hold or that are not allowed.
    """
    melds = read_melds(draft.context, lists)
    for meld in melds:
        if meld.cards & ~draft.state.hands[seat]:
            raise IllegalCommand("melds/not_held", f"seat {seat} does not hold {' '.join(codes(meld.cards))}")
    announce_melds(draft, seat, melds)


def score_melds(draft: Draft) -> None:
    """After the first trick, emit the score of all melds of the side with the best meld, and a Stöck that
    these melds show. Either may end the game.

    It runs again when a transcript records more melds.
    """
    state = draft.state
    counting = [said for said in declared_melds(draft.context) if said.counts]
    if not counting:
        return
    rules = draft.context.rules
    sides = rules.sides_of(state)
    side = scoring_side(draft.context, counting)
    own = [said for said in counting if sides[said.seat] == side]
    shown = [meldbook.show(said.seat, said.may_be[0]) for said in own if len(said.may_be) == 1]
    points = None if side is None else sum(said.points for said in own)
    trump = get_trump(state)
    if trump is not None and rules.play.stoeck and not state.stoeck:
        for seat in range(state.seats):
            laid = 0
            for meld in shown:
                if meld.seat == seat:
                    laid |= mask(meld.cards) & STOECK[trump]
            if laid == STOECK[trump]:
                draft.emit(StoeckDeclared(seq=draft.seq, seat=seat, points=STOECK_POINTS))
                if end_if_target_reached(draft):
                    return
    if (side, points) in state.melds:
        return
    play = rules.play
    if side is not None and play.targets is not None and play.automatic:
        would = compute_running_totals(draft.context)[side] + (points or 0) * play.multiplier(
            state.contract, state.slot
        )
        if would >= play.goals(state)[side] and _has_priority(draft, [side]):
            return
    draft.emit(MeldsScored(seq=draft.seq, side=side, points=points, shown=shown))
    end_if_target_reached(draft)


def stoeck_points(context: GameContext, stoeck: bool | int) -> int:
    """Return the points of a declared Stöck: 20, or -20 if the rules let its holder subtract it. Raises
    IllegalCommand if it may not be declared as `stoeck`.
    """
    play = context.rules.play
    if not play.stoeck:
        raise IllegalCommand("stoeck/not_played", "the Stöck does not count in this game")
    if play.stoeck_signed and stoeck not in (STOECK_POINTS, -STOECK_POINTS):
        raise IllegalCommand(
            "stoeck/choose", "the Stöck is 20 or -20 points, as its holder says", stoeck=stoeck
        )
    if not play.stoeck_signed and stoeck is not True:
        raise IllegalCommand("stoeck/no_choice", "the Stöck is twenty points here", stoeck=stoeck)
    if context.state.stoeck:
        raise IllegalCommand("stoeck/declared_already", "the Stöck has been counted")
    return int(stoeck) if play.stoeck_signed else STOECK_POINTS


def declare_stoeck(draft: Draft, command: Play) -> None:
    """Emit the Stöck. Raises IllegalCommand if it does not count or was not declared with its second card."""
    state = draft.state
    points = stoeck_points(draft.context, command.stoeck or False)
    trump = get_trump(state)
    card = INDEX[command.card]
    pair = 0 if trump is None else STOECK[trump]
    if not pair >> card & 1 or state.played_by(command.seat) & pair != pair:
        raise IllegalCommand("stoeck/not_second_card", "declared with the second of king and queen of trumps")
    draft.emit(StoeckDeclared(seq=draft.seq, seat=command.seat, points=points))


def take_trick(draft: Draft, seat: int, points: int | None, last: bool) -> None:
    """Emit that a seat takes the trick, and the end of the game if this takes its side to the target. If a
    Stöck of another side has priority and ends the game, emit this Stöck and end instead. `last`: the last
    trick of the deal.
    """
    state = draft.state
    rules = draft.context.rules
    play = rules.play
    side = rules.sides_of(state)[seat]
    if play.targets is not None and play.automatic:
        gain = points or 0
        if last and all(t.taker is not None and rules.sides_of(state)[t.taker] == side for t in state.tricks):
            gain += play.sweep_bonus
        would = compute_running_totals(draft.context)[side] + gain * play.multiplier(
            state.contract, state.slot
        )
        won = would >= play.goals(state)[side]
        if won and _has_priority(draft, [side]):
            return
        draft.emit(TrickTaken(seq=draft.seq, seat=seat, points=points))
        if won:
            finish_deal(draft, [side])
        elif state.rulings:  # a ruling may have given the trick to the other side
            end_if_target_reached(draft)
        return
    draft.emit(TrickTaken(seq=draft.seq, seat=seat, points=points))
