"""Whist tournaments: everybody partners everybody once and meets everybody twice as an opponent.

n players have n - 1 rounds where n = 0 mod 4, and n rounds with one bye for each player where n = 1 mod 4.
Sources: E. H. Moore, "Tactical Memoranda" (1896), for fields; R. C. Bose (1939) for resolvable designs; R. D.
Baker, "Whist tournaments" (1975), for products and frames. The starters and the patterned starter were found
by search. `find_whist_design` checks each design pair by pair. Known omissions: 44, 57, 60, 93, 108 and many
numbers above 128, for which this module has no construction.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from tournaments.pairing.constructions import schedule_without_repeats
from tournaments.pairing.difference_matrices import (
    additive_moduli,
    find_difference_matrix,
    has_quick_field,
    translate,
)
from tournaments.pairing.finite_fields import field

MAX_WHIST_PLAYERS: Final = 400

Table = tuple[int, ...]
"""Four players in order of play; 0 and 2 are partners, and so are 1 and 3."""
Tables = list[Table]

_STARTERS: Final[dict[int, str]] = {
    4: "-1,1,0,2",
    8: "-1,2,0,6 1,4,3,5",
    12: "-1,9,0,8 2,7,5,1 3,4,10,6",
    20: "-1,17,0,1 12,13,4,9 5,2,7,11 10,18,16,6 15,3,14,8",
    24: "-1,6,0,2 18,10,5,17 16,7,21,13 3,19,14,4 11,1,20,22 12,9,15,8",
    33: ("20,32,23,22 6,16,11,10 25,4,7,12 27,29,15,9 3,26,17,28 14,30,13,21 18,31,2,24 8,5,19,1"),
}
"""Tables of the first round by number of players n.

