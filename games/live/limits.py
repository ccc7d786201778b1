"""How much one client may ask for: sockets at once, frames a second."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from django.conf import settings

from games.rights.access import Principal
from games.signals.budgets import network_of

SOCKETS_PER_PERSON: Final = 8
SOCKETS_PER_ADDRESS: Final = 1000
"""A hall of 400 sits behind one address, with a phone and a laptop each."""
FRAMES_PER_SECOND: Final = 20
BESIDE_A_FRAME: Final = 4
"""So many tables that are named beside one's own count as a frame."""
MOST_REFUSED: Final = 100
"""Frames over the limit before the connection ends."""

Asked = tuple[str, int]


def asked(who: Principal, address: str) -> Asked:
    """As whom he counts, and how many sockets he may have. Who is nobody in particular counts with all
    others at his address.
    """
    person = person_of(who)
    if person:
        return person, _setting("LIVE_SOCKETS_PER_PERSON", SOCKETS_PER_PERSON)
    most = _setting("LIVE_SOCKETS_PER_ADDRESS", SOCKETS_PER_ADDRESS)
    return f"address:{network_of(address)}", most


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


def person_of(who: Principal) -> str:
    """One word for whoever asks; "" for nobody in particular."""
    if who.user is not None:
        return f"user:{who.user.pk}"
    return "" if who.token is None else f"token:{who.token.pk}"


def _setting(name: str, default: int) -> int:
    return int(getattr(settings, name, default))
