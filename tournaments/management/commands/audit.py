"""manage.py audit [GAME … | --championship SLUG] [--night] [--report FILE]: audit stored games, by default
all.

`--night` prints the findings of the last nightly audit instead. This process does the work, and workers help
if they run. Exit 1: something is wrong; 2: no nightly audit has ended yet; 3: the only differences are games
played under other rules. `--accept-key KEY` first accepts championships and series whose last checkpoint has
this key: they are sealed with this platform's key.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Game
from games.sealing import SealKeyError
from tournaments.models import Audit, Championship
from tournaments.services import championship_seals
from tournaments.services.audit import audit_report, auditing

BAR = 30


class Command(BaseCommand):
    help = "Check chains, checkpoints, rules and cards of stored games; without arguments of all games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="GAME")
        parser.add_argument(
            "--championship", metavar="SLUG", help="only this championship, with all its games"
        )
        parser.add_argument(
            "--night", action="store_true", help="print the findings of the last nightly audit"
        )
        parser.add_argument(
            "--accept-key",
            metavar="KEY",
            help="trust this public key for the checkpoints that it has signed until now, for example a key "
            "that was lost here; in hex",
        )
        parser.add_argument("--report", metavar="FILE", help="also write the report into this file")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["accept_key"]:
            self._accept(options["accept_key"])
        if options["night"]:
            audit = self._last_night(options)
        else:
            audit = self._start(options["games"], options["championship"])
            self._do(audit)
        report = audit_report.render_report(audit)
        if options["report"]:
            Path(options["report"]).write_text(report)
        self.stdout.write(report)
        kinds = {finding.kind for finding in auditing.load_findings(audit)}
        if kinds & auditing.WRONG:
            sys.exit(1)
        if "other_rules" in kinds:
            sys.exit(3)

    def _accept(self, key: str) -> None:
        try:
            accepted = championship_seals.accept_key(key.lower())
        except SealKeyError as error:
            raise CommandError(f"{error.detail} ({error.code})") from None
        if not accepted:
            raise CommandError(f"the key {key} has signed no last checkpoint here (sealing/unknown_key)")
        for slug in accepted:
            self.stdout.write(f"{slug}: sealed with this platform's key")

    def _last_night(self, options: dict[str, Any]) -> Audit:
        if options["games"] or options["championship"]:
            raise CommandError(
                "--night cannot be combined with games or --championship: the nightly audit checks everything"
            )
        audit = auditing.last_night()
        if audit is None:
            raise CommandError(
                "no nightly audit has ended yet; it begins after three, once there was a game the day before "
                "(audits/no_night_yet)",
                returncode=2,
            )
        return audit

    def _do(self, audit: Audit) -> None:
        while audit.ended_at is None:
            self._show(auditing.load_progress(audit))
            if not auditing.check_next(audit):
                auditing.wait_for_others(audit)
            audit.refresh_from_db(fields=["ended_at"])
        self._show(auditing.load_progress(audit), end="\n")

    def _start(self, games: list[str], slug: str | None) -> Audit:
        if games and slug is not None:
            raise CommandError(
                "games cannot be combined with --championship, which checks all games of the championship"
            )
        unknown = set(games) - set(Game.objects.filter(pk__in=games).values_list("pk", flat=True))
        if unknown:
            raise CommandError(f"there is no game {', '.join(sorted(unknown))}")
        if slug is None:
            return auditing.start_audit(games=games or None)
        championship = Championship.objects.filter(slug=slug).first()
        if championship is None:
            known = ", ".join(Championship.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(f"there is no championship {slug!r}; there are: {known or 'none'}")
        return auditing.start_audit(championship)

    def _show(self, progress: auditing.AuditProgress, end: str = "") -> None:
        """Draw a progress bar on a terminal. Not by `self.stderr`, which writes in red."""
        if sys.stderr.isatty():
            full = BAR * progress.done // max(1, progress.total)
            bar = "#" * full + "." * (BAR - full)
            sys.stderr.write(f"\r[{bar}] {progress.done}/{progress.total}, {progress.wrong} wrong{end}")
            sys.stderr.flush()
