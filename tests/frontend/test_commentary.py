"""Pages with and without scripts have the same sentence for every event of each golden log, for an observer
of everything and for a public one.

Prints add the facts that a screen shows as pictures.
"""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from django.utils import translation

from engine import Event, Observer, State, decode_event, evolve, redact_events, to_dict
from engine.events import RulingMade, TakenBack
from engine.registry import get_rules
from frontend.presenters.tables.commentary import EventNarrator
from frontend.presenters.tables.table_rules import card_names_contract
from frontend.presenters.words.script_sentences import TABLE, load_sentences
from tests.engine.random_games import GAMES, Game
from tests.frontend.catalogues import ROOT
from tests.frontend.random_logs import on_a_sheet, ruled, transcribed
from tests.frontend.test_bundles import FRONTEND, tools

TESTS = ROOT / "tests"
GOLDEN = sorted((TESTS / "engine" / "golden").glob("*.jsonl"))
NAMES = ["Anna", "Beat", "Chiara", "Dario"]
PROGRAM = """
import { readFileSync } from "node:fs";
import { sentencesOf } from "./sentences.ts";
console.log(JSON.stringify(sentencesOf(JSON.parse(readFileSync(0, "utf-8")))));
"""
Tell = Callable[[Sequence[Event], list[str]], list[str | None]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Tell:
    """What the scripts say of a log."""
    node = tools()
    program = tmp_path_factory.mktemp("sentences") / "sentences.mjs"
    how = {"stdin": {"contents": PROGRAM, "resolveDir": str(TESTS / "frontend" / "scripts")}, "bundle": True}
    how |= {"outfile": str(program), "platform": "node", "format": "esm"}
    build = f"import {{ build }} from 'esbuild'; await build({json.dumps(how)})"
    subprocess.run([node, "--input-type=module", "-e", build], cwd=FRONTEND, check=True)

    def tell(log: Sequence[Event], by_card: list[str]) -> list[str | None]:
        asked: dict[str, object] = {"words": load_sentences("replay"), "names": NAMES, "by_card": by_card}
        asked["events"] = [*map(to_dict, log)]
        done = subprocess.run(
            [node, str(program)], input=json.dumps(asked), capture_output=True, text=True, check=True
        )
        found: list[str | None] = json.loads(done.stdout)
        return found

    return tell


def sides_of(state: State) -> list[str]:
    """The sides by their people, as a page names them."""
    rules = get_rules(state)
    of_seats = list(rules.sides_of(state))
    if rules.variant.key and state.declarer is None and rules.sides == 2 and of_seats.count(0) == 0:
        return [str(TABLE["side.declarer"]), str(TABLE["side.opponents"])]
    return [
        " & ".join(NAMES[seat] for seat in range(state.seats) if of_seats[seat] == side)
        for side in range(rules.sides)
    ]


def without_script(log: Sequence[Event], by_card: bool) -> list[str]:
    """What pages without a script say, event by event."""
    state, found = State(), []
    for event in log:
        evolve(state, event)
        found.append(EventNarrator(NAMES, sides_of(state), "ch", by_card).sentence(event))
    return found


def same_told(told: Tell, whole: Sequence[Event], language: str) -> None:
    """Both say the same of a log, for who sees all and for who sees what everybody does."""
    start = to_dict(whole[0])
    by_card = card_names_contract(start["variant"], start["seats"], start["options"])
    with translation.override(language):
        for observer in (Observer.referee(), Observer.spectator()):
            log = list(redact_events(whole, observer))
            with_script = told(log, ["spades"] if by_card else [])
            for event, said, without in zip(log, with_script, without_script(log, by_card), strict=True):
                if isinstance(event, TakenBack) and said is None:
                    continue  # a deal is opened again for what comes next
                if isinstance(event, RulingMade):  # paper names the article in between
                    assert said is not None
                    assert all(part in said for part in without.split(" Artikel ")[0].split(" Article ")[:1])
                    continue
                assert without.startswith(said or ""), f"{to_dict(event)}: {said!r}, {without!r}"
                assert said or not without, f"{to_dict(event)}: {without!r} is told on paper only"


@pytest.mark.long(15)
@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_log_is_told_the_same_with_and_without_a_script(
    told: Tell, file: Path, language: str
) -> None:
    log = [decode_event(line) for line in file.read_text(encoding="utf-8").splitlines()]

    same_told(told, log, language)


@pytest.mark.long(15)
@pytest.mark.parametrize("happening", [ruled, transcribed, on_a_sheet], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_whatever_happens_to_a_record_is_told_the_same(
    told: Tell, game: Game, happening: Callable[[Game, int], list[Event]]
) -> None:
    same_told(told, happening(game, 1), "de")
