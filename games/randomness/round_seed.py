"""Randomness in a round's stream: commitment to a seed, entropy, drawings for the first deal, reveal of the
seed. `tournaments` records other events of the round in the same stream.

The order of the events is the guarantee. The commitment is in the log before anything depends on the seed.
Entropy comes after the commitment and before the first table. The seed stays secret while a table of the
round still plays.

Nothing more is drawn from a revealed seed. If the round is drawn again later, it commits to a new seed in the
same stream. Each commitment begins a chapter with its own entropy, drawings, tables and reveal; the next
chapter begins only after the last seed was revealed.
"""

import secrets
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from django.db import transaction

from games import store
from games.appending import SERVER, append, by_chance
from games.errors import RoundRefused
from games.models import Game, Stream
from games.randomness.dealing import SEED_BYTES, ForehandDraw, Source

MAX_ENTROPY = 1000
CACHED_SEEDS = 512
"""Number of streams and heads for which a process caches which seeds are public."""


class SeedCommitted(msgspec.Struct, frozen=True, tag_field="type", tag="seed_committed"):
    """The commitment to the secret part `seed` (64 hex characters). `algorithm`: how decks follow from the
    seed. `single`: the round was made for one game.
    """

    algorithm: str
    single: bool = False


class EntropyAdded(msgspec.Struct, frozen=True, tag_field="type", tag="entropy_added"):
    """Randomness from outside the machine: numbers called in the hall, or bytes from players' devices."""

    entropy: str


class ForehandDrawn(msgspec.Struct, frozen=True, tag_field="type", tag="forehand_drawn"):
    """The drawing of the first forehand of a game. `number`: the number of the table. `cards`: by round of
    drawing, the card of each seat, null for a seat that no longer draws.

    `exchanged`: null, except in games of 23 November 2026. On that day the opponent of forehand who drew
    higher sat before forehand; true: the two opponents changed chairs for this.
    """

    game: str
    number: int
    cards: tuple[tuple[str | None, ...], ...]
    dealer: int
    exchanged: bool | None


class SeedRevealed(msgspec.Struct, frozen=True, tag_field="type", tag="seed_revealed"):
    """The seed of a round, made public. The commitment in `seed_committed` is SHA-256(nonce ‖ JSON of
    seed).
    """

    seed: str
    nonce: str


RoundEvent = SeedCommitted | EntropyAdded | ForehandDrawn | SeedRevealed
ALGORITHM = "puur/draw/1"
SEED_PUBLIC = (
    "the seed of this round is public, nothing is dealt from it any more: undo the draw and draw again, or "
    "close the round"
)


class SeedChapter(NamedTuple):
    """The events of a round's stream from one commitment to the next. `number` counts chapters from 1."""

    number: int
    events: tuple[store.StoredEvent, ...]

    @property
    def committed(self) -> store.StoredEvent:
        return self.events[0]

    @property
    def revealed(self) -> store.StoredEvent | None:
        return next((event for event in self.events if event.type == "seed_revealed"), None)

    def has_forehand(self, game: str) -> bool:
        """Return whether the drawing for the first deal of this game is recorded."""
        return any(event.type == "forehand_drawn" and event.body["game"] == game for event in self.events)

    @property
    def source(self) -> Source:
        """The randomness of the chapter, with which earlier draws are reproduced. New draws use
        `source_of`.
        """
        entropy = (e.body["entropy"].encode() for e in self.events if e.type == "entropy_added")
        return Source(bytes.fromhex(self.committed.parts["seed"]), tuple(entropy), self.committed.seq)


def chapters_of(events: Sequence[store.StoredEvent]) -> list[SeedChapter]:
    """Return a chapter for each commitment to a seed; events before the first commitment are left out."""
    starts = [at for at, event in enumerate(events) if event.type == "seed_committed"]
    ends = [*starts, len(events)][1:]
    return [SeedChapter(n, tuple(events[a:b])) for n, (a, b) in enumerate(zip(starts, ends, strict=True), 1)]


def commit_seed(round_stream: str, *, single: bool = False) -> None:
    """Draw the round's seed from the operating system and commit to it. Raises RoundRefused
    `rounds/seed_committed` if the round has a seed.
    """
    with transaction.atomic():
        head = store.read_head(round_stream, lock=True)
        if chapters_of(store.read(round_stream, parts=False)):
            raise RoundRefused("the round has its seed already", code="rounds/seed_committed")
        seed = secrets.token_hex(SEED_BYTES)
        _add(round_stream, head, SeedCommitted(ALGORITHM, single), SERVER, "seed", {"seed": seed})


def renew_seed(round_stream: str, *, actor: str = SERVER) -> bool:
    """Commit to a new seed if the last one is public; return whether there is a new one."""
    with transaction.atomic():
        head = store.read_head(round_stream, lock=True)
        last = _last(round_stream)
        if last.revealed is None:
            return False
        seed, command_id = secrets.token_hex(SEED_BYTES), f"seed:{last.number + 1}"
        _add(round_stream, head, SeedCommitted(ALGORITHM), actor, command_id, {"seed": seed})
    return True


