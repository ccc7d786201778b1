"""The request that carries a command, over HTTP or a socket, and its bounds."""

from typing import Annotated

import msgspec

MAX_BYTES = 4096
LARGEST_SEQ = 2**31 - 1


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with the id that its sender gave it. `expected_seq`: the last seq known to the sender."""

    command_id: Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
    command: Annotated[
        msgspec.Raw, msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/AnyCommand"})
    ]
    expected_seq: Annotated[int, msgspec.Meta(ge=-1, le=LARGEST_SEQ)] | None = None
