"""Run in the place of a live tree, as a process of its own: opens tables, later tells what the log holds.

python -m tests.faults.place open    one table for people, one for bots: JSON with tokens of the seats
python -m tests.faults.place tell GAME…    what is stored of these games, after verifying them: JSON
"""

import json
import os
import secrets
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from engine import encode, replay  # noqa: E402 - after the applications are loaded
from games import fold, store, tokens  # noqa: E402
from games.bots.runner import BOT  # noqa: E402
from games.models import Game, Receipt  # noqa: E402
from games.tables import create_game  # noqa: E402

DEALS = 2
BOT_SECONDS = 0.15


def open_tables() -> dict[str, Any]:
    """A table whose four seats are opened by tokens, and one where four bots play at a pace."""
    options = {"deals": DEALS, "target": None}
    table = {"variant": "schieber", "preset": "championship", "options": options}
    people = create_game(**table, players=[secrets.token_hex(16) for _ in range(4)])
    slips = [tokens.issue(people, "seat", seat) for seat in range(4)]
    bots = create_game(
        **table,
        players=[secrets.token_hex(16) for _ in range(4)],
        bots=dict.fromkeys(range(4), BOT),
        bot_pace=BOT_SECONDS,
    )
    return {"people": people.id, "tokens": slips, "bots": bots.id}


def tell(game_id: str) -> dict[str, Any]:
    """The events and receipts of a game whose chain holds and whose projection is what its events give."""
    store.verify(game_id)
    events = fold.at(game_id).events
    game = Game.objects.get(pk=game_id)
    assert game.totals == list(replay(events).totals)
    receipts = Receipt.objects.filter(stream_id=game_id).values_list("command_id", "first_seq", "count")
    return {
        "events": [json.loads(encode(event)) for event in events],
        "receipts": {command_id: first + count - 1 for command_id, first, count in receipts},
        "status": game.status,
    }


if __name__ == "__main__":
    asked, *games = sys.argv[1:]
    print(json.dumps(open_tables() if asked == "open" else {game: tell(game) for game in games}))
