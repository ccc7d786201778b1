"""Execute a file of commands with the reference and print what `run FILE --legal` of the engine prints.

python -m tests.reference.run FILE
"""

import json
import sys
from pathlib import Path

from .games import execute


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m tests.reference.run FILE", file=sys.stderr)
        return 2
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    commands = [json.loads(line) for line in text.splitlines() if line.strip()]
    lines, refusal = execute(commands)
    for line in lines:
        print(json.dumps(line, separators=(",", ":")))
    if refusal is not None:
        print(refusal, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
