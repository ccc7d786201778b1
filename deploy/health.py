"""Is this process alive, and can it do its work? Asked by supervisors, load balancers, people in a hurry."""

from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis, RedisError


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 `ok` as long as the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200, or 503 where the database does not answer or waits for a migration.

    Without Redis plays are still stored and shown later: that is told and leaves the process ready.
    """
    database = _state(_ask_database)
    redis = _state(_ask_redis)
    ready = database == "ok"
    return JsonResponse({"ready": ready, "database": database, "redis": redis}, status=200 if ready else 503)


def _state(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except (DatabaseError, RedisError, OSError):
        return "no answer"


def _ask_database() -> str:
    executor = MigrationExecutor(connection)
    return "migrations missing" if executor.migration_plan(executor.loader.graph.leaf_nodes()) else "ok"


def _ask_redis() -> str:
    with Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1) as client:
        client.ping()
    return "ok"
