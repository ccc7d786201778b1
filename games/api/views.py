"""Games over HTTP: list, detail, events, replay, commands, and a table token exchanged for a session."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import msgspec
from django.db.models import F, Q, QuerySet
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine import Event, Observer, decode_command, redact_events, to_dict
from engine.evidence import Evidence
from games.api import failures, requests, schema, shapes
from games.api.principals import SessionPrincipal, claim, principal
from games.errors import Forbidden
from games.messaging import rate_limit
from games.models import Game
from games.monitoring import counters
from games.observed import export, frames, observed_game
from games.play.command_request import LARGEST_SEQ, CommandRequest
from games.play.submit import CommandResult, preview, submit
from games.projections import delayed_broadcast
from games.rights import claims, identity, observers, tokens
from games.rights.claims import Outdated

PAGE, LARGEST_PAGE, LARGEST_OFFSET = 50, 200, 1_000_000
LARGEST_DEAL: Final = 100_000
LARGEST_SHEET_DEAL: Final = 1000
MAX_OFFERS_BYTES: Final = 12 * 1024
"""Upper bound, in bytes, of the offers of any hand. Offers are padded to this size, since their length would
reveal cards.
"""
GAME_PARTS: Final = ("events", "offers", "replay", "commands", "evidence", "sheet", "log")

WRONG_CODES: Final = rate_limit.Budget("wrong-codes", most=300, seconds=600)
"""Budget of wrong codes from one address. It allows a hall to scan slips of the last round, and stops
somebody who tries a list of codes.
"""


class GameView(APIView):
    """Base class of all views of the API: it sets authentication, error responses, bounded JSON and no
    caching.
    """

    authentication_classes = (SessionPrincipal,)
    permission_classes = ()
    parser_classes = (requests.BoundedJson,)
    schema = schema.TypedSchema()
    query_parameters: ClassVar[tuple[OpenApiParameter, ...]] = ()
    """Query parameters of a read. Any other parameter, except FORMAT, is refused."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        read = self.query_parameters if request.method in SAFE_METHODS else ()
        requests.refuse_unknown_parameters(request, {parameter.name for parameter in read})

    def get_exception_handler(self) -> Any:
        return failures.handle

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answered = super().finalize_response(request, response, *args, **kwargs)
        answered["Cache-Control"] = "private, no-store"
        return answered

    def load_game(self, request: Request, game_id: str) -> tuple[Game, Observer]:
        """Return the requested game, and the observer whose view the caller gets. Raises UnknownGame."""
        game = observers.find_visible_game(principal(request), game_id)
        return game, export.export_observer(game, observers.find_observer(game, principal(request)))

    def render_json(
        self, observer: Observer, new: Sequence[Event], render: Callable[[Observer], Any], status: int = 200
    ) -> HttpResponse:
        """Return as JSON the result of `tell(observer)`, padded if the observer sees secrets.

        The padded length follows from the result of `render` for a spectator and from the number of events in
        `new` that carry a secret, so the length reveals no secret.
        """
        body = msgspec.json.encode(render(observer)).decode()
        if frames.is_private(observer):
            public = msgspec.json.encode(render(frames.SPECTATOR))
            body = frames.padded(body, len(public) + frames.padding_for(new))
        return HttpResponse(body, content_type="application/json", status=status)

    def render_events(
        self, observer: Observer, events: Sequence[Event], status: int = 200, **answer: Any
    ) -> HttpResponse:
        """Return a response with `answer` and the events that a command caused, redacted for this
        observer.
        """
        return self.render_json(
            observer,
            events,
            lambda eyes: answer | {"events": [to_dict(event) for event in redact_events(events, eyes)]},
            status,
        )


