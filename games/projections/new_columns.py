"""Fill columns that a migration has added to the results of deals, from the log.

Existing columns are not filled again: they are evidence, and an audit compares them with the log.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connections, migrations
from django.db.migrations import Migration

from engine.errors import Fault, convert_fold_errors
from games import game_state
from games.models import DealResult, Game
from games.projections import projection


def fill_after_migrate(
    *, using: str, plan: Sequence[tuple[Migration, bool]] = (), verbosity: int = 1, **_: Any
) -> None:
    """Fill new columns after `manage.py migrate`. `plan`: the migrations that it ran, each with whether it
    was reversed.
    """
    names = new_columns(plan)
    if not names or "games_dealresult" not in connections[using].introspection.table_names():
        return
    for game in Game.objects.using(using).filter(results__isnull=False).distinct().iterator():
        _fill(using, game.pk, names)


def new_columns(plan: Sequence[tuple[Migration, bool]]) -> list[str]:
    """Return the fields of a deal's result that these migrations have added."""
    return [
        operation.name
        for migration, backwards in plan
        if migration.app_label == "games" and not backwards
        for operation in migration.operations
        if isinstance(operation, migrations.AddField) and operation.model_name_lower == "dealresult"
    ]


def _fill(using: str, game_id: str, names: Sequence[str]) -> None:
    try:
        with convert_fold_errors():
            told = projection.results(game_state.load_snapshot(game_id).state)
    except Fault:
        return  # an audit reports the faults of this log, or the missing key
    for result in told:
        values = projection.columns(result)
        DealResult.objects.using(using).filter(game_id=game_id, deal=result.deal).update(
            **{name: values[name] for name in names}
        )
