"""The typst process: `python typst_process.py` reads a job as JSON from stdin and writes the PDF, or a
picture of its first page. It imports no other module of Puur.

It is a separate process because typst caches layouts (a gigabyte after a few long lists), and because only a
process can be killed.
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
"""Limit of CPU time in seconds."""


SMALL = 48
"""The resolution of a preview in dpi."""


def main() -> None:
    with contextlib.suppress(AttributeError, OSError):  # not on every system
        os.nice(10)  # Playing has priority.
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
        sys_inputs={name: json.dumps(job[name], ensure_ascii=False) for name in ("print", "club")},
    )
    made = _picture(compiler) if job["picture"] else _pdf(compiler, job["made_at"])
    sys.stdout.buffer.write(made)


def _picture(compiler: typst.Compiler) -> bytes:
    """Return the first page as a small picture."""
    pages = compiler.compile(format="png", ppi=SMALL)
    return bytes(pages[0] if isinstance(pages, list) else pages)  # type: ignore[arg-type]  # bytes, as no path is given


def _pdf(compiler: typst.Compiler, made_at: int) -> bytes:
    """Return the PDF. It is accessible (PDF/UA) unless a name has letters that no bundled font contains."""
    try:
        made = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=made_at)
    except typst.TypstError as error:
        if "could not be displayed" not in str(error):
            raise
        made = compiler.compile(format="pdf", timestamp=made_at)
    return bytes(made)  # type: ignore[arg-type]  # a PDF is one file, not a list of pages


if __name__ == "__main__":
    main()
