"""The process in which typst works: `python typst_process.py` takes a job as JSON from its input and answers
with the PDF, or with a picture of its first page. It imports nothing of Puur.

A process of its own, because typst keeps what it has laid out for further calls (a gigabyte after a few long
lists), and because nothing else can stop it.
"""

import contextlib
import json
import os
import resource
import sys
from pathlib import Path

import typst

HERE = Path(__file__).parent
MAX_MEMORY = 3 * 2**30
MAX_SECONDS = 60
"""Of processor time."""


SMALL = 48
"""Dots an inch of a preview."""


def main() -> None:
    with contextlib.suppress(AttributeError, OSError):  # not on every system
        os.nice(10)  # who plays goes first
    for what, most in ((resource.RLIMIT_AS, MAX_MEMORY), (resource.RLIMIT_CPU, MAX_SECONDS)):
        with contextlib.suppress(ValueError, OSError):  # not on every system
            resource.setrlimit(what, (most, most))
    job = json.loads(sys.stdin.buffer.read())
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(HERE / "fonts")])
    compiler = typst.Compiler(
        str(HERE / "templates" / "print.typ"),
        root=str(HERE / "templates"),
        font_paths=fonts,
        ignore_system_fonts=True,
        sys_inputs={"print": json.dumps(job["print"], ensure_ascii=False)},
    )
    made = _picture(compiler) if job["picture"] else _pdf(compiler, job["made_at"])
    sys.stdout.buffer.write(made)


def _picture(compiler: typst.Compiler) -> bytes:
    """The first page, small."""
    pages = compiler.compile(format="png", ppi=SMALL)
    return bytes(pages[0] if isinstance(pages, list) else pages)  # type: ignore[arg-type] # without a path: bytes


def _pdf(compiler: typst.Compiler, made_at: int) -> bytes:
    """For everybody's ears (PDF/UA) unless somebody's name has letters that no font of ours can show."""
    try:
        made = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=made_at)
    except typst.TypstError as error:
        if "could not be displayed" not in str(error):
            raise
        made = compiler.compile(format="pdf", timestamp=made_at)
    return bytes(made)  # type: ignore[arg-type] # one file: PDF has no list of pages


if __name__ == "__main__":
    main()
