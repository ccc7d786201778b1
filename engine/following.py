"""Which cards of a hand may be played to a trick: one shared rule with four named ways to treat undertrumping.

Source: rules 1 to 5 of the common ground; `strict` is the following of the two-handed table-card game.
"""

from collections.abc import Callable, Sequence
from typing import Final

from .cards import SUIT_MASK, SUIT_OF
from .contracts import HIGHER, PUUR

Following = Callable[[int, Sequence[int], int], int]
"""(hand mask, cards lying in order, mode of the trick) -> mask of the cards that may be played."""


def only_trumps(hand: int, lying: Sequence[int], mode: int) -> int:
    """Undertrumping is forbidden unless every card left is a trump."""
    if not lying:
        return hand
    led = SUIT_OF[lying[0]]
    suit = hand & SUIT_MASK[led]
    if mode > 3:
        return suit or hand
    if led == mode:
        return suit if suit and suit != PUUR[mode] else hand
    trumps = hand & SUIT_MASK[mode]
    if not trumps:
        return suit or hand
    if trumps == hand:
        return hand
    higher = HIGHER[mode]
    above = trumps
    for card in lying:
        above &= higher[card]
    return suit | above if suit else hand ^ (trumps ^ above)


def void(hand: int, lying: Sequence[int], mode: int) -> int:
    """Undertrumping is allowed only to a player with no card of the suit led."""
    if lying and mode < 4 and SUIT_OF[lying[0]] != mode and not hand & SUIT_MASK[SUIT_OF[lying[0]]]:
        return hand
    return only_trumps(hand, lying, mode)


def forced(hand: int, lying: Sequence[int], mode: int) -> int:
    """Where a plain suit was trumped: follow, else trump higher, else trump lower. The Puur is always free."""
    if not lying:
        return hand
    led = SUIT_OF[lying[0]]
    suit = hand & SUIT_MASK[led]
    if mode > 3 or led == mode:
        return only_trumps(hand, lying, mode)
    trumps = hand & SUIT_MASK[mode]
    puur = hand & PUUR[mode]
    above = trumps
    for card in lying:
        above &= HIGHER[mode][card]
    if suit:
        return suit | above | puur
    if all(SUIT_OF[card] != mode for card in lying):
        return hand
    bound = trumps ^ puur
    return ((bound & above) or bound) | puur if bound else hand


def strict(hand: int, lying: Sequence[int], mode: int) -> int:
    """A card of the suit led or a trump; void of it a trump; the Puur never has to be played and always may."""
    if not lying:
        return hand
    led = SUIT_OF[lying[0]]
    suit = hand & SUIT_MASK[led]
    if mode > 3 or led == mode:
        return only_trumps(hand, lying, mode)
    trumps = hand & SUIT_MASK[mode]
    if suit:
        return suit | trumps
    return trumps if trumps and trumps != PUUR[mode] else hand


FOLLOWING: Final[dict[str, Following]] = {
    "only-trumps": only_trumps,
    "void": void,
    "forced": forced,
    "strict": strict,
}
