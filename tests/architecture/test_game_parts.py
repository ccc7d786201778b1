"""The parts of a registered game that are missing outside the engine, in one message.

None of them is needed to play: an option without words shows its title, and an untranslated text shows in
English. docs/developers/variants.md names the place of each part.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.utils.translation import override

from deploy.environment import BASE_DIR
from engine import VARIANTS
from engine.audit import audit_all
from engine.queries.describing import describe
from engine.rules import AnyVariant, Variant
from frontend.card_names import CODES
from frontend.presenters.regulations.option_words import OPTIONS, VALUES
from frontend.presenters.regulations.rules import SECTIONS, TEXTS
from frontend.rules.game_names import SUMMARIES
from tests.engine.random_games import Game, log_of
from tests.games import eighth_games
from tests.reference.games import MODULES
from tournaments.presets import PRESETS
from tournaments.regulation_checks import check_regulations
from tournaments.regulations import GameChoice, Regulations

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
TESTS = BASE_DIR / "tests"
ROWS = {"tests/e2e/test_tables_of_all_games.py": "SHEETS", "tests/games/test_bots_everywhere.py": "MARGINS"}


def missing_parts(game: AnyVariant) -> list[str]:
    """The missing parts of a game, each with the place where it goes."""
    return [*_words(game), *_rules_texts(game), *_tests(game)]


def _words(game: AnyVariant) -> Iterator[str]:
    place = "frontend/presenters/regulations/option_words.py"
    for option in describe(game)["options"]:
        name, title = option["name"], option["label"]
        if title not in OPTIONS:
            yield f"{place}: a name and help of “{title}”"
        else:
            yield from _untranslated(OPTIONS[title][1])
        for value in option["schema"].get("enum", ()):
            if not isinstance(value, int) and value not in CODES and (name, str(value)) not in VALUES:
                yield f"{place}: words for {name}={value}"
    if game.key not in SUMMARIES:
        yield "frontend/rules/game_names.py: a sentence in SUMMARIES"
    else:
        yield from _untranslated(SUMMARIES[game.key])


def _untranslated(text: object) -> Iterator[str]:
    with override("en"):
        english = str(text)
    for language in LANGUAGES:
        with override(language):
            if str(text) == english:
                yield f"frontend/locale/{language}: a translation of “{english}”"


def _rules_texts(game: AnyVariant) -> Iterator[str]:
    blocks = [anchor for anchor in SECTIONS if anchor != "options"]
    for language in ("en", *LANGUAGES):
        path = TEXTS / language / f"{game.key}.html"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        without = [name for name in blocks if not re.search(rf"{{% block {name} %}}", text)]
        if not text:
            yield f"{path.relative_to(BASE_DIR)}: the rules"
        elif without:
            yield f"{path.relative_to(BASE_DIR)}: the blocks {', '.join(without)}"


def _tests(game: AnyVariant) -> Iterator[str]:
    if all(preset.play.variant != game.key for preset in PRESETS.values()):
        yield "tournaments/presets: a preset"
    quoted = f'"{game.key}"'
    if not any(quoted in path.read_text(encoding="utf-8") for path in (TESTS / "engine").glob("test_*.py")):
        yield "tests/engine: worked examples"
    for preset in (None, *game.presets):
        for seats in game.seats:
            name = f"{game.key}-{preset or 'default'}-{seats}"
            if not (TESTS / "engine" / "golden" / f"{name}.txt").exists():
                yield f"tests/engine/golden: {name} (PUUR_GOLDEN=write)"
    if game.key not in MODULES:
        yield "tests/reference: a second implementation"
    for file, table in ROWS.items():
        rows = (BASE_DIR / file).read_text(encoding="utf-8").partition(f"\n{table}")[2].partition("\n]\n")[0]
        if quoted not in rows:
            yield f"{file}: a row in {table}"


def test_no_game_lacks_a_part() -> None:
    missing = [f"{key}: {part}" for key, game in VARIANTS.items() for part in missing_parts(game)]
    if missing:
        pytest.fail("\n".join(["these parts are missing:", *missing]), pytrace=False)


def test_all_that_a_new_game_lacks_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = eighth_games.LOW
    monkeypatch.setitem(VARIANTS, game.key, game)
    found = "\n".join(missing_parts(game))
    texts = [f"texts/{language}/{game.key}.html: the rules" for language in ("en", *LANGUAGES)]
    for part in (*texts, "SUMMARIES", "a preset", "examples", "golden", "second", "SHEETS", "MARGINS"):
        assert part in found


def test_the_example_of_the_page_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (BASE_DIR / "docs" / "developers" / "variants.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    made: dict[str, Any] = {"__name__": "example"}
    exec(compile(example, "variants.md", "exec"), made)
    [game] = [one for one in made.values() if isinstance(one, Variant)]
    monkeypatch.setitem(VARIANTS, game.key, game)
    log = log_of(Game(game.key, None, game.seats[-1]), 1)
    assert audit_all(log) == []
    assert game.aim.points == "fewest"
    regulations = Regulations(preset="example", play=GameChoice(variant=game.key))
    check_regulations(regulations)
    assert regulations.directions().total == -1
    assert (regulations.play.seats, regulations.play.format, regulations.deals) == (4, "solo", 8)
