"""PDFs from data and templates, typeset in a process with limits on time and memory.

Texts that users typed reach a template as JSON strings, never as source, so a name that looks like markup is
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

from games.monitoring.unavailable_errors import Overloaded
from tournaments.errors import TournamentError

Part = dict[str, Any]
"""The data of one document. `kind` names its template; `paper` is a4 or a5."""
SETTER: Final = Path(__file__).with_name("typst_process.py")
ON_A_PAGE: Final = 100
GREYS: Final = 16
"""Number of grey levels of a preview. They suffice for text, and a picture has a fifth of the bytes."""
WHOLE: Final = ("heads", "rows")
"""Keys whose lists are not lists of records, and which a preview therefore does not shorten."""
MAX_CONCURRENT_PRINTS: Final = 2
QUEUE_TIMEOUT_SECONDS: Final = 20
"""Seconds to wait for a free slot."""
TYPESETTING_TIMEOUT_SECONDS: Final = 90
MAX_BYTES: Final = 16 * 2**20
"""Largest size of the input data in bytes: all documents of some thousand people."""
_free = threading.BoundedSemaphore(MAX_CONCURRENT_PRINTS)


def typeset(
    title: str, language: str, parts: Sequence[Part], made_at: datetime, club: Part | None = None
) -> bytes:
    """Return one PDF of these parts, each on pages of its own. The same data give the same bytes. `club`: the
    club's logo and sponsors (`frontend.prints.club_pictures`).

    Raises TournamentError `prints/too_much` if the data are too large and `prints/took_too_long` if time or
    memory runs out, and Overloaded if no slot becomes free.
    """
    params = {"title": title, "language": language, "parts": parts}
    made = int(made_at.timestamp())
    return _typeset_in_process({"print": params, "club": club or {}, "made_at": made, "picture": False})


def render_picture(language: str, part: Part, club: Part | None = None) -> bytes:
    """Return a small PNG of a document's first page, made of its first records. Raises the errors of
    `typeset`.
    """
    few = {
        name: value[:ON_A_PAGE] if isinstance(value, list) and name not in WHOLE else value
        for name, value in part.items()
    }
    params = {"title": "-", "language": language, "parts": [few]}
    drawn = _typeset_in_process({"print": params, "club": club or {}, "picture": True})
    out = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as picture:
        picture.convert("L").quantize(GREYS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _typeset_in_process(params: dict[str, Any]) -> bytes:
    job = json.dumps(params, ensure_ascii=False).encode()
    if len(job) > MAX_BYTES:
        raise TournamentError(
            "prints/too_much", _("That is too much for one PDF. Print its parts separately.")
        )
    if not _free.acquire(timeout=QUEUE_TIMEOUT_SECONDS):
        raise Overloaded("no place to print was free in time")
    try:
        return _run(job)
    finally:
        _free.release()


def _run(job: bytes) -> bytes:
    command = [sys.executable, "-I", str(SETTER)]
    try:
        done = subprocess.run(  # noqa: S603 - a script of ours; texts of people are only in its input
            command, input=job, capture_output=True, timeout=TYPESETTING_TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise _gave_up() from None
    if done.returncode < 0 or b"memory allocation" in done.stderr:
        raise _gave_up()
    if done.returncode:
        raise RuntimeError(f"typst: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def _gave_up() -> TournamentError:
    return TournamentError("prints/took_too_long", _("This PDF takes too long. Print its parts separately."))
