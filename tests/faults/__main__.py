"""The long form: kills every process of a real tree, and PostgreSQL, again and again while tables play.

python -m tests.faults [--on postgresql|sqlite] [--kills N] [--acks N] [--tables N] [--seed N]
python -m tests.faults --nodes [--kills N] [--acks N] [--tables N]
python -m tests.faults --roles [--acks N] [--tables N]
python -m tests.faults --attacks [NAME …] [--on postgresql|sqlite] [--tables N]

Prints a line a kill and at the end one JSON line a database; exit 1 where anything acknowledged is missing or
doubled. `--nodes`: whole nodes are killed, of two; also exit 1 where somebody waited longer than 5 s, or two
nodes answered differently. `--roles`: of two web processes, two workers, one beat, Valkey and PostgreSQL each
is killed in turn, and a web process is drained; also exit 1 if a player or the bots waited more than 5 s.
`--attacks`: people play while the platform is attacked (tests/faults/attacks.py).
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests import live_tree
from tests.cluster import Cluster, binaries
from tests.faults import attacks
from tests.faults.attackers import ATTACKS
from tests.faults.nodes import handover
from tests.faults.rampage import CHILDREN, Damage, rampage
from tests.faults.roles import ALONE, kill_each_role

MAX_SILENCE_LENGTH = 5.0
"""Most seconds until each player of a lost node has gone on at the other one."""
DEALS = 1000
"""Of a game: more than a run can play."""


def run(on: str, kills: int, acks: int, tables: int, seed: int) -> Damage:
    """One tree on one database, until so many kills are done and so many commands acknowledged."""
    chance = random.Random(f"{seed} {on}")
    with ExitStack() as stack:
        cluster = None
        environment = {}
        if on == "postgresql":
            tools = binaries()
            if tools is None:
                sys.exit("there is no initdb on this machine (apt install postgresql)")
            cluster = Cluster(tools)
            stack.callback(cluster.remove)
            environment = {"DATABASE_URL": cluster.url}
        var = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tree = stack.enter_context(live_tree.running("serve", var, environment=environment))
        every = [*CHILDREN, "postgresql"] if cluster else list(CHILDREN)
        order = [every[number % len(every)] for number in range(kills)]
        chance.shuffle(order)
        return rampage(
            tree,
            kinds=order,
            acks=acks,
            tables=tables,
            deals=DEALS,
            chance=chance,
            cluster=cluster,
            say=lambda text: print(f"{on}: {text}", flush=True),
        )


def lose_nodes(kills: int, acks: int, tables: int) -> int:
    """One node after the other, until so many commands are acknowledged."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = handover(
            Path(folder),
            tables=tables,
            acks=acks // kills,
            kills=kills,
            say=lambda text: print(f"nodes: {text}", flush=True),
        )
    damage = found.damage
    line = {
        "on": "two nodes",
        "kills": dict(damage.kills),
        "acknowledged": damage.acknowledged,
        "lost": len(damage.lost),
        "doubled": len(damage.doubled),
        "events": damage.events,
        "in_a_trick": found.in_a_trick,
        "silence_seconds": {
            "median": round(statistics.median(damage.outages), 2),
            "longest": round(max(damage.outages), 2),
        },
        "alike": found.alike,
        "seconds": round(time.monotonic() - begun),
    }
    print(json.dumps(line), flush=True)
    within = max(damage.outages) <= MAX_SILENCE_LENGTH
    return int(not (damage.none and within and all(found.alike.values())))


def lose_roles(acks: int, tables: int) -> int:
    """Kill each process of several machines in turn."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        lost = kill_each_role(
            Path(folder), tables=tables, acks=acks, say=lambda text: print(f"roles: {text}", flush=True)
        )
    line = {
        "on": "two webs, two workers, one beat, Valkey, PostgreSQL",
        "kills": dict(lost.damage.kills),
        "acknowledged": lost.damage.acknowledged,
        "lost": len(lost.damage.lost),
        "doubled": len(lost.damage.doubled),
        "events": lost.damage.events,
        "longest_wait_seconds": {role: round(waited, 2) for role, waited in lost.silences.items()},
        "bots_silence_seconds": {role: round(waited, 2) for role, waited in lost.bots.items()},
        "away_seconds": {role: round(lost.away[role], 2) for role in ALONE},
        "seconds": round(time.monotonic() - begun),
    }
    print(json.dumps(line), flush=True)
    within = max(*lost.silences.values(), *lost.bots.values()) <= MAX_SILENCE_LENGTH
    return int(not (lost.damage.none and within))


def main() -> None:
    parser = argparse.ArgumentParser(prog="manage.py faults")
    parser.add_argument("--on", choices=["postgresql", "sqlite"], help="only this database")
    parser.add_argument("--kills", type=int, default=100, help="for each database")
    parser.add_argument("--acks", type=int, default=10_000, help="acknowledged commands for each database")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", action="store_true", help="kill nodes of two, in the middle of a trick")
    parser.add_argument("--roles", action="store_true", help="kill each process of two machines in turn")
    parser.add_argument(
        "--attacks",
        nargs="*",
        choices=list(ATTACKS),
        metavar="NAME",
        help=f"some of {', '.join(ATTACKS)}, or all",
    )
    given = parser.parse_args()
    if given.attacks is not None:
        sys.exit(attacks.run(given.attacks, given.tables, given.on or "postgresql"))
    if given.roles:
        sys.exit(lose_roles(given.acks, given.tables))
    if given.nodes:
        sys.exit(lose_nodes(given.kills, given.acks, given.tables))
    worst = 0
    for on in [given.on] if given.on else ["postgresql", "sqlite"]:
        begun = time.monotonic()
        damage = run(on, given.kills, given.acks, given.tables, given.seed)
        line = {
            "on": on,
            "kills": dict(damage.kills),
            "acknowledged": damage.acknowledged,
            "lost": len(damage.lost),
            "doubled": len(damage.doubled),
            "events": damage.events,
            "outage_seconds": {
                "median": round(statistics.median(damage.outages), 2),
                "longest": round(max(damage.outages), 2),
            },
            "seconds": round(time.monotonic() - begun),
        }
        print(json.dumps(line), flush=True)
        worst = worst or int(not damage.none)
    sys.exit(worst)


if __name__ == "__main__":
    main()
