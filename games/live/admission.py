"""What those who watch may see, asked for many at once: a few statements, however many they are."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.utils import timezone

from engine import Observer
from games import store
from games.errors import UnknownGame
from games.models import Access, Game
from games.projections.delayed_broadcast import now_of
from games.rights import access, identity
from games.rights.access import Granted
from games.rights.claims import SessionClaim

ROLE: Final = ("role", "seat", "tier", "ref", "opened_deal")
# Of the row of a game, in the order in which the model has them.
KNOWN: Final = (
    "id",
    "mode",
    "round_stream_id",
    "number",
    "seed_seq",
    "visibility",
    "hands_wait_deals",
    "hands_wait_minutes",
    "delay_minutes",
    "status",
    "ahead_seq",
    "ahead",
)
GAMES: Final = f"SELECT {', '.join(KNOWN)} FROM games_game WHERE id "  # noqa: S608 - names from above
SESSIONS: Final = """
SELECT session_key, session_data FROM django_session WHERE expire_date > %s AND session_key """
USERS: Final = "SELECT id, is_active, password FROM games_user WHERE id "
CODES: Final = """
SELECT id, game_id, role, seat, ref FROM games_tabletoken
WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %s) AND id """
AT_ONCE: Final = 500
"""As many parameters as each database takes in one statement."""


class Admission(NamedTuple):
    """Who was let in to what, and as whom he sees it. `looks_on`: he has no part in this game. `late`: he
    sees it as late as it is shown to everybody."""

    game: Game
    claim: SessionClaim
    observer: Observer
    looks_on: bool = False
    late: bool = False


def enter(asking: Sequence[tuple[str | None, str]]) -> list[Admission | None]:
    """For each (key of a session, id of a game) the entry; None where there is no such game for him."""
    claims = {key: identity.claim_of(key) for key, _ in asking}
    wanted = [(claims[key], game) for key, game in asking]
    found = _Found(wanted)
    return [found.entry(claim, game) for claim, game in wanted]


def lost(entries: Sequence[Admission]) -> list[bool]:
    """For each whether he may no longer see what he was let in to see."""
    found = _Found([(entry.claim, entry.game.id) for entry in entries])
    return [_is_lost(found, entry) for entry in entries]


def _is_lost(found: "_Found", entry: Admission) -> bool:
    claim = entry.claim
    if not found.holds(claim):
        claim = identity.claim_of(None if claim.session is None else claim.session.key)
        found = _Found([(claim, entry.game.id)])
    now = found.entry(claim, entry.game.id)
    return now is None or now.observer != entry.observer or (now.late and not entry.late)


class _Found:
    """What the database knows of some people and games; asked by hand, because every socket is asked for
    again and again."""

    def __init__(self, wanted: Sequence[tuple[SessionClaim, str]]) -> None:
        now = store.stored_moment(timezone.now())
        people = {claim.principal.user.pk for claim, _ in wanted if claim.principal.user is not None}
        codes = {claim.principal.token.pk for claim, _ in wanted if claim.principal.token is not None}
        sessions = {claim.session.row for claim, _ in wanted if claim.session is not None}
        self._games: dict[str, Game] = {
            row[0]: Game.from_db(None, KNOWN, row)
            for row in store.ask_among(GAMES, {game for _, game in wanted})
        }
        self._sessions: dict[str, str] = dict(store.ask_among(SESSIONS, sessions, now))
        self._users: dict[int, tuple[bool, str]] = {
            key: (bool(active), password)
            for key, active, password in store.ask_among(USERS, people, kind="bigint")
        }
        self._codes: dict[int, tuple[str, Granted]] = {
            key: (game, Granted(role, seat, "", ref, by_code=True))
            for key, game, role, seat, ref in store.ask_among(CODES, codes, now, kind="bigint")
        }
        self._roles: dict[tuple[int, str], list[Granted]] = {}
        self._observers: dict[tuple[str, tuple[Granted, ...]], Observer | None] = {}
        for some in _parts(people):
            rows = Access.objects.filter(user__in=some).order_by("pk")
            rows = rows.filter(game__in=self._games) if len(self._games) <= AT_ONCE else rows
            for user, game, *role in rows.values_list("user", "game", *ROLE):
                self._roles.setdefault((user, game), []).append(Granted(*role))

    def holds(self, claim: SessionClaim) -> bool:
        """Whether the session still says what it said."""
        session, user = claim.session, claim.principal.user
        if session is None:
            return True
        if self._sessions.get(session.row) != session.data:
            return False
        return user is None or self._users.get(user.pk) == (True, session.password)

    def entry(self, claim: SessionClaim, game_id: str) -> Admission | None:
        """As whom he sees the game now; None where he may not."""
        game, who = self._games.get(game_id), claim.principal
        if game is None:
            return None
        granted: list[Granted] = []
        code = None if who.token is None else self._codes.get(who.token.pk)
        if code is not None and code[0] == game_id:
            granted.append(code[1])
        if who.user is not None:
            granted += self._roles.get((who.user.pk, game_id), [])
        late = game.delay_minutes > 0 and not access.sees_now(granted)
        observer = self._observer(game, granted, late=late)
        return None if observer is None else Admission(game, claim, observer, not granted, late)

    def _observer(self, game: Game, granted: list[Granted], *, late: bool) -> Observer | None:
        key = (game.id, tuple(granted))
        if key not in self._observers:
            try:
                seen = game if late else now_of(game)
                self._observers[key] = access.live_observer_with(seen, granted)
            except UnknownGame:
                self._observers[key] = None
        return self._observers[key]


def _parts(keys: Iterable[Any]) -> Iterable[list[Any]]:
    known = list(keys)
    return (known[at : at + AT_ONCE] for at in range(0, len(known), AT_ONCE))
