"""One of two nodes is killed in the middle of a trick. The short form; `manage.py faults --nodes` is the long
one."""

from pathlib import Path

import pytest

from tests import servers
from tests.cluster import binaries
from tests.faults.nodes import handover

pytestmark = [pytest.mark.faults, pytest.mark.long]


def test_players_of_a_lost_node_go_on_at_the_other_and_nothing_is_lost(tmp_path: Path) -> None:
    if binaries() is None:
        servers.missing("PostgreSQL: no initdb on this machine (apt install postgresql)")
    found = handover(tmp_path, tables=3, acks=60)
    assert found.damage.lost == []
    assert found.damage.doubled == []
    assert found.damage.acknowledged > 60
    assert found.in_a_trick > 0
    assert len(found.silences) == 3
    assert found.alike == dict.fromkeys(found.alike, True)
