"""A command as a person sends it, over HTTP or a socket."""

from engine import Command, decode_command
from games import store
from games.api.requests import CommandRequest
from games.models import Game
from games.play.submit import Submitted, submit
from games.rights import access
from games.rights.claims import SessionClaim


class PersonSending:
    """Whoever claims to be allowed to send a command."""

    def __init__(self, claim: SessionClaim, game: Game, command: Command) -> None:
        self._claim = claim
        self._game = game
        self._command = command

    def question(self) -> store.Question:
        """See `games.play.submit.Sender`."""
        return self._claim.question(self._game.id)

    def ref(self, answer: store.Rows) -> str:
        """See `games.play.submit.Sender`. Raises Forbidden, Outdated."""
        granted = self._claim.roles(answer, self._game.id)
        return access.authorised(self._game.mode, granted, self._command)


def send_command(game: Game, claim: SessionClaim, sent: CommandRequest, *, wait: bool = True) -> Submitted:
    """Store it. Whether it is his to send is asked when nobody else can store anything, so that a right that
    was taken away counts for what was on its way.

    Raises what `access.authorised`, `SessionClaim.roles` and `submit` raise, IllegalCommand for what is no
    command.
    """
    command = decode_command(bytes(sent.command))
    return submit(
        game.id,
        command,
        actor=PersonSending(claim, game, command),
        command_id=sent.command_id,
        expected_seq=sent.expected_seq,
        wait=wait,
    )
