"""Size and coupling of the five roots: `python -m tests.architecture.figures`.

A *package* is a direct child of a root or of another package: a folder with all its content, or a module that
lies beside folders. Two packages are in one circle when each can be reached from the other by imports. All
imports count: those inside functions and those for types only, too. A circle below the first level is printed
with its parent. Migrations are left out.
"""

from collections import Counter
from collections.abc import Iterator

from tests.architecture.test_packages import LAYERS, files, graph

SMALL = 40
"""A module with fewer lines and only one importer is listed."""

Graph = dict[str, set[str]]


def circles(of: Graph) -> list[list[str]]:
    """The strongly connected components with more than one node (Tarjan, iterative)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []
    for start in sorted(of):
        if start in order:
            continue
        order[start] = low[start] = len(order)
        stack.append(start)
        path = [(start, iter(sorted(of[start])))]
        while path:
            node, targets = path[-1]
            target = next(targets, None)
            if target is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == order[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(sorted(stack[at:]))
                    del stack[at:]
            elif target not in order:
                order[target] = low[target] = len(order)
                stack.append(target)
                path.append((target, iter(sorted(of.get(target, ())))))
            elif target in stack:
                low[node] = min(low[node], order[target])
    return found


def children(modules: Graph, parent: str) -> Graph:
    """The imports between the packages directly below a parent."""
    depth = parent.count(".") + 2
    found: Graph = {}
    for name, targets in modules.items():
        child = _child(name, parent, depth)
        if child is None:
            continue
        others = {_child(target, parent, depth) for target in targets}
        found.setdefault(child, set()).update(other for other in others if other and other != child)
    return found


def _child(name: str, parent: str, depth: int) -> str | None:
    """The child of `parent` that a module belongs to; None for others and for the parent's own `__init__`."""
    if not name.startswith(f"{parent}.") or name == f"{parent}.__init__":
        return None
    return ".".join(name.split(".")[:depth])


def parents(root: str) -> Iterator[str]:
    """The root and each folder below it that is a package."""
    yield root
    for name in files():
        if name.startswith(f"{root}.") and name.endswith(".__init__") and name != f"{root}.__init__":
            yield name.removesuffix(".__init__")


def lines() -> dict[str, int]:
    """Module → lines."""
    return {name: path.read_text().count("\n") for name, path in files().items()}


def small_with_one_importer(modules: Graph) -> dict[str, str]:
    """Small module → the only module that imports it."""
    importers = Counter(target for targets in modules.values() for target in targets)
    by = {target: name for name, targets in modules.items() for target in targets}
    return {
        name: by[name]
        for name, length in lines().items()
        if length < SMALL and importers[name] == 1 and not name.endswith(("__init__", "__main__"))
    }


def main() -> None:
    """Print the figures of each root, then the circles and the small modules by name."""
    modules, length = graph(), lines()
    small = small_with_one_importer(modules)
    inside = {
        root: {parent: circles(children(modules, parent)) for parent in parents(root)} for root in LAYERS
    }
    print(
        f"{'root':12} {'files':>5} {'lines':>6} {'packages':>8} {'in circles':>10} {'deeper':>6} {'small':>5}"
    )
    totals: Counter[str] = Counter()
    for root in LAYERS:
        own = [name for name in length if name.startswith(f"{root}.")]
        row = {
            "files": len(own),
            "lines": sum(length[name] for name in own),
            "packages": len(children(modules, root)),
            "circles": sum(map(len, inside[root][root])),
            "deeper": sum(
                len(circle) for at, found in inside[root].items() if at != root for circle in found
            ),
            "small": sum(name.startswith(f"{root}.") for name in small),
        }
        totals.update(row)
        _print_row(root, row)
    _print_row("all", totals)
    for root in LAYERS:
        for parent, found in inside[root].items():
            for circle in found:
                print(f"circle in {parent}:", *(name.removeprefix(f"{parent}.") for name in circle))
    for name, importer in small.items():
        print(f"under {SMALL} lines with one importer: {name} <- {importer}")


def _print_row(name: str, row: dict[str, int]) -> None:
    files_, lines_, packages, in_circles, deeper, small = row.values()
    print(f"{name:12} {files_:5} {lines_:6} {packages:8} {in_circles:10} {deeper:6} {small:5}")


if __name__ == "__main__":
    main()
