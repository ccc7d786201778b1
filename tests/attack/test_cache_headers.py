"""Pages with what is only for whoever asks stay in no cache, of no proxy and no shared browser."""

import pytest
from django.urls import reverse

from tests.frontend.evening import client, opened, work
from tournaments.models import Job

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("entries", []),
        ("print", ["check-in"]),
        ("print", ["evening"]),
        ("entry_edit", [1]),
        ("entries_import", []),
        ("board", []),
        ("round_codes", [1]),
        ("round_slip", [1, 1]),
        ("officials", []),
        ("audits", []),
    ],
)
@pytest.mark.parametrize("part", [{}, {"HX-Request": "true"}], ids=["page", "part"])
def test_no_cache_keeps_it(name: str, more: list[int], part: dict[str, str]) -> None:
    opened("sheet")

    answer = client("fredi").get(reverse(name, args=["herbstcup", *more]), headers=part)

    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")


def test_no_cache_keeps_the_file_of_entries() -> None:
    opened("sheet")
    director = client("fredi")
    director.post(reverse("standings_export", args=["herbstcup"]))
    work()

    answer = director.get(reverse("job_file", args=[Job.objects.latest("queued_at").pk]))

    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")


@pytest.mark.parametrize("name", ["home", "championship", "tables", "standings"])
def test_a_page_for_everybody_is_asked_for_again_each_time(name: str) -> None:
    opened("sheet")
    address = reverse(name, args=[] if name == "home" else ["herbstcup"])

    assert client().get(address)["Cache-Control"] == "no-cache"
    assert client("anna").get(address)["Cache-Control"] == "private, no-cache"
