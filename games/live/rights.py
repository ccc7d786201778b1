"""What those who watch may see, asked for many at once: a few statements, however many they are."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.sessions.models import Session as Stored
from django.utils import timezone

from engine import Observer
from games import access, tokens
from games.access import Granted
from games.claims import Claim
from games.errors import UnknownGame
from games.live import identity
from games.models import Access, Game, TableToken, User

ROLE: Final = ("role", "seat", "tier", "ref", "opened_deal")
AT_ONCE: Final = 500
"""As many parameters as each database takes in one statement."""


class Entry(NamedTuple):
    """Who was let in to what, and as whom he sees it."""

    game: Game
    claim: Claim
    observer: Observer


def enter(asking: Sequence[tuple[str | None, str]]) -> list[Entry | None]:
    """For each (key of a session, id of a game) the entry; None where there is no such game for him."""
    claims = {key: identity.claim_of(key) for key, _ in asking}
    wanted = [(claims[key], game) for key, game in asking]
    found = _Found(wanted)
    return [found.entry(claim, game) for claim, game in wanted]


def lost(entries: Sequence[Entry]) -> list[bool]:
    """For each whether he may no longer see what he was let in to see."""
    found = _Found([(entry.claim, entry.game.id) for entry in entries])
    return [_is_lost(found, entry) for entry in entries]


def _is_lost(found: "_Found", entry: Entry) -> bool:
    claim = entry.claim
    if not found.holds(claim):
        claim = identity.claim_of(None if claim.session is None else claim.session.key)
        found = _Found([(claim, entry.game.id)])
    now = found.entry(claim, entry.game.id)
    return now is None or now.observer != entry.observer


class _Found:
    """What the database knows of some people and games."""

    def __init__(self, wanted: Sequence[tuple[Claim, str]]) -> None:
        people = {claim.principal.user.pk for claim, _ in wanted if claim.principal.user is not None}
        games = {game for _, game in wanted}
        self._games: dict[str, Game] = _by_key(Game.objects, games)
        self._users: dict[int, tuple[bool, str]] = {
            key: (active, password)
            for some in _parts(people)
            for key, active, password in User.objects.filter(pk__in=some).values_list(
                "pk", "is_active", "password"
            )
        }
        codes = {claim.principal.token.pk for claim, _ in wanted if claim.principal.token is not None}
        self._codes: dict[int, TableToken] = _by_key(tokens.valid_at(games), codes)
        self._sessions = _sessions({claim.session.row for claim, _ in wanted if claim.session is not None})
        self._roles: dict[tuple[int, str], list[Granted]] = {}
        self._observers: dict[tuple[str, tuple[Granted, ...]], Observer | None] = {}
        for some in _parts(people):
            rows = Access.objects.filter(user__in=some).order_by("pk")
            rows = rows.filter(game__in=games) if len(games) <= AT_ONCE else rows
            for user, game, *role in rows.values_list("user", "game", *ROLE):
                self._roles.setdefault((user, game), []).append(Granted(*role))

    def holds(self, claim: Claim) -> bool:
        """Whether the session still says what it said."""
        session, user = claim.session, claim.principal.user
        if session is None:
            return True
        if self._sessions.get(session.row) != session.data:
            return False
        return user is None or self._users.get(user.pk) == (True, session.password)

    def entry(self, claim: Claim, game_id: str) -> Entry | None:
        """As whom he sees the game now; None where he may not."""
        game, who = self._games.get(game_id), claim.principal
        if game is None:
            return None
        granted: list[Granted] = []
        code = None if who.token is None else self._codes.get(who.token.pk)
        if code is not None and code.game_id == game_id:
            granted.append(Granted(code.role, code.seat, "", code.ref))
        if who.user is not None:
            granted += self._roles.get((who.user.pk, game_id), [])
        observer = self._observer(game, granted)
        return None if observer is None else Entry(game, claim, observer)

    def _observer(self, game: Game, granted: list[Granted]) -> Observer | None:
        key = (game.id, tuple(granted))
        if key not in self._observers:
            try:
                self._observers[key] = access.live_observer_with(game, granted)
            except UnknownGame:
                self._observers[key] = None
        return self._observers[key]


def _by_key(rows: Any, keys: Iterable[Any]) -> dict[Any, Any]:
    return {row.pk: row for some in _parts(keys) for row in rows.filter(pk__in=some)}


def _sessions(keys: set[str]) -> dict[str, str]:
    rows = Stored.objects.filter(expire_date__gt=timezone.now())
    found: dict[str, str] = {}
    for some in _parts(keys):
        found.update(rows.filter(session_key__in=some).values_list("session_key", "session_data"))
    return found


def _parts(keys: Iterable[Any]) -> Iterable[list[Any]]:
    known = list(keys)
    return (known[at : at + AT_ONCE] for at in range(0, len(known), AT_ONCE))
