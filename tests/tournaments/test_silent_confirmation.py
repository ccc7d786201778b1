"""Silence confirms a result after the minutes of the regulations, and only by such regulations."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.commands import EnterResult
from games.models import DealResult, Game
from games.play.submit import submit
from tests.frontend.evening import opened, person
from tournaments.models import Round
from tournaments.services import locks
from tournaments.services.referee import disputes
from tournaments.services.scores.silent_confirmation import confirm_silent_results

pytestmark = pytest.mark.django_db


def written(**changes: Any) -> Round:
    """A round whose first table was typed by the desk eleven minutes ago."""
    round_ = opened("sheet", changes={"rounds": 1, "hand_in": "totals", **changes})
    game = str(round_.tables.get(number=1).game_id)
    submit(game, EnterResult(deal=1, scores=[712, 544]), actor="desk", command_id="typed")
    Game.objects.filter(pk=game).update(last_event_at=timezone.now() - timedelta(minutes=11))
    return round_


def test_after_its_minutes_a_result_stands_and_the_record_says_by_what() -> None:
    written(confirmation="silence", silence_minutes=10)
    assert confirm_silent_results() == 1
    kept = DealResult.objects.get()
    assert (kept.confirmed, kept.witness) == (True, "silence")
    assert confirm_silent_results() == 0


def test_before_that_and_by_other_regulations_nothing_is_confirmed() -> None:
    written(confirmation="silence", silence_minutes=12)
    assert confirm_silent_results() == 0
    assert not DealResult.objects.get().confirmed


def test_paper_is_not_silence() -> None:
    written()
    assert confirm_silent_results() == 0


def test_a_result_written_meanwhile_waits_its_own_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = written(confirmation="silence", silence_minutes=10)
    game = str(round_.tables.get(number=1).game_id)
    lock = locks.lock_round

    def write_again(pk: int) -> Round:
        Game.objects.filter(pk=game).update(last_event_at=timezone.now())
        return lock(pk)

    monkeypatch.setattr(locks, "lock_round", write_again)
    assert confirm_silent_results() == 0
    assert not DealResult.objects.filter(confirmed=True).exists()


def test_who_calls_the_referee_is_not_silent() -> None:
    round_ = written(confirmation="silence", silence_minutes=10)
    disputes.raise_dispute(round_.tables.get(number=1), actor=person("gabi"), text="wrong", deal=1)
    assert confirm_silent_results() == 0