def add_entropy(round_stream: str, entropy: str, *, actor: str, command_id: str) -> None:
    """Add external entropy of 1 to MAX_ENTROPY characters. Raises RoundRefused for another length, without a
    committed seed, after a table was opened with the seed, and after the seed is public.
    """
    if not 1 <= len(entropy) <= MAX_ENTROPY:
        raise RoundRefused(
            f"entropy has 1 to {MAX_ENTROPY} characters", code="rounds/entropy_length", most=MAX_ENTROPY
        )
    with transaction.atomic():
        head = store.read_head(round_stream, lock=True)
        if store.find_receipt(round_stream, command_id) is None and not waits_for_chance(round_stream):
            raise RoundRefused("cards have been dealt already", code="rounds/too_late_for_entropy")
        _add(round_stream, head, EntropyAdded(entropy), actor, command_id)


def waits_for_chance(round_stream: str) -> bool:
    """Return whether entropy may still be added: the seed is secret, and no table was ever dealt from it, not
    even in a draw that was undone. Raises RoundRefused if there is no seed.
    """
    last = _last(round_stream)
    opened = Game.objects.filter(round_stream=round_stream, seed_seq=last.committed.seq)
    return last.revealed is None and not opened.exists()


def record_forehand(round_stream: str, game: str, number: int, draw: ForehandDraw) -> None:
    """Record the drawing for the first deal of a game. Called in the transaction that creates the game."""
    head = store.read_head(round_stream, lock=True)
    event = ForehandDrawn(game, number, draw.cards, draw.dealer, draw.exchanged)
    _add(round_stream, head, event, SERVER, f"forehand:{game}")


def reveal_seed(round_stream: str, *, actor: str = SERVER) -> None:
    """Make the last seed public. Idempotent. Raises RoundRefused while a table of the round still plays, and
    without a seed.
    """
    with transaction.atomic():
        head = store.read_head(round_stream, lock=True)
        last = _last(round_stream, parts=True)
        if last.revealed is not None:
            return
        playing = Game.objects.filter(
            round_stream=round_stream, status__in=[Game.Status.WAITING, Game.Status.RUNNING]
        ).count()
        if playing:
            raise RoundRefused(
                f"{playing} tables of the round still play", code="rounds/still_playing", playing=playing
            )
        [part] = store.decrypt_parts(round_stream, last.committed.seq)
        seed = last.committed.parts["seed"]
        command_id = "reveal" if last.number == 1 else f"reveal:{last.number}"
        _add(round_stream, head, SeedRevealed(seed, part.nonce.hex()), actor, command_id)


def reveal_single_game(round_stream: str) -> None:
    """Make the seed public if the round was made for one game. The caller has shown the end of the game to
    the public.
    """
    if is_single(round_stream):
        reveal_seed(round_stream)


def source_of(round_stream: str) -> Source:
    """Return the round's randomness for new draws and deals.

    Raises RoundRefused if there is no seed (`rounds/no_seed`) or the seed is public (`rounds/seed_public`).
    """
    last = _last(round_stream, parts=True)
    if last.revealed is not None:
        raise RoundRefused(SEED_PUBLIC, code="rounds/seed_public")
    return last.source


def seed_seq(round_stream: str) -> int:
    """Return the seq of the last commitment to a seed, from which tables are dealt now; 0 if there is
    none.
    """
    chapters = chapters_of(store.read(round_stream, parts=False))
    return chapters[-1].committed.seq if chapters else 0


def source_then(round_stream: str, committed: int) -> Source:
    """Return the randomness of the seed that was committed to at the seq `committed`, to reproduce earlier
    draws. Raises RoundRefused `rounds/no_seed` if there is no such commitment.
    """
    for chapter in chapters_of(store.read(round_stream)):
        if chapter.committed.seq == committed:
            return chapter.source
    raise RoundRefused("the round has no seed", code="rounds/no_seed")


def new_round(*, single: bool = False) -> Stream:
    """Create a round's stream with a committed seed. `single`: the round is for one game outside any
    championship.
    """
    with transaction.atomic():
        stream = store.create_stream("round")
        commit_seed(stream.id, single=single)
    return stream


def is_single(round_stream: str) -> bool:
    """Return whether the round was made for one game. The end of such a game reveals the seed."""
    return any(
        event.body.get("single", False)
        for event in store.read(round_stream, parts=False)
        if event.type == "seed_committed"
    )


def is_revealed(round_stream: str, committed: int | None = None) -> bool:
    """Return whether the seed committed to at the seq `committed` (None: the last seed) is public.

    Queries the head of the stream on each call, and reads the stream when the head has changed.
    """
    public = _which_are_public(round_stream, store.read_head(round_stream))
    if committed is None:
        return bool(public) and public[max(public)]
    return public.get(committed, False)


@lru_cache(maxsize=CACHED_SEEDS)
def _which_are_public(round_stream: str, head: store.Head) -> dict[int, bool]:
    """Return, by seq of each commitment, whether its seed is public. `head` is the key of the cache."""
    events = store.read(round_stream, upto=head.seq, parts=False)
    return {chapter.committed.seq: chapter.revealed is not None for chapter in chapters_of(events)}


def _last(round_stream: str, *, parts: bool = False) -> SeedChapter:
    chapters = chapters_of(store.read(round_stream, parts=parts))
    if not chapters:
        raise RoundRefused("the round has no seed", code="rounds/no_seed")
    return chapters[-1]


def _add(
    stream: str,
    head: store.Head,
    event: RoundEvent,
    actor: str,
    command_id: str,
    parts: dict[str, Any] | None = None,
) -> None:
    append(stream, [event], by_chance(event, actor, command_id), head=head, parts=parts)
