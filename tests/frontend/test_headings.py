"""Headings for screen readers: each page has one of level 1, and no level is skipped."""

import re
from itertools import pairwise

import pytest
from django.test import Client

from tests.frontend.evening import client, html, opened, table
from tests.frontend.pages import addresses, parts_of

pytestmark = pytest.mark.django_db


def ranks_of(page: str) -> list[int]:
    return [int(rank) for rank in re.findall(r"<h([1-6])[\s>]", page)]


def wrong_in(ranks: list[int]) -> str:
    if ranks.count(1) != 1:
        return f"{ranks.count(1)} of the first rank"
    skips = [pair for pair in pairwise(ranks) if pair[1] > pair[0] + 1]
    return f"skips: {skips}" if skips else ""


def wrong_for(reader: Client, pages: dict[str, str]) -> dict[str, str]:
    found = {}
    for name, address in pages.items():
        answer = reader.get(address, follow=True)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            page = html(answer)
            if '<meta name="viewport"' in page:  # not a part of one
                found[name] = wrong_in(ranks_of(page))
    assert len(found) > 15
    return {name: wrong for name, wrong in found.items() if wrong}


def test_headings_skip_no_rank_for_the_director_and_for_whoever_watches() -> None:
    pages = addresses(parts_of(table(opened("transcribed", "sheet"), 1)))

    assert {who: wrong_for(client(who), pages) for who in ("fredi", "eva")} == {"fredi": {}, "eva": {}}


def test_a_skipped_rank_is_found() -> None:
    assert wrong_in([1, 3]) == "skips: [(1, 3)]"
    assert wrong_in([1, 2, 3, 2, 3]) == ""
    assert wrong_in([2, 3]) == "0 of the first rank"
