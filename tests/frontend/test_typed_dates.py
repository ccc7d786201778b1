"""Implausible dates and times are refused beside their field."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Deadline
from tests.frontend.evening import championship, client, drawn, html
from tournaments.models import Championship, Round

pytestmark = pytest.mark.django_db
ABSURD = ["0026-11-26T20:00", "0001-01-01T00:00", "1999-12-31T23:59", "9999-12-31T23:59", "2100-01-01T00:00"]
PAST = (timezone.now() - timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
MOMENTS = [*ABSURD, pytest.param(PAST, id="past")]  # all workers must collect the same ids


def times(**told: str) -> Any:
    address = reverse("round_act", args=["herbstcup", 1, "times"])
    return client("fredi").post(address, {"opens_at": "", "closes_at": "", **told})


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", ["opens_at", "closes_at"])
def test_a_round_opens_and_closes_by_itself_at_no_such_moment(name: str, moment: str) -> None:
    drawn()
    answer = times(**{name: moment})
    assert answer.status_code == 400
    page = html(answer)
    assert f'value="{moment}"' in page, "what was typed stands there still"
    assert page.count('class="errorlist"') == 1
    assert not Deadline.objects.filter(stream=Round.objects.get(number=1).stream_id).exists()
    assert Round.objects.get(number=1).status == Round.Status.DRAWN


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_evening_does_not_begin_at_such_a_moment(moment: str) -> None:
    championship(2)
    address = reverse("regulations", args=["herbstcup"])
    told = {"about": "1", "name": "Herbstcup", "starts_at": moment}
    before = Championship.objects.get().starts_at
    answer = client("fredi").post(address, told)
    assert answer.status_code < 500
    assert Championship.objects.get().starts_at == before
    new = client("fredi").post(
        reverse("championship_new"), {"name": "X", "preset": "santiago", "mode": "sheet", "starts_at": moment}
    )
    assert new.status_code == 400
    assert "errorlist" in html(new)
    assert Championship.objects.count() == 1


def test_a_time_that_was_set_before_stays_though_it_is_over() -> None:
    round_ = drawn()
    opened = timezone.localtime().replace(second=0, microsecond=0) - timedelta(minutes=5)
    Round.objects.filter(pk=round_.pk).update(opens_at=opened)
    later = (opened + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M")
    answer = times(opens_at=opened.strftime("%Y-%m-%dT%H:%M"), closes_at=later)
    assert answer.status_code == 302
    assert Round.objects.get(pk=round_.pk).closes_at is not None
