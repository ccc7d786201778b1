"""What a way of drawing keeps of the wishes of the director, and the page that says what it does not."""

import pytest
from django.urls import reverse

from tests.frontend.evening import championship, client, html
from tournaments.pairing.systems import SYSTEMS

pytestmark = pytest.mark.django_db
KEEPS = {
    "drawn": {"never_partner", "never_meet"},
    "fixed_pairs": {"never_meet"},
    "whist": set(),
    "round_robin": {"never_meet"},
    "swiss": {"never_meet"},
    "king": set(),
    "knock_out": {"never_meet"},
    "open": {"never_meet"},
}


def test_each_system_says_what_it_keeps() -> None:
    assert {key: set(system.keeps) for key, system in SYSTEMS.items()} == KEEPS


@pytest.mark.parametrize(
    ("preset", "partners", "meet"),
    [("klubabend", False, False), ("whist", True, True), ("cup", False, False), ("ladder", False, True)],
)
def test_the_form_warns_of_wishes_that_are_not_kept(preset: str, partners: bool, meet: bool) -> None:
    championship(4, preset=preset)
    shown = html(client("fredi").get(reverse("entry_edit", args=["herbstcup", 1])))
    assert ("Never partners: this way of drawing ignores it." in shown) == partners
    assert ("Never at one table: this way of drawing cannot respect it" in shown) == meet


@pytest.mark.parametrize(
    ("preset", "people", "rounds", "warned"),
    [
        ("swiss_pairs", 20, 6, True),
        ("swiss_pairs", 20, 5, False),
        ("swiss_pairs", 0, 9, False),
        ("round_robin", 8, 7, False),
    ],
)
def test_the_regulations_warn_of_more_rounds_than_half_of_the_entrants(
    preset: str, people: int, rounds: int, warned: bool
) -> None:
    championship(people, preset=preset, changes={"rounds": rounds})
    address = reverse("regulations", args=["herbstcup"])
    said = f"{rounds} rounds are many for {people // 2}: somebody may meet twice."
    assert (said in html(client("fredi").get(address))) == warned
    assert said not in html(client().get(address))