class IndexView(GameView):
    @extend_schema(
        operation_id="index",
        description="What there is, by address; `{game_id}` and the like are to be filled in.",
        responses=schema.answers({200: shapes.Index}),
    )
    def get(self, request: Request) -> Response:
        def address(name: str) -> str:
            return request.build_absolute_uri(reverse(name))

        games = address("api_games")
        of_game = games + "{game_id}/"
        socket = "ws" + request.build_absolute_uri("/ws/games/").removeprefix("http") + "{game_id}/"
        answer: shapes.Index = {
            "version": "1",
            "documentation": address("api_docs"),
            "schema": address("schema"),
            "games": games,
            "game": of_game,
            **{f"game_{part}": f"{of_game}{part}/" for part in GAME_PARTS},  # type: ignore[typeddict-item]  # Index has a key per part
            "table_session": address("api_table_session"),
            "socket": socket,
        }
        return Response(answer)


class Games(GameView):
    query_parameters = (
        schema.query("status", "Only games of this status.", str, enum=Game.Status.values),
        schema.int_parameter("limit", "How many.", 1, LARGEST_PAGE, default=PAGE),
        schema.query("cursor", "`next_cursor` of the page before.", str),
        schema.int_parameter(
            "offset", "How many to leave out; `cursor` repeats none.", 0, LARGEST_OFFSET, deprecated=True
        ),
    )

    @extend_schema(
        operation_id="games",
        description="The games you may see, those with the latest event first. `next_cursor` leads to the "
        "next page and repeats no game. A game that is played on meanwhile goes to the front: ask for the "
        "first page again to see it there.",
        parameters=[*query_parameters],
        responses={200: schema.GameList, **schema.answers({}, 400)},
    )
    def get(self, request: Request) -> Response:
        limit = requests.whole_number(request, "limit", PAGE, 1, LARGEST_PAGE)
        offset = requests.whole_number(request, "offset", 0, 0, LARGEST_OFFSET)
        cursor = requests.cursor(request)
        games = observers.list_visible_games(principal(request))
        if request.query_params.get("status"):
            games = games.filter(status=requests.one_of(request, "status", Game.Status.values))
        if cursor is not None:
            games = _after(games, cursor)
        ordered = games.order_by(F("last_event_at").desc(nulls_last=True), "pk")
        found = list(ordered[offset : offset + limit + 1])
        shown, more = found[:limit], len(found) > limit
        last = requests.Cursor(shown[-1].last_event_at, shown[-1].pk) if more else None
        return Response(
            {
                "games": schema.GameRow(shown, many=True).data,
                "next": offset + limit if more and cursor is None else None,
                "next_cursor": None if last is None else str(last),
            }
        )


def _after(games: QuerySet[Game], cursor: requests.Cursor) -> QuerySet[Game]:
    """Return the games that follow the cursor's row in the list."""
    level = Q(last_event_at=cursor.last_event_at, pk__gt=cursor.game_id)
    if cursor.last_event_at is None:
        return games.filter(Q(last_event_at__isnull=True), pk__gt=cursor.game_id)
    return games.filter(Q(last_event_at__lt=cursor.last_event_at) | Q(last_event_at__isnull=True) | level)


class Detail(GameView):
    @extend_schema(
        operation_id="game",
        description="The table as you may see it now, and whose turn it is.",
        parameters=[schema.GAME_ID],
        responses=schema.answers({200: shapes.TableShown}, 404),
    )
    def get(self, request: Request, game_id: str) -> HttpResponse:
        game, observer = self.load_game(request, game_id)
        now = delayed_broadcast.load_visible_snapshot(game)
        shown = {
            "game": schema.GameRow(game).data,
            "observer": str(observer),
            "clock": observed_game.find_clock(game),
        }

        def render(observer: Observer) -> dict[str, Any]:
            seen = {"snapshot": observed_game.build_observed_snapshot(game, observer, now.head.seq)}
            return {**shown, **seen, **observed_game.build_prompt(now.table, observer)}

        return self.render_json(observer, now.events, render)


