"""Legal cards of a trick: one common rule with four named treatments of undertrumping.

Source: rules 1 to 5 of the common ground; `strict` is from the two-handed table-card game. Each function is
built once per mode, so that its masks are precomputed.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engine.cards import SUIT_MASK, SUIT_OF
from engine.contracts import HIGHER, PUUR

Follow = Callable[[int, Sequence[int]], int]
"""(mask of the hand, cards on the table in order, at least one) -> mask of the legal cards."""
Following = tuple[Follow, ...]
"""Indexed by the mode of the trick: four trump suits, top-down, bottom-up."""

_SUIT_OF_LED: Final = tuple(SUIT_MASK[suit] for suit in SUIT_OF)


def _without_trumps(hand: int, lying: Sequence[int]) -> int:
    return hand & _SUIT_OF_LED[lying[0]] or hand


def _only_trumps(mode: int) -> Follow:
    trump, puur, higher, masks = SUIT_MASK[mode], PUUR[mode], HIGHER[mode], _SUIT_OF_LED

    def follow(hand: int, lying: Sequence[int]) -> int:
        led = masks[lying[0]]
        suit = hand & led
        if led == trump:
            return suit if suit and suit != puur else hand
        trumps = hand & trump
        if not trumps:
            return suit or hand
        if trumps == hand:
            return hand
        above = trumps
        if len(lying) > 1:
            for card in lying:
                above &= higher[card]
        return suit | above if suit else hand ^ (trumps ^ above)

    return follow


def _void(mode: int) -> Follow:
    trump, otherwise = SUIT_MASK[mode], _only_trumps(mode)

    def follow(hand: int, lying: Sequence[int]) -> int:
        led = _SUIT_OF_LED[lying[0]]
        return hand if led != trump and not hand & led else otherwise(hand, lying)

    return follow


def _forced(mode: int) -> Follow:
    trump, puur, higher, otherwise = SUIT_MASK[mode], PUUR[mode], HIGHER[mode], _only_trumps(mode)

    def follow(hand: int, lying: Sequence[int]) -> int:
        led = _SUIT_OF_LED[lying[0]]
        if led == trump:
            return otherwise(hand, lying)
        trumps, suit, free = hand & trump, hand & led, hand & puur
        above = trumps
        for card in lying:
            above &= higher[card]
        if suit:
            return suit | above | free
        bound = trumps ^ free
        if not bound or all(SUIT_OF[card] != mode for card in lying):
            return hand
        return (bound & above or bound) | free

    return follow


def _strict(mode: int) -> Follow:
    trump, puur, otherwise = SUIT_MASK[mode], PUUR[mode], _only_trumps(mode)

    def follow(hand: int, lying: Sequence[int]) -> int:
        led = _SUIT_OF_LED[lying[0]]
        if led == trump:
            return otherwise(hand, lying)
        suit, trumps = hand & led, hand & trump
        if suit:
            return suit | trumps
        return trumps if trumps and trumps != puur else hand

    return follow


def _each_mode(make: Callable[[int], Follow]) -> Following:
    return (*map(make, range(4)), _without_trumps, _without_trumps)


FOLLOWING: Final[dict[str, Following]] = {
    "only-trumps": _each_mode(_only_trumps),
    "void": _each_mode(_void),
    "forced": _each_mode(_forced),
    "strict": _each_mode(_strict),
}
"""only-trumps: undertrumping is forbidden unless every card left is a trump. void: it is allowed to a player
with no card of the suit led. forced: who cannot follow a trumped suit trumps higher, else lower; the Puur is
always free. strict: follow or trump, void of the suit trump; the Puur never has to be played and always
may. In every way the suit led may be followed."""
