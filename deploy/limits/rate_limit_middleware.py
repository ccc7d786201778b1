"""Limits of requests per minute or hour in all processes together. Requests are counted by account or table
code, at sign-in by known device, and else by address. The limits suffice for a hall of 400 phones behind one
address, and are lower for costly pages. A request beyond them gets 429 with Retry-After. People with an
account or code are not limited by others at their address. nginx has further limits (deploy/nginx).
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
from deploy.limits.lanes import CODE_PATHS, SIGN_IN_PATHS
from deploy.limits.proxied import is_local_request
from frontend import devices
from games.messaging.rate_limit import MAX_KEPT, Budget, address_of
from games.rights import tokens
from games.rights.tokens import is_guest
from tournaments.sandbox import running

COUNTED_PER_REPORT: Final = 10
"""Largest number of requests that a process counts before it reports them to Redis; of a small budget it
counts a fiftieth.
"""


class BudgetPair(NamedTuple):
    """The budget of one person, and the budget that all unknown people at one address share."""

    person: Budget
    address: Budget


def make_budget_pair(name: str, person: int, address: int, seconds: int = 60) -> BudgetPair:
    return BudgetPair(
        Budget(f"{name}-person", most=person, seconds=seconds),
        Budget(f"{name}-address", most=address, seconds=seconds),
    )


DEFAULT_BUDGETS: Final = make_budget_pair("any", person=900, address=12_000)
"""Budgets of all paths but BUDGETS_BY_PATH. A phone with four open pages sends some 60 requests a minute; 400
phones that poll every 5 seconds send 4,800.
"""
SIGN_IN: Final = make_budget_pair("door-sign-in", person=60, address=2400)
CODES: Final = make_budget_pair("door-codes", person=120, address=3000)
"""Budgets of entering a code. If 400 phones enter within a minute, each loads a page and submits a form, some
of them twice.
"""
BUDGETS_BY_PATH: Final = dict.fromkeys(SIGN_IN_PATHS, SIGN_IN) | dict.fromkeys(CODE_PATHS, CODES)
"""Path → budgets, separate from all others, so that heavy use of other pages keeps nobody from signing in."""
WHAT_IF: Final = make_budget_pair("what-if", person=60, address=1200)
EXPORT: Final = make_budget_pair("export", person=20, address=200)
GAME_LOG: Final = make_budget_pair("game-log", person=300, address=3000)
IMPORT: Final = make_budget_pair("import", person=30, address=60)
PHOTOS: Final = make_budget_pair("photos", person=60, address=2400)
OWN_PAGES: Final = make_budget_pair("own-pages", person=60, address=1200)
BUDGETS_BY_VIEW: Final = {
    "what_if": WHAT_IF,
    # Each moment is a separate picture, which takes a twentieth of a second to draw.
    "table_preview": make_budget_pair("picture", person=30, address=300),
    "standings_export": EXPORT,
    "championship_file": EXPORT,
    "championship_copy": EXPORT,
    "series_file": EXPORT,
    # Polled until the job is done, and then sent as stored in the database.
    "job_file": make_budget_pair("job-file", person=300, address=3000),
    "api_game_log": GAME_LOG,
    "game_notation": GAME_LOG,
    "entries_import": IMPORT,
    "table_photos": PHOTOS,
    "club_images": IMPORT,
    # Opened by an unguessable link: a hall behind one address reads them, a program does not search them.
    "enter_oneself": OWN_PAGES,
    "own_entry": OWN_PAGES,
    "invitation": OWN_PAGES,
    "password_reset": OWN_PAGES,
    "own_bill": make_budget_pair("own-bill", person=30, address=300),
    # Officials who appoint learn whether an account exists, so lists of names must be slow.
    "official_appoint": make_budget_pair("appoint", person=30, address=60, seconds=3600),
    "championship_new": make_budget_pair("championship", person=30, address=60, seconds=3600),
}
UNLIMITED_PATHS: Final = {"/readyz", "/metrics"}
"""Paths without a limit for supervisors on this machine; other clients are limited at these paths too."""


class RequestCounts:
    """The counts of this process that are not reported yet, and the clients that are refused for a while."""

    def __init__(self) -> None:
        self._unreported: Counter[tuple[str, str]] = Counter()
        self._refused_until: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()

    def count_request(self, budget: Budget, who: str) -> int:
        """Count a request of the client `who`. Return the seconds to wait; 0 while no limit is known to be
        exceeded.
        """
        key, now = (budget.name, who), monotonic()
        step = max(1, min(COUNTED_PER_REPORT, budget.most // 50))
        with self._lock:
            if self._refused_until.get(key, 0.0) > now:
                return max(1, round(self._refused_until[key] - now))
            self._unreported[key] += 1
            if self._unreported[key] < step:
                return 0
            count = self._unreported.pop(key)
            if len(self._unreported) > MAX_KEPT:
                self._unreported.clear()
        wait = budget.spend(who, count=count)
        with self._lock:
            if len(self._refused_until) > MAX_KEPT:
                self._refused_until.clear()
            if wait:
                self._refused_until[key] = now + wait
            else:
                self._refused_until.pop(key, None)
        return wait


class RateLimitMiddleware:
    """Middleware that counts and limits requests. Requests for costly views also count against a second,
    lower limit.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._counts = RequestCounts()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in UNLIMITED_PATHS and is_local_request(request):
            return self._get_response(request)
        token = running.asker.set(address_of(request))
        try:
            return self._refusal(
                request, BUDGETS_BY_PATH.get(request.path_info, DEFAULT_BUDGETS)
            ) or self._get_response(request)
        finally:
            running.asker.reset(token)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Return the refusal of a request for a costly view; None within its limit and for other views."""
        costly = BUDGETS_BY_VIEW.get((request.resolver_match and request.resolver_match.url_name) or "")
        return self._refusal(request, costly) if costly else None

    def _refusal(self, request: HttpRequest, share: BudgetPair) -> HttpResponse | None:
        person = _person_key(request)
        if share is SIGN_IN:
            person = person or devices.device_key(request)
        budget, who = (share.person, person) if person else (share.address, address_of(request))
        wait = self._counts.count_request(budget, who)
        if not wait:
            return None
        language = translation.get_language() or "en"
        return overload_responses.make_overload_response(
            request.path, language, overload_responses.TOO_MANY, wait
        )


def _person_key(request: HttpRequest) -> str:
    """Return the key of an account or code; "" for anonymous people. People at a guest table count as
    anonymous, because many guest tables would otherwise multiply the budget.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return ""
    account, code = request.session.get(SESSION_KEY), request.session.get(tokens.SESSION_KEY)
    if account:
        return f"user:{account}"
    return f"code:{code}" if code and not is_guest(request.session) else ""
