"""The nightly audit: readable by the operator, and logged when it finds a problem."""

import logging
from collections.abc import Callable
from datetime import date

import pytest
from django.core.management import CommandError

from tests.games.cast import play, table
from tests.tournaments.table_play import play_to_the_end
from tests.tournaments.test_auditing import forge, run
from tournaments.models import Audit, Championship, Round
from tournaments.services.audit import audit_report, auditing

pytestmark = pytest.mark.django_db


def night(day: int = 1) -> Audit:
    """As the workers do it."""
    audit = auditing.start_audit(night=date(2026, 9, day))
    while auditing.check_next(audit):
        pass
    audit.refresh_from_db()
    return audit


def test_without_a_night_it_is_said_so_with_a_code() -> None:
    auditing.start_audit()
    auditing.start_audit(night=date(2026, 9, 1)).parts.update(ended_at=None)
    Audit.objects.update(ended_at=None)  # begun, not ended
    with pytest.raises(CommandError, match="audits/no_night_yet") as refused:
        run(night=True)
    assert refused.value.returncode == 2


def test_the_report_of_the_last_night_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    play(table(), 3)
    night(1)
    last = night(2)
    auditing.start_audit()  # somebody's own, later
    assert run(night=True) == 0
    assert capsys.readouterr().out == audit_report.render_report(last)


def test_a_night_that_found_something_ends_the_command_with_1_and_keeps_its_report(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    play(table())
    forge()
    night()
    file = tmp_path_factory.mktemp("night") / "report.txt"
    assert run(night=True, report=str(file)) == 1
    told = capsys.readouterr().out
    assert "event 7" in told
    assert file.read_text() == told
    assert Audit.objects.count() == 1, "nothing is audited anew"


@pytest.mark.parametrize("other", [{"championship": "herbstcup"}, {"games": ["f" * 32]}])
def test_a_night_is_of_everything(other: dict[str, str]) -> None:
    night()
    with pytest.raises(CommandError, match="--night"):
        run(*other.get("games", []), night=True, championship=other.get("championship"))


def test_the_log_tells_once_that_an_audit_found_something_wrong(caplog: pytest.LogCaptureFixture) -> None:
    play(table())
    with caplog.at_level(logging.ERROR, logger="tournaments"):
        night(1)
        assert not caplog.records
        forge()
        second = night(2)
        auditing._end_if_complete(second)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "1 difference" in caplog.text
    assert "manage.py audit --night" in caplog.text


def test_a_championship_has_its_own_part_of_a_night(
    open_round: Callable[..., Round], championship: Championship
) -> None:
    elsewhere = play(table())
    play_to_the_end(open_round("sheet"))
    mine = Championship.objects.get(pk=championship.pk)
    forge()
    audit = night()
    found = auditing.load_night_findings(mine, auditing.list_nights(mine))[audit.pk]
    assert found
    assert elsewhere.pk in {finding.stream for finding in auditing.load_findings(audit)}
    assert elsewhere.pk not in {finding.stream for finding in found}
    told = audit_report.render_night_report(audit, mine)
    assert mine.name in told
    assert elsewhere.pk not in told
    assert "round 1, table 1" in told


def test_nights_before_a_championship_are_not_its_own(championship: Championship) -> None:
    audit = night()
    assert auditing.list_nights(championship) == [audit]
    Audit.objects.update(started_at=championship.created_at.replace(year=2025))
    assert auditing.list_nights(championship) == []
