"""A game as one observer sees it: the observer's events, cards and turn. `games.rights.observers` decides
which observer a person gets.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict, cast

import msgspec
from msgspec import Meta

from engine import (
    Event,
    Observer,
    State,
    cards,
    legal_cards,
    list_offers,
    list_out_of_turn_commands,
    redact_events,
    replay,
    snapshot,
    to_act,
    to_dict,
)
from engine.decider import to_game_context
from engine.evidence import evidence
from engine.queries.illegal_reasons import REASONS, Reason, find_reasons
from engine.queries.sheet_form import list_sheet_fields
from engine.rules import GameContext
from engine.rules.sheet_fields import SheetField
from engine.tricks.modes import current_mode
from games.errors import Malformed
from games.game_state import GameSnapshot
from games.models import Deadline, Game
from games.projections import delayed_broadcast
from games.timers.turn_deadlines import CLOCK

NO_CARDS = "0" * 36


class TurnShown(TypedDict):
    """The turn, for all observers: seat (None: the table), phase kind, commands open to that seat."""

    seat: int | None
    phase: str
    commands: list[str]


class Clock(TypedDict):
    """The running clock: its seat, and the time at which it runs out (UTC, ISO 8601)."""

    seat: int | None
    due_at: str


class Prompt(TypedDict, total=False):
    """Fields of a frame beside the events: see `build_prompt`."""

    turn: TurnShown | None
    legal: Annotated[str, Meta(pattern="^[01]{36}$", description="One character a card in deck order.")]
    why_not: Annotated[
        str,
        Meta(
            pattern="^[0-7]{36}$",
            description="By card as `legal`, for held cards that may not be played: "
            + ", ".join(f"{place} {reason}" for place, reason in enumerate(REASONS, 1)),
        ),
    ]
    beside: Annotated[
        list[list[str]],
        Meta(description="By seat: commands open now whoever's turn it is. A seat gets its own."),
    ]
    forms: Annotated[
        list[list[SheetField]], Meta(description="Of a score sheet: the fields of the next two deals.")
    ]
    own_commands: list[str]


def list_observed_events(now: GameSnapshot, observer: Observer, at: int | None = None) -> list[Event]:
    """Return the events up to and including seq `at` (None: all) as the observer may see them now."""
    events = list(redact_events(now.events, observer))
    return events if at is None else events[: at + 1]


def build_observed_snapshot(game: Game, observer: Observer, at: int | None = None) -> dict[str, Any]:
    """Return `engine.snapshot` of the table after event `at` (None: the last) as the observer may see it; its
    `seq` is the seq of this event.

    Raises Malformed `games/no_such_seq` for a seq that the game has not reached.
    """
    now = delayed_broadcast.load_visible_snapshot(game)
    if at is not None and not 0 <= at <= now.head.seq:
        raise Malformed(
            f"the game goes from 0 to {now.head.seq}", code="games/no_such_seq", seq=at, last=now.head.seq
        )
    state = replay(list_observed_events(now, observer, at))
    return {**snapshot(state, observer), "seq": state.seq - 1}


def list_observed_offers(now: GameSnapshot, observer: Observer) -> list[dict[str, Any]]:
    """Return commands that the observer's seat may send now, all or a sample (`engine.list_offers`), by its
    own view; empty if it is not the seat's turn.
    """
    turn = to_act(now.table)
    if observer.role != "seat" or turn is None or turn.seat != observer.number:
        return []
    return [to_dict(command) for command in list_offers(replay(list_observed_events(now, observer)))]


def find_observed_evidence(game: Game, observer: Observer, deal: int) -> dict[str, Any]:
    """Return what the log proves about a deal, as far as the observer may see it: `engine.evidence.Evidence`
    as JSON values.

    Raises IllegalCommand `evidence/no_such_deal`.
    """
    [found] = evidence(list_observed_events(delayed_broadcast.load_visible_snapshot(game), observer), deal)
    known: dict[str, Any] = msgspec.to_builtins(found)
    return known


def describe_turn(at: State | GameContext) -> TurnShown | None:
    """Return the turn; None if the game is over."""
    turn = to_act(at)
    if turn is None:
        return None
    return {"seat": turn.seat, "phase": turn.phase, "commands": list(turn.commands)}


def build_prompt(at: State | GameContext, observer: Observer) -> Prompt:
    """Return the fields of a frame beside the events, computed alike from the complete state and from the
    observer's view. A spectator gets `turn` only, unless a deal is in play whose hands they see. Others get
    `legal`, `why_not`, `beside` and, for sheets, `forms` too; a seat also gets `own_commands`.

    `legal`: one character per card in deck order, "1" if the card may be played now. A seat gets this only
    for its own turn, the others for the seat whose turn it is. `why_not`: likewise a digit per card; for a
    held card that may not be played, the place of the reason in engine.queries.illegal_reasons.REASONS,
    counted from 1. `beside`: by seat, the commands allowed outside the turn; a seat gets its own only.
    `forms`: the fields of the next two deals (`engine.rules.sheet_fields.SheetField`), empty if no deal is to
    come.
    """
    context = to_game_context(at)
    state = context.state
    turn = describe_turn(context)
    if observer.role == "spectator" and not (state.dealing and observer.sees_deal(state.deal)):
        return {"turn": turn}
    turn_seat = None if turn is None else turn["seat"]
    is_on_turn = turn_seat is not None and observer.number in (None, turn_seat)
    listed_seats = range(state.seats) if observer.number is None else (observer.number,)
    prompt: Prompt = {"turn": turn, "legal": NO_CARDS, "why_not": NO_CARDS}
    prompt["beside"] = [
        list(list_out_of_turn_commands(context, seat)) if seat in listed_seats else []
        for seat in range(state.seats)
    ]
    if turn_seat is not None and is_on_turn:
        legal = legal_cards(context, turn_seat)
        prompt["legal"] = write_legal_cards(legal)
        if legal:
            prompt["why_not"] = write_reasons(
                find_reasons(state.hands[turn_seat], legal, state.trick, current_mode(state))
            )
    if state.mode == "sheet" and turn is not None:
        more = "enter_result" in turn["commands"]
        forms = [list_form_fields(state, len(state.results) + ahead) for ahead in (1, 2)] if more else []
        prompt["forms"] = cast("list[list[SheetField]]", forms)
    if observer.role == "seat":
        prompt["own_commands"] = turn["commands"] if turn is not None and is_on_turn else []
    return prompt


def list_form_fields(state: State, deal: int) -> list[dict[str, Any]]:
    """Return the fields of a score sheet for a deal as JSON values. Empty values are left out."""
    fields: list[dict[str, Any]] = [msgspec.to_builtins(field) for field in list_sheet_fields(state, deal)]
    return [{name: value for name, value in field.items() if value not in (None, (), [])} for field in fields]


def write_legal_cards(mask: int) -> str:
    """Return a mask of cards as 36 characters "0" or "1" in deck order."""
    return "".join("1" if mask >> card & 1 else "0" for card in range(len(cards.DECK)))


def write_reasons(forbidden: Mapping[cards.Card, Reason]) -> str:
    """Return a text of 36 digits in deck order: for a forbidden card the place of its reason in `REASONS`,
    counted from 1, otherwise "0".
    """
    return "".join(
        str(REASONS.index(forbidden[card]) + 1) if card in forbidden else "0" for card in cards.DECK
    )


def find_clock(game: Game) -> Clock | None:
    """Return the running clock of the game; None if no clock runs, and for the delayed state of a game."""
    if game.turn_seconds is None:
        return None
    if game.delay_minutes and not game.is_now:
        return None
    row = Deadline.objects.filter(stream_id=game.id, kind=CLOCK, guard_seq=game.turn_seq).first()
    return None if row is None else {"seat": game.turn_seat, "due_at": row.due_at.isoformat()}
