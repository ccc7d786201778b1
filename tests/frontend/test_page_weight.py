"""What a page makes a phone fetch, over all addresses of an evening."""

import re

import pytest

from tests.frontend.evening import client, opened, table, whole
from tests.frontend.pages import addresses, parts_of

pytestmark = pytest.mark.django_db

MOST_SHEETS = 3


@pytest.mark.parametrize("mode", ["sheet", "dealt", "transcribed"])
def test_a_page_waits_for_at_most_three_style_sheets(mode: str) -> None:
    pages = addresses(parts_of(table(opened(mode, people=5), 1)))
    seen, crowded = set(), {}
    for role in (None, "anna", "fredi"):
        browser = client(role)
        for name, address in pages.items():
            answer = browser.get(address)
            if "text/html" in answer.headers.get("Content-Type", ""):
                sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)"', whole(answer))
                seen |= {name} if sheets else set()
                if len(sheets) > MOST_SHEETS or len(sheets) != len(set(sheets)):
                    crowded[name] = sheets

    assert not crowded
    assert {"home", "table_live", "round", "standings", "rules_game"} <= seen
