"""`python3 manage.py demo`: run the whole platform on this machine, with a demo championship."""

import argparse
from typing import Any

from deploy.management import local_run
from deploy.terminal import gettext as _


class Command(local_run.LocalCommand):
    help = _("Serve the platform with a demo championship on this machine. Ctrl-C stops it; the data stays.")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=local_run.parse_port, default=8000, help=_("default 8000; 0: any that is free")
        )
        parser.add_argument(
            "--speed", type=float, default=1.0, help=_("speed of the bots; 2 is twice as fast")
        )
        parser.add_argument("--reset", action="store_true", help=_("delete the demo's data first"))

    def handle(self, *, port: int, speed: float, reset: bool, **rest: Any) -> None:
        def ready(url: str) -> None:
            for line in build(speed, url, self.say):
                self.stdout.write(line)
            self.say(local_run.write_ready_line(url))

        local_run.run_locally("demo", "127.0.0.1", port, self.say, reset=reset, ready=ready)


def build(speed: float, url: str, say: local_run.Say) -> list[str]:
    """Create the demo championship unless it exists. Return lines that say which pages to open and how to
    sign in.
    """
    from tournaments import demo  # Only the demo needs this module.

    return demo.build(speed=speed, url=url, say=say)
