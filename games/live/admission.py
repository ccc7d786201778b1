"""Admission of many sockets at once. They share the SQL that reads games and roles."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import Observer
from games.errors import UnknownGame
from games.models import Game
from games.projections.delayed_broadcast import current_game
from games.rights import claims, identity, observers
from games.rights.claims import Granted, SessionClaim
from games.store import queries


class Admission(NamedTuple):
    """A claim that is admitted to a game. `observer`: the view that it gets. `looks_on`: the claim has no
    role in the game. `late`: it gets the game with the delay of the public view.
    """

    game: Game
    claim: SessionClaim
    observer: Observer
    looks_on: bool = False
    late: bool = False


def admit_sessions(requests: Sequence[tuple[str | None, str]]) -> list[Admission | None]:
    """Return an admission for each (session key, game id); None if the game does not exist or the session may
    not see it.
    """
    claims_by_key = {key: identity.load_claim(key) for key in {key for key, _ in requests}}
    return _admit_claims([(claims_by_key[key], game) for key, game in requests])


def find_revoked(admissions: Sequence[Admission]) -> list[bool]:
    """Return for each admission whether its socket must be closed, because its claim now gets another
    observer, a delay or no admission.
    """
    renewed = _admit_claims([(old.claim, old.game.id) for old in admissions])
    return [
        new is None or new.observer != old.observer or (new.late and not old.late)
        for old, new in zip(admissions, renewed, strict=True)
    ]


def _admit_claims(wanted: Sequence[tuple[SessionClaim, str]]) -> list[Admission | None]:
    games = queries.load_watched({game for _, game in wanted})
    known = _Observers()
    return [
        None if granted is None or game_id not in games else known.admit(games[game_id], claim, granted)
        for claim, game_id, granted in _load_roles(wanted)
    ]


def _load_roles(
    wanted: Sequence[tuple[SessionClaim, str]],
) -> list[tuple[SessionClaim, str, list[Granted] | None]]:
    """Return (claim, game id, roles) for each pair; roles None: the session is gone. A session that has
    changed is read again, once.
    """
    known = claims.load_roles(wanted)
    again = {
        number: (identity.load_claim(claim.session.key), game)
        for number, ((claim, game), granted) in enumerate(zip(wanted, known, strict=True))
        if granted is None and claim.session is not None
    }
    renewed = dict(zip(again, claims.load_roles(list(again.values())), strict=True))
    return [
        (*again.get(number, asked), renewed.get(number, granted))
        for number, (asked, granted) in enumerate(zip(wanted, known, strict=True))
    ]


class _Observers:
    """Cache of observers by game and roles, since many sockets share one observer."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[Granted, ...]], Observer | None] = {}

    def admit(self, game: Game, claim: SessionClaim, granted: list[Granted]) -> Admission | None:
        """Return the admission of a claim with the roles `granted`; None if these roles may not see the
        game.
        """
        late = game.delay_minutes > 0 and not observers.sees_undelayed(granted)
        key = (game.id, tuple(granted))
        if key not in self._known:
            self._known[key] = _live_observer(game if late else current_game(game), granted)
        observer = self._known[key]
        return None if observer is None else Admission(game, claim, observer, not granted, late)


def _live_observer(game: Game, granted: list[Granted]) -> Observer | None:
    try:
        return observers.find_live_observer(game, granted)
    except UnknownGame:
        return None
