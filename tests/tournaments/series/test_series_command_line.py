"""`python -m tournaments.series`: JSON in, JSON out; an error is one line and exit 2."""

import json
import re
import subprocess
import sys
from typing import Any

from deploy.environment import BASE_DIR
from tests.tournaments.series.test_series_document import GOOD
from tournaments.series.document import decode_series
from tournaments.series.series_json import write_qualification, write_table


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


def test_the_worked_examples_of_the_docs_are_right() -> None:
    page = (BASE_DIR / "docs" / "developers" / "series.md").read_text()
    season, heats = (decode_series(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    table = [(row["ref"], row["total"], row["dropped"]) for row in write_table(season)["table"]]
    assert table == [("Beat", 93, ["e1"]), ("Ada", 86, ["e2"]), ("Cleo", "33/2", [])]
    found = [
        (ticket["ref"], ticket["from"], ticket["why"]) for ticket in write_qualification(heats)["qualified"]
    ]
    assert found == [
        ("Gian", None, "holder"),
        ("Ada", "h1", "first"),
        ("Emil", "h2", "first"),
        ("Flora", "h2", "first"),
        ("Cleo", "h1", "best_rest"),
        ("Dario", "h1", "replacement"),
    ]
