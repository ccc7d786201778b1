"""docs/developers/examples/bot.py plays every game to its end against a real server."""

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from engine.audit import audit
from games import game_state
from games.models import Access, Game
from tests.games.cast import PLAYERS, SEATED, person, table
from tests.games.live_server import WebProcess, cookie

SOURCE = Path(__file__).parents[2] / "docs" / "developers" / "examples" / "bot.py"
SETTINGS = {"PUUR_LIMITS": "0"}
GAMES: list[Any] = [
    ("schieber", 4, {"deals": 1}),
    ("differenzler", 3, {"deals": 3}),
    ("la-pomme", 2, {}),
    ("lake-constance", 2, {}),
    pytest.param("plus-minus", 3, {}, marks=pytest.mark.slow),
    pytest.param("bieter", 3, {}, marks=pytest.mark.slow),
    pytest.param("coiffeur", 4, {}, marks=pytest.mark.slow),
    pytest.param("differenzler", 4, {"deals": 4, "sealed_predictions": True}, marks=pytest.mark.slow),
]


def the_bot() -> Any:
    found = importlib.util.spec_from_file_location("example_bot", SOURCE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.long(2)
@pytest.mark.parametrize(("variant", "seats", "options"), GAMES)
def test_the_example_plays_every_game_to_its_end(
    web: WebProcess, variant: str, seats: int, options: dict[str, Any]
) -> None:
    preset = "championship" if variant == "schieber" else None
    game = table(variant=variant, preset=preset, options=options, players=PLAYERS[:seats])
    base, bot = f"http://127.0.0.1:{web.port}", the_bot()
    people = [person(name) for name in SEATED[:seats]]
    for seat, user in enumerate(people):
        Access.objects.create(game=game, user=user, role="seat", seat=seat, ref=PLAYERS[seat])

    cookies = [cookie(user) for user in people]

    async def play_together() -> None:
        players = (bot.play(base, each, game.id) for each in cookies)
        await asyncio.wait_for(asyncio.gather(*players), timeout=280)

    asyncio.run(play_together())

    log = game_state.load_snapshot(game.id).events
    assert Game.objects.get(pk=game.pk).status == Game.Status.ENDED
    assert audit(log) is None


def test_the_example_signs_in(web: WebProcess) -> None:
    anna = person("anna")
    anna.set_password("a long password of hers")
    anna.save()
    assert "sessionid=" in the_bot().sign_in(
        f"http://127.0.0.1:{web.port}", "anna", "a long password of hers"
    )
