"""Audits for pages: progress, findings and their places."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models import Audit, Championship, Table
from tournaments.services.audit import auditing
from tournaments.services.audit.auditing import AuditFinding, AuditProgress
from tournaments.services.current_regulations import has_sessions

AUDITS_SHOWN: Final = 20
"""Largest number of its own audits that the page of a championship lists."""
KINDS: Final = {
    "chain": _("Stored bytes differ from what was written"),
    "seal": _("Checkpoints that do not match the stored data"),
    "rules": _("A recorded consequence differs from the rules"),
    "cards": _("Cards that do not follow from the committed seed"),
    "rows": _("Rows that differ from the log"),
    "crashed": _("The audit of these games could not be finished"),
    "other_rules": _("Played under another version of the rules: different, not wrong"),
    "other_key": _("Sealed with a key that is neither this platform's nor accepted here"),
    "sealed_elsewhere": _("Sealed by another installation before the import: no difference"),
}


@dataclass(frozen=True, slots=True)
class FoundView:
    """One finding: its place (the table, or the stream's name), the URL of the table's replay (empty without
    a table), and its text.
    """

    place: str
    url: str
    detail: str


@dataclass(frozen=True, slots=True)
class AuditView:
    """An audit as pages show it. `nightly`: it covers the whole platform, and a page shows only the findings
    of one championship. `by`: who started it; `wrong`: number of errors found; `rules`: the games with their
    versions; `findings`: title of a kind → its findings. A nightly audit has no `by`, `progress` or
    `open_disputes`.
    """

    id: str
    nightly: bool
    started_at: datetime
    ended_at: datetime | None
    by: str
    progress: AuditProgress | None
    wrong: int
    rules: str
    open_disputes: int
    findings: list[tuple[str, list[FoundView]]]

    @property
    def over(self) -> bool:
        return self.ended_at is not None

    @property
    def clean(self) -> bool:
        return self.over and not self.findings


def audit_views(championship: Championship) -> list[AuditView]:
    """Return the last AUDITS_SHOWN audits of a championship and the last nightly ones, newest first, without
    findings.
    """
    own = championship.audits.select_related("started_by").prefetch_related("parts")[:AUDITS_SHOWN]
    nights = auditing.list_nights(championship)
    findings = auditing.load_night_findings(championship, nights)
    views = [_build_view(audit, []) for audit in own] + [
        _nightly_view(audit, findings[audit.pk], []) for audit in nights
    ]
    return sorted(views, key=lambda view: view.started_at, reverse=True)


def audit_view(audit: Audit, championship: Championship) -> AuditView:
    """Return an audit with its findings, grouped by kind. Of a nightly audit only the findings of this
    championship are included.
    """
    if audit.night is not None:
        findings = auditing.load_night_findings(championship, [audit])[audit.pk]
        return _nightly_view(audit, findings, _group_findings(championship, findings))
    return _build_view(audit, _group_findings(championship, auditing.load_findings(audit)))


def _group_findings(
    championship: Championship, findings: Sequence[AuditFinding]
) -> list[tuple[str, list[FoundView]]]:
    streams = {finding.stream for finding in findings}
    tables = Table.objects.filter(game__in=streams).values_list("game", "round__number", "number")
    sentence = (
        _("Session %(round)s, table %(table)s")
        if has_sessions(championship)
        else _("Round %(round)s, table %(table)s")
    )
    places = {game: sentence % {"round": r, "table": t} for game, r, t in tables}
    grouped = [
        (
            str(title),
            [
                FoundView(
                    place=places.get(finding.stream, finding.stream),
                    url=reverse("replay", args=[finding.stream]) if finding.stream in places else "",
                    detail=finding.detail,
                )
                for finding in findings
                if finding.kind == kind
            ],
        )
        for kind, title in KINDS.items()
    ]
    return [(title, views) for title, views in grouped if views]


def _nightly_view(
    audit: Audit, findings: Sequence[AuditFinding], grouped: list[tuple[str, list[FoundView]]]
) -> AuditView:
    return AuditView(
        id=audit.pk,
        nightly=True,
        started_at=audit.started_at,
        ended_at=audit.ended_at,
        by="",
        progress=None,
        wrong=sum(finding.kind in auditing.WRONG for finding in findings),
        rules=_rules(audit),
        open_disputes=0,
        findings=grouped,
    )


def _build_view(audit: Audit, findings: list[tuple[str, list[FoundView]]]) -> AuditView:
    progress = auditing.load_progress(audit)
    by = audit.started_by
    return AuditView(
        id=audit.pk,
        nightly=False,
        started_at=audit.started_at,
        ended_at=audit.ended_at,
        by="" if by is None else by.display_name,
        progress=progress,
        wrong=progress.wrong,
        rules=_rules(audit),
        open_disputes=audit.open_disputes,
        findings=findings,
    )


def _rules(audit: Audit) -> str:
    return ", ".join(f"{key} {version}" for key, version in sorted(audit.rules.items()))
