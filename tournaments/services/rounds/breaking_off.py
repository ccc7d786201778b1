"""Breaking off the game of a table, and resuming it."""

from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from engine.commands import Close, Command, Resume
from games.ids import new_id
from games.models import Game
from games.play.submit import submit
from games.projections import delayed_broadcast
from games.randomness import round_seed
from tournaments.errors import TournamentError
from tournaments.models import Round, Table
from tournaments.names import clean
from tournaments.permissions import Actor
from tournaments.services import locks
from tournaments.services.current_regulations import round_or_session
from tournaments.services.scores import ranking_basis
from tournaments.services.seats import same_cards

MAX_REASON_LENGTH = 200


def break_off(table: Table, *, actor: Actor, reason: str) -> None:
    """End the game of a table early; its finished deals count.

    Raises IllegalCommand `close/over`, TournamentError `breaks/…`, `names/…`.
    """
    _submit_command(table, Close(reason=_clean_reason(reason)), actor)


def resume_table(table: Table, *, actor: Actor, reason: str) -> None:
    """Resume a game that was broken off, in an open round.

    Raises IllegalCommand `resume/not_closed`, TournamentError `breaks/…`, `names/…`.
    """
    _submit_command(table, Resume(reason=_clean_reason(reason)), actor)


def _clean_reason(reason: str) -> str:
    return clean(reason, longest=MAX_REASON_LENGTH, field="reason") or "by the director's word"


def _submit_command(table: Table, command: Command, actor: Actor) -> None:
    with locks.for_official(table.round.championship, actor, "close") as (_locked, ref):
        round_ = locks.lock_round(table.round_id)
        if table.game_id is None:
            raise TournamentError("breaks/no_game", _("This table has not begun."))
        if round_.status != Round.Status.OPEN:
            raise TournamentError(
                "breaks/round_closed",
                round_or_session(
                    round_.championship,
                    _("Round %(round)s is closed: correct its results one by one."),
                    _("Session %(round)s is closed: correct its results one by one."),
                ),
                round=round_.number,
            )
        if isinstance(command, Resume) and ranking_basis.is_sealed_number_public(round_):
            raise TournamentError(
                "breaks/number_public",
                _("The sealed number is public: no result of round %(round)s can be new, only corrected."),
                round=round_.number,
            )
        if (
            isinstance(command, Resume)
            and table.mode == Game.Mode.DEALT
            and round_seed.is_revealed(round_.stream_id)
        ):
            raise TournamentError(
                "breaks/seed_public",
                _("The cards are public: nothing more is dealt from them."),
            )
        if isinstance(command, Resume) and _is_overtaken(table):
            raise TournamentError(
                "breaks/cards_shown",
                _("All tables play the same cards, and the deal at which this one stopped has been shown."),
            )
        submit(str(table.game_id), command, actor=ref, command_id=new_id())


def _is_overtaken(table: Table) -> bool:
    """Return whether all tables play the same cards, and a deal that this one has not finished is public."""
    if table.game is None or not same_cards.are_same(table.round.championship):
        return False
    shown = Game.objects.filter(tournament_table__round=table.round_id).aggregate(most=Max("deal"))["most"]
    now = delayed_broadcast.current_game(table.game)
    finished = now.deal if table.mode == Game.Mode.SHEET else now.deal - 1
    return (shown or 0) > finished
