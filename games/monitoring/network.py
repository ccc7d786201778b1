"""Network addresses of this machine."""

import contextlib
import socket
import sys
from typing import Final

if sys.platform == "linux":
    import fcntl

SIOCGIFADDR: Final = 0x8915


def addresses_of_this_machine() -> list[str]:
    """Return the IPv4 addresses under which other machines may reach this one, as the system knows them."""
    found = set()
    with contextlib.suppress(OSError):
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found |= {str(entry[4][0]) for entry in entries}
    if sys.platform == "linux":
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            for _, name in socket.if_nameindex():
                with contextlib.suppress(OSError):
                    answer = fcntl.ioctl(asked, SIOCGIFADDR, name.encode().ljust(256, b"\0"))
                    found.add(socket.inet_ntoa(answer[20:24]))
    return sorted(address for address in found if not address.startswith("127."))
