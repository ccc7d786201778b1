"""Every notable event has a sentence, known to both commentaries."""

import re
from typing import Final

import pytest

from engine.events import EVENTS
from frontend.presenters.words.script_sentences import LOG
from tests.frontend.catalogues import ROOT

SILENT: Final = {"hand_dealt", "hand_taken_up", "extra_dealt", "table_dealt"}
"""Cards being laid out: the table shows it."""
BY_WHAT_IT_SAYS: Final = {"infraction_found": "infraction.revoke", "out_claimed": "log.out_right"}
TAGS: Final = [str(event.__struct_config__.tag) for event in EVENTS]
TOLD: Final = [tag for tag in TAGS if tag not in SILENT]
SCRIPT: Final = (ROOT / "frontend" / "src" / "watching" / "commentary.ts").read_text(encoding="utf-8")


def test_an_event_has_a_sentence_which_a_page_says(subtests: pytest.Subtests) -> None:
    for tag in TOLD:
        with subtests.test(tag=tag):
            assert BY_WHAT_IT_SAYS.get(tag, f"log.{tag}") in LOG
            assert re.search(rf'case "{tag}":', SCRIPT)


@pytest.mark.parametrize("tag", sorted(SILENT))
def test_of_cards_being_laid_out_nothing_is_said(tag: str) -> None:
    assert tag in TAGS
    assert f"log.{tag}" not in LOG
    assert f'case "{tag}":' not in SCRIPT
