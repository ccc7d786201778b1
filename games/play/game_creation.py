"""Create a table: its stream, its row, its seats, and the first deal."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine import decide, decode_command
from games import game_state, store
from games.appending import SERVER, append, by_command
from games.models import Game, Seat
from games.play.game_change import GameChange
from games.projections import projection
from games.randomness import next_deal, round_seed
from games.randomness.dealing import Source


def create_game(
    *,
    variant: str,
    players: Sequence[str],
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    mode: str = "dealt",
    round_stream: str | None = None,
    number: int = 1,
    bots: Mapping[int, str] | None = None,
    bot_pace: float = 1.0,
    deal_pause: float = 0,
    turn_seconds: int | None = None,
    clock_waits: bool = False,
    visibility: str = "played",
    hands_wait_deals: int = 0,
    hands_wait_minutes: int = 0,
    delay_minutes: int = 0,
    hand_in: str | None = None,
    confirmation: str = "paper",
    sweeps: bool = False,
    actor: str = SERVER,
    source: Source | None = None,
) -> Game:
    """Create a table for `players` (references, seat 0 first) and, if the server deals, deal at once.

    `round_stream`: stream of a round with a committed seed; None creates a round for this game alone. The
    decks derive from `number`: tables of a round with the same number play the same cards. `bots`: seat →
    name of its bot. `deal_pause`: seconds between deals. `turn_seconds`: time of a player for a turn.
    `clock_waits`: turns are not timed until all players are present (`games.play.waiting_for_players`).
    `hand_in`, `confirmation`, `sweeps`: as in `engine.commands.Start`. `delay_minutes`: the delay for
    observers without a part in the game (`games.rights.observers.sees_undelayed`). `source`: the randomness
    of the round; None reads it. Raises IllegalCommand (`start/…`).
    """
    seats = len(players) if seats is None else seats
    if len(players) != seats:
        raise ValueError(f"{seats} seats for {len(players)} players")
    command = decode_command(
        {
            "cmd": "start",
            "variant": variant,
            "seats": seats,
            "options": dict(options or {}),
            "preset": preset,
            "mode": mode,
            "hand_in": hand_in,
            "confirmation": confirmation,
            "sweeps": sweeps,
        }
    )
    with transaction.atomic():
        # Locked until the end, so that no entropy comes between the first deal and the next.
        round_id = round_stream or round_seed.new_round(single=True).id
        store.read_head(round_id, lock=True)
        stream = store.create_stream("game")
        before = game_state.empty_snapshot(stream.id, store.read_head(stream.id))
        events = decide(before.table, command)
        request = by_command(command, actor, "server:start")
        appended = append(stream.id, events, request, head=before.head)
        after = before.extended(events, appended.head)
        # The opening of the table is public at once, however delayed its events are.
        row = projection.columns(projection.summarise(after.table)) | {
            "head_seq": after.head.seq,
            "last_event_at": timezone.now(),
        }
        game = Game.objects.create(
            id=stream.id,
            variant=variant,
            preset=preset or "",
            mode=mode,
            seat_count=seats,
            options=after.state.options,
            round_stream_id=round_id,
            number=number,
            seed_seq=round_seed.seed_seq(round_id) if source is None else source.committed,
            visibility=visibility,
            hands_wait_deals=hands_wait_deals,
            hands_wait_minutes=hands_wait_minutes,
            deal_pause=deal_pause,
            turn_seconds=turn_seconds,
            clock_waits=clock_waits and turn_seconds is not None and len(bots or {}) < seats,
            delay_minutes=delay_minutes,
            **row,
        )
        change = GameChange(game, before, after)
        if change.server_deals():
            source = source or round_seed.source_of(round_id)
            draw = next_deal.first_forehand(after.state, source, number)
            if draw is not None:
                round_seed.record_forehand(round_id, game.id, number, draw)
            change.deal(source)
        Seat.objects.bulk_create(
            Seat(game=game, number=seat, player_ref=ref, bot=(bots or {}).get(seat, ""), bot_pace=bot_pace)
            for seat, ref in enumerate(players)
        )
        change.commit()
    return game
