"""A game as a file, in two forms: the log with one event per line, and notation with one decision per line.
`python -m engine` reads both.
"""

from collections.abc import Callable, Iterator

import msgspec

from engine import Event, Observer, encode, redact_events
from engine.events import GameStarted
from engine.notation import notate
from games import store
from games.models import Game, Stream
from games.observed import frames
from games.projections import delayed_broadcast
from games.randomness import round_seed
from games.rights import delayed_hands


def log_lines(game: Game, observer: Observer) -> Iterator[bytes]:
    """Yield the log as JSON lines, redacted for the observer. The field `view` of the first event names an
    observer who does not see the whole game.
    """
    redacted = observer.role != "referee" and export_observer(game, observer) is observer
    for event in _visible_events(game, observer):
        if redacted and isinstance(event, GameStarted):
            event = msgspec.structs.replace(event, view=str(observer))
        yield encode(event) + b"\n"


def log(game: Game, observer: Observer) -> str:
    """Return the log as the text of a file for this observer, one event per line."""
    return _render_file(game, observer, lambda eyes: b"".join(log_lines(game, eyes)).decode())


def notation(game: Game, observer: Observer) -> str:
    """Return the game in notation, as the text of a file for this observer, one decision per line."""
    return _render_file(game, observer, lambda eyes: notate(list(_visible_events(game, eyes))))


def _render_file(game: Game, observer: Observer, written: Callable[[Observer], str]) -> str:
    """Return the text of a file for the observer. If it differs from the spectator's file, its last line is
    padded with spaces, to a length that depends only on the spectator's file and on public facts. Readers
    skip the spaces.
    """
    text, public = written(observer), written(frames.SPECTATOR)
    if text == public:
        return text
    room = len(public) + frames.padding_for(delayed_broadcast.load_visible_snapshot(game).events)
    return frames.padded(text.removesuffix("\n"), room) + "\n"


def _visible_events(game: Game, observer: Observer) -> Iterator[Event]:
    return redact_events(
        delayed_broadcast.load_visible_snapshot(game).events, export_observer(game, observer)
    )


def export_observer(game: Game, observer: Observer) -> Observer:
    """Return the observer with which a game is exported: the given one, or, once nothing of the game is
    secret any more, one that sees every deal.

    The second observer also sees deals that were broken off. It is returned only after the hands of the last
    deals, which may open some minutes later, are open too.
    """
    if observer.role == "referee" or not is_open(game, observer):
        return observer
    if game.hands_wait_minutes and delayed_hands.count_hidden_deals(game):
        return observer
    return Observer.spectator("after_deal", opened=game.deal)


def is_open(game: Game, observer: Observer) -> bool:
    """Return whether the game has no secrets from this observer. `export_observer` may still delay hands.

    A game that the server dealt is open to everyone once the seed of its round is public: anyone can then
    deal its hands again. At that time all tables with the same cards are finished.
    """
    if observer.role == "referee":
        return True
    if not delayed_hands.is_game_final(game):
        return False
    return game.mode != Game.Mode.DEALT or round_seed.is_revealed(game.round_stream_id, game.seed_seq)


def open_before(stream_id: str, kind: str) -> int:
    """Return the seq before which all secret parts of this stream may be published; 0 if none may.

    A game publishes all parts once it is over and its cards are no longer secret. A round publishes its
    revealed seeds only.
    """
    if kind == Stream.Kind.ROUND:
        chapters = round_seed.chapters_of(store.read(stream_id, parts=False))
        return max((chapter.revealed.seq for chapter in chapters if chapter.revealed), default=0)
    if kind == Stream.Kind.GAME and is_open(Game.objects.get(pk=stream_id), Observer.spectator()):
        return store.read_head(stream_id).seq + 1
    return 0
