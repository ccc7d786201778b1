"""`python3 manage.py serve`: the platform for a club's own evening, on this machine, without demo data."""

import argparse
import getpass
import os
import sys
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError

from deploy.management import local_run
from deploy.process_tree import embedded
from games.installation import network


class Command(BaseCommand):
    help = "Serve the platform from this machine for a club's own evening; Ctrl-C stops it, the data stays."
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0: reachable from the whole network")
        parser.add_argument("--port", type=int, default=8000, help="default 8000; 0 takes any that is free")

    def handle(self, *, host: str, port: int, **_: Any) -> None:
        if host not in embedded.LOOPBACK:
            os.environ["ALLOWED_HOSTS"] = ",".join(embedded.names_of_this_machine(host))
            self.stdout.write(WITHOUT_TLS)
        local_run.migrate(self.say)
        first_organiser(self.say)

        def ready(url: str) -> None:
            here = embedded.opened_here(url)
            if here != url:
                for address in network.addresses_of_this_machine():
                    self.say(f"phones in this network: http://{address}:{urlsplit(url).port}")
            self.say(f"ready: open {here}   (Ctrl-C stops everything, the data stays)")

        local_run.run_locally("serve", host, port, self.say, reset=False, ready=ready)

    def say(self, text: str) -> None:
        """A line of progress, seen at once."""
        self.stdout.write(f"puur: {text}")
        self.stdout.flush()


WITHOUT_TLS = """\
puur: other machines in this network can open the pages. Without TLS (https)
  - whoever listens in this network can read passwords and hands, and
  - browsers refuse service workers and WebCrypto: plays made without connection are sent again from the
    open page only, and logs are verified on the server instead of in the browser.
  For more than an evening among friends put a TLS proxy in front: docs/operators.md."""


def first_organiser(say: local_run.Say) -> None:
    """Make the first account from PUUR_ORGANISER and PUUR_PASSWORD or by asking, unless there is one."""
    password = os.environ.pop("PUUR_PASSWORD", "")
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return
    name = os.environ.get("PUUR_ORGANISER", "")
    if not (name and password):
        if not sys.stdin.isatty():
            raise CommandError(
                "there is no organiser yet and nobody to ask: set PUUR_ORGANISER and PUUR_PASSWORD this once"
            )
        say("the first organiser, who may do everything:")
        name = name or input("  name: ").strip()
        password = password or _ask_password(name)
    user = get_user_model()(username=name)
    try:
        user.full_clean(exclude=["password"])
        validate_password(password, user)
    except ValidationError as error:
        raise CommandError("the first organiser: " + " ".join(error.messages)) from None
    users.create_superuser(username=name, password=password)
    say(f"organiser {name} can sign in")


def _ask_password(name: str) -> str:
    while True:
        password = getpass.getpass("  password: ")
        try:
            validate_password(password, get_user_model()(username=name))
        except ValidationError as error:
            print("  " + " ".join(error.messages))
            continue
        if getpass.getpass("  again: ") == password:
            return password
        print("  these were two different ones")
