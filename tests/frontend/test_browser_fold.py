"""The fold of a page equals the engine's ledger after each event.

Every golden log, every command file of the reference and of the fuzzer, for every observer.
"""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import (
    Event,
    IllegalCommand,
    Observer,
    State,
    advance,
    decode_command,
    decode_event,
    redact_events,
    to_dict,
)
from tests.engine.random_games import GAMES, Game
from tests.frontend.catalogues import ROOT
from tests.frontend.pictures import pictures
from tests.frontend.random_logs import on_a_sheet, ruled, transcribed
from tests.frontend.test_bundles import FRONTEND, tools

TESTS = ROOT / "tests"
GOLDEN = sorted((TESTS / "engine" / "golden").glob("*.jsonl"))
COMMANDS = sorted(
    [*(TESTS / "reference" / "cases").glob("*.commands.jsonl"), *(TESTS / "fuzz" / "seeds").glob("*.jsonl")]
)
PROGRAM = """
import { createInterface } from "node:readline";
import { picturesOf } from "./pictures.ts";
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(picturesOf(JSON.parse(line))));
}
"""
"""A log a line in, its pictures out."""
Folder = Callable[[Sequence[Sequence[Event]]], list[Any]]


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The pictures of views, as the scripts make them."""
    node = tools()
    program = tmp_path_factory.mktemp("folds") / "pictures.mjs"
    how = {"stdin": {"contents": PROGRAM, "resolveDir": str(TESTS / "frontend" / "scripts")}, "bundle": True}
    how |= {"outfile": str(program), "platform": "node", "format": "esm"}
    build = f"import {{ build }} from 'esbuild'; await build({json.dumps(how)})"
    subprocess.run([node, "--input-type=module", "-e", build], cwd=FRONTEND, check=True)

    def fold(views: Sequence[Sequence[Event]]) -> list[Any]:
        lines = "".join(json.dumps([to_dict(event) for event in view]) + "\n" for view in views)
        done = subprocess.run([node, str(program)], input=lines, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return fold


def observers(seats: int) -> list[Observer]:
    named = [Observer.spectator(), Observer.spectator("after_deal"), Observer.referee()]
    return [*named, Observer.spectator(opened=1), *map(Observer.seat, range(seats))]


def agree(folded: Folder, log: Sequence[Event]) -> None:
    """Both folds say the same of a log after each event, whoever looks."""
    seen = observers(log[0].seats)  # type: ignore[attr-defined]  # the first event is GameStarted
    views = [list(redact_events(log, observer)) for observer in seen]
    for observer, view, drawn in zip(seen, views, folded(views), strict=True):
        for event, page, ledger in zip(view, drawn, pictures(view), strict=True):
            differing = {name: (page[name], ledger[name]) for name in ledger if page[name] != ledger[name]}
            assert differing == {}, f"{observer} after {to_dict(event)}: (page, ledger)"


def played(file: Path) -> list[Event]:
    """The events of a file of commands, as far as the rules take them."""
    state, log = State(), []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            log += advance(state, decode_command(line))
        except IllegalCommand:
            continue
    return log


@pytest.mark.long(5)
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_log_reads_the_same_on_a_page(folded: Folder, file: Path) -> None:
    log = [decode_event(line) for line in file.read_text(encoding="utf-8").splitlines()]

    agree(folded, log)


@pytest.mark.long(13)
@pytest.mark.parametrize("file", COMMANDS, ids=lambda file: file.name.partition(".")[0])
def test_what_commands_make_reads_the_same_on_a_page(folded: Folder, file: Path) -> None:
    log = played(file)
    assert len(log) > 1

    agree(folded, log)


@pytest.mark.long(15)
@pytest.mark.parametrize("happening", [ruled, transcribed, on_a_sheet], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_whatever_happens_to_a_record_reads_the_same_on_a_page(
    folded: Folder, game: Game, happening: Callable[[Game, int], list[Event]]
) -> None:
    log = happening(game, 1)
    assert len(log) > 10

    agree(folded, log)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_lines_of_a_sheet_add_up_to_its_totals_after_every_entry_confirmation_and_ruling(
    folded: Folder, game: Game
) -> None:
    views = [list(redact_events(on_a_sheet(game, seed), Observer.spectator())) for seed in range(2, 14)]

    for view, drawn in zip(views, folded(views), strict=True):
        for page, ledger in zip(drawn, pictures(view), strict=True):
            assert (page["sheet"], page["results"]) == (ledger["sheet"], ledger["results"])
            lines, penalties = page["sheet"]
            sums = [
                sum(column) for column in zip(*lines, penalties or [0] * len(page["totals"]), strict=True)
            ]
            assert sums == page["totals"] == ledger["totals"]
