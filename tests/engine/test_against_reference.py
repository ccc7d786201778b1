"""Random games beside the reference that somebody else wrote from the rules alone: nothing may differ.

A few games of each kind here; `python -m tests.reference.compare --games 2000` plays many.
"""

import pytest

from tests.reference.compare import Setting, difference, settings
from tests.reference.games import MODULES

GAMES = 16
CHOSEN = [setting for variant in sorted(MODULES) for setting in settings(variant, GAMES, first=10_000)]


@pytest.mark.long(16)
@pytest.mark.parametrize("setting", CHOSEN, ids=lambda s: f"{s.variant}-{s.seats}-{s.preset}-{s.seed}")
def test_a_random_game_goes_as_in_the_reference(setting: Setting) -> None:
    assert difference(setting, max_deals=12, probes=0.1) is None


@pytest.mark.parametrize("variant", sorted(MODULES))
def test_every_preset_and_number_of_seats_is_compared_with_and_without_options(variant: str) -> None:
    chosen = [setting for setting in CHOSEN if setting.variant == variant]
    module = MODULES[variant]
    kinds = {(seats, preset) for seats in module.SEATS for preset in (None, *module.PRESETS)}
    assert {(setting.seats, setting.preset) for setting in chosen if setting.options} == kinds
    assert {(setting.seats, setting.preset) for setting in chosen if not setting.options} == kinds
