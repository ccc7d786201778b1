"""How much one client may ask for: sockets at once, new sockets in a span of time, frames a second."""

from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from django.conf import settings

from games.messaging.rate_limit import MOST_KEPT, Budget, network_of
from games.rights.claims import SessionClaim


def _setting(name: str, default: int) -> int:
    return int(getattr(settings, name, default))


SOCKETS_PER_PERSON: Final = 8
SOCKETS_PER_ADDRESS: Final = 1000
"""A hall of 400 sits behind one address, with a phone and a laptop each."""
_PERSON: Final = _setting("LIVE_SOCKETS_PER_PERSON", SOCKETS_PER_PERSON)
_ADDRESS: Final = _setting("LIVE_SOCKETS_PER_ADDRESS", SOCKETS_PER_ADDRESS)
NEW_OF_PERSON: Final = Budget("sockets-person", most=5 * _PERSON, seconds=20)
"""All his pages come back at once after a restart, and he turns pages that each open one."""
NEW_OF_ADDRESS: Final = Budget("sockets-address", most=2 * _ADDRESS, seconds=20)
"""The whole hall comes back at once, and once more."""
FRAMES_PER_SECOND: Final = 20
BESIDE_A_FRAME: Final = 4
"""So many tables that are named beside one's own count as a frame."""
MOST_REFUSED: Final = 100
"""Frames over the limit before the connection ends."""

Asked = tuple[str, int]


def asked(claim: SessionClaim, address: str) -> Asked:
    """As whom he counts, and how many sockets he may have. Who is nobody in particular counts with all
    others at his address, also at a table against bots: that code is anybody's at one press.
    """
    person = _person_of(claim)
    return (person, _PERSON) if person else (stranger(address), _ADDRESS)


def stranger(address: str) -> str:
    """As whom those at this address count whom nobody knows."""
    return f"address:{network_of(address)}"


class NewSockets:
    """Who opens one more, counted for all processes. Whoever was told to wait is not asked about until then:
    he may knock as often as he likes.
    """

    def __init__(self) -> None:
        self._out: dict[str, float] = {}

    def wait(self, who: str) -> int:
        """How many seconds, as far as this process knows; 0: ask."""
        left = self._out.get(who, 0.0) - monotonic()
        return max(1, round(left)) if left > 0 else 0

    def count(self, asked: Sequence[str]) -> list[int]:
        """For each that opens one more, how many seconds to wait; 0: come in. Waits for Redis.

        Those who come at once are one step: all of them come in, or none.
        """
        waits = {who: _new_of(who).spend(who, count=count) for who, count in Counter(asked).items()}
        if len(self._out) > MOST_KEPT:
            self._out.clear()
        self._out |= {who: monotonic() + seconds for who, seconds in waits.items() if seconds}
        return [waits[who] for who in asked]


def _new_of(who: str) -> Budget:
    return NEW_OF_ADDRESS if who.startswith("address:") else NEW_OF_PERSON


class RateLimit:
    """Frames a client sends: 20 at once, then 20 a second."""

    __slots__ = ("_clock", "_left", "_seen", "refused")

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._left = float(FRAMES_PER_SECOND)
        self._seen = clock()
        self.refused = 0

    def allows(self, frames: float = 1) -> bool:
        """Whether the next frame may be looked at, or one that is worth as much as so many."""
        now = self._clock()
        self._left = min(FRAMES_PER_SECOND, self._left + (now - self._seen) * FRAMES_PER_SECOND)
        self._seen = now
        if self._left < frames:
            self.refused += 1
            return False
        self._left -= frames
        return True


def _person_of(claim: SessionClaim) -> str:
    """One word for whoever asks; "" for nobody in particular."""
    who = claim.principal
    if who.user is not None:
        return f"user:{who.user.pk}"
    return "" if who.token is None or claim.guest else f"token:{who.token.pk}"
