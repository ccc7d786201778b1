"""Opening the hidden cards of a running deal to an official. The act is an event that the players see.

Without it officials see a dealt table like spectators do, after each deal. Hands are opened for one deal
only; the next deal is hidden again. The deal is stored in the official's `games.models.Access` rows, so that
pages, sockets and exports show its cards at once.
"""

from django.utils.translation import gettext_lazy as _

from games import game_state
from games.appending import record
from games.models import Access, Game, TableToken, User
from games.models.accounts import Role
from games.projections import delayed_broadcast
from games.randomness import round_seed
from games.rights import claims, observers
from games.rights.claims import Principal, Who
from tournaments.errors import NotAllowed, TournamentError
from tournaments.events import HiddenCardsOpened
from tournaments.models import OpenedHands, Table
from tournaments.names import clean
from tournaments.permissions import require
from tournaments.services import locks
from tournaments.services.referee.disputes import MAX_TEXT_LENGTH
from tournaments.services.seats import same_cards


def open_hand(
    table: Table, *, actor: User, deal: int, reason: str, token: TableToken | None = None
) -> OpenedHands:
    """Open the hidden cards of the running deal to an official, and return the record of it. Idempotent.

    `token`: seat token of the official's session. Raises NotAllowed; TournamentError `hands/nothing_hidden`
    if there is nothing to open, `hands/deal_over` if another deal is running.
    """
    championship = table.round.championship
    ref = require(actor, "look", championship)
    reason = clean(reason, longest=MAX_TEXT_LENGTH, field="reason", needed=True)
    with locks.locked_for(championship, actor, "look"):
        game = table.game
        running = find_running_deal(game) if game is not None else None
        if game is None or running is None:
            raise TournamentError("hands/nothing_hidden", _("Nothing is hidden at this table."))
        if running != deal:
            raise TournamentError(
                "hands/deal_over",
                _("Deal %(deal)s is over. Open the cards of deal %(running)s separately."),
                deal=deal,
                running=running,
            )
        mine = Access.objects.filter(game=game, user=actor)
        if any(role.role == Role.SEAT for role in claims.roles(game, Principal(actor, token))):
            raise NotAllowed("hands/own_table", _("Nobody may look at hidden cards at their own table."))
        if same_cards.plays_now(actor, table.round):
            raise NotAllowed(
                "hands/same_cards", _("Nobody may look at hidden cards that they play themselves.")
            )
        mine.filter(role__in=observers.OFFICES).update(opened_deal=deal)
        known = OpenedHands.objects.filter(table=table, ref=ref, deal=deal).first()
        if known is not None:
            return known
        game.refresh_from_db()
        opened = OpenedHands.objects.create(
            table=table,
            opened_by=actor,
            ref=ref,
            deal=deal,
            seq=delayed_broadcast.current_game(game).head_seq,
            reason=reason,
        )
        event = HiddenCardsOpened(game=game.pk, table=table.number, deal=deal, seq=opened.seq, reason=reason)
        record(table.round.stream_id, event, actor=ref)
    return opened


def find_hidden_deal(game: Game, user: Who) -> int | None:
    """Return the number of the running deal whose cards this user does not see, but can open as an official.
    None if there is none.
    """
    deal = find_running_deal(game)
    if deal is None:
        return None
    roles = claims.roles(game, user)
    if observers.find_observer_by_roles(game, roles).sees_deal(deal):
        return None
    offices = {role.role for role in roles}
    return None if Role.SEAT in offices or observers.OFFICES.isdisjoint(offices) else deal


def find_running_deal(game: Game) -> int | None:
    """Return the number of the running deal of a dealt table, None if there is none.

    A deal that was broken off is returned too if it can be resumed.
    """
    if game.mode != Game.Mode.DEALT:
        return None
    state = game_state.load_snapshot(game.pk).state
    for_good = state.closed and round_seed.is_revealed(game.round_stream_id, game.seed_seq)
    return state.deal if state.dealing and not for_good else None
