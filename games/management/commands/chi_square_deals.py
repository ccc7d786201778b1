"""manage.py chi-square-deals [--deals 1000000]: test the uniformity of decks dealt as in rounds.

Exit code 1 if chance alone would give such figures less than once in 100,000 times.
"""

import secrets
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.randomness.dealing import SEED_BYTES, Source, deck
from games.randomness.uniformity import counted

MIN_P_VALUE = 1e-5


class Command(BaseCommand):
    help = "Deal decks from a seed and test card × seat and card × place with chi-square."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--deals", type=int, default=1_000_000)
        parser.add_argument("--seed", default="", help="64 hex characters; default: a random one")

    def handle(self, *, deals: int, seed: str, **_: Any) -> None:
        source = Source(bytes.fromhex(seed) if seed else secrets.token_bytes(SEED_BYTES))
        began = time.monotonic()
        counts = counted(lambda number: deck(source, 1, number), deals)
        seconds = time.monotonic() - began
        self.stdout.write(f"{deals} decks from the seed {source.seed.hex()} in {seconds:.0f} s")
        found = {"card × seat": counts.by_seat(), "card × place": counts.by_place()}
        for name, test in found.items():
            self.stdout.write(
                f"{name}: chi-square {test.statistic:.1f}, {test.freedom} degrees, p = {test.p:.3f}"
            )
        if min(test.p for test in found.values()) < MIN_P_VALUE:
            sys.exit(1)
