"""Liveness, readiness and problems of this process, for supervisors and people."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from deploy.observability.insiders import is_insider
from games.monitoring import condition

HEALTHZ: Final = "/healthz"
READYZ: Final = "/readyz"
MONITORING_PATHS: Final = (READYZ, "/metrics")
"""Paths that programs, and no browsers, request under any name of this machine."""
LANES: Final = "lanes"
SHORT_MESSAGES: Final = {
    "condition/database_away": "no answer",
    "condition/redis_away": "no answer",
}


def healthz(method: str) -> HttpResponse:
    """Return 200 `ok` to GET and HEAD (else 405) as long as the event loop runs, however busy all threads
    are.
    """
    if method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Return 200, or 503 if the database does not answer or needs a migration, because this process then
    cannot work. Other problems do not change the status, because moves are still stored. The response lists
    problems by part only to insiders.
    """
    parts = {**dict.fromkeys(condition.PARTS, "ok"), LANES: "ok"}
    for trouble in condition.find_troubles():
        parts[trouble.part] = SHORT_MESSAGES.get(trouble.code, str(trouble))
    if parts["database"] != SHORT_MESSAGES["condition/database_away"]:
        parts["database"] = _migration_trouble() or parts["database"]
    ready = parts["database"] not in {"no answer", "migrations missing"}
    body = {"ready": ready, "version": settings.VERSION, **parts} if is_insider(request) else {"ready": ready}
    return JsonResponse(body, status=200 if ready else 503)


def respond_hung(lanes: Sequence[str], *, insider: bool) -> JsonResponse:
    """Return the response of /readyz if lanes hang. The event loop sends it, because the lane of /readyz may
    be among them.
    """
    parts = {LANES: f"hung: {', '.join(lanes)}"} if insider else {}
    headers = {"Cache-Control": "no-store"}
    return JsonResponse({"ready": False, **parts}, status=503, headers=headers)


def _migration_trouble() -> str:
    """Return `migrations missing` or `no answer` if that is the state of the database, else "". The
    migrations of this version are read once.
    """
    try:
        missing = _known_migrations() - set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return "no answer"
    return "migrations missing" if missing else ""


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationExecutor(connection).loader.graph.nodes)