class Events(GameView):
    query_parameters = (
        schema.int_parameter("since", "The last seq you hold; absent: everything.", -1, LARGEST_SEQ),
    )

    @extend_schema(
        operation_id="game_events",
        description="The events after `since` as you may see them, and whose turn it is after them.",
        parameters=[schema.GAME_ID, *query_parameters],
        responses=schema.answers({200: shapes.Following}, 400, 404),
    )
    def get(self, request: Request, game_id: str) -> HttpResponse:
        since = requests.whole_number(request, "since", -1, -1, LARGEST_SEQ)
        game, observer = self.load_game(request, game_id)
        now = delayed_broadcast.load_visible_snapshot(game)

        def render(observer: Observer) -> dict[str, Any]:
            events = [
                to_dict(event) for event in observed_game.list_observed_events(now, observer)[since + 1 :]
            ]
            frame = {"game": game.id, "seq": now.head.seq, "events": events}
            return {**frame, **observed_game.build_prompt(now.table, observer)}

        return self.render_json(observer, now.events[since + 1 :], render)


class Offers(GameView):
    @extend_schema(
        operation_id="game_offers",
        description="The commands your seat may send now, ready to be sent: all of them, or a fair sample "
        "where there are many. Empty where it is not your seat's turn.",
        parameters=[schema.GAME_ID],
        responses=schema.answers({200: shapes.Offered}, 404),
    )
    def get(self, request: Request, game_id: str) -> HttpResponse:
        game, observer = self.load_game(request, game_id)
        now = delayed_broadcast.load_visible_snapshot(game)
        offered = {
            "game": game.id,
            "seq": now.head.seq,
            "offers": observed_game.list_observed_offers(now, observer),
        }
        text = msgspec.json.encode(offered).decode()
        if frames.is_private(observer):
            text = frames.padded(text, MAX_OFFERS_BYTES)
        return HttpResponse(text, content_type="application/json")


class Replay(GameView):
    query_parameters = (
        schema.int_parameter("at", "The seq of the event; absent or −1: the last.", -1, LARGEST_SEQ),
    )

    @extend_schema(
        operation_id="game_replay",
        description="The table after one event, as you may see it; legal cards where you see the hand.",
        parameters=[schema.GAME_ID, *query_parameters],
        responses=schema.answers({200: shapes.Replayed}, 400, 404),
    )
    def get(self, request: Request, game_id: str) -> HttpResponse:
        requested_seq = requests.whole_number(request, "at", -1, -1, LARGEST_SEQ)
        game, observer = self.load_game(request, game_id)
        now = delayed_broadcast.load_visible_snapshot(game)
        at = now.head.seq if requested_seq < 0 else requested_seq
        shown = {"game": game.id, "seq": at, "observer": str(observer)}
        return self.render_json(
            observer,
            now.events,
            lambda eyes: {**shown, "snapshot": observed_game.build_observed_snapshot(game, eyes, at)},
        )


class DealEvidence(GameView):
    query_parameters = (schema.int_parameter("deal", "Absent: the deal being played.", 1, LARGEST_DEAL),)

    @extend_schema(
        operation_id="game_evidence",
        description="What the record proves of each card, hand, trick and side of a deal, what it leaves "
        "open, and where it contradicts itself.",
        parameters=[schema.GAME_ID, *query_parameters],
        responses=schema.answers({200: Evidence}, 400, 404),
    )
    def get(self, request: Request, game_id: str) -> HttpResponse:
        game, observer = self.load_game(request, game_id)
        now = delayed_broadcast.load_visible_snapshot(game)
        deal = requests.whole_number(request, "deal", max(1, now.state.deal), 1, LARGEST_DEAL)
        return self.render_json(
            observer, now.events, lambda eyes: observed_game.find_observed_evidence(game, eyes, deal)
        )


