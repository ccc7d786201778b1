"""Program that parses one file: `python -I process.py NAME MEMORY SECONDS`, with the file as its standard
input.

NAME is a module in this folder; WORK names its function, which returns head and body. The output is the head
as one line of JSON, then the body. If the file is refused, the head has `code` and `params`. Nothing else of
Puur is imported.
"""

import contextlib
import importlib
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

WORK = {
    "xlsx_reader": "read_rows",
    "picture": "redraw",
    "emblem": "redraw_emblem",
    "championship_file": "read_championship",
}
TOO_LARGE = 77
"""Exit code if the allowed memory or depth of recursion did not suffice."""


def main() -> None:
    """Run the program. Limits are set before any of the file is read."""
    name, memory, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with contextlib.suppress(AttributeError, OSError):  # not on every system
        os.nice(10)  # players have priority
    bounds = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in bounds.items():
        with contextlib.suppress(ValueError, OSError):  # not on every system
            resource.setrlimit(what, (most, most))
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        head, body = _work(name, sys.stdin.buffer.read())
    except (MemoryError, RecursionError):
        os._exit(TOO_LARGE)  # there may be no memory for an orderly exit
    sys.stdout.buffer.write(json.dumps(head, ensure_ascii=False).encode(errors="replace") + b"\n" + body)
    sys.stdout.buffer.flush()


def _work(name: str, data: bytes) -> tuple[dict[str, Any], bytes]:
    module = importlib.import_module(name)
    try:
        head, body = getattr(module, WORK[name])(data)
    except Exception as refusal:
        code = getattr(refusal, "code", "")
        if not code:
            raise
        return {"code": code, "params": getattr(refusal, "params", {})}, b""
    return head, body


if __name__ == "__main__":
    main()
