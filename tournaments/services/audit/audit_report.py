"""Text report of an audit."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.utils import timezone

from games import sealing
from tournaments.models import Audit, Championship, Round, Table
from tournaments.services.audit import auditing
from tournaments.services.audit.auditing import WRONG, AuditFinding

KINDS: Final = {
    "chain": "the stored bytes are not what was written",
    "seal": "checkpoints that do not fit what is stored",
    "rules": "a recorded consequence is not what the rules give",
    "cards": "cards that do not follow from the committed seed",
    "rows": "rows beside the log that say something else than it",
    "crashed": "the audit could not be finished",
    "other_rules": "played under another version of the rules",
    "other_key": "sealed with another key than this platform's",
    "sealed_elsewhere": "sealed by another installation before the import, which is no difference",
}


def render_report(audit: Audit) -> str:
    """Build the report: checks, rules, findings and open disputes."""
    audit.refresh_from_db()
    return "\n".join(_report_lines(audit)) + "\n"


def render_night_report(audit: Audit, championship: Championship) -> str:
    """Build the report of a nightly audit's findings in one championship, for its officials."""
    findings = auditing.load_night_findings(championship, [audit])[audit.pk]
    return "\n".join(_night_report_lines(audit, championship, findings)) + "\n"


def _night_report_lines(
    audit: Audit, championship: Championship, findings: list[AuditFinding]
) -> Iterator[str]:
    yield f"Nightly audit of all games: what it found in {championship.name}"
    yield f"begun {_format_time(audit.started_at)}, ended {_format_time(audit.ended_at)}"
    yield _rules_line(audit)
    yield f"{sum(finding.kind in WRONG for finding in findings)} wrong"
    yield from _finding_lines(findings)


def _report_lines(audit: Audit) -> Iterator[str]:
    found, checked = auditing.load_findings(audit), auditing.load_progress(audit)
    wrong = {finding.stream for finding in found if finding.kind in WRONG}
    other = {finding.stream for finding in found if finding.kind == "other_rules"} - wrong
    yield f"Audit of {audit.championship.name if audit.championship else 'all games'}"
    yield f"begun {_format_time(audit.started_at)}, ended {_format_time(audit.ended_at)}"
    yield (
        f"{checked.games} games and {checked.streams} other streams, {checked.events} events, "
        f"{checked.checkpoints} checkpoints"
    )
    last = sealing.find_latest_checkpoint(audit.championship.stream_id) if audit.championship else None
    if last is not None:
        yield f"last checkpoint: {' '.join(sealing.in_words(last.hash))}"
    yield _rules_line(audit)
    yield f"{checked.games} games, {len(wrong)} wrong, {len(other)} under other rules"
    yield f"open disputes: {audit.open_disputes}"
    yield from _finding_lines(found)


def _rules_line(audit: Audit) -> str:
    return "rules: " + ", ".join(f"{key} {version}" for key, version in sorted(audit.rules.items()))


def _finding_lines(findings: list[AuditFinding]) -> Iterator[str]:
    """Yield the findings, grouped by kind."""
    places = describe_places(findings)
    for kind, meaning in KINDS.items():
        of_kind = [finding for finding in findings if finding.kind == kind]
        if of_kind:
            yield ""
            yield f"{meaning}:"
            yield from (f"  {places.get(f.stream, f.stream)}: {f.detail}" for f in of_kind)


def describe_places(findings: list[AuditFinding]) -> dict[str, str]:
    """Return stream → text with its championship, round, table and game id. Streams without a place are left
    out.
    """
    streams = {finding.stream for finding in findings}
    tables = Table.objects.filter(game__in=streams)
    whole = Championship.objects.filter(stream__in=streams).values_list("stream", "slug")
    rounds = Round.objects.filter(stream__in=streams).values_list("stream", "championship__slug", "number")
    return (
        dict(whole)
        | {stream: f"{slug}, round {number}" for stream, slug, number in rounds}
        | {
            str(game): f"{slug}, round {round_}, table {number} ({game})"
            for game, slug, round_, number in tables.values_list(
                "game", "round__championship__slug", "round__number", "number"
            )
        }
    )


def _format_time(moment: datetime | None) -> str:
    return "not yet" if moment is None else f"{timezone.localtime(moment):%Y-%m-%d %H:%M:%S %Z}"
