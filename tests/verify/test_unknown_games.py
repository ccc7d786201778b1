"""A game that a verifier has never heard of: it verifies cards and chance, and says that scoring is left."""

import ast
import io
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from deploy.environment import BASE_DIR
from engine import VARIANTS
from games import sealing
from tests.verify.cheats.tables import two_cards
from tests.verify.conftest import SCRIPT
from tests.verify.evening import Evening, export
from tests.verify.record import Record
from tests.verify.test_browser_verifier import verified
from tests.verify.test_honest_evenings import evening_of

NAME = "eighth-game"
SOURCES = BASE_DIR / "frontend" / "src" / "verify"


def renamed(data: bytes) -> Record:
    """An honest evening of a game that is called something else, and that regulations call so too."""
    record = Record(data)
    for stream in record.streams.values():
        for event in stream:
            rename(event.body)
    rename(record.tables)
    return record


def rename(told: Any) -> None:
    """Another name wherever one stands."""
    if isinstance(told, dict) and "variant" in told:
        told["variant"] = NAME
    for value in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        rename(value)


class Told:
    """What both verifiers say of a file."""

    def __init__(self, puur_verify: ModuleType, data: bytes, folder: Path) -> None:
        (folder / "file.zip").write_bytes(data)
        [browser] = verified(folder, "").values()
        report = puur_verify.verify(io.BytesIO(data))
        self.browser = [one["what"] for one in browser["differences"]]
        self.python = report.differences
        self.python_unproven = [line for line in report.unproven if "not known to this verifier" in line]
        self.ranking_left = any("who plays with whom" in line for line in report.unproven)


def check_honest(told: Told) -> None:
    assert told.python == []
    assert told.browser == []
    [line] = told.python_unproven
    assert NAME in line


def test_an_honest_evening_of_an_unknown_game_passes_and_says_what_was_not_verified(
    puur_verify: ModuleType, evening: Evening, key_file: Path, tmp_path: Path
) -> None:
    data = renamed(evening.public).sealed(sealing.load_key(key_file))
    check_honest(Told(puur_verify, data, tmp_path))
    known = Told(puur_verify, evening.public, tmp_path)
    assert known.python_unproven == []


@pytest.mark.long(1)
@pytest.mark.parametrize(
    "preset", ["bieter", "coiffeur", "differenzler", "la_pomme", "lake_constance", "plus_minus"]
)
def test_however_an_unknown_game_deals_its_cards_are_verified(
    puur_verify: ModuleType, db: None, key_file: Path, tmp_path: Path, preset: str
) -> None:
    record = renamed(export(evening_of(preset)).public)
    key = sealing.load_key(key_file)
    check_honest(Told(puur_verify, record.sealed(key), tmp_path))
    two_cards(record)
    told = Told(puur_verify, record.sealed(key), tmp_path)
    assert "verify.deck" in told.browser
    assert any("was not dealt from the seed" in line for line in told.python)


def other_total(record: Record) -> None:
    totals = record.first(record.game(1), "deal_scored").body["totals"]
    totals[0] += 1


def out_of_turn(record: Record) -> None:
    record.first(record.game(1), "card_played").body["seat"] ^= 1


def other_taker(record: Record) -> None:
    record.first(record.game(1), "trick_taken").body["seat"] ^= 1


@pytest.mark.parametrize(
    ("bend", "python"),
    [
        (two_cards, "was not dealt from the seed"),
        (other_total, "the totals are"),
        (out_of_turn, "which it did not have"),
        (other_taker, "took a trick of seat"),
    ],
)
def test_what_is_forged_in_an_unknown_game_is_found(
    puur_verify: ModuleType,
    evening: Evening,
    key_file: Path,
    tmp_path: Path,
    bend: Callable[[Record], object],
    python: str,
) -> None:
    record = renamed(evening.public)
    bend(record)
    told = Told(puur_verify, record.sealed(sealing.load_key(key_file)), tmp_path)
    assert any(python in line for line in told.python)


def test_a_game_that_is_called_otherwise_than_in_the_regulations_is_no_way_around(
    puur_verify: ModuleType, evening: Evening, key_file: Path, tmp_path: Path
) -> None:
    record = Record(evening.public)
    record.first(record.game(1), "game_started").body["variant"] = NAME
    next(record.rows("game", id=record.games(1)[0]))["variant"] = NAME
    told = Told(puur_verify, record.sealed(sealing.load_key(key_file)), tmp_path)
    assert any("it was not played by the regulations" in line for line in told.python)


def test_an_auction_of_four_in_an_unknown_game_leaves_its_ranking_unverified(
    puur_verify: ModuleType, db: None, key_file: Path, tmp_path: Path
) -> None:
    record = renamed(export(evening_of("santiago")).public)
    game = record.game(1)
    record.insert(game, record.place(game, "contract_set"), "auction_won", {"seat": 1, "points": 100})
    told = Told(puur_verify, record.sealed(sealing.load_key(key_file)), tmp_path)
    check_honest(told)
    assert record.tables["standingssnapshot"]
    assert told.ranking_left


def test_games_stand_by_name_in_one_place_of_each_verifier() -> None:
    tree = ast.parse(SCRIPT.read_text())
    keys: list[str] = []
    for node in tree.body:
        named = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and n.value in VARIANTS}
        if named:
            assert isinstance(node, ast.Assign)
            [target] = node.targets
            assert isinstance(target, ast.Name)
            keys.append(target.id)
    assert keys == ["VARIANTS"]
    quoted = re.compile("|".join(rf"[\"'`]{re.escape(key)}[\"'`]|\b{re.escape(key)}:" for key in VARIANTS))
    told = [path.name for path in SOURCES.rglob("*.ts") if quoted.search(path.read_text())]
    assert told == ["known_games.ts"]


def test_a_game_that_ends_by_saying_leaves_its_trick_lying(
    puur_verify: ModuleType, evening: Evening, key_file: Path, tmp_path: Path
) -> None:
    """Melds or Stöck reach the target once the trick is full: the game is over, and nobody takes it."""
    record = Record(evening.public)
    game = record.game(1)
    taken = len(game) - 1 - [event.type for event in reversed(game)].index("trick_taken")
    kept = game[:taken]
    scored = next(event for event in game[taken:] if event.type == "deal_scored")
    ended = next(event for event in game[taken:] if event.type == "game_ended")
    for between, found in (([], True), (["stoeck_declared"], False)):
        game[:] = [*kept, scored, ended]
        for kind in between:
            record.insert(game, len(kept), kind, {"seat": 0, "points": 20})
        told = Told(puur_verify, record.sealed(sealing.load_key(key_file)), tmp_path)
        assert any("a trick was not taken" in line for line in told.python) is found
