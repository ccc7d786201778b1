"""A championship of any size in seconds, for benches of pages: people by the service, seats and games as rows
beside the log. Pages read those rows only; play cannot continue at these tables.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.models import Championship, Entry, Round

DEALS = 12


def championship(people: int, slug: str) -> "Championship":
    """A championship whose first round is closed and published; its second is in play: deal six of twelve."""
    from games.models import User
    from tournaments.models import Entry, Official, Round
    from tournaments.services.championships import championships, officials
    from tournaments.services.entries import entries
    from tournaments.services.scores import published_ranking

    director = User.objects.get_or_create(username="director")[0]
    made = championships.create(actor=director, name=slug, slug=slug, changes={"rounds": 3})
    officials.appoint(
        made, User.objects.get_or_create(username="desk")[0], Official.Role.DESK, actor=director
    )
    names = [entries.NewEntry(f"{chr(65 + n % 26)}. Gast {n:05}", status="arrived") for n in range(people)]
    entries.add_entries(made, names, actor=director)
    player = made.entries.get(number=people // 2)
    player.user = User.objects.get_or_create(username="player")[0]
    player.save(update_fields=["user"])
    people_there = list(Entry.objects.filter(championship=made).order_by("number"))
    first, second = made.rounds.order_by("number")[:2]
    seat(first, people_there, DEALS, over=True)
    Round.objects.filter(pk=first.pk).update(status="closed")
    published_ranking.publish(made, reason="round")
    seat(second, people_there[1::2] + people_there[::2], DEALS // 2, over=False)
    Round.objects.filter(pk=second.pk).update(status="open")
    type(made).objects.filter(pk=made.pk).update(status="running")
    made.refresh_from_db()
    return made


def seat(round_: "Round", people: Sequence["Entry"], deals: int, *, over: bool) -> None:
    """Seat four at a table, each table with a game and its results so far."""
    from django.utils import timezone

    from games.models import DealResult, Game, Seat, Stream
    from tournaments.models import Seating, Table

    now = timezone.now()
    fours = [people[at : at + 4] for at in range(0, len(people) - 3, 4)]
    streams = [Stream(kind="game", head_seq=40 * deals, head_hash=bytes(32)) for _ in fours]
    Stream.objects.bulk_create(streams, batch_size=200)
    games = [
        Game(
            id=stream.pk,
            variant="schieber",
            preset="championship",
            mode="dealt",
            seat_count=4,
            options={"deals": DEALS},
            round_stream_id=round_.stream_id,
            number=number,
            created_at=now,
            status="ended" if over else "running",
            phase="over" if over else "trick_play",
            deal=deals,
            trick=0 if over else 1 + number % 9,
            turn_seat=None if over else number % 4,
            head_seq=40 * deals,
            totals=[100 * deals + number % 57, 57 * deals - number % 57],
            sides=[0, 1, 0, 1],
            winners=[0] if over else None,
            last_event_at=now - timedelta(seconds=number % 90),
        )
        for number, stream in enumerate(streams, 1)
    ]
    Game.objects.bulk_create(games, batch_size=100)
    Seat.objects.bulk_create(
        [
            Seat(game=game, number=at, player_ref=one.player_ref)
            for game, four in zip(games, fours, strict=True)
            for at, one in enumerate(four)
        ],
        batch_size=200,
    )
    DealResult.objects.bulk_create(
        [
            DealResult(
                game=game,
                deal=deal,
                card_points=[100, 57],
                scores=[100, 57],
                counted=[100, 57],
                confirmed=True,
                sweep=secrets.randbelow(2) if deal == 3 else None,
            )
            for game in games
            for deal in range(1, deals + 1)
        ],
        batch_size=100,
    )
    tables = [Table(round=round_, number=n, mode="dealt", game=game) for n, game in enumerate(games, 1)]
    Table.objects.bulk_create(tables, batch_size=200)
    Seating.objects.bulk_create(
        [
            Seating(round=round_, table=table, seat=at, entry=one)
            for table, four in zip(tables, fours, strict=True)
            for at, one in enumerate(four)
        ],
        batch_size=200,
    )
