"""Who may see which game, what of it, and send which commands. Everything that shows or changes a game asks
here.

A principal is a person who has signed in, a session opened by a table token, or nobody in particular. His
roles come from `Access` rows and from the token. A seat at the table outweighs everything else one may be:
who plays sees what a player sees, and does not rule on his own game.
"""

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Exists, OuterRef, Q, QuerySet

from engine import Command, Observer
from engine.commands import NAMES
from games.errors import Forbidden, UnknownGame
from games.models import Access, Game, TableToken, User
from games.models.people import Role, Tier
from games.rights import delayed_hands, tokens

SERVER_ONLY = frozenset({"start", "resume"})
OFFICES = frozenset({Role.REFEREE, Role.DIRECTOR})
SHEET_COMMANDS = frozenset({"enter_result", "correct_result", "confirm_result"})


class Principal(msgspec.Struct, frozen=True):
    """Who asks: a person, the holder of a table token, both or neither."""

    user: User | None = None
    token: TableToken | None = None


class Granted(msgspec.Struct, frozen=True):
    """One role at one table and how the log calls whoever acts in it."""

    role: str
    seat: int | None
    tier: str
    ref: str
    opened_deal: int | None = None
    by_code: bool = False
    """By a code of the table, and not by an office."""


NOBODY = Principal()
Who = Principal | User | AnonymousUser | TableToken


def principal_of(user: object, session: SessionBase) -> Principal:
    """The principal of a request or a socket: its `user` (AnonymousUser for nobody) and its session."""
    known = user if isinstance(user, User) and user.is_active else None
    return Principal(known, tokens.of_session(session))


def visible_to(who: Who) -> QuerySet[Game]:
    """The games this principal may know of at all."""
    principal = _principal(who)
    visible = ~Q(visibility=Game.Visibility.PRIVATE)
    if principal.user is not None:
        mine = Access.objects.filter(game=OuterRef("pk"), user=principal.user)
        visible |= Q(Exists(mine))
    if principal.token is not None:
        visible |= Q(pk=principal.token.game_id)
    return Game.objects.filter(visible)


def game_for(who: Who, game_id: str) -> Game:
    """The game, if this principal may know of it. Raises UnknownGame, whether it exists or not."""
    game = visible_to(who).filter(pk=game_id).first()
    if game is None:
        raise UnknownGame("there is no such game", game=game_id)
    return game


def roles(game: Game, who: Who) -> list[Granted]:
    """All roles of a principal at a table."""
    principal = _principal(who)
    granted = []
    if principal.token is not None and principal.token.game_id == game.pk:
        token = principal.token
        granted.append(Granted(token.role, token.seat, "", token.ref, by_code=True))
    if principal.user is not None:
        rows = Access.objects.filter(game=game, user=principal.user).order_by("pk")
        granted += [Granted(row.role, row.seat, row.tier, row.ref, row.opened_deal) for row in rows]
    return granted


def observer_for(game: Game, who: Who) -> Observer:
    """As whom a principal sees the game. Raises UnknownGame where he may not see it at all."""
    return observer_with(game, roles(game, who))


def observer_with(game: Game, granted: list[Granted]) -> Observer:
    """The same, for roles that are known."""
    seats = [role.seat for role in granted if role.role == Role.SEAT and role.seat is not None]
    if seats and game.mode == Game.Mode.DEALT:
        return Observer.seat(seats[0])
    if any(_sees_all(game, role) for role in granted):
        return Observer.referee()
    if game.mode != Game.Mode.DEALT and (seats or any(role.role == Role.SCORER for role in granted)):
        # Cards that people hold in their hands are here only because they were written down for all to see.
        return Observer.referee()
    if not granted and game.visibility == Game.Visibility.PRIVATE:
        raise UnknownGame("there is no such game", game=game.pk)
    if any(role.tier == Tier.AFTER_DEAL or role.role in OFFICES for role in granted):
        opened = [role.opened_deal for role in granted if role.opened_deal is not None]
        return Observer.spectator("after_deal", opened=max(opened, default=None))
    if game.visibility == Game.Visibility.AFTER_DEAL:
        return Observer.spectator("after_deal", delayed_hands.deals_behind(game))
    return Observer.spectator()


