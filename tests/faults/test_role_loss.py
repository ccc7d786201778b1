"""Each of two web processes, two workers and one beat is killed in turn. The short form; `manage.py faults
--roles` is the long one, with the bound of 5 s."""

from pathlib import Path

import pytest

from tests import servers
from tests.cluster import binaries
from tests.faults.roles import ROLES, kill_each_role

pytestmark = [pytest.mark.faults, pytest.mark.long]


def test_whichever_process_ends_the_others_go_on_and_nothing_is_lost(tmp_path: Path) -> None:
    if binaries() is None:
        servers.missing("PostgreSQL: no initdb on this machine (apt install postgresql)")
    lost = kill_each_role(tmp_path, tables=6, acks=100)
    assert (lost.damage.lost, lost.damage.doubled) == ([], [])
    assert lost.damage.acknowledged > 100
    assert set(lost.damage.kills) == set(lost.silences) == set(lost.bots) == set(ROLES)
