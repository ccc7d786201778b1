"""Queries that are compiled once return the rows that Django returns, for each key."""

from typing import Any

import pytest

from frontend.views import championship_context
from tests.frontend.evening import opened
from tournaments.models import Club
from tournaments.services import cache_versions
from tournaments.services.compiled_query import CompiledQuery

pytestmark = [pytest.mark.django_db, pytest.mark.both]
QUERIES = [value for value in vars(cache_versions).values() if isinstance(value, CompiledQuery)]


def comparable(rows: Any) -> list[list[Any]]:
    """Without what Django converts: dates, truth values and bytes."""
    return [[value if isinstance(value, int | str | None) else "" for value in row] for row in rows]


def test_rows_are_those_of_django_and_a_second_key_has_its_own() -> None:
    first = opened("sheet", "dealt", people=9).championship
    second = opened("sheet", people=4, slug="second").championship
    assert len(QUERIES) == 4
    for query in QUERIES:
        for made in (first, second, first):
            expected = comparable(query._build(made.pk))
            found = comparable(query.fetch_rows(made.pk))
            assert expected
            assert [
                [value if kept != "" else "" for value, kept in zip(row, kept_row, strict=True)]
                for row, kept_row in zip(found, expected, strict=True)
            ] == expected
        assert query.fetch_rows(10**6) == []


def test_an_instance_is_that_of_django_with_its_annotations() -> None:
    opened("sheet", "dealt", people=9)
    other = opened("sheet", people=4, slug="second").championship
    other.club = Club.objects.create(name="Jassclub", slug="jassclub", pictures={"logo": "a"})
    other.save(update_fields=["club"])
    for slug in ("herbstcup", "second"):
        expected = championship_context._championship_query(slug).get()
        found = championship_context._CHAMPIONSHIP.fetch_first(slug)
        kept, wanted = (dict(vars(one), _state=None) for one in (found, expected))
        assert kept == wanted
        assert isinstance(kept["read_regulations"], dict)
    assert kept["club_page"] == {"slug": "jassclub", "name": "Jassclub"}
    assert championship_context._CHAMPIONSHIP.fetch_first("third") is None