def live_observer_for(game: Game, who: Who) -> Observer:
    """As whom a principal sees the game as it goes on: hands that open later are looked up, not streamed."""
    return live_observer_with(game, roles(game, who))


def live_observer_with(game: Game, granted: list[Granted]) -> Observer:
    """The same, for roles that are known."""
    observer = observer_with(game, granted)
    later = observer.tier == "after_deal" and delayed_hands.waits(game)
    return observer._replace(tier="played", behind=0) if later else observer


def authorise(game: Game, who: Who, command: Command) -> str:
    """The reference under which the log records this principal as the sender of this command.

    Raises Forbidden (`access/…`) where it is not his to send.
    """
    return authorised(game.mode, roles(game, who), command)


def authorised(mode: str, granted: list[Granted], command: Command) -> str:
    """The same, for roles that are known."""
    name = NAMES[type(command)]
    if not granted:
        raise Forbidden("you have no part in this game", code="access/no_role")
    if name == "rule":
        return _officer(granted, Role.REFEREE)
    if name == "close":
        return _officer(granted, Role.DIRECTOR)
    by_office = name in SHEET_COMMANDS and getattr(command, "reason", None) is not None
    if name in SERVER_ONLY or by_office or (name == "deal" and mode == Game.Mode.DEALT):
        raise Forbidden(f"{name} is not sent by people", code="access/server_only", command=name)
    if mode != Game.Mode.DEALT:
        scorer = _first(granted, Role.SCORER)
        if scorer is not None and _writes_for(scorer, name, command):
            return scorer.ref
    if name in ("deal", "take_back"):
        raise Forbidden("the scorer writes down the deal", code="access/not_the_scorer", command=name)
    seat = getattr(command, "seat", None)
    if name in SHEET_COMMANDS and seat is None:
        raise Forbidden("only the desk writes without a seat", code="access/not_the_desk", command=name)
    for role in granted:
        if role.role == Role.SEAT and role.seat == seat:
            return role.ref
    if any(role.role == Role.SEAT for role in granted):
        raise Forbidden("this is not your seat", code="access/not_your_seat", seat=seat)
    if name in SHEET_COMMANDS and _first(granted, Role.SCORER) is not None:
        raise Forbidden(
            "who has an office signs for nobody at the table", code="access/signs_for_nobody", seat=seat
        )
    raise Forbidden(f"{name} is not yours to send", code="access/wrong_role", command=name)


def _sees_all(game: Game, role: Granted) -> bool:
    """Whether an office opens every hand: at a dealt table only when the game is over. Until then it sees
    what is seen after each deal, and the one deal that it has opened by an event."""
    is_on = game.status not in (Game.Status.ENDED, Game.Status.CLOSED)
    return role.role in OFFICES and not (is_on and game.mode == Game.Mode.DEALT)


def _writes_for(scorer: Granted, name: str, command: Command) -> bool:
    """On a sheet each side signs: a scorer who is given a seat signs for it alone, one of the whole table for
    any of them. Who has an office sits nowhere: he writes as the desk, and signs for nobody."""
    if name not in SHEET_COMMANDS:
        return True
    seat = getattr(command, "seat", None)
    if scorer.seat is not None:
        return bool(seat == scorer.seat)
    return (seat is not None) == scorer.by_code


def _officer(granted: list[Granted], role: Role) -> str:
    found = _first(granted, role)
    if found is None:
        raise Forbidden(f"only a {role} may do that", code="access/wrong_role", role=str(role))
    if role == Role.REFEREE and any(other.role == Role.SEAT for other in granted):
        raise Forbidden("nobody rules on his own game", code="access/own_table")
    return found.ref


def _first(granted: list[Granted], wanted: Role) -> Granted | None:
    return next((role for role in granted if role.role == wanted), None)


def _principal(who: Who) -> Principal:
    if isinstance(who, Principal):
        return who
    if isinstance(who, TableToken):
        return Principal(token=who)
    return Principal(user=who) if isinstance(who, User) else NOBODY
