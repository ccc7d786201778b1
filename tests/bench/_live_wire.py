"""What the web process of the live benchmark and its clients agree on."""

from typing import Final

LENGTH: Final = 300
"""Bytes of a frame; the send time is its first field."""
GAME_FILE: Final = "game"
"""The file with the id of the watched table, in the folder of the web process."""
PEOPLE: Final = 32
"""Entries of the championship whose other tables are shown beside the watched one."""
BESIDE: Final = "/c/bench/rounds/2/beside/1/"
"""The address of these other tables."""
