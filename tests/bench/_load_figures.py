"""A figure beside its target in performance.md, as one JSON line."""

import json
from typing import Any, NamedTuple


class Limit(NamedTuple):
    """A target that follows the speed of this machine, and from what it was computed."""

    value: float
    reference: str


def say(name: str, ours: float, limit: float | Limit | None, *, least: bool = False, **more: Any) -> None:
    """`limit`: the most allowed, or the `least`; None: no target. `ratio`: more is better for us, and from 1
    on the target is met."""
    if isinstance(limit, Limit):
        more = {"reference": limit.reference, **more}
        limit = rounded(limit.value)
    ratio = None
    if limit and ours:
        ratio = ours / limit if least else limit / ours
    held = None if limit is None else (ours >= limit if least else ours <= limit)
    line = {
        "name": name,
        "ours": rounded(ours),
        "limit": limit,
        "ratio": None if ratio is None else rounded(ratio),
        "held": held,
        **more,
    }
    print(json.dumps(line), flush=True)


def rounded(value: float) -> float:
    """Round to three significant digits."""
    return value if isinstance(value, int) else float(f"{value:.3g}")
