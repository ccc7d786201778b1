"""Settings of a platform where one person may sit at many tables at once, each in a separate world."""

from deploy.settings import *  # noqa: F403 - all settings, with changes below

LIVE_SOCKETS_PER_PERSON = 100
