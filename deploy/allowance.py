"""How much one account, one code of a table, or everybody else at one address may ask for in a minute, across
all processes: generous to a hall of 400 phones behind one address, less for what costs much. Beyond it: 429
with Retry-After. Whoever is signed in or has a code is not stopped by what others at his address do.
"""

import threading
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from deploy import turning_away
from games import tokens
from games.budgets import MOST_KEPT, Budget, address_of

AT_ONCE: Final = 10
"""Requests that a process counts before it tells the others: Redis is asked for one in ten."""


class Share(NamedTuple):
    """What one person may have of something, and all at one address together whom nobody knows."""

    person: Budget
    address: Budget


def share(name: str, person: int, address: int, seconds: int = 60) -> Share:
    return Share(
        Budget(f"{name}-person", most=person, seconds=seconds),
        Budget(f"{name}-address", most=address, seconds=seconds),
    )


ANY: Final = share("any", person=900, address=12_000)
"""A phone with four pages open asks some 60 times a minute; 400 phones that poll every 5 s do 4,800 times."""
WHAT_IF: Final = share("what-if", person=60, address=1200)
EXPORT: Final = share("export", person=20, address=200)
IMPORT: Final = share("import", person=30, address=60)
COSTLY: Final = {
    "what_if": WHAT_IF,
    "standings_export": EXPORT,
    "championship_file": EXPORT,
    "job_file": EXPORT,
    "api_game_log": share("game-log", person=300, address=3000),
    "entries_import": IMPORT,
    "championship_new": share("championship", person=30, address=60, seconds=3600),
}
FREE: Final = {"readyz", "metrics"}


class Counts:
    """Whom this process has counted and not told yet, and whom it need not ask about for a while."""

    def __init__(self) -> None:
        self._untold: Counter[tuple[str, str]] = Counter()
        self._out: dict[tuple[str, str], float] = {}
        self._counting = threading.Lock()

    def one_more(self, budget: Budget, who: str) -> int:
        """How many seconds to wait; 0: go on."""
        key, now = (budget.name, who), monotonic()
        step = max(1, min(AT_ONCE, budget.most // 50))
        with self._counting:
            if self._out.get(key, 0.0) > now:
                return max(1, round(self._out[key] - now))
            self._untold[key] += 1
            if self._untold[key] < step:
                return 0
            count = self._untold.pop(key)
            if len(self._untold) > MOST_KEPT:
                self._untold.clear()
        wait = budget.spend(who, count=count)
        with self._counting:
            if len(self._out) > MOST_KEPT:
                self._out.clear()
            if wait:
                self._out[key] = now + wait
            else:
                self._out.pop(key, None)
        return wait


class Allowance:
    """Counts each request that reaches a view."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._counts = Counts()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """None: go on."""
        name = request.resolver_match.url_name if request.resolver_match else ""
        if name in FREE:
            return None
        person, address = _person(request), address_of(request)
        for each in filter(None, (ANY, COSTLY.get(name or ""))):
            budget, who = (each.person, person) if person else (each.address, address)
            if wait := self._counts.one_more(budget, who):
                language = translation.get_language() or "en"
                return turning_away.answer(request.path, language, turning_away.TOO_MANY, wait)
        return None


def _person(request: HttpRequest) -> str:
    """One word for an account or a code; "" for nobody in particular."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return ""
    account, code = request.session.get(SESSION_KEY), request.session.get(tokens.SESSION_KEY)
    return f"user:{account}" if account else f"code:{code}" if code else ""
