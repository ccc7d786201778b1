"""Is this process alive, can it do its work, what is wrong? Asked by supervisors and by people."""

from functools import cache
from typing import Final

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.installation import condition

HEALTHZ: Final = "/healthz"
SAID: Final = {
    "condition/database_away": "no answer",
    "condition/redis_away": "no answer",
}


def healthz(method: str) -> HttpResponse:
    """200 `ok` as long as the process answers at all: said by its loop, however busy all threads are."""
    if method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200, or 503 where the database does not answer or waits for a migration: this process cannot work
    then. What else is wrong is told part by part and leaves it ready: plays are stored all the same.
    """
    parts = dict.fromkeys(condition.PARTS, "ok")
    for trouble in condition.troubles_now():
        parts[trouble.part] = SAID.get(trouble.code, str(trouble))
    if parts["database"] != SAID["condition/database_away"]:
        parts["database"] = _migrations() or parts["database"]
    ready = parts["database"] not in {"no answer", "migrations missing"}
    return JsonResponse({"ready": ready, **parts}, status=200 if ready else 503)


def _migrations() -> str:
    """Whether the database waits for one; which there are is read from the files once."""
    try:
        missing = _known() - set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return "no answer"
    return "migrations missing" if missing else ""


@cache
def _known() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationExecutor(connection).loader.graph.nodes)
