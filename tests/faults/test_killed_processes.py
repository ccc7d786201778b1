"""kill -9 in the middle of a round: it goes on, and nothing that was acknowledged is missing or doubled.

The short form; `manage.py faults` is the long one.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import live_tree as trees
from tests import servers
from tests.cluster import Cluster, binaries
from tests.faults.rampage import CHILDREN, Damage, rampage
from tests.live_tree import LiveTree

pytestmark = [pytest.mark.faults, pytest.mark.long]
ACKS = 80
"""Commands that are acknowledged, all in all; the kills are done after some fifty of them."""


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that this test may kill."""
    tools = binaries()
    if tools is None:
        servers.missing("PostgreSQL: no initdb on this machine (apt install postgresql)")
    assert tools is not None
    made = Cluster(tools)
    yield made
    made.remove()


def test_every_process_is_killed_while_tables_play_on_sqlite(live_tree: LiveTree) -> None:
    kinds = [*CHILDREN, "web", "valkey"]
    damage = rampage(live_tree, kinds=kinds, acks=ACKS, tables=2, deals=50, chance=random.Random(1))
    assert_harmless(damage, kills=6, acks=ACKS)


def test_postgresql_and_what_uses_it_are_killed_while_tables_play(tmp_path: Path, cluster: Cluster) -> None:
    with trees.running("serve", tmp_path, environment={"DATABASE_URL": cluster.url}) as tree:
        damage = rampage(
            tree,
            kinds=["postgresql", "web", "postgresql", "worker", "postgresql"],
            acks=ACKS,
            tables=2,
            deals=50,
            chance=random.Random(2),
            cluster=cluster,
        )
    assert_harmless(damage, kills=5, acks=ACKS)


def assert_harmless(damage: Damage, kills: int, acks: int) -> None:
    assert damage.lost == []
    assert damage.doubled == []
    assert sum(damage.kills.values()) == kills
    assert damage.acknowledged >= acks
    assert damage.events > damage.acknowledged
