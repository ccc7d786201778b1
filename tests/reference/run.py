"""Execute a file of commands with the reference and print what `run FILE --legal` of the engine prints.

python tests/reference/run.py FILE
"""

import json
import sys
from pathlib import Path

if __package__:
    from .games import execute
else:  # run as a script
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from reference.games import execute


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: run.py FILE", file=sys.stderr)
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
