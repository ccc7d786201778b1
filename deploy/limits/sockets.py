"""Limits on live connections (WebSockets): their pings, the time without a sign of life, and the size of a
message. Limits of one client are in games.live.socket_rate_limits.
"""

import socket
from typing import Final

PING_SECONDS: Final = 180
"""Seconds between two pings. Pings find phones that have vanished behind nginx; heartbeats show a phone that
its connection is alive.
"""
UNHEARD_SECONDS: Final = 60
"""Seconds without an acknowledgement after which a client counts as vanished. The kernel detects this,
because more pings would cost more than the heartbeats that are sent anyway.
"""
LARGEST_MESSAGE: Final = 64 * 1024
"""Largest number of bytes of a message from a client."""


def drop_unresponsive_clients(listening: socket.socket) -> None:
    """Let the kernel close connections of clients that acknowledge nothing for UNHEARD_SECONDS. This is not
    needed on a Unix socket, whose peer nginx does not vanish.
    """
    if listening.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNHEARD_SECONDS)
