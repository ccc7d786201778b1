"""Limits of one client: open sockets, new sockets in a time span, and frames a second."""

from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from django.conf import settings

from games.messaging.rate_limit import MAX_KEPT, Budget, network_of
from games.rights.claims import SessionClaim


def _setting(name: str, default: int) -> int:
    return int(getattr(settings, name, default))


SOCKETS_PER_PERSON: Final = 8
SOCKETS_PER_ADDRESS: Final = 1000
"""Limit for a hall of 400 people behind one address, with a phone and a laptop each."""
_PERSON_LIMIT: Final = _setting("LIVE_SOCKETS_PER_PERSON", SOCKETS_PER_PERSON)
_ADDRESS_LIMIT: Final = _setting("LIVE_SOCKETS_PER_ADDRESS", SOCKETS_PER_ADDRESS)
PERSON_CONNECT_BUDGET: Final = Budget("sockets-person", most=5 * _PERSON_LIMIT, seconds=20)
"""Budget of a person. All open pages reconnect after a restart, and each visited page opens a socket."""
ADDRESS_CONNECT_BUDGET: Final = Budget("sockets-address", most=2 * _ADDRESS_LIMIT, seconds=20)
"""Budget of an address. A whole hall may reconnect at once, twice."""
FRAMES_PER_SECOND: Final = 20
SIDE_TABLES_PER_FRAME: Final = 4
"""Number of side tables in a request that count as one more frame."""
MAX_REFUSED_FRAMES: Final = 100
"""Frames over the limit after which the connection is closed."""

SocketLimit = tuple[str, int]


def socket_limit(claim: SessionClaim, address: str) -> SocketLimit:
    """Return the key under which the sockets of a claim are counted, and the largest number of them.

    Anonymous clients share the key of their address. Guests at a table against bots share it too, because
    anybody can open such a table.
    """
    person = _person_key(claim)
    return (person, _PERSON_LIMIT) if person else (address_key(address), _ADDRESS_LIMIT)


def address_key(address: str) -> str:
    """Return the key by which anonymous clients of this address are counted."""
    return f"address:{network_of(address)}"


class ConnectRateLimit:
    """Rate limit of new sockets, counted across all processes. A client that was told to wait is refused by
    this process until then, without a question to Redis.
    """

    def __init__(self) -> None:
        self._refused_until: dict[str, float] = {}

    def wait(self, who: str) -> int:
        """Return the seconds to wait as far as this process knows; 0 if it knows of none (`count` then asks
        Redis).
        """
        left = self._refused_until.get(who, 0.0) - monotonic()
        return max(1, round(left)) if left > 0 else 0

    def count(self, keys: Sequence[str]) -> list[int]:
        """Count a new socket for each key, and return for each the seconds that it has to wait (0: admitted).
        Waits for Redis.

        If a key stands several times in one call, all its sockets are admitted, or none.
        """
        waits = {who: _connect_budget(who).spend(who, count=count) for who, count in Counter(keys).items()}
        if len(self._refused_until) > MAX_KEPT:
            self._refused_until.clear()
        self._refused_until |= {who: monotonic() + seconds for who, seconds in waits.items() if seconds}
        return [waits[who] for who in keys]


def _connect_budget(who: str) -> Budget:
    return ADDRESS_CONNECT_BUDGET if who.startswith("address:") else PERSON_CONNECT_BUDGET


class RateLimit:
    """Rate limit of a client's frames: 20 at once, then 20 a second."""

    __slots__ = ("_clock", "_frames_left", "_refilled_at", "refused_count")

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._frames_left = float(FRAMES_PER_SECOND)
        self._refilled_at = clock()
        self.refused_count = 0

    def allows(self, frames: float = 1) -> bool:
        """Count a frame of this weight, and return whether it is accepted."""
        now = self._clock()
        self._frames_left = min(
            FRAMES_PER_SECOND, self._frames_left + (now - self._refilled_at) * FRAMES_PER_SECOND
        )
        self._refilled_at = now
        if self._frames_left < frames:
            self.refused_count += 1
            return False
        self._frames_left -= frames
        return True


def _person_key(claim: SessionClaim) -> str:
    """Return the key of the claim's person or token; "" for an anonymous claim and for a guest at a table
    against bots.
    """
    who = claim.principal
    if who.user is not None:
        return f"user:{who.user.pk}"
    return "" if who.token is None or claim.guest else f"token:{who.token.pk}"
