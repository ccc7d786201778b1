"""`manage.py upgrade`: back up the database, migrate it, collect files, and audit the newest games."""

import argparse
import os
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from deploy import environment
from deploy.management import local_run
from deploy.terminal import gettext as _
from games.models import Game

GRANTS: Final = environment.BASE_DIR / "deploy" / "postgresql" / "grants.sql"


class Command(local_run.LocalCommand):
    help = _("Prepare this version: back up and migrate the database, collect files, audit the newest games.")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--grant",
            metavar="ROLE",
            help=_("PostgreSQL: the role of the services; its rights are granted again"),
        )
        parser.add_argument("--make-keys", action="store_true", help=_("create missing keys"))
        parser.add_argument(
            "--sample", type=int, default=20, help=_("number of the newest games to audit; default 20")
        )

    def handle(self, *, sample: int, grant: str | None, make_keys: bool, **_options: Any) -> None:
        if sample < 0:
            raise CommandError(_("--sample is a number of games, at least 0"))
        self.say(_("preparing version %(version)s ...") % {"version": settings.VERSION})
        local_run.migrate(self.say)
        if make_keys:
            local_run.ensure_seal_key(self.say)
            local_run.ensure_push_key(self.say)
        if grant:
            _grant_rights(grant)
        if settings.STATIC_ROOT and not _is_image(settings.STATIC_ROOT):
            call_command("collectstatic", interactive=False, verbosity=0)
        games = Game.objects.order_by("-created_at").values_list("pk", flat=True)[:sample]
        if games:
            self.say(_("auditing the newest games ..."))
            call_command("audit", *games, stdout=self.stdout)
        self.say(_("version %(version)s is ready: restart the processes") % {"version": settings.VERSION})


def _is_image(static: Path) -> bool:
    """Return whether the static files are in the image of a container, to which nobody can write."""
    return static.exists() and not os.access(static, os.W_OK)


def _grant_rights(role: str) -> None:
    """Run deploy/postgresql/grants.sql for a database role. Raises CommandError if that fails."""
    if connection.vendor != "postgresql":
        raise CommandError(_("--grant is for PostgreSQL"))
    with connection.cursor() as cursor:
        named = {':"app"': role, ':"DBNAME"': str(connection.settings_dict["NAME"])}
        script = GRANTS.read_text()
        for variable, name in named.items():
            script = script.replace(variable, connection.ops.quote_name(name))
        try:
            cursor.execute(script)
        except DatabaseError as error:
            raise CommandError(_("the rights could not be granted: %(reason)s") % {"reason": error}) from None
