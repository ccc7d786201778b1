"""Errors of the seal key and of checkpoints."""

from engine import Fault


class SealKeyError(Fault):
    """The key for checkpoints cannot be used. Codes: `sealing/no_key`, `sealing/key_exists`,
    `sealing/key_readable`, `sealing/key_unreadable`, `sealing/key_malformed`, `sealing/other_key`.
    """

    code = "sealing/no_key"


class BrokenSeal(Fault):
    """A checkpoint is unreadable, wrongly signed, or does not fit the streams or the previous checkpoint."""

    code = "sealing/broken"

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"checkpoint {number}: {reason}", number=number)
