"""Creation of the Python environment that the lock files describe. It needs only the standard library.

An interpreter that satisfies the lock is used as it is. Otherwise `.venv` beside manage.py is created or
updated, and the command runs again inside it. Only an environment with our stamp is changed. Packages of a
working environment are never removed, so that `demo` after `test` keeps the packages for tests.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import NoReturn

from deploy.terminal import gettext as _

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
STAMP = "made-by-puur"
AGAIN = "PUUR_BOOTSTRAPPED"
DISK_FULL = os.strerror(errno.ENOSPC)
NEEDED_MEGABYTES = 400
WITH_TEST_PACKAGES = {"test", "bench", "faults"}


def ensure_environment(argv: Sequence[str]) -> None:
    """Return if this interpreter satisfies the lock of the command; otherwise prepare `.venv` and run the
    command in it. Raises SystemExit if that fails.
    """
    lock = ROOT / ("requirements-dev.lock" if {*argv[1:2]} & WITH_TEST_PACKAGES else "requirements.lock")
    inside = Path(sys.prefix).resolve() == VENV.resolve()
    prepared = os.environ.pop(AGAIN, "") == str(lock)
    if (inside and _is_stamped(lock)) or not (lacking := _list_unsatisfied(lock)):
        return
    if prepared:
        # It was prepared a moment ago: a loop would hide the problem.
        end_with(
            _("%(folder)s was prepared, but still lacks %(packages)s. Remove it and start again.")
            % {"folder": VENV, "packages": ", ".join(lacking[:5])}
        )
    try:
        with _lock_environment():
            if not _is_stamped(lock):
                _prepare_environment(lock)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        end_with(_explain_full_disk())
    os.environ[AGAIN] = str(lock)
    python = str(VENV / "bin" / "python")
    os.execv(python, [python, *argv])  # noqa: S606 - no shell runs, and the code sets the path


def _prepare_environment(lock: Path) -> None:
    if VENV.exists() and not (VENV / STAMP).exists():
        _use_foreign(lock)
        return
    began = time.monotonic()
    if not _has_working_pip(VENV):
        _make_environment()
    uv = VENV / "bin" / "uv"
    if not uv.exists():
        say(_("fetching the installer (uv) ..."))
        _run_installer(_make_pip_command(ROOT / "requirements-uv.lock"))
    say(
        _("installing %(number)s packages from %(file)s ...")
        % {"number": len(_read_requirements(lock)), "file": lock.name}
    )
    command = [str(uv), "pip", "install", "--python", str(VENV / "bin" / "python"), "--compile-bytecode"]
    # pip has its own configuration of mirrors and certificates: it is tried where uv fails.
    if not (
        uv.exists() and _run_installer([*command, "--require-hashes", "-r", str(lock)])
    ) and not _run_installer(_make_pip_command(lock)):
        end_with(
            _(
                "the packages could not be installed; the lines above say why.\n"
                "The first start needs the network: the Python Package Index, or a mirror of it that\n"
                "PIP_INDEX_URL and UV_DEFAULT_INDEX name. Once installed, no network is needed."
            )
        )
    with (VENV / STAMP).open("a") as stamp:
        stamp.write(_make_stamp(lock) + "\n")
    say(_("installed in %(seconds)s s") % {"seconds": round(time.monotonic() - began)})


def _make_environment() -> None:
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        name = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        end_with(
            _(
                "this Python cannot create environments: its modules venv and ensurepip are "
                "missing.\nOn Debian and Ubuntu: sudo apt install python3-venv   (or %(package)s)"
            )
            % {"package": name}
        )
    say(
        _("creating %(folder)s with Python %(version)s (once) ...")
        % {"folder": VENV.name, "version": sys.version.split()[0]}
    )
    if VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    # First, so that an interrupted creation is recognized as ours the next time.
    (VENV / STAMP).write_text("")
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True)
    if made.returncode != 0:
        end_with(_("the environment could not be created:") + "\n" + (made.stdout + made.stderr).strip())


def _make_pip_command(lock: Path) -> list[str]:
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return [*pip, "--require-hashes", "-r", str(lock)]


def _run_installer(command: list[str]) -> bool:
    """Run an installer and return whether it succeeded. If the disk is full, end the start, because other
    installers would fail too.
    """
    nothing, pipe = subprocess.DEVNULL, subprocess.PIPE
    full = False
    with subprocess.Popen(command, text=True, stdin=nothing, stderr=pipe) as running:
        for line in running.stderr or ():
            full = full or DISK_FULL in line
            if not line.startswith((" + ", " - ", " ~ ")):  # The list of all packages is noise.
                say(line.strip())
    if running.returncode and full:
        end_with(_explain_full_disk())
    return running.returncode == 0


def _explain_full_disk() -> str:
    return _("the disk is full: the packages need %(number)s MB. Free some space, then start again.") % {
        "number": NEEDED_MEGABYTES
    }


def _use_foreign(lock: Path) -> None:
    """Use an environment that we have not created, if it satisfies the lock. Never change it."""
    ask = [str(VENV / "bin" / "python"), "-m", "deploy.process_tree.bootstrap", str(lock)]
    asked = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True)
    if asked.returncode == 0 and not asked.stdout.strip():
        return
    lacking = asked.stdout.split() or [_("a working Python")]
    more = _(" and %(number)s more") % {"number": len(lacking) - 5} if len(lacking) > 5 else ""
    end_with(
        _(
            "%(folder)s was not created by Puur, so it is left unchanged; it lacks %(packages)s.\n"
            "Install %(file)s into it, or move it away: Puur then creates its own."
        )
        % {"folder": VENV, "packages": ", ".join(lacking[:5]) + more, "file": lock.name}
    )


def _has_working_pip(venv: Path) -> bool:
    """Return whether interpreter and pip of `venv` work. An upgrade of the system may have removed them."""
    python = venv / "bin" / "python"
    if not python.exists():
        return False
    asked = subprocess.run([str(python), "-m", "pip", "--version"], capture_output=True)
    return asked.returncode == 0


def _read_requirements(lock: Path) -> dict[str, list[str]]:
    """Return package → the versions that satisfy a lock file. "" among them means that the package may be
    absent on this machine.

    A line with a marker is for some machines only, and a package may have several of these lines.
    """
    found: dict[str, list[str]] = {}
    for line in lock.read_text().splitlines():
        if line and line[0] not in " #":
            requirement, marker = line.rstrip("\\ ").partition(";")[::2]
            name, version = requirement.strip().partition("==")[::2]
            found.setdefault(name.partition("[")[0], []).extend([version, ""] if marker else [version])
    return found


def _list_unsatisfied(lock: Path) -> list[str]:
    """Return the packages of the lock that this interpreter lacks or has in another version, such as Debian's
    python3-django.
    """
    lacking = []
    for name, versions in _read_requirements(lock).items():
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            found = ""
        if found not in versions:
            lacking.append(f"{name}=={versions[0]}")
    return lacking


def _make_stamp(lock: Path) -> str:
    return f"{lock.name} {hashlib.sha256(lock.read_bytes()).hexdigest()}"


def _is_stamped(lock: Path) -> bool:
    """Return whether our environment was made from exactly this lock file."""
    stamp = VENV / STAMP
    if not stamp.exists():
        return False
    # Of several lines for one lock file the last one counts.
    latest = dict(line.split(" ") for line in stamp.read_text().splitlines())
    return _make_stamp(lock) == f"{lock.name} {latest.get(lock.name)}" and (VENV / "bin" / "python").exists()


@contextlib.contextmanager
def _lock_environment() -> Iterator[None]:
    """Lock the installation, so that two commands in a new clone do not install at the same time."""
    with (ROOT / ".venv.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(_("waiting for another start that is installing ..."))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    """Print a line of progress."""
    print(f"puur: {text}", file=sys.stderr, flush=True)


def end_with(text: str) -> NoReturn:
    """Print the reason and end the program, without a traceback."""
    raise SystemExit(f"puur: {text}")


if __name__ == "__main__":
    print(" ".join(_list_unsatisfied(Path(sys.argv[1]))))
