"""Run in the place of a live tree, as a process of its own: opens tables, later tells what the log holds.

python -m tests.faults.place open TABLES DEALS  tables for people, one for bots: JSON with tokens
python -m tests.faults.place tell GAME…         what is stored of these games, after verifying them: JSON
"""

import json
import os
import secrets
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from django.db import transaction

from games import (
    audit,
    game_state,
    store,
)
from games.bots.runner import BOT
from games.models import DealResult, Game, Receipt
from games.play.game_creation import create_game
from games.projections import projection
from tests.games.cast import table_code

BOT_SECONDS = 0.15


def open_tables(tables: int, deals: int) -> dict[str, Any]:
    """Tables whose four seats are opened by tokens, and one where four bots play at a pace."""
    options = {"deals": deals, "target": None}
    table: dict[str, Any] = {"variant": "schieber", "preset": "championship", "options": options}
    people = [create_game(**table, players=_people()) for _ in range(tables)]
    bots = create_game(**table, players=_people(), bots=dict.fromkeys(range(4), BOT), bot_pace=BOT_SECONDS)
    return {
        "people": {game.id: [table_code(game, "seat", seat) for seat in range(4)] for game in people},
        "bots": bots.id,
    }


def tell(game_id: str) -> dict[str, Any]:
    """The receipts of a game whose chain, rules, cards and projection have been checked."""
    with transaction.atomic():
        store.read_head(game_id, lock=True)  # the bots play on
        return _told(Game.objects.get(pk=game_id))


def _told(game: Game) -> dict[str, Any]:
    report = audit.audit(game)
    assert report.clean, report
    events, state = game_state.load_snapshot(game.pk).events, game_state.load_snapshot(game.pk).state
    assert [event.seq for event in events] == list(range(len(events)))
    summary = projection.columns(projection.summarise(state))
    assert summary == {name: getattr(game, name) for name in summary}
    rows = [projection.columns(row) for row in projection.results(state)]
    stored = DealResult.objects.filter(game=game).order_by("deal")
    assert not rows or list(stored.values(*rows[0])) == rows
    receipts = Receipt.objects.filter(stream_id=game.pk).values_list("command_id", "first_seq", "count")
    return {
        "receipts": {command_id: first + count - 1 for command_id, first, count in receipts},
        "plays": sum(event.__struct_config__.tag == "card_played" for event in events),
        "events": len(events),
        "status": game.status,
    }


def _people() -> list[str]:
    return [secrets.token_hex(16) for _ in range(4)]


if __name__ == "__main__":
    asked, *rest = sys.argv[1:]
    print(
        json.dumps(open_tables(*map(int, rest)) if asked == "open" else {game: tell(game) for game in rest})
    )
