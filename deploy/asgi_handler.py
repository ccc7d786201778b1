"""Django's ASGI handler with bounded queues. A request runs in one thread from beginning to end. The thread
releases its database connection before the response is sent, because a client may read slowly.

Django's own handler uses an unlimited number of threads, and a request enters and leaves a thread several
times.
"""

import asyncio
from collections.abc import Iterable, MutableMapping
from time import perf_counter
from typing import Any, cast

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from deploy.limits import bodies, overload_responses
from deploy.limits.bodies import Bodies, BodyRefused, RequestBody
from deploy.limits.lanes import Lane, LaneFull, Lanes
from deploy.observability import health
from deploy.observability.insiders import is_insider_of
from games.messaging.rate_limit import network_of
from games.monitoring import counters

Scope = MutableMapping[str, Any]


class Handler(ASGIHandler):
    """A Django ASGI handler that runs requests in threads of their lanes (`Lane`)."""

    def __init__(self) -> None:
        super().__init__()
        self._lanes: Lanes | None = None  # Created in the event loop.
        self._bodies = Bodies()

    def load_middleware(self, is_async: bool = False) -> None:
        """Load all middleware as synchronous, because it runs in the thread of the request."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["path"] == health.HEALTHZ:
            await self.send_response(health.healthz(scope["method"]), send)
            return
        if scope["path"] in health.MONITORING_PATHS:
            scope["headers"] = _with_own_name(scope["headers"])
        self._lanes = self._lanes or Lanes()
        if scope["path"] == health.READYZ and (hung := self._lanes.hung_lanes()):
            await self.send_response(health.respond_hung(hung, insider=is_insider_of(scope)), send)
            return
        session = _session_of(scope)
        known = session is not None
        lane = self._lanes.select_lane(scope["method"], scope["path"], known=known)
        body = RequestBody(self._bodies)
        try:
            await bodies.receive(body, scope, receive, known=known)
        except RequestAborted:
            body.close()
            return
        except asyncio.CancelledError:
            body.close()
            raise
        except BodyRefused as refused:
            body.close()
            answer = overload_responses.overload_response_for(scope, refused.code)
            answer["Connection"] = "close"  # Otherwise the server would read the rest of the body.
            counters.refusals.add(lane.name, refused.code)
            await self.send_response(answer, send)
            return
        begun = perf_counter()
        who = self._queue_key(lane, session, (scope.get("client") or ("",))[0])
        work = asyncio.ensure_future(lane.run_for(who, self._respond, scope, body))
        gone = asyncio.ensure_future(receive())  # The only further message is the disconnect.
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                full = (
                    overload_responses.TOO_MANY
                    if lane is self._lanes.uploads
                    else overload_responses.TRY_AGAIN
                )
                response = _result_or_overload(work, scope, full)
                _count_response(lane, response, perf_counter() - begun)
                await self._send(response, send)
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.wait({work, gone})
            body.close_unless_taken()

    def _queue_key(self, lane: Lane, session: str | None, client: str) -> str:
        """Return the asker by whom a lane queues fairly: for uploads the client's network, because session
        keys can be forged; for slow GETs the session or address; "" in other lanes.
        """
        if self._lanes is not None and lane is self._lanes.uploads:
            return network_of(client)
        return session or client if self._lanes is not None and lane is self._lanes.prints else ""

    def _respond(self, scope: Scope, brought: RequestBody) -> HttpResponseBase:
        """Process the request in the thread of its lane. Only a streaming response remains open
        afterwards.
        """
        with brought.taken() as body:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            request, refusal = self.create_request(scope, body)
            response: HttpResponseBase = (
                self.get_response(request) if request else cast(HttpResponse, refusal)
            )
            response._handler_class = self.__class__  # type: ignore[attr-defined]  # Django's own handler sets it too
            if response.streaming:
                signals.request_finished.send(sender=self.__class__)
            else:
                response.close()
            return response

    async def _send(self, response: HttpResponseBase, send: Any) -> None:
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:  # Any other response was closed in its thread.
                await asyncio.to_thread(response.close)


def _with_own_name(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Replace the Host header. Supervisors use the address of the machine or container, which is no host name
    of the site, and the responses to them contain no address.
    """
    own = settings.ALLOWED_HOSTS[0].lstrip("*.") or "localhost"
    return [(b"host", own.encode()), *((name, value) for name, value in headers if name != b"host")]


def _result_or_overload(
    work: "asyncio.Future[HttpResponseBase]", scope: Scope, full: str
) -> HttpResponseBase:
    """Return the response, or an overload response. `full`: its error code if the lane was full."""
    try:
        return work.result()
    except LaneFull:
        return overload_responses.overload_response_for(scope, full)


def _count_response(lane: Lane, response: HttpResponseBase, seconds: float) -> None:
    counters.requests.add(seconds, lane.name, f"{response.status_code // 100}xx")
    if isinstance(response, overload_responses.OverloadResponse):
        counters.refusals.add(lane.name, response.code)


def _session_of(scope: Scope) -> str | None:
    """Return the session key in the cookie, if any. Only Django checks whether this session exists."""
    name = f"{settings.SESSION_COOKIE_NAME}="
    for key, value in scope["headers"]:
        if key == b"cookie" and name.encode() in value:
            return str(value.decode("latin-1").partition(name)[2].partition(";")[0])
    return None
