"""Auditing a stored game: the chain, the rules, and the cards that were dealt."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from engine import Event, IllegalCommand, State, decide, evolve
from engine.audit import audit_all, other_rules
from engine.events import DealStarted
from games import fold, rounds, store
from games.dealing import Source
from games.deals import next_deal
from games.models import Game

LOTS_SINCE: Final = "2026-11-24"
"""Of seeds committed to from this day on, a first dealer was always drawn where lots are the only way; both
verifiers go by it too."""


class Report(msgspec.Struct, frozen=True):
    """What an audit found. `differences`: where the log departs from the rules; `wrong_deals`: numbers of
    deals whose hands are not those of the round's seed; `other_rules`: played under another version of the
    rules.
    """

    events: int
    differences: tuple[str, ...]
    wrong_deals: tuple[int, ...]
    other_rules: bool

    @property
    def clean(self) -> bool:
        """Whether everything is as it should be."""
        return not self.differences and not self.wrong_deals


def audit(game: Game) -> Report:
    """Check everything that is stored of a game. Raises CorruptLog where the chain itself is broken."""
    store.verify(game.id)
    store.verify(game.round_stream_id)
    log = fold.restored(store.read(game.id))
    return Report(
        events=len(log),
        differences=tuple(map(str, audit_all(log))),
        wrong_deals=tuple(wrong_deals(game, log)) if game.mode == Game.Mode.DEALT else (),
        other_rules=other_rules(log),
    )


def wrong_deals(game: Game, log: Sequence[Event]) -> Iterator[int]:
    """The deals of a dealt game whose cards do not follow from seed, entropy, table and deal."""
    source = rounds.source_then(game.round_stream_id, game.seed_seq)
    drawn = _drawn(game)
    state = State()
    for place, event in enumerate(log):
        if isinstance(event, DealStarted) and not _follows(state, log[place:], game, source, drawn):
            yield event.deal
        evolve(state, event)


def _drawn(game: Game) -> bool:
    """Whether lots were drawn for the first forehand of this game. Only where lots are the only way, the
    round's log has no drawing and its seed is from before lots came, the last seat dealt first: nobody gets
    out of a drawing by leaving out its record.
    """
    if "drawn" in game.options.values() or rounds.has_forehand(game.round_stream_id, game.pk):
        return True
    return rounds.committed_at(game.round_stream_id, game.seed_seq) >= LOTS_SINCE


def _follows(state: State, rest: Sequence[Event], game: Game, source: Source, drawn: bool) -> bool:
    try:
        dealt = decide(state, next_deal(game, state, source, drawn=drawn))
    except IllegalCommand:
        return False
    return list(rest[: len(dealt)]) == dealt