class Sheet(GameView):
    query_parameters = (
        schema.int_parameter("deal", "Absent: the deal that comes next.", 1, LARGEST_SHEET_DEAL),
    )

    @extend_schema(
        operation_id="game_sheet",
        description="The fields of the score sheet for a deal: those that `enter_result` takes.",
        parameters=[schema.GAME_ID, *query_parameters],
        responses=schema.answers({200: shapes.SheetForm}, 400, 404),
    )
    def get(self, request: Request, game_id: str) -> Response:
        game, _ = self.load_game(request, game_id)
        state = delayed_broadcast.load_visible_snapshot(game).state
        deal = requests.whole_number(request, "deal", len(state.results) + 1, 1, LARGEST_SHEET_DEAL)
        return Response({"deal": deal, "fields": observed_game.list_form_fields(state, deal)})

    @extend_schema(
        operation_id="game_sheet_preview",
        description="What a result would count, with the refusal where it is wrong; nothing is stored.",
        parameters=[schema.GAME_ID, schema.csrf(required=True)],
        request={"application/json": schema.reference(CommandRequest)},
        responses=schema.answers({200: shapes.Foreseen}, 400, 403, 404, 413),
    )
    def post(self, request: Request, game_id: str) -> HttpResponse:
        request_body = requests.command_request(request)
        game, observer = self.load_game(request, game_id)
        command = decode_command(bytes(request_body.command))
        claims.authorise(game, principal(request), command)
        return self.render_events(observer, preview(game, command))


class Log(GameView):
    @extend_schema(
        operation_id="game_log",
        description="The game as a file, an event a line: complete for a referee, and for all when its "
        "round is over and the seed public; else as you may see it.",
        parameters=[schema.GAME_ID],
        responses={(200, "application/x-ndjson"): str, **schema.answers({}, 404)},
    )
    def get(self, request: Request, game_id: str) -> HttpResponse:
        game, observer = self.load_game(request, game_id)
        headers = {"Content-Disposition": f'attachment; filename="{game.id}.jsonl"'}
        body = export.log(game, observer)
        return HttpResponse(body, content_type="application/x-ndjson", headers=headers)


class Commands(GameView):
    @extend_schema(
        operation_id="game_command",
        description="Send a command. The same command_id with the same command gets the first answer (200).",
        parameters=[schema.GAME_ID, schema.csrf(required=True)],
        request={"application/json": schema.reference(CommandRequest)},
        responses=schema.answers(
            {200: shapes.Acknowledged, 201: shapes.Acknowledged}, 400, 403, 404, 409, 413
        ),
    )
    def post(self, request: Request, game_id: str) -> HttpResponse:
        sent = requests.command_request(request)
        game, observer = self.load_game(request, game_id)
        with counters.time_command("api"):
            stored = self._send(request, game, sent)
        answer = {"command_id": sent.command_id, "seq": stored.last_seq}
        return self.render_events(observer, stored.events, 200 if stored.repeated else 201, **answer)

    def _send(self, request: Request, game: Game, sent: CommandRequest) -> CommandResult:
        """Store the command. If the session has changed since it was read, read the session and submit
        again.
        """
        sender = claim(request)
        while True:
            try:
                return submit(
                    game.id,
                    bytes(sent.command),
                    actor=sender,
                    command_id=sent.command_id,
                    expected_seq=sent.expected_seq,
                )
            except Outdated:
                sender = identity.load_claim(request._request.session.session_key)


class TableSession(GameView):
    opens_session = True
    """The OpenAPI schema describes this operation as usable without a session."""

    @extend_schema(
        operation_id="open_table",
        description="Exchange the token of a slip or poster for a session that may act at its table.",
        parameters=[schema.csrf(required=False)],
        request={"application/json": schema.reference(requests.TokenRequest)},
        responses=schema.answers({201: shapes.Opened}, 400, 403, 413),
    )
    def post(self, request: Request) -> Response:
        address = rate_limit.address_of(request._request)
        try:
            opened = tokens.redeem(requests.token_request(request).token, request._request.session)
        except Forbidden as refusal:
            # Only wrong codes count: 128 bits cannot be guessed, and players share addresses.
            if refusal.code == "access/bad_token" and (seconds := WRONG_CODES.spend(address)):
                raise Throttled(wait=seconds) from None
            raise
        answer = {"game": opened.game_id, "role": opened.role, "seat": opened.seat}
        return Response({**answer, "csrf_token": get_token(request._request)}, status=201)
