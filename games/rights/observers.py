"""The right to see: the games that a principal may see, and the observer with which the principal sees each.
Every display of a game checks this right here. `games.observed.observed_game` then shows what the observer
sees; `games.rights.claims` decides which commands a principal may send.

A principal is a person who has signed in, a session opened by a table token, both, or an anonymous visitor.
Roles come from `Access` rows and from the token. At a dealt table a seat outweighs every other role: its
player sees what a player sees.
"""

from collections.abc import Iterable

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Exists, OuterRef, Q, QuerySet

from engine import Observer
from games.errors import UnknownGame
from games.models import Access, Game, User
from games.models.accounts import Role, Tier
from games.projections import delayed_broadcast
from games.rights import delayed_hands, tokens
from games.rights.claims import Granted, Principal, Who, roles, to_principal

OFFICES = frozenset({Role.REFEREE, Role.DIRECTOR})


def build_principal(user: object, session: SessionBase) -> Principal:
    """Return the principal of a request or a socket. `user`: AnonymousUser if nobody has signed in.
    `session`: may hold a table token.
    """
    known = user if isinstance(user, User) and user.is_active else None
    return Principal(known, tokens.of_session(session))


def list_visible_games(who: Who) -> QuerySet[Game]:
    """Return the games whose existence this principal may know."""
    principal = to_principal(who)
    visible = ~Q(visibility=Game.Visibility.PRIVATE)
    if principal.user is not None:
        mine = Access.objects.filter(game=OuterRef("pk"), user=principal.user)
        visible |= Q(Exists(mine))
    if principal.token is not None:
        visible |= Q(pk=principal.token.game_id)
    return Game.objects.filter(visible)


def find_visible_game(who: Who, game_id: str) -> Game:
    """Return the game, if this principal may know of it: in its current state if the principal has a part in
    it, otherwise in its public state. Raises UnknownGame, also for a game that exists but is hidden from the
    principal.
    """
    game = list_visible_games(who).filter(pk=game_id).first()
    if game is None:
        raise UnknownGame("there is no such game", game=game_id)
    return to_visible_state(game, who)


def to_visible_state(game: Game, who: Who) -> Game:
    """Return the game in the state that this principal sees: the current or the public one. At most one
    query, none for a game without delay.
    """
    if game.delay_minutes and sees_undelayed(roles(game, who)):
        return delayed_broadcast.current_game(game)
    return game


def sees_undelayed(granted: Iterable[Granted]) -> bool:
    """Return whether any of these roles is a part in the game: a seat, or the right to write, rule or direct.
    Other observers see a delayed game late.
    """
    return any(role.role != Role.SPECTATOR for role in granted)


def find_observer(game: Game, who: Who) -> Observer:
    """Return the observer with which a principal sees the game. Raises UnknownGame if they may not see it at
    all.
    """
    return find_observer_by_roles(game, roles(game, who))


def find_observer_by_roles(game: Game, granted: list[Granted]) -> Observer:
    """Return the observer with which a principal with these roles sees the game. Raises UnknownGame if they
    may not see it at all.
    """
    seats = [role.seat for role in granted if role.role == Role.SEAT and role.seat is not None]
    if seats and game.mode == Game.Mode.DEALT:
        return Observer.seat(seats[0])
    if any(_sees_all(game, role) for role in granted):
        return Observer.referee()
    if game.mode != Game.Mode.DEALT and (seats or any(role.role == Role.SCORER for role in granted)):
        # Hands on paper tables are stored only because they were written down for everyone to see.
        return Observer.referee()
    if not granted and game.visibility == Game.Visibility.PRIVATE:
        raise UnknownGame("there is no such game", game=game.pk)
    if any(role.tier == Tier.AFTER_DEAL or role.role in OFFICES for role in granted):
        opened = [role.opened_deal for role in granted if role.opened_deal is not None]
        return Observer.spectator("after_deal", opened=max(opened, default=None))
    if game.visibility == Game.Visibility.AFTER_DEAL:
        return Observer.spectator("after_deal", delayed_hands.count_hidden_deals(game))
    return Observer.spectator()


def find_live_observer(game: Game, granted: list[Granted]) -> Observer:
    """Return the observer for the frames of a socket. Raises UnknownGame like `find_observer_by_roles`.

    Hands that become visible only some time after their deal are not sent in frames; clients request them.
    """
    observer = find_observer_by_roles(game, granted)
    later = observer.tier == "after_deal" and delayed_hands.may_hide_hands(game)
    return observer._replace(tier="played", behind=0) if later else observer


def _sees_all(game: Game, role: Granted) -> bool:
    """Return whether a role lets an official see every hand. At a dealt table this is so only after the game.
    Before, the official sees the cards that open after each deal, and the deal whose hidden cards they have
    opened.
    """
    return role.role in OFFICES and (game.mode != Game.Mode.DEALT or delayed_hands.is_game_final(game))
