"""The cards and draws of revealed rounds, made again from the seed and compared with the log."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from games import dealing, fold, store
from games.audit import wrong_deals
from games.dealing import Source
from games.models import Game, Stream
from games.rounds import is_revealed
from games.store import StoredEvent
from tournaments import pairing
from tournaments.events import SeatsDrawn
from tournaments.models import Championship
from tournaments.services.drawing import BY_HAND


class Dealt(NamedTuple):
    """What was made again in one round, and where it came out otherwise."""

    round: str
    deals: int
    forehands: int
    draws: int
    differences: tuple[str, ...]


def revealed_rounds(championship: Championship | None = None) -> list[str]:
    """The streams of rounds whose seed is public, in the order of their ids; of one championship, or all."""
    streams = Stream.objects.filter(kind=Stream.Kind.ROUND).order_by("pk")
    if championship is not None:
        streams = streams.filter(round__championship=championship).order_by("round__number")
    return [stream for stream in streams.values_list("pk", flat=True) if is_revealed(stream)]


def deal_again(round_stream: str) -> Dealt:
    """Deal every deck of a round again, draw forehand and seats again. Raises CorruptLog.

    The seed is the one the commitment opens to, which verifying the stream has checked.
    """
    store.verify(round_stream)
    events = store.read(round_stream)
    differences = list(_misplaced(events))
    forehands, draws, told = _draws(events)
    differences += told
    deals = 0
    for game in Game.objects.filter(round_stream=round_stream, mode=Game.Mode.DEALT).order_by("number", "pk"):
        log = fold.restored(store.read(game.pk))
        deals += sum(event.__struct_config__.tag == "deal_started" for event in log)
        differences += [f"game {game.pk}: deal {deal} is not the seed's" for deal in wrong_deals(game, log)]
    return Dealt(round_stream, deals, forehands, draws, tuple(differences))


def _misplaced(events: Sequence[StoredEvent]) -> Iterator[str]:
    """Commitment first; nothing added once cards were dealt; what is revealed is what was committed to."""
    types = [event.type for event in events]
    if types[:1] != ["seed_committed"]:
        yield "the seed was not committed to before everything else"
    begun = next(
        (at for at, type_ in enumerate(types) if type_ in ("forehand_drawn", "round_opened")), len(types)
    )
    if "entropy_added" in types[begun:]:
        yield "chance was added after cards had been dealt"
    told = next(event.body for event in events if event.type == "seed_revealed")
    part = store.Part("seed", bytes.fromhex(told["nonce"]), msgspec.json.encode(told["seed"]))
    if store.commitment(part) != _committed(events).commitments.get("seed"):
        yield "the revealed seed is not the one that was committed to"


def _committed(events: Sequence[StoredEvent]) -> StoredEvent:
    return next(event for event in events if event.type == "seed_committed")


def _draws(events: Sequence[StoredEvent]) -> tuple[int, int, list[str]]:
    """How many draws of forehand and of seats there were, and which come out otherwise."""
    seed = bytes.fromhex(_committed(events).parts["seed"])
    entropy: tuple[bytes, ...] = ()
    forehands, draws, differences = 0, 0, []
    for event in events:
        source = Source(seed, entropy)
        if event.type == "entropy_added":
            entropy = (*entropy, event.body["entropy"].encode())
        elif event.type == "forehand_drawn":
            forehands += 1
            seats = len(event.body["cards"][0])
            told = event.body["cards"], event.body["dealer"], event.body["exchanged"]
            drawn = dealing.draw_forehand(
                source, event.body["number"], seats, partners=event.body["exchanged"] is not None
            )
            if told != ([list(row) for row in drawn.cards], drawn.dealer, drawn.exchanged):
                differences.append(f"forehand of the game {event.body['game']} was not drawn from the seed")
        elif event.type == "seats_drawn":
            draws += 1
            drawing = msgspec.convert({**event.body, "type": "seats_drawn"}, SeatsDrawn)
            if not _seats_follow(drawing, source):
                differences.append(f"draw {drawing.draw} does not follow from the seed")
    return forehands, draws, differences


def _seats_follow(told: SeatsDrawn, source: Source) -> bool:
    """Whether the seats are what the algorithm that is named makes of the seed. Drawn by hand: always."""
    if told.algorithm == BY_HAND:
        return True
    numbers = source.numbers("pairing", told.draw)
    seed = bytes(numbers.below(256) for _ in range(32))
    if told.seed != seed.hex() or told.algorithm != pairing.VERSION:
        return False
    problem = msgspec.convert({**told.problem, "seed": b""}, pairing.Problem)
    drawn = pairing.draw(replace(problem, seed=seed)).rounds[0]
    tables = tuple(tuple(told.players[p] for p in table) for table in drawn.tables)
    return (tables, tuple(told.players[p] for p in drawn.byes)) == (told.tables, told.sit_out)
