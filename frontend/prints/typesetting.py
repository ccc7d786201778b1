"""Data and our templates become a PDF, by a process that is given so much time and memory and no more.

What people wrote reaches a template as strings of JSON, never as its source: a name that looks like markup is
printed as it is.
"""

import io
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from PIL import Image

from games.monitoring.strain import Overloaded
from tournaments.errors import TournamentError

Part = dict[str, Any]
"""The data of one document for its template, which `kind` names; `paper` is a4 or a5."""
SETTER: Final = Path(__file__).with_name("typst_process.py")
ON_A_PAGE: Final = 100
GREYS: Final = 16
"""Of a preview: enough for text, and a fifth of the bytes."""
WHOLE: Final = ("heads", "rows")
"""Lists that are not of records."""
AT_ONCE: Final = 2
PATIENCE: Final = 20
"""Seconds to wait until one of those is free."""
SECONDS: Final = 90
MOST_BYTES: Final = 16 * 2**20
"""Of data: some thousand people in every document."""
_free = threading.BoundedSemaphore(AT_ONCE)


def typeset(title: str, language: str, parts: Sequence[Part], made_at: datetime) -> bytes:
    """One PDF of these parts, each on pages of its own. The same data give the same bytes.

    Raises TournamentError `prints/too_much`, `prints/took_too_long`, and Overloaded.
    """
    said = {"title": title, "language": language, "parts": parts}
    return _set({"print": said, "made_at": int(made_at.timestamp()), "picture": False})


def pictured(language: str, part: Part) -> bytes:
    """A small PNG of the first page of a document, made of its first records. Raises as `typeset`."""
    few = {
        name: value[:ON_A_PAGE] if isinstance(value, list) and name not in WHOLE else value
        for name, value in part.items()
    }
    drawn = _set({"print": {"title": "-", "language": language, "parts": [few]}, "picture": True})
    out = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as picture:
        picture.convert("L").quantize(GREYS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _set(told: dict[str, Any]) -> bytes:
    job = json.dumps(told, ensure_ascii=False).encode()
    if len(job) > MOST_BYTES:
        raise TournamentError("prints/too_much", _("That is too much for one PDF. Print its parts singly."))
    if not _free.acquire(timeout=PATIENCE):
        raise Overloaded("no place to print was free in time")
    try:
        return _run(job)
    finally:
        _free.release()


def _run(job: bytes) -> bytes:
    command = [sys.executable, "-I", str(SETTER)]
    try:
        done = subprocess.run(  # noqa: S603 - our own script; what people wrote is in its input
            command, input=job, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise _gave_up() from None
    if done.returncode < 0 or b"memory allocation" in done.stderr:
        raise _gave_up()
    if done.returncode:
        raise RuntimeError(f"typst: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def _gave_up() -> TournamentError:
    return TournamentError(
        "prints/took_too_long", _("This PDF takes too long to make. Print its parts singly.")
    )
