"""What a platform that lies could do, one forgery for each threat of docs/verify/threats.md.

Each bends the record of an honest evening and seals it with the platform's own key, so that all hangs
together: chains, commitments, checkpoints, the list. The modules stand in the order of the page.
"""

from tests.verify.cheats import beside, rankings, rounds, tables, seals  # noqa: F401, I001 - each import adds to CHEATS, in the order of the page
from tests.verify.cheats.forging import CHEATS, Cheat

__all__ = ["CHEATS", "Cheat"]
