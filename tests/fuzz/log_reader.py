"""Ten minutes of coverage-guided fuzzing of everything that reads a log or a file of commands (atheris).

python -m tests.fuzz.log_reader [--minutes 10] [--corpus FOLDER] [--seed N]

prints libFuzzer's lines and at the end how many files were tried. It stops at the first that brings something
down, with the traceback, and leaves the file in `found/`, from where the tests try it for ever. It grows from
the golden games, with a dictionary of all names, and changes lines as well as bytes. Give a folder to keep
what it learns.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["engine"]):
    from tests.fuzz.reading import FOUND, examine, mutated, seeds, words

LONGEST = 32_768


def _mutate(data: bytes, most: int, seed: int) -> bytes:
    rng = random.Random(seed)
    if rng.random() < 0.3:
        return bytes(atheris.Mutate(data, len(data)))
    return mutated(data, rng)[:most]


def main() -> None:
    """Fuzz until the time is over or something is found; libFuzzer ends the process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--corpus", type=Path, help="where what was learnt is kept; default: nowhere")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    FOUND.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="puur-fuzz-") as temporary:
        corpus = asked.corpus or Path(temporary) / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(seeds()):
            (corpus / f"seed-{number}").write_bytes(seed[:LONGEST])
        names = Path(temporary) / "words"
        escaped = (b"".join(b"\\x%02x" % byte for byte in word) for word in words())
        names.write_bytes(b"".join(b'"%s"\n' % word for word in escaped))
        bounds = {
            "max_total_time": round(asked.minutes * 60),
            "max_len": LONGEST,
            "dict": names,
            "seed": asked.seed,
            "timeout": 20,
            "rss_limit_mb": 2048,
            "print_final_stats": 1,
            "artifact_prefix": f"{FOUND}/",
        }
        arguments = [f"-{name}={value}" for name, value in bounds.items()]
        atheris.Setup([sys.argv[0], *arguments, str(corpus)], examine, custom_mutator=_mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
