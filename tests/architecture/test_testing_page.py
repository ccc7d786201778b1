"""Every test named on the page of promises exists."""

import re
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PAGE = TREE / "docs" / "developers" / "testing.md"
FILE = re.compile(r"`([\w/.-]+\.(?:py|ts|sql))(?:::(\w+))?`")


def test_every_test_that_the_page_names_exists() -> None:
    named = FILE.findall(PAGE.read_text())
    assert len(named) > 100
    files = list((TREE / "tests").rglob("*.*"))
    missing = []
    for file, test in named:
        found = [path for path in files if path.as_posix().endswith(f"/{file}")]
        wanted = re.compile(rf"^(?:async )?def {test}\(" if test else "", re.MULTILINE)
        if not any(wanted.search(path.read_text()) for path in found):
            missing.append(f"{file}::{test}" if test else file)
    assert missing == [], "docs/developers/testing.md names what is not there"
