"""Run by Python at the start of a test's process with this folder: all push services are on this machine.

With a port and a certificate connections to it are allowed, too; without them the guard is unchanged. Only
the starter of the processes can do that, who may do anything.
"""

import os
import ssl
from collections.abc import Sequence

from tournaments.notices.addresses import Network

PORT = os.environ.get("TEST_PUSH_PORT", "")


def looked_up(self: Network, host: str) -> Sequence[str]:
    return ["127.0.0.1"]


def may(self: Network, address: str) -> bool:
    return address == "127.0.0.1"


def context(self: Network) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=os.environ["TEST_PUSH_CERTIFICATE"])


for replaced in (looked_up, may, context) if PORT else (looked_up,):
    setattr(Network, replaced.__name__, replaced)
if PORT:
    Network.port = int(PORT)
