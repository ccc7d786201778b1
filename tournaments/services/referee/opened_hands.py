"""An official's look at the hidden cards of a deal while it is played: an event, said to the players.

Until he opens them an official sees a dealt table as people see it who watch after each deal. A look is at
one deal: it stands in his `games.Access` rows, so every page, socket and export follows at once, and the next
deal is closed to him as to everybody.
"""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import game_state
from games.appending import record
from games.models import Access, Game, TableToken, User
from games.models.people import Role
from games.projections import delayed_broadcast
from games.randomness import round_seed
from games.rights import access
from games.rights.access import Principal, Who
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import HiddenCardsOpened
from tournaments.models import OpenedHands, Table
from tournaments.names import clean
from tournaments.permissions import require
from tournaments.services import locks
from tournaments.services.referee.disputes import MAX_TEXT_LENGTH


def open_hand(
    table: Table, *, actor: User, deal: int, reason: str, token: TableToken | None = None
) -> OpenedHands:
    """Open the hidden cards of the deal that is played to one official. Twice is once. `token`: the code by
    which his session sits somewhere.

    Raises NotAllowed; TournamentError `hands/nothing_hidden` where there is nothing to open,
    `hands/deal_over` where another deal is played by now.
    """
    championship = table.round.championship
    ref = require(actor, "look", championship)
    reason = clean(reason, longest=MAX_TEXT_LENGTH, field="reason", needed=True)
    with transaction.atomic():
        locks.require_official(championship, actor, "look")
        game = table.game
        running = running_deal(game) if game is not None else None
        if game is None or running is None:
            raise TournamentError("hands/nothing_hidden", _("Nothing is hidden at this table."))
        if running != deal:
            raise TournamentError(
                "hands/deal_over",
                _("Deal %(deal)s is over. The cards of deal %(running)s are opened by a look of their own."),
                deal=deal,
                running=running,
            )
        mine = Access.objects.filter(game=game, user=actor)
        if any(role.role == Role.SEAT for role in access.roles(game, Principal(actor, token))):
            raise NotAllowed("hands/own_table", _("Nobody looks at hidden cards at his own table."))
        mine.filter(role__in=access.OFFICES).update(opened_deal=deal)
        known = OpenedHands.objects.filter(table=table, ref=ref, deal=deal).first()
        if known is not None:
            return known
        game.refresh_from_db()
        made = OpenedHands.objects.create(
            table=table,
            opened_by=actor,
            ref=ref,
            deal=deal,
            seq=delayed_broadcast.now_of(game).head_seq,
            reason=reason,
        )
        event = HiddenCardsOpened(game=game.pk, table=table.number, deal=deal, seq=made.seq, reason=reason)
        record(table.round.stream_id, event, actor=ref)
    return made


def hidden_deal(game: Game, user: Who) -> int | None:
    """The deal whose hidden cards this official would have to open to see them; None where there is none."""
    deal = running_deal(game)
    if deal is None or access.observer_for(game, user).sees_deal(deal):
        return None
    offices = {role.role for role in access.roles(game, user)}
    return None if Role.SEAT in offices or access.OFFICES.isdisjoint(offices) else deal


def running_deal(game: Game) -> int | None:
    """The deal that is played at a table where the server deals, or may be played on where it was broken
    off."""
    if game.mode != Game.Mode.DEALT:
        return None
    state = game_state.at(game.pk).state
    for_good = state.closed and round_seed.is_revealed(game.round_stream_id, game.seed_seq)
    return state.deal if state.dealing and not for_good else None
