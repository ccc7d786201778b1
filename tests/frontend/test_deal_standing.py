"""The standing of the running deal is the same in the ledger and on pages after every event, and equals the
score at the end of the deal.
"""

import json
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine import Event, Observer, State, evolve, redact_events, snapshot, to_dict
from engine.events import DealAnnulled, DealScored, RulingMade
from engine.registry import build_game_context, get_rules
from engine.scoring.deal_standing import DealStanding, get_deal_standing
from frontend.presenters.tables.table_rules import build_rules
from tests.engine.random_games import GAMES, Game, log_of
from tests.frontend.catalogues import ROOT
from tests.frontend.random_logs import ruled, transcribed
from tests.frontend.test_bundles import FRONTEND, tools

PROGRAM = """
import { createInterface } from "node:readline";
import { EMPTY, reduce } from "SRC/table/table.ts";
import { rulesOf } from "SRC/table/rules.ts";
import { standingOf } from "SRC/table/standing.ts";
for await (const line of createInterface({ input: process.stdin })) {
  const { rules, events } = JSON.parse(line);
  let table = EMPTY;
  console.log(JSON.stringify(events.map((event) => {
    table = reduce(table, event);
    return standingOf(table, rulesOf({ rules }));
  })));
}
"""
Standings = list[dict[str, Any] | None]
Folder = Callable[[Game, Sequence[Sequence[Event]]], list[Standings]]


@pytest.fixture(scope="module")
def on_pages(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The standing after each event of some views of a game, as the scripts of pages compute it."""
    node = tools()
    program = tmp_path_factory.mktemp("standings") / "standings.mjs"
    source = PROGRAM.replace("SRC", str(ROOT / "frontend" / "src"))
    how = {"stdin": {"contents": source, "resolveDir": str(FRONTEND)}, "bundle": True}
    how |= {"outfile": str(program), "platform": "node", "format": "esm"}
    build = f"import {{ build }} from 'esbuild'; await build({json.dumps(how)})"
    subprocess.run([node, "--input-type=module", "-e", build], cwd=FRONTEND, check=True)

    def fold(game: Game, views: Sequence[Sequence[Event]]) -> list[Standings]:
        start = to_dict(views[0][0])
        rules = build_rules(start["variant"], start["seats"], start["options"])
        lines = "".join(
            json.dumps({"rules": rules, "events": [to_dict(event) for event in view]}) + "\n"
            for view in views
        )
        done = subprocess.run([node, str(program)], input=lines, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return fold


def in_ledger(log: Sequence[Event], observer: Observer) -> Standings:
    """The standing after each event as the engine's snapshot has it."""
    state, found = State(), []
    for event in log:
        evolve(state, event)
        found.append(json.loads(json.dumps(snapshot(state, observer).get("standing"))))
    return found


@pytest.mark.long(15)
@pytest.mark.parametrize("happening", [log_of, ruled, transcribed], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_ledger_and_page_agree_on_the_standing_after_every_event(
    on_pages: Folder, game: Game, happening: Callable[[Game, int], list[Event]]
) -> None:
    for seed in (1, 2):
        log = happening(game, seed)
        observers = [Observer.spectator(), Observer.referee(), Observer.seat(0)]
        views = [list(redact_events(log, observer)) for observer in observers]
        pages = on_pages(game, views)
        assert any(pages[0])
        for observer, view, page in zip(observers, views, pages, strict=True):
            for event, drawn, ledger in zip(view, page, in_ledger(view, observer), strict=True):
                assert drawn == ledger, f"{observer} after {to_dict(event)}: (page, ledger)"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_last_standing_of_a_deal_is_what_the_deal_scores(game: Game) -> None:
    scored = 0
    for seed in range(4):
        state, before = State(), None
        for event in log_of(game, seed):
            if isinstance(event, DealScored):
                scored += 1
                assert before is not None
                assert before.cards == tuple(event.card_points)
                same_score(state, before, event)
            evolve(state, event)
            before = get_deal_standing(build_game_context(state))
    assert scored > 0


def same_score(state: State, standing: DealStanding, event: DealScored) -> None:
    """What the deal scores follows from its last standing, by the way its game scores."""
    slate = get_rules(state).variant.slate
    if slate in ("points", "slots"):
        assert standing.points == tuple(event.scores)
        if standing.aimed == "target":
            assert standing.have == tuple(event.totals)
    if slate == "predictions":
        incentive = state.options["dealer_incentive"]
        for seat, (said, have) in enumerate(zip(standing.goals, standing.have, strict=True)):
            assert said is not None
            assert have is not None
            missed = abs(said - have)
            if missed and not (incentive and seat == state.dealer):
                assert event.scores[seat] == missed
    if slate == "sacks":
        [declarer] = [side for side, goal in enumerate(standing.goals) if goal is not None]
        won = (standing.have[declarer] or 0) >= (standing.goals[declarer] or 0)
        assert event.scores[declarer if won else 1 - declarer] == 1


def test_a_ruling_on_the_running_deal_leaves_its_points_open() -> None:
    logs = [ruled(game, seed) for game in GAMES for seed in range(3)]
    opened = 0
    for log in logs:
        state = State()
        for event in log:
            evolve(state, event)
            standing = get_deal_standing(build_game_context(state))
            if isinstance(event, RulingMade) and event.kind == "award_from_trick" and standing:
                concerned = event.deal == state.deal
                opened += concerned
                assert (None in standing.points) or not concerned
            if isinstance(event, DealAnnulled) and event.deal == state.deal:
                assert standing is None
    assert opened > 0
