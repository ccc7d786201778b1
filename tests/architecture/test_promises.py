"""Pages that name the tests which show something name tests that are there."""

import re
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
PAGES = TREE / "docs" / "developers"
FILE = re.compile(r"`([\w/.-]+\.(?:py|ts|sql))(?:::([\w…]+))?`")
SAME = re.compile(r"`([\w/.-]+\.py)(::\w+`[^`|]*)`…::")


@pytest.mark.parametrize("page", ["promises.md", "attacks-held.md"])
def test_every_test_and_file_that_the_page_names_is_there(page: str) -> None:
    text = (PAGES / page).read_text()
    while SAME.search(text):  # `…`: the file that was named before
        text = SAME.sub(r"`\1\2`\1::", text)
    assert "…::" not in text
    named = FILE.findall(text)
    assert len(named) > 50
    files = [path for top in ("tests", "deploy", "frontend", "docs") for path in (TREE / top).rglob("*.*")]
    for file, test in named:
        found = [path for path in files if path.as_posix().endswith(f"/{file}")]
        assert found, f"there is no {file}"
        wanted = "^(?:async )?def " + test.replace("…", r"\w*") + r"\(" if test else ""
        assert any(re.search(wanted, path.read_text(), re.MULTILINE) for path in found), f"{file}::{test}"
