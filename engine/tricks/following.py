"""Legal cards of a trick: one common rule, with four treatments of undertrumping.

`strict` is from the two-handed game with table cards. Each function is built once per mode, so that its masks
are precomputed.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engine.cards import SUIT_MASK, SUIT_OF
from engine.contracts import HIGHER, PUUR

Follow = Callable[[int, Sequence[int]], int]
"""A function of (mask of the hand, cards on the table in order, at least one). It returns the mask of the
legal cards.
"""
Following = tuple[Follow, ...]
"""One function per mode of a trick: four trump suits, top-down, bottom-up."""

_SUIT_OF_LED: Final = tuple(SUIT_MASK[suit] for suit in SUIT_OF)


def _follow_without_trumps(hand: int, lying: Sequence[int]) -> int:
    return hand & _SUIT_OF_LED[lying[0]] or hand


def _build_only_trumps(mode: int) -> Follow:
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


def _build_void(mode: int) -> Follow:
    trump, otherwise = SUIT_MASK[mode], _build_only_trumps(mode)

    def follow(hand: int, lying: Sequence[int]) -> int:
        led = _SUIT_OF_LED[lying[0]]
        return hand if led != trump and not hand & led else otherwise(hand, lying)

    return follow


def _build_forced(mode: int) -> Follow:
    trump, puur, higher, otherwise = SUIT_MASK[mode], PUUR[mode], HIGHER[mode], _build_only_trumps(mode)

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


def _build_strict(mode: int) -> Follow:
    trump, puur, otherwise = SUIT_MASK[mode], PUUR[mode], _build_only_trumps(mode)

    def follow(hand: int, lying: Sequence[int]) -> int:
        led = _SUIT_OF_LED[lying[0]]
        if led == trump:
            return otherwise(hand, lying)
        suit, trumps = hand & led, hand & trump
        if suit:
            return suit | trumps
        return trumps if trumps and trumps != puur else hand

    return follow


def _build_each_mode(make: Callable[[int], Follow]) -> Following:
    return (*map(make, range(4)), _follow_without_trumps, _follow_without_trumps)


FOLLOWING: Final[dict[str, Following]] = {
    "only-trumps": _build_each_mode(_build_only_trumps),
    "void": _build_each_mode(_build_void),
    "forced": _build_each_mode(_build_forced),
    "strict": _build_each_mode(_build_strict),
}
"""Treatments of undertrumping; following suit is always legal.

- only-trumps: undertrumping is illegal unless the hand holds only trumps.
- void: undertrumping is legal for a player without cards of the suit led.
- forced: if a plain suit was led and trumped, a player who cannot follow must overtrump or, if that is
  impossible, undertrump. The Puur may always be played but need never be.
- strict: a player follows or plays any trump; a player who cannot follow must trump. The Puur may always be
  played but need never be.
"""
