"""The cheapest set of meetings: a maximum matching of least cost, by the blossom algorithm of rustworkx."""

from collections.abc import Mapping

from tournaments.pairing.stream import NumberStream

Pair = tuple[str, str]
_TIE_BITS = 24


def match_exactly(costs: Mapping[Pair, tuple[int, ...]], numbers: NumberStream) -> list[Pair]:
    """Return as many pairs as possible, each name in at most one pair, in ascending order.

    costs: by possible pair, a tuple of numbers of at least 0. Of all largest sets of pairs, the result has
    the least sum of costs, compared from the first number on. The number stream breaks ties.
    """
    import rustworkx  # Only draws need its megabyte.

    if not costs:
        return []
    pairs = sorted(costs)
    names = sorted({name for pair in pairs for name in pair})
    number_of = {name: at for at, name in enumerate(names)}
    tables = len(names) // 2
    bounds = [tables * max(tier) + 1 for tier in zip(*costs.values(), strict=True)]
    packed = []
    for pair in pairs:
        weight = 0
        for value, bound in zip(costs[pair], bounds, strict=True):
            weight = weight * bound + value
        packed.append(weight * (tables << _TIE_BITS) + numbers.below(1 << _TIE_BITS))
    most = max(packed)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * len(names))
    graph.add_edges_from(
        [(number_of[a], number_of[b], most - weight) for (a, b), weight in zip(pairs, packed, strict=True)]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((names[min(a, b)], names[max(a, b)]) for a, b in found)
