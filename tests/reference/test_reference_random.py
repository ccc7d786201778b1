"""A few random games of every variant: they can be replayed, and their points add up."""

from typing import Any

import pytest

from .common import DECK, Illegal, is_int
from .games import MODULES, execute, start
from .random_play import play, random_options


@pytest.mark.long(7)
@pytest.mark.parametrize("variant", sorted(MODULES))
@pytest.mark.parametrize("seed", range(4))
def test_a_random_game_can_be_replayed_and_its_points_add_up(variant: str, seed: int) -> None:
    seats = MODULES[variant].SEATS[seed % len(MODULES[variant].SEATS)]
    options = random_options(variant, seats, seed)
    commands = play(variant, seed, seats, options, max_deals=6)
    assert commands == play(variant, seed, seats, options, max_deals=6)
    lines, refusal = execute(commands)
    assert refusal is None
    broken_off = False
    totals: list[int] | None = None
    for line in lines:
        if line.get("type") == "deal_stopped":
            broken_off = True
        if line.get("type") == "out_claimed":
            broken_off = True
        if line.get("type") == "deal_scored":
            last = lines[-1] == line or lines[-2] == line
            whole = sum(line["card_points"])
            assert whole <= 158
            if MODULES[variant].Game.whole_deck and not broken_off and not last:
                assert whole == 157
            broken_off = False
            totals = totals or [0] * len(line["scores"])
            totals = [old + new for old, new in zip(totals, line["scores"], strict=True)]
            assert line["totals"] == totals


def test_only_the_legal_cards_can_be_played_and_a_refusal_changes_nothing() -> None:
    commands = play("plus-minus", 1, 4, max_deals=1)
    game: Any = None
    for command in commands:
        if game is None:
            game, _ = start(command)
            continue
        legal = game.legal()
        for card in DECK:
            if "cards" in legal and card not in legal["cards"]:
                with pytest.raises(Illegal):
                    game.do({"cmd": "play", "seat": legal["seat"], "card": card})
        with pytest.raises(Illegal):
            game.do({**command, "seat": (legal["seat"] or 0) + 1, "cmd": "pass"})
        assert game.legal() == legal
        game.do(command)
    assert is_int(game.deal_number)
