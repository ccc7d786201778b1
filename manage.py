#!/usr/bin/env python3
"""The command line of the platform: `demo`, `serve`, `test`, `bench`, and Django's own commands."""

import os
import sys

from deploy.terminal import gettext as _
from deploy.terminal import replace_unencodable_output

NEEDED = (3, 11)
INTERRUPTED = 130
"""The exit code of a shell for a program that Ctrl-C has ended."""


def main():
    # type: () -> int
    replace_unencodable_output()
    if sys.version_info < NEEDED:
        sys.stderr.write(
            _(
                "Puur needs Python %d.%d or newer; this is Python %d.%d (%s).\n"
                "Start it with a newer one, for example: python3.%d %s\n"
            )
            % (NEEDED + sys.version_info[:2] + (sys.executable, NEEDED[1], " ".join(sys.argv)))
        )
        return 1
    if os.name == "nt":
        sys.stderr.write(_("Puur runs on Linux and macOS; on Windows start it inside WSL.") + "\n")
        return 1
    # `verify-deals` is what people type, verify_deals what a Python module can be called.
    sys.argv[1:2] = [name if name.startswith("-") else name.replace("-", "_") for name in sys.argv[1:2]]
    try:
        return run()
    except KeyboardInterrupt:
        sys.stderr.write("\npuur: " + _("stopped") + "\n")
        return INTERRUPTED


def run():
    # type: () -> int
    from deploy.process_tree import bootstrap

    bootstrap.ensure_environment(sys.argv)

    from deploy.environment import BadSetting
    from deploy.process_tree import embedded

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    from django.core.management import execute_from_command_line

    try:
        embedded.prepare_environment(sys.argv)
        execute_from_command_line(sys.argv)
    except BadSetting as error:
        sys.stderr.write("puur: %s\n" % error)
        return 1
    except Exception as error:
        from deploy.failures import explain_failure

        said = explain_failure(error)
        if not said:
            raise
        sys.stderr.write("puur: %s\n" % said)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
