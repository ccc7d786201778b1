"""Settings of a platform where one person may sit at many tables at once, each in a separate world."""

from deploy.settings import *  # noqa: F403 - settings on top of settings

LIVE_SOCKETS_PER_PERSON = 100
