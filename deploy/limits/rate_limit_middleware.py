"""How much one account, one code of a table, or everybody else at one address may ask for in a minute, across
all processes: generous to a hall of 400 phones behind one address, less for what costs much. Beyond it: 429
with Retry-After. Whoever is signed in or has a code is not stopped by what others at his address do; nginx in
front counts by session too, and all of an address together only from 1,000 a second on (deploy/nginx).
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

from deploy.limits import overload_responses
from deploy.limits.proxied import asks_from_here
from frontend import devices
from games.messaging.rate_limit import MOST_KEPT, Budget, address_of
from games.rights import tokens
from games.rights.tokens import is_guest
from tournaments.sandbox import running

AT_ONCE: Final = 10
"""Requests that a process counts before it tells the others: Redis is asked for one in ten."""


class BudgetPair(NamedTuple):
    """What one person may have of something, and all at one address together whom nobody knows."""

    person: Budget
    address: Budget


def share(name: str, person: int, address: int, seconds: int = 60) -> BudgetPair:
    return BudgetPair(
        Budget(f"{name}-person", most=person, seconds=seconds),
        Budget(f"{name}-address", most=address, seconds=seconds),
    )


ANY: Final = share("any", person=900, address=12_000)
"""A phone with four pages open asks some 60 times a minute; 400 phones that poll every 5 s do 4,800 times."""
SIGN_IN: Final = share("door-sign-in", person=60, address=2400)
CODES: Final = share("door-codes", person=120, address=3000)
"""400 phones that come in within a minute load a page and send a form, some of them twice."""
DOORS: Final = {"/sign-in/": SIGN_IN, "/t/": CODES, "/api/v1/table-session/": CODES}
"""Counted apart from all the rest, so that nobody stands outside because others ask for much."""
WHAT_IF: Final = share("what-if", person=60, address=1200)
EXPORT: Final = share("export", person=20, address=200)
GAME_LOG: Final = share("game-log", person=300, address=3000)
IMPORT: Final = share("import", person=30, address=60)
PHOTOS: Final = share("photos", person=60, address=2400)
COSTLY: Final = {
    "what_if": WHAT_IF,
    # A picture of each moment is another one, and takes a twentieth of a second to draw.
    "table_preview": share("picture", person=30, address=300),
    "standings_export": EXPORT,
    "championship_file": EXPORT,
    "championship_copy": EXPORT,
    # Asked for again and again until the job is done, and then sent as it lies in the database.
    "job_file": share("job-file", person=300, address=3000),
    "api_game_log": GAME_LOG,
    "game_notation": GAME_LOG,
    "entries_import": IMPORT,
    "table_photos": PHOTOS,
    # Whether a name signs in here is told to whoever may appoint it: a list of names is tried slowly.
    "official_appoint": share("appoint", person=30, address=60, seconds=3600),
    "championship_new": share("championship", person=30, address=60, seconds=3600),
}
FREE: Final = {"/readyz", "/metrics"}
"""For whoever supervises on this machine; others may not ask without end there either."""


class RequestCounts:
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
    """Counts each request that comes as far as Django, and again those that reach a view that costs much."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._counts = RequestCounts()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in FREE and asks_from_here(request):
            return self._get_response(request)
        token = running.asker.set(address_of(request))
        try:
            return self._refusal(request, DOORS.get(request.path_info, ANY)) or self._get_response(request)
        finally:
            running.asker.reset(token)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """None: go on."""
        costly = COSTLY.get((request.resolver_match and request.resolver_match.url_name) or "")
        return self._refusal(request, costly) if costly else None

    def _refusal(self, request: HttpRequest, share: BudgetPair) -> HttpResponse | None:
        person = _person(request)
        if share is SIGN_IN:
            person = person or devices.known(request)
        budget, who = (share.person, person) if person else (share.address, address_of(request))
        wait = self._counts.one_more(budget, who)
        if not wait:
            return None
        language = translation.get_language() or "en"
        return overload_responses.answer(request.path, language, overload_responses.TOO_MANY, wait)


def _person(request: HttpRequest) -> str:
    """One word for an account or a code; "" for nobody in particular, who may have a table against bots: else
    whoever opens many would have as many shares.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return ""
    account, code = request.session.get(SESSION_KEY), request.session.get(tokens.SESSION_KEY)
    if account:
        return f"user:{account}"
    return f"code:{code}" if code and not is_guest(request.session) else ""
