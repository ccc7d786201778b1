"""Melds declared with a player's first card, their points, and the taking of tricks."""

from collections.abc import Sequence

from engine.cards import codes
from engine.commands import Declared
from engine.errors import IllegalCommand
from engine.events import MeldsDeclared, MeldsScored, TrickTaken
from engine.melds import combinations
from engine.melds.comparison import find_scoring_side
from engine.melds.declared_melds import list_declared_melds
from engine.melds.stoeck import declare_shown_stoeck, end_by_stoeck
from engine.rules import Draft, GameContext
from engine.scoring.game_end import end_if_target_reached, finish_deal
from engine.scoring.running_totals import compute_running_totals


def read_melds(context: GameContext, lists: Sequence[Sequence[str]]) -> list[combinations.Meld]:
    """Return the melds that these lists of cards are. Raises IllegalCommand if one is no meld, melds overlap
    or do not count, or, in a dealt game, are late.
    """
    state = context.state
    play = context.rules.play
    if not play.melds:
        raise IllegalCommand("melds/not_played", "melds do not count in this game")
    if state.tricks and state.mode != "transcribed":
        raise IllegalCommand("melds/too_late", "melds are declared with the first card of the deal")
    melds = [combinations.read(cards, play.low_quads) for cards in lists]
    combinations.check_overlap(melds)
    return melds


def announce_melds(
    draft: Draft, seat: int, melds: Sequence[combinations.Meld], heard: Sequence[Declared] = (), **more: bool
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
            declared=[*(combinations.announce(meld, contract) for meld in melds), *heard],
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
    counting = [said for said in list_declared_melds(draft.context) if said.counts]
    if not counting:
        return
    rules = draft.context.rules
    sides = rules.sides_of(state)
    side = find_scoring_side(draft.context, counting)
    own = [said for said in counting if sides[said.seat] == side]
    shown = [combinations.show(said.seat, said.may_be[0]) for said in own if len(said.may_be) == 1]
    points = None if side is None else sum(said.points for said in own)
    if declare_shown_stoeck(draft, shown):
        return
    if (side, points) in state.melds:
        return
    play = rules.play
    if side is not None and play.targets is not None and play.automatic:
        would = compute_running_totals(draft.context)[side] + (points or 0) * play.multiplier(
            state.contract, state.slot
        )
        if would >= play.goals(state)[side] and end_by_stoeck(draft, [side]):
            return
    draft.emit(MeldsScored(seq=draft.seq, side=side, points=points, shown=shown))
    end_if_target_reached(draft)


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
        if won and end_by_stoeck(draft, [side]):
            return
        draft.emit(TrickTaken(seq=draft.seq, seat=seat, points=points))
        if won:
            finish_deal(draft, [side])
        elif state.rulings:  # a ruling may have given the trick to the other side
            end_if_target_reached(draft)
        return
    draft.emit(TrickTaken(seq=draft.seq, seat=seat, points=points))
