"""Settings of the platform with a quick heartbeat, for tests that wait for one."""

from deploy.settings import *  # noqa: F403 - all settings, with changes below

LIVE_HEARTBEAT_SECONDS = 1
LIVE_SOCKETS_PER_ADDRESS = 12
