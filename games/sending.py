"""A command as a person sends it, over HTTP or a socket."""

from engine import decode_command
from games import access
from games.access import Principal
from games.api.requests import CommandRequest
from games.models import Game
from games.submit import Submitted, submit


def send(game: Game, who: Principal, sent: CommandRequest) -> Submitted:
    """Store it. Whether it is his to send is asked when nobody else can store anything, so that a right that
    was taken away counts for what was on its way.

    Raises what `access.authorise` and `submit` raise, IllegalCommand for what is no command.
    """
    command = decode_command(bytes(sent.command))
    return submit(
        game.id,
        command,
        actor=lambda: access.authorise(game, access.anew(who), command),
        command_id=sent.command_id,
        expected_seq=sent.expected_seq,
    )
