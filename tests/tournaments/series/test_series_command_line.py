"""`python -m tournaments.series`: JSON in, JSON out; an error is one line and exit 2."""

import json
import subprocess
import sys
from typing import Any

from deploy.environment import BASE_DIR
from tests.tournaments.series.test_series_document import GOOD


def run(verb: str, document: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tournaments.series", verb], cwd=BASE_DIR, input=document, capture_output=True
    )


def test_table_and_qualify_print_json() -> None:
    answers: dict[str, Any] = {
        verb: json.loads(run(verb, json.dumps(GOOD).encode()).stdout) for verb in ("table", "qualify")
    }
    assert answers["table"]["table"][0] == {
        "place": 1,
        "ref": "a",
        "total": 3,
        "events": {"h1": 3},
        "dropped": [],
    }
    assert answers["qualify"] == {
        "qualified": [
            {"ref": "a", "from": "h1", "place": 1, "why": "first"},
            {"ref": "b", "from": "h2", "place": 1, "why": "first"},
        ],
        "waiting": [],
    }


def test_an_error_is_one_line() -> None:
    for document in (b"{", b"\xff", b"[]", json.dumps({"rules": {"table": {"kind": "x"}}}).encode()):
        done = run("table", document)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"series/")
        assert done.stderr.count(b"\n") == 1
