"""Types of the API's responses: the OpenAPI schema is generated from them."""

from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

from engine.commands import AnyCommand
from engine.events import AnyEvent
from engine.queries.snapshot import Snapshot
from engine.rules.sheet_fields import SheetField
from games.observed import observed_game
from games.play.command_request import LARGEST_SEQ

GameId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Seq = Annotated[int, Meta(ge=-1, le=LARGEST_SEQ)]
Row = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/GameRow"})]


class Failure(TypedDict):
    """A refusal: a stable code, one English line, values for a translation."""

    code: str
    detail: str
    params: dict[str, Any]


class Index(TypedDict):
    """URLs of the API; clients replace the parts in braces."""

    version: str
    documentation: str
    schema: str
    games: str
    game: str
    game_events: str
    game_offers: str
    game_replay: str
    game_commands: str
    game_evidence: str
    game_sheet: str
    game_log: str
    table_session: str
    socket: str


class TableShown(observed_game.Prompt):
    """A table as one observer sees it; `snapshot`: its state after the last event."""

    game: Row
    observer: str
    snapshot: Snapshot
    clock: observed_game.Clock | None


class Following(observed_game.Prompt):
    """The response with the events after a seq, and the turn after them."""

    game: GameId
    seq: Seq
    events: list[AnyEvent]


class Offered(TypedDict):
    """The response with the commands that a seat may send after event `seq`."""

    game: GameId
    seq: Seq
    offers: list[AnyCommand]


class Replayed(TypedDict):
    """The response with the table after event `seq`."""

    game: GameId
    seq: Seq
    observer: str
    snapshot: Snapshot


class Acknowledged(TypedDict):
    """The response to a stored command. `seq`: its last event; `events`: the events that it caused, as its
    sender may see them.
    """

    command_id: str
    seq: Seq
    events: list[AnyEvent]


class Foreseen(TypedDict):
    """The response with the events that a result would cause if it were stored."""

    events: list[AnyEvent]


class SheetForm(TypedDict):
    """The response with the fields of the score sheet for a deal."""

    deal: int
    fields: list[SheetField]


class Opened(TypedDict):
    """The response to the exchange of a table code: the game that the session may act in."""

    game: GameId
    role: Literal["seat", "scorer"]
    seat: int | None
    csrf_token: str
