"""The settings of the platform with room for as many sockets as the benchmark opens."""

from deploy.settings import *  # noqa: F403 - settings on top of settings

LIVE_SOCKETS_PER_ADDRESS = 100_000
LIVE_HEARTBEAT_SECONDS = 86_400  # every byte the clients get is counted
