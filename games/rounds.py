"""The stream of a round, as far as chance goes: a seed committed to, entropy added, seats of the first deal
drawn, the seed revealed. What else happens in a round is recorded by the tournament in the same stream.

The order is the promise: the commitment stands in the log before anything depends on it, entropy comes after
it and before the first table, and nobody can look at the seed while a table still plays.
"""

import hashlib
import secrets
from typing import Any

import msgspec
from django.db import transaction

from games import store
from games.dealing import SEED_BYTES, ForehandDraw, Source
from games.errors import RoundRefused
from games.models import Game, Stream

MAX_ENTROPY = 1000


class SeedCommitted(msgspec.Struct, frozen=True, tag_field="type", tag="seed_committed"):
    """The secret part `seed` (64 hex characters) is committed to; `single`: a round of one game, made for
    it."""

    algorithm: str
    single: bool = False


class EntropyAdded(msgspec.Struct, frozen=True, tag_field="type", tag="entropy_added"):
    """Chance from outside the machine: numbers called in the hall, bytes from players' devices."""

    entropy: str


class ForehandDrawn(msgspec.Struct, frozen=True, tag_field="type", tag="forehand_drawn"):
    """Who leads the first deal of a game: rounds of drawn cards by seat, null for a seat already out.

    `exchanged`: the two opponents of forehand have changed chairs after that, so that the one who drew higher
    deals; null where no partners were drawn.
    """

    game: str
    number: int
    cards: tuple[tuple[str | None, ...], ...]
    dealer: int
    exchanged: bool | None


class SeedRevealed(msgspec.Struct, frozen=True, tag_field="type", tag="seed_revealed"):
    """SHA-256(nonce ‖ JSON of seed) is the commitment of `seed_committed`."""

    seed: str
    nonce: str


RoundEvent = SeedCommitted | EntropyAdded | ForehandDrawn | SeedRevealed
ALGORITHM = "puur/draw/1"


def commit_seed(round_stream: str, *, actor: str = "server", single: bool = False) -> None:
    """Draw the round's seed from the operating system and commit to it. Raises RoundRefused the second
    time."""
    with transaction.atomic():
        head = store.head_of(round_stream, lock=True)
        if _of_type(round_stream, "seed_committed"):
            raise RoundRefused("the round has its seed already", code="rounds/seed_committed")
        seed = secrets.token_hex(SEED_BYTES)
        _add(round_stream, head, SeedCommitted(ALGORITHM, single), actor, "seed", {"seed": seed})


def add_entropy(round_stream: str, entropy: str, *, actor: str, command_id: str) -> None:
    """Mix in chance from outside. Raises RoundRefused before the commitment and once a table has been
    opened."""
    if not 1 <= len(entropy) <= MAX_ENTROPY:
        raise RoundRefused(
            f"entropy has 1 to {MAX_ENTROPY} characters", code="rounds/entropy_length", most=MAX_ENTROPY
        )
    with transaction.atomic():
        head = store.head_of(round_stream, lock=True)
        if store.receipt_of(round_stream, command_id) is None:
            if not _of_type(round_stream, "seed_committed"):
                raise RoundRefused("first comes the seed's commitment", code="rounds/no_seed")
            if Game.objects.filter(round_stream=round_stream).exists():
                raise RoundRefused("cards have been dealt already", code="rounds/too_late_for_entropy")
        _add(round_stream, head, EntropyAdded(entropy), actor, command_id)


def record_forehand(round_stream: str, game: str, number: int, draw: ForehandDraw) -> None:
    """Note who drew which card for the first deal of a game; inside the transaction that makes the game."""
    head = store.head_of(round_stream, lock=True)
    event = ForehandDrawn(game, number, draw.cards, draw.dealer, draw.exchanged)
    _add(round_stream, head, event, "server", f"forehand:{game}")


def reveal_seed(round_stream: str, *, actor: str = "server") -> None:
    """Make the seed public. Raises RoundRefused while a table of the round still plays; again: nothing
    happens."""
    with transaction.atomic():
        head = store.head_of(round_stream, lock=True)
        committed = _of_type(round_stream, "seed_committed")
        if not committed:
            raise RoundRefused("the round has no seed", code="rounds/no_seed")
        if _of_type(round_stream, "seed_revealed"):
            return
        playing = Game.objects.filter(
            round_stream=round_stream, status__in=[Game.Status.WAITING, Game.Status.RUNNING]
        ).count()
        if playing:
            raise RoundRefused(
                f"{playing} tables of the round still play", code="rounds/still_playing", playing=playing
            )
        [part] = store.open_parts(round_stream, committed[0].seq)
        seed = committed[0].parts["seed"]
        _add(round_stream, head, SeedRevealed(seed, part.nonce.hex()), actor, "reveal")


def source_of(round_stream: str) -> Source:
    """The round's chance. Raises RoundRefused before there is a seed."""
    seed: bytes | None = None
    entropy: list[bytes] = []
    for event in store.read(round_stream):
        if event.type == "seed_committed":
            seed = bytes.fromhex(event.parts["seed"])
        elif event.type == "entropy_added":
            entropy.append(event.body["entropy"].encode())
    if seed is None:
        raise RoundRefused("the round has no seed", code="rounds/no_seed")
    return Source(seed, tuple(entropy))


def new_round(*, single: bool = False) -> Stream:
    """A round's stream with its seed committed to; `single`: made for one game outside any championship."""
    with transaction.atomic():
        stream = store.create_stream("round")
        commit_seed(stream.id, single=single)
    return stream


def is_single(round_stream: str) -> bool:
    """Whether the round was made for one game, which takes its seed along when it ends."""
    return any(event.body.get("single", False) for event in _of_type(round_stream, "seed_committed"))


def is_revealed(round_stream: str) -> bool:
    """Whether the round's seed is public."""
    return bool(_of_type(round_stream, "seed_revealed"))


def _of_type(round_stream: str, type_: str) -> list[store.StoredEvent]:
    return [event for event in store.read(round_stream) if event.type == type_]


def _add(
    stream: str,
    head: store.Head,
    event: RoundEvent,
    actor: str,
    command_id: str,
    parts: dict[str, Any] | None = None,
) -> None:
    body = msgspec.to_builtins(event)
    type_ = body.pop("type")
    digest = hashlib.sha256(msgspec.json.encode([type_, body, actor])).digest()
    records = [store.Record(type_, body, parts or {})]
    store.append(stream, head, records, actor=actor, command_id=command_id, body_hash=digest)
