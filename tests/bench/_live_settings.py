"""The platform's settings with room for the sockets of the benchmark."""

from typing import Any

from deploy.settings import *  # noqa: F403 - all settings, with changes below
from deploy.settings import REDIS_PREFIX, REDIS_URL

LIVE_SOCKETS_PER_ADDRESS = 100_000
LIVE_HEARTBEAT_SECONDS = 86_400  # every byte of the clients is counted
# For the peer: groups of Channels.
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": REDIS_PREFIX},
    }
}
