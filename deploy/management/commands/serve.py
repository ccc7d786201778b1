"""`python3 manage.py serve`: run the platform for a club's championships on this machine, without demo
data.
"""

import argparse
import getpass
import os
import re
import sys
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import CommandError

from deploy.management import local_run
from deploy.process_tree import embedded
from deploy.terminal import gettext as _
from games.monitoring import network


class Command(local_run.LocalCommand):
    help = _(
        "Serve the platform from this machine for a club's own evening. Ctrl-C stops it; the data stays."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        everywhere = _("0.0.0.0: reachable from the whole network")
        parser.add_argument("--host", default="127.0.0.1", help=everywhere)
        parser.add_argument(
            "--port", type=local_run.parse_port, default=8000, help=_("default 8000; 0: any that is free")
        )

    def handle(self, *, host: str, port: int, **rest: Any) -> None:
        if host not in embedded.LOOPBACK:
            os.environ["ALLOWED_HOSTS"] = ",".join(embedded.list_names_of_machine(host))
            if not settings.TLS:
                self.say(write_tls_warning())
        try:
            # A second start changes nothing under the first one.
            with embedded.lock_folder(settings.VAR_DIR):
                local_run.migrate(self.say)
                create_first_organiser(self.say)
        except embedded.PlaceError as error:
            raise CommandError(str(error)) from None

        def ready(url: str) -> None:
            here = embedded.replace_wildcard_host(url)
            if here != url and not settings.TLS:
                for address in network.addresses_of_this_machine():
                    phones = f"http://{address}:{urlsplit(url).port}"
                    self.say(_("phones in this network: %(address)s") % {"address": phones})
            self.say(local_run.write_ready_line(here))

        local_run.run_locally("serve", host, port, self.say, reset=False, ready=ready)


def write_tls_warning() -> str:
    """Return the warning that pages are sent over the network without encryption."""
    return _(
        "other machines in this network can open the pages. Without TLS (https)\n"
        "  - anybody who listens in this network can read passwords and hands, and\n"
        "  - browsers refuse service workers and WebCrypto: plays made without connection are sent\n"
        "    again from the open page only, and logs are verified on the server.\n"
        "  For more than an evening among friends put a TLS proxy in front: docs/operators.md."
    )


class TypedName(NamedTuple):
    """A person's name as typed, and the user name derived from it.

    >>> TypedName.of("Fredi Müller")
    TypedName(login='fredi', first='Fredi', last='Müller')
    >>> TypedName.of("fredi.m")
    TypedName(login='fredi.m', first='', last='')
    """

    login: str
    first: str = ""
    last: str = ""

    @classmethod
    def of(cls, typed: str) -> "TypedName":
        """Parse a name. One word is the login. Of several, the first gives the login: lower case, cleaned."""
        first, *others = typed.split() or [""]
        if not others:
            return cls(first)
        return cls(re.sub(r"[^\w.@+-]", "", first).lower(), first, " ".join(others))

    def wrong(self) -> str:
        """Return what is wrong with login or name; "" if nothing is."""
        user = get_user_model()(username=self.login, first_name=self.first, last_name=self.last)
        try:
            user.full_clean(exclude=["password"])
        except ValidationError as error:
            return " ".join(error.messages)
        return ""


def create_first_organiser(say: local_run.Say) -> None:
    """Create the first organiser, from PUUR_ORGANISER and PUUR_PASSWORD or from answers on the terminal,
    unless a superuser exists.

    Raises CommandError for an unusable value, and if nobody can be asked.
    """
    password = os.environ.pop("PUUR_PASSWORD", "")
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return
    given = os.environ.get("PUUR_ORGANISER", "")
    if not (given and password) and not sys.stdin.isatty():
        raise CommandError(
            _(
                "there is no organiser yet, and no terminal to ask for one: set PUUR_ORGANISER and "
                "PUUR_PASSWORD once"
            )
        )
    if given:
        name = TypedName.of(given)
        _raise_if_wrong(name.wrong())
    else:
        say(_("the first organiser, with all rights:"))
        name = _ask_name()
    if password:
        _raise_if_wrong(_find_fault_of_password(password, name))
    else:
        password = _ask_password(name)
    users.create_superuser(username=name.login, password=password, first_name=name.first, last_name=name.last)
    say(_("the organiser signs in as: %(name)s") % {"name": name.login})


def _raise_if_wrong(wrong: str) -> None:
    if wrong:
        raise CommandError(_("the first organiser:") + " " + wrong)


def _ask_name() -> TypedName:
    while True:
        name = TypedName.of(input(_("  name: ")))
        wrong = name.wrong()
        if not wrong:
            if name.first:
                print(_("  signs in as: %(name)s") % {"name": name.login})
            return name
        print("  " + wrong)


def _find_fault_of_password(password: str, name: TypedName) -> str:
    user = get_user_model()(username=name.login, first_name=name.first, last_name=name.last)
    try:
        validate_password(password, user)
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


def _ask_password(name: TypedName) -> str:
    while True:
        password = getpass.getpass(_("  password (not shown): "))
        if wrong := _find_fault_of_password(password, name):
            print("  " + wrong)
        elif getpass.getpass(_("  again: ")) == password:
            return password
        else:
            print(_("  the two passwords differ"))
