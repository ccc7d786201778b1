"""Schedules known to be optimal without a search, for tables of four without byes.

Sources: R. C. Bose's resolvable designs for 12t + 4 points (1939), where 4t + 1 is a prime power; transversal
designs from a finite field, and from a cycle if it is long enough; the circle method, which gives n - 1
rounds of partners for n players. Known omission: whist designs beyond `subspaces`; there the search starts
from the circle method.
"""

from tournaments.pairing.finite_fields import FiniteField, field, prime_power

Schedule = list[list[list[int]]]
"""Rounds of tables of four players; players 0 and 2 of a table are partners."""

_LARGEST_FIELD = 64


def schedule_without_repeats(players: int, rounds: int) -> Schedule | None:
    """Return a schedule in which no two players meet twice; None if no construction gives one."""
    if players % 4 or players < 4:
        return None
    return (
        _on_a_cycle(players, rounds)
        or _transversal(players, rounds)
        or _resolvable(players, rounds)
        or (None if rounds > 1 else [[list(range(i, i + 4)) for i in range(0, players, 4)]])
    )


def _on_a_cycle(players: int, rounds: int) -> Schedule | None:
    tables = players // 4
    if 3 * (rounds - 1) >= tables:
        return None
    return [
        [[c * tables + (i + c * r) % tables for c in range(4)] for i in range(tables)] for r in range(rounds)
    ]


def _transversal(players: int, rounds: int) -> Schedule | None:
    tables = players // 4
    if not 4 <= tables <= _LARGEST_FIELD or rounds > tables or prime_power(tables) is None:
        return None
    f = field(tables)
    return [
        [[c * tables + f.plus[i][f.times[c][r]] for c in range(4)] for i in range(tables)]
        for r in range(rounds)
    ]


def _resolvable(players: int, rounds: int) -> Schedule | None:
    order = (players - 1) // 3
    if players % 12 != 4 or rounds > order or order > _LARGEST_FIELD or prime_power(order) is None:
        return None
    f = field(order)
    first = _first_class(f)
    last = players - 1
    return [
        [[p if p == last else p // order * order + f.plus[p % order][r] for p in table] for table in first]
        for r in range(rounds)
    ]


def _first_class(f: FiniteField) -> list[list[int]]:
    """Build the tables of the first round: points of layers 0, 1, 2 of the field, and one
    additional point.
    """
    q = f.order
    t = (q - 1) // 4
    x = f.powers()
    shift = _shift(f, x)
    tables = [[0, q, 2 * q, 3 * q]]
    for layer in range(3):
        following = (layer + 1) % 3
        tables += [
            [
                layer * q + x[2 * i],
                following * q + x[(shift + 2 * i) % (q - 1)],
                layer * q + x[2 * t + 2 * i],
                following * q + x[(shift + 2 * t + 2 * i) % (q - 1)],
            ]
            for i in range(t)
        ]
    return tables


def _shift(f: FiniteField, x: tuple[int, ...]) -> int:
    """Return the odd α with (x^α + 1) / (x^α - 1) an odd power of x, which Bose's construction needs."""
    log = {value: i for i, value in enumerate(x)}
    minus_one = x[(f.order - 1) // 2]
    for alpha in range(1, f.order - 1, 2):
        above, below = f.plus[x[alpha]][1], f.plus[x[alpha]][minus_one]
        if above and below and (log[above] - log[below]) % 2:
            return alpha
    raise AssertionError("Bose: such a power exists for every 4t + 1")


def circle_schedule(players: int, rounds: int) -> Schedule:
    """Build rounds by the circle method: nobody has the same partner twice in `players` - 1 rounds.

    Pairs are placed at tables in order. The search that follows chooses which pairs meet.
    """
    ring = players - 1
    schedule = []
    for r in range(rounds):
        pairs = [(ring, r % ring)]
        pairs += [((r + i) % ring, (r - i) % ring) for i in range(1, players // 2)]
        schedule.append([[a, c, b, d] for (a, b), (c, d) in zip(pairs[0::2], pairs[1::2], strict=True)])
    return schedule
