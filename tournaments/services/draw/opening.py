"""Creating the games of a round's tables, with their seats and access rows."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from games.models import Game
from games.play.game_creation import create_game
from games.randomness import round_seed
from tournaments.models import Championship, Round, Table
from tournaments.services import broadcast_delay, prize_giving
from tournaments.services.current_regulations import load_regulations
from tournaments.services.draw import deck_numbers
from tournaments.services.draw.bots import load_bots_by_table
from tournaments.services.draw.seated import prefetch_people
from tournaments.services.seats import table_rights
from tournaments.services.seats.players_at_tables import load_accounts_at


def open_tables(
    championship: Championship,
    round_: Round,
    tables: QuerySet[Table],
    *,
    bots: Mapping[int, Mapping[int, str]] | None = None,
    bot_pace: float = 1.0,
    table_options: Mapping[int, Mapping[str, Any]] | None = None,
) -> list[Table]:
    """Create games and access rows for these tables; return the tables by number.

    The caller has locked the championship, the round and the round's stream. `bots`, `bot_pace`,
    `table_options`: as in `rounds.open_round`.
    """
    regulations = load_regulations(championship)
    play = regulations.play
    officials = table_rights.list_officials(championship)
    here = list(prefetch_people(tables.select_related("round").order_by("number")))
    if regulations.plays_same_cards:
        playing = load_accounts_at(round_.tables.all())
        officials = [official for official in officials if official.user_id not in playing]
    own_bots = load_bots_by_table(here)
    arguments: dict[str, Any] = {
        "variant": play.variant,
        "preset": play.preset,
        "deal_pause": play.deal_pause,
        "turn_seconds": play.turn_seconds,
        "clock_waits": True,
        "source": round_seed.source_of(round_.stream_id),
        "bot_pace": bot_pace,
        "visibility": table_rights.table_visibility(championship, regulations),
        "hands_wait_deals": regulations.hands_wait_deals,
        "hands_wait_minutes": regulations.hands_wait_minutes,
        "delay_minutes": broadcast_delay.compute_effective_delay(round_, regulations),
        "sweeps": prize_giving.records_sweeps(championship),
    }
    for table in here:
        people = [seating.entry.player_ref for seating in table.seatings.all()]
        table.game = create_game(
            options=regulations.options(len(people)),
            players=people,
            mode=table.mode,
            round_stream=round_.stream_id,
            number=deck_numbers.deck_number(table, regulations),
            bots={**own_bots.get(table.number, {}), **(bots or {}).get(table.number, {})},
            **{
                **arguments,
                **(regulations.of_sheet() if table.mode == Game.Mode.SHEET else {}),
                **(table_options or {}).get(table.number, {}),
            },
        )
        table.save(update_fields=["game"])
        table_rights.grant_table(table, officials)
    return here