-1 is the fixed player; the others move on by one each round, modulo n - 1, or modulo n for 33."""
_PATTERNED: Final[dict[int, str]] = {
    77: (
        "1,2 6,36 8,14 10,34 13,32 20,5 3,26 7,27 4,22 9,18 11,28 23,33 15,31 29,37 30,35 16,12 21,19 "
        "17,24 38,25"
    )
}
"""By number of players n: pairs (a, b), which stand for tables (a, b, -a, -b) modulo n."""


@dataclass(frozen=True, slots=True)
class WhistDesign:
    """The rounds of a whist tournament of `players` numbered players."""

    players: int
    rounds: tuple[tuple[Table, ...], ...]

    @property
    def has_byes(self) -> bool:
        return self.players % 4 == 1

    def bye_rounds(self) -> dict[int, tuple[Table, ...]]:
        """Return the tables of each round by the player who has its bye, for designs with byes."""
        everybody = sum(range(self.players))
        return {everybody - sum(map(sum, tables)): tables for tables in self.rounds}


def is_whist(players: int, rounds: Iterable[Iterable[Sequence[int]]]) -> bool:
    """Return whether a schedule is a whist tournament, checked pair by pair."""
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    for tables in rounds:
        seated = {player for table in tables for player in table}
        if sum(len(table) for table in tables) != len(seated) or not seated <= set(range(players)):
            return False
        byes.update(set(range(players)) - seated)
        for a, b, c, d in tables:
            partners.update((_ordered(a, c), _ordered(b, d)))
            opponents.update((_ordered(a, b), _ordered(b, c), _ordered(c, d), _ordered(d, a)))
    pairs = list(combinations(range(players), 2))
    return (
        players % 4 in (0, 1)
        and dict(byes) == ({} if players % 4 == 0 else dict.fromkeys(range(players), 1))
        and partners == Counter(pairs)
        and opponents == Counter(dict.fromkeys(pairs, 2))
    )


def _ordered(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


@lru_cache(maxsize=256)
def find_whist_design(players: int) -> WhistDesign | None:
    """Return a checked design for this number of players; None if no construction of this module
    gives one.
    """
    if players < 4 or players % 4 > 1 or players > MAX_WHIST_PLAYERS:
        return None
    for construct in _CONSTRUCTIONS:
        rounds = construct(players)
        if rounds is not None:
            if not is_whist(players, rounds):
                raise AssertionError(f"the whist design of {players} players is wrong")
            return WhistDesign(players, tuple(tuple(tables) for tables in rounds))
    return None


def _move_starter(players: int) -> list[Tables] | None:
    """Move the tables of a listed first round (_STARTERS, _PATTERNED) around a cycle."""
    if players in _STARTERS:
        first = [tuple(map(int, table.split(","))) for table in _STARTERS[players].split()]
    elif players in _PATTERNED:
        pairs = (tuple(map(int, pair.split(","))) for pair in _PATTERNED[players].split())
        first = [(a, b, -a % players, -b % players) for a, b in pairs]
    else:
        return None
    cycle = players - 1 if players % 4 == 0 else players
    return [
        [tuple(cycle if player < 0 else (player + r) % cycle for player in table) for table in first]
        for r in range(cycle)
    ]


def _move_in_field(players: int) -> list[Tables] | None:
    """Shift the tables x * (1, w^k, w^2k, w^3k) of GF(4k + 1), with w primitive, by every element."""
    if players % 4 != 1 or not has_quick_field(players):
        return None
    powers = field(players).powers()
    k = (players - 1) // 4
    first = [(powers[i], powers[i + k], powers[i + 2 * k], powers[i + 3 * k]) for i in range(k)]
    moduli = additive_moduli(players)
    moved = (translate(moduli, by) for by in range(players))
    return [[tuple(values[player] for player in table) for table in first] for values in moved]


def _split_resolvable(players: int) -> list[Tables] | None:
    """Play each parallel class of a resolvable design with blocks of four in three rounds."""
    if players % 12 != 4:
        return None
    classes = schedule_without_repeats(players, (players - 1) // 3)
    if classes is None:
        return None
    return [
        [tuple(block[at] for at in order) for block in blocks]
        for blocks in classes
        for order in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
    ]


def _multiply(players: int) -> list[Tables] | None:
    """Combine designs of k and g players to one of n = k * g, by a difference matrix of k rows over a group
    of g.

    The blocks of the matrix have k players each, its groups g players each.
    """
    for k in range(4, players // 4 + 1):
        g = players // k
        if players % k or k % 4 > 1 or g % 4 > 1 or (k % 4 == 1 and g % 4 == 0):
            continue
        matrix = find_difference_matrix(g, k)
        blocks_design, groups_design = find_whist_design(k), find_whist_design(g)
        if matrix is None or blocks_design is None or groups_design is None:
            continue
        classes = [matrix.parallel_class(column) for column in range(g)]
        groups = [range(at * g, (at + 1) * g) for at in range(k)]
        if k % 4 == 1:
            return _multiply_with_byes(classes, groups, blocks_design, groups_design)
        if g % 4 == 1:
            return _multiply_with_blocks_of_byes(classes, groups, blocks_design, groups_design)
        return [
            *(_play_all(blocks, tables) for blocks in classes for tables in blocks_design.rounds),
            *(_play_all(groups, tables) for tables in groups_design.rounds),
        ]
    return None


def _multiply_with_byes(
    classes: list[list[list[int]]],
    groups: list[range],
    blocks_design: WhistDesign,
    groups_design: WhistDesign,
) -> list[Tables]:
    """Multiply designs if the byes in a round of the blocks form one group. The group then plays a round."""
    return [
        _play_all(blocks, tables) + _play_all([groups[at]], groups_design.rounds[number])
        for number, blocks in enumerate(classes)
        for at, tables in blocks_design.bye_rounds().items()
    ]


def _multiply_with_blocks_of_byes(
    classes: list[list[list[int]]],
    groups: list[range],
    blocks_design: WhistDesign,
    groups_design: WhistDesign,
) -> list[Tables]:
    """Multiply designs if the byes in a round of the groups form a block of the first class. The block then
    plays.
    """
    by_bye = groups_design.bye_rounds()
    first, *others = classes
    inner_first, *inner_others = blocks_design.rounds
    order = groups_design.players
    return [
        *(_play_all(blocks, tables) for blocks in others for tables in blocks_design.rounds),
        *(_play_all(first, tables) for tables in inner_others),
        *(
            [
                *(
                    table
                    for group, player in zip(groups, block, strict=True)
                    for table in _play_all([group], by_bye[player % order])
                ),
                *_play_all([block], inner_first),
            ]
            for block in first
        ),
    ]


def _fill_frame(players: int) -> list[Tables] | None:
    """Build a design of n = u * q + 1 players from a frame of q groups of u players.

    Each group, with the last player, plays a design of u + 1 players. The frame: each table of a design of q
    players becomes the blocks of a difference matrix over u elements.
    """
    for q in range(5, players // 3, 4):
        u = (players - 1) // q
        if (players - 1) % q or u % 4 not in (0, 3):
            continue
        matrix = find_difference_matrix(u, 4)
        frame_design, group_design = find_whist_design(q), find_whist_design(u + 1)
        if matrix is None or frame_design is None or group_design is None:
            continue
        groups = [[*range(at * u, (at + 1) * u), players - 1] for at in range(q)]
        classes = [matrix.parallel_class(column) for column in range(u)]
        if group_design.has_byes:
            by_bye = group_design.bye_rounds()
            fillings = [by_bye[player] for player in range(u)]
            last = [[table for group in groups for table in _play_all([group], by_bye[u])]]
        else:
            fillings, last = list(group_design.rounds), []
        return [
            [
                tuple(table[at] * u + point % u for at, point in enumerate(block))
                for table in tables
                for block in blocks
            ]
            + _play_all([groups[missing]], filling)
            for missing, tables in frame_design.bye_rounds().items()
            for blocks, filling in zip(classes, fillings, strict=True)
        ] + last
    return None


def _play_all(fields: Iterable[Sequence[int]], tables: Iterable[Table]) -> Tables:
    """Return one round's tables of a design, played on each of these sets of players."""
    wanted = list(tables)
    return [tuple(players[at] for at in table) for players in fields for table in wanted]


_CONSTRUCTIONS: Final[tuple[Callable[[int], list[Tables] | None], ...]] = (
    _move_starter,
    _move_in_field,
    _split_resolvable,
    _multiply,
    _fill_frame,
)
