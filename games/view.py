"""A game as one observer may see it: events, a picture of the table, whose turn it is. Nothing else shows a
game.
"""

from typing import Any

from engine import Event, Observer, State, cards, legal_cards, replay, snapshot, to_act, to_dict, view_for
from games import fold
from games.errors import Malformed
from games.fold import Fold
from games.models import Deadline, Game
from games.turns import CLOCK

NO_CARDS = "0" * 36


def view_of(now: Fold, observer: Observer, at: int | None = None) -> list[Event]:
    """The events up to and with seq `at` (None: all) as the observer may see them now."""
    events = list(view_for(now.events, observer))
    return events if at is None else events[: at + 1]


def events_for(
    game: Game, observer: Observer, since: int = -1, upto: int | None = None
) -> list[dict[str, Any]]:
    """The events with since < seq <= upto as the observer may see them, as JSON values."""
    now = fold.at(game.id)
    return [to_dict(event) for event in view_of(now, observer, upto)[max(since, -1) + 1 :]]


def snapshot_for(game: Game, observer: Observer, at: int | None = None) -> dict[str, Any]:
    """The engine's picture of the table after event `at` (None: the last) as the observer may see it; its
    `seq` is that of the last event in it. Raises Malformed `games/no_such_seq` for a seq the game has not
    reached.
    """
    now = fold.at(game.id)
    if at is not None and not 0 <= at <= now.head.seq:
        raise Malformed(
            f"the game goes from 0 to {now.head.seq}", code="games/no_such_seq", seq=at, last=now.head.seq
        )
    state = replay(view_of(now, observer, at))
    return {**snapshot(state, observer), "seq": state.seq - 1}


def turn_of(state: State) -> dict[str, Any] | None:
    """Whose turn it is, for everybody: {seat, phase, commands}; None when the game is over."""
    turn = to_act(state)
    if turn is None:
        return None
    return {"seat": turn.seat, "phase": turn.phase, "commands": list(turn.commands)}


def turn_for(state: State, observer: Observer) -> dict[str, Any]:
    """What a frame carries beside the events: `turn`, and for a seat `legal` and `own_commands`.

    `legal`: a character a card in deck order, "1" where the observer's own seat may play it now. A referee
    gets that of the seat whose turn it is. `state` may be complete or the observer's view: the answer is
    the same.
    """
    turn = turn_of(state)
    if observer.role == "spectator":
        return {"turn": turn}
    acts = turn is not None and turn["seat"] is not None and observer.number in (None, turn["seat"])
    carried: dict[str, Any] = {"turn": turn, "legal": NO_CARDS}
    if turn is not None and acts:
        carried["legal"] = legal_text(legal_cards(state, turn["seat"]))
    if observer.role == "seat":
        carried["own_commands"] = turn["commands"] if turn is not None and acts else []
    return carried


def legal_text(mask: int) -> str:
    """A mask of cards as 36 characters "0" or "1" in deck order."""
    return "".join("1" if mask >> card & 1 else "0" for card in range(len(cards.DECK)))


def clock_of(game: Game) -> dict[str, Any] | None:
    """Whose clock runs and when it has run out (UTC, ISO 8601); None where none does."""
    if game.turn_seconds is None:
        return None
    row = Deadline.objects.filter(stream_id=game.id, kind=CLOCK, guard_seq=game.turn_seq).first()
    return None if row is None else {"seat": game.turn_seat, "due_at": row.due_at.isoformat()}
