"""Columns that a migration adds to the rows of deals are filled at once, from the log."""

from collections.abc import Callable
from importlib import import_module

import pytest
from django.db.migrations import Migration

from engine.errors import CorruptLog
from games import audit, game_state
from games.models import DealResult, Game, User
from games.projections.new_columns import fill_after_migrate, new_columns
from tests.tournaments import table_play
from tournaments.models import Round, Table
from tournaments.services.referee import disputes, rulings

pytestmark = pytest.mark.both

Opened = Callable[..., Round]


def applied(name: str) -> tuple[Migration, bool]:
    return import_module(f"games.migrations.{name}").Migration(name, "games"), False


@pytest.fixture
def table(gabi: User, open_round: Opened) -> Table:
    """A table with a sweep that a ruling has made, as a version that knew none left it; somebody has written
    into it besides."""
    made: Table = open_round("sheet", people=4).tables.get()
    table_play.write_sheet(made, [100, 100])
    dispute = disputes.raise_dispute(made, actor=gabi, deal=2)
    ruling = {"kind": "score_change", "deal": 2, "scores": [257, 0]}
    rulings.rule(dispute, actor=gabi, ruling=ruling, answer="Alle Stiche waren ihre.")
    DealResult.objects.filter(game_id=made.game_id).update(ruled_sweep=None)
    DealResult.objects.filter(game_id=made.game_id, deal=1).update(counted=[157, 0])
    return made


def wrong_rows(table: Table) -> list[str]:
    return [row.split(":")[0] for row in audit.audit(Game.objects.get(pk=table.game_id)).wrong_rows]


def test_a_column_that_is_new_is_filled_and_what_stood_there_stays_as_evidence(table: Table) -> None:
    assert wrong_rows(table) == ["deal 1", "deal 2"]
    fill_after_migrate(using="default", plan=[applied("0012_ruled_sweep")])
    assert wrong_rows(table) == ["deal 1"]
    assert DealResult.objects.get(game_id=table.game_id, deal=2).ruled_sweep == 0


@pytest.mark.parametrize("fault", [CorruptLog("log/impossible", "not by the rules"), KeyError("away")])
def test_a_log_that_cannot_be_followed_stops_no_migration(
    table: Table, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumbles(_: str) -> None:
        raise fault

    monkeypatch.setattr(game_state, "load_snapshot", stumbles)
    fill_after_migrate(using="default", plan=[applied("0012_ruled_sweep")])
    assert DealResult.objects.get(game_id=table.game_id, deal=2).ruled_sweep is None


@pytest.mark.parametrize("plan", [[], [applied("0010_heartbeats")], [(applied("0012_ruled_sweep")[0], True)]])
def test_other_migrations_and_those_taken_back_fill_nothing(
    table: Table, plan: list[tuple[Migration, bool]]
) -> None:
    assert new_columns(plan) == []
    fill_after_migrate(using="default", plan=plan)
    assert wrong_rows(table) == ["deal 1", "deal 2"]
