"""The page of promises names tests that are there."""

import re
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PAGE = TREE / "docs" / "developers" / "promises.md"
FILE = re.compile(r"`([\w/.-]+\.(?:py|ts|sql))(?:::([\w…]+))?`")


def test_every_test_and_file_that_the_page_names_is_there() -> None:
    named = FILE.findall(PAGE.read_text())
    assert len(named) > 50
    files = [path for top in ("tests", "deploy", "frontend", "docs") for path in (TREE / top).rglob("*.*")]
    for file, test in named:
        found = [path for path in files if path.as_posix().endswith(f"/{file}")]
        assert found, f"there is no {file}"
        wanted = "^def " + test.replace("…", r"\w*") + r"\(" if test else ""
        assert any(re.search(wanted, path.read_text(), re.MULTILINE) for path in found), f"{file}::{test}"
