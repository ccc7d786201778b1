"""Mutation testing of tricks, melds, scoring and redaction.

python -m tests.mutation [--tests NAME …] [module or function …]

changes the engine in one place after the other (mutmut) and asks whether a test notices. Prints every
survivor as a diff, and by module how many were killed. Those that nothing can tell from what they were do not
count (`equivalents.py`). Exit 1 where fewer than nine in ten are killed somewhere, or where the list of
equivalents is wrong: it names a mutant that there is not, or one that was killed.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.mutation.equivalents import listed, only_strictness, only_types
from tests.mutation.mutants import ROOT, Change, module_of, mutants_of, within
from tests.mutation.trying import TESTS, Try, with_tests

VARIANTS = tuple(
    f"engine.variants.{path.stem}"
    for path in sorted((ROOT / "engine/variants").glob("[a-z]*.py"))
    if path.stem != "options"
)
MODULES = (
    *(f"engine.tricks.{name}" for name in ("modes", "following", "trick_tables")),
    *("engine.card_points", "engine.contracts"),
    *("engine.phases.trick_play", "engine.transcripts.transcribing"),
    *(f"engine.phases.{name}" for name in ("dealing", "first_dealer", "contract_choice", "predictions")),
    *(
        f"engine.melds.{name}"
        for name in ("combinations", "comparison", "declared_melds", "declaring", "stoeck")
    ),
    *("engine.scoring.running_totals", "engine.scoring.game_end"),
    *("engine.scoring.deal_scores", "engine.scoring.ruling_effects"),
    *("engine.events.secrecy", "engine.redaction"),
    *VARIANTS,
)
SLOW = (
    *("test_invariants_of_all_games", "test_view_secrecy", "test_bad_files", "test_cli", "test_logs"),
    *("test_notation", "test_transcripts_of_all_games"),
)
"""Files that are slow or beside the point: every survivor would have to wait for them."""
LEAST = 90


def main() -> int:
    """Run and print; see the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "places",
        nargs="*",
        default=MODULES,
        help="engine.tricks.modes or engine.tricks.modes.strongest",
    )
    parser.add_argument("--tests", nargs="+", default=_tests(), help="files of tests/engine, without .py")
    asked = parser.parse_args()
    rows: dict[str, Counter[str]] = {}
    wrong: list[str] = []

    def work(survives: Try) -> None:
        for place in asked.places:
            begun = time.monotonic()
            rows[place] = Counter(_tried(place, survives, wrong))
            print(_row(place, rows[place]), f"{time.monotonic() - begun:6.0f} s", flush=True)

    with_tests(asked.tests, list(dict.fromkeys(map(module_of, asked.places))), work)
    print(f"{'module':36} {'killed':>7} {'equivalent':>11} {'survived':>9} {'per cent':>9}")
    for module, row in (*rows.items(), ("all", sum(rows.values(), Counter()))):
        print(_row(module, row))
    print(*wrong, sep="\n")
    return int(bool(wrong) or min(map(_percent, rows.values())) < LEAST)


def _tests() -> list[str]:
    names = (file.stem for file in sorted(TESTS.glob("test_*.py")))
    return [name for name in names if not name.startswith(SLOW)]


def _tried(place: str, survives: Try, wrong: list[str]) -> Iterator[str]:
    """What becomes of each mutant of a place; `wrong` gets what is wrong with the list of equivalents."""
    known = {change for change in listed() if within(change.place, place)}
    unseen = set(known)
    for mutant in mutants_of(place):
        unseen.discard(mutant.change)
        if only_strictness(mutant.change) or only_types(mutant.change):
            yield "equivalent"
            continue
        survived = survives(mutant)
        if mutant.change in known and not survived:
            wrong.append(f"listed as equivalent, and killed: {_told(mutant.change)}")
        if survived and mutant.change not in known:
            print(mutant.diff(), flush=True)
        yield "killed" if not survived else "equivalent" if mutant.change in known else "survived"
    wrong += [f"listed as equivalent, and no mutant: {_told(change)}" for change in sorted(unseen)]


def _told(change: Change) -> str:
    return f"{change.place}: {change.line} -> {change.becomes}"


def _row(module: str, row: Counter[str]) -> str:
    return f"{module:36} {row['killed']:7} {row['equivalent']:11} {row['survived']:9} {_percent(row):9.1f}"


def _percent(row: Counter[str]) -> float:
    """How many of those that could be killed were."""
    return 100 * row["killed"] / ((row["killed"] + row["survived"]) or 1)


if __name__ == "__main__":
    sys.exit(main())
