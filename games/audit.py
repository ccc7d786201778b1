"""Audit a stored game: the hash chain, the rules, the cards that were dealt, and the rows beside the log."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from engine import Event, IllegalCommand, State, decide, evolve, replay
from engine.audit import audit_all
from engine.audit.rules_versions import has_other_rules
from engine.errors import FOLD_ERRORS
from engine.events import DealStarted
from games import game_state, store
from games.models import DealResult, Game
from games.projections import projection
from games.randomness.next_deal import next_deal
from games.randomness.round_seed import SeedChapter, chapters_of

LOTS_SINCE: Final = "2026-11-24"
"""Seeds committed since this day (UTC) draw lots for the first forehand of every game whose rules draw lots.
The verifiers use the same date.
"""


class Report(msgspec.Struct, frozen=True):
    """The result of an audit. `events`: the number of events. `differences`: places where the log departs
    from the rules. `wrong_deals`: numbers of deals that do not follow from the round's seed. `wrong_rows`:
    contradictions between log and rows; not looked for if `other_rules` or the log cannot be replayed.
    `other_rules`: the game was played under another version of the rules.
    """

    events: int
    differences: tuple[str, ...]
    wrong_deals: tuple[int, ...]
    wrong_rows: tuple[str, ...]
    other_rules: bool

    @property
    def clean(self) -> bool:
        """Whether the audit found nothing wrong."""
        return not self.differences and not self.wrong_deals and not self.wrong_rows


def audit(game: Game, round_events: Sequence[store.StoredEvent] | None = None) -> Report:
    """Check a stored game: its log, its row, which is read again, and the rows of its results.
    `round_events`: the verified events of its round's stream; None reads and verifies them. Raises AlteredLog
    if a stream was altered.
    """
    round_events = store.verify(game.round_stream_id) if round_events is None else round_events
    with store.consistent_read():
        game.refresh_from_db()
        stored = store.verify(game.id)
        results = list(DealResult.objects.filter(game=game))
    log = game_state.restore_events(stored)
    differences = tuple(map(str, audit_all(log)))
    try:
        wrong, state = _replay_and_check_deals(game, log, round_events)
    except FOLD_ERRORS:
        if not differences:
            raise
        wrong, state = (), None
    other = has_other_rules(log)
    return Report(
        events=len(log),
        differences=differences,
        wrong_deals=wrong,
        # Rows of games played under other rules were made by those rules, too.
        wrong_rows=() if other or state is None else tuple(_wrong_rows(game, results, state, log)),
        other_rules=other,
    )


def wrong_deals(
    game: Game, log: Sequence[Event], round_events: Sequence[store.StoredEvent]
) -> tuple[int, ...]:
    """Return the numbers of the deals by the server that do not follow from the round's randomness."""
    return _replay_and_check_deals(game, log, round_events)[0]


def compare_row(what: str, row: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each column in which a row differs from the stream. `expected`: the columns as the
    stream has them; they are converted to JSON values.
    """
    for name, value in expected.items():
        plain = msgspec.json.decode(msgspec.json.encode(value))
        if row[name] != plain:
            yield f"{what}: {name} is {row[name]!r}, the stream says {plain!r}"


def _replay_and_check_deals(
    game: Game, log: Sequence[Event], round_events: Sequence[store.StoredEvent]
) -> tuple[tuple[int, ...], State]:
    """Return the numbers of the deals that do not follow from the seed, and the state after the whole log."""
    dealt = game.mode == Game.Mode.DEALT
    chapter = next((c for c in chapters_of(round_events) if c.committed.seq == game.seed_seq), None)
    state, wrong = State(), []
    for place, event in enumerate(log):
        if (
            dealt
            and isinstance(event, DealStarted)
            and (chapter is None or not _is_expected_deal(state, log[place:], game, chapter))
        ):
            wrong.append(event.deal)
        evolve(state, event)
    return tuple(wrong), state


def _draws_lots(game: Game, chapter: SeedChapter) -> bool:
    """Return whether lots were drawn for the first forehand of this game.

    Lots were drawn if the options or the log of the round say so, or if the seed was committed since
    LOTS_SINCE. In older games the last seat deals first. Leaving out the record of a drawing therefore does
    not avoid the drawing.
    """
    if "drawn" in game.options.values() or chapter.has_forehand(game.pk):
        return True
    return chapter.committed.recorded_at >= LOTS_SINCE


def _is_expected_deal(state: State, rest: Sequence[Event], game: Game, chapter: SeedChapter) -> bool:
    try:
        dealt = decide(state, next_deal(game, state, chapter.source, drawn=_draws_lots(game, chapter)))
    except IllegalCommand:
        return False
    return list(rest[: len(dealt)]) == dealt


def _wrong_rows(
    game: Game, results: Sequence[DealResult], state: State, log: Sequence[Event]
) -> Iterator[str]:
    if game.delay_minutes and game.ahead_seq is not None:
        expected = projection.columns(projection.summarise(state))
        yield from compare_row("what is not shown yet", {"seq": game.ahead_seq}, {"seq": state.seq - 1})
        yield from compare_row("what is not shown yet", (game.ahead or {}).get("row", {}), expected)
        state = replay(log[: game.head_seq + 1])
    expected = {
        "variant": state.variant,
        "mode": state.mode,
        "seat_count": state.seats,
        "options": state.options,
        "head_seq": state.seq - 1,
        **projection.columns(projection.summarise(state)),
    }
    yield from compare_row("the game", vars(game), expected)
    row_by_deal = {row.deal: row for row in results}
    for result in projection.results(state):
        row = row_by_deal.pop(result.deal, None)
        if row is None:
            yield f"deal {result.deal}: its result is missing"
        else:
            yield from compare_row(f"deal {result.deal}", vars(row), projection.columns(result))
    for deal in row_by_deal:
        yield f"deal {deal}: the stream has no such result"
