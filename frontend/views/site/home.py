"""/: Running, coming and finished championships, and the clubs."""

import hashlib
from time import time

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from frontend.fragment_cache import ANYBODY, get_or_make_fragment
from frontend.presenters.regulations.rules import list_games
from frontend.presenters.site.home import build_home_page
from frontend.views.championship_context import SHARED, is_partial_request
from frontend.views.numbers import parse_bounded
from games.guests import find_own_table
from games.models import User
from tournaments.accounts.invitations import offers_to
from tournaments.clubs.public import clubs_of
from tournaments.models import Championship, Entry, Official, Round
from tournaments.services.championships.championships import may_found
from tournaments.services.current_regulations import with_regulations
from tournaments.services.people.entry_persons import refer_to_person

CLUBS = 60
"""Largest number of clubs listed."""
CHAMPIONSHIPS_PER_PAGE = 30
"""Largest number of finished championships on a page."""
MAX_QUERY_LENGTH = 40


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Render the home page, with private championships only for their officials and entered people.
    `?page=2`: the next finished ones; `?q=`: championships of any status with this text in the name;
    `?archived=1`: archived ones.
    """
    shown = _visible_championships(request)
    archived = request.GET.get("archived") == "1"
    query = request.GET.get("q", "").strip()[:MAX_QUERY_LENGTH]
    number = parse_bounded(request.GET.get("page"), least=1, most=1000, default=1)
    first = number == 1 and not query and not archived
    if is_partial_request(request):
        return _running_part(request, shown if first else shown.none())
    listed = _annotate_for_list(shown, archived=archived)
    finished = Q() if archived else Q(status=Championship.Status.FINISHED)
    sought = Q(name__icontains=query) if query else finished
    over = listed.filter(sought).order_by(F("starts_at").desc(nulls_last=True), "-pk")
    found = list(over[CHAMPIONSHIPS_PER_PAGE * (number - 1) : CHAMPIONSHIPS_PER_PAGE * number + 1])
    coming = listed.filter(status=Championship.Status.DRAFT).order_by(
        F("starts_at").asc(nulls_last=True), "pk"
    )
    founds = isinstance(request.user, User) and may_found(request.user)
    context = {
        "page": build_home_page(
            running=_running(listed) if first else [],
            coming=list(coming) if first else [],
            over=found[:CHAMPIONSHIPS_PER_PAGE],
            now=timezone.now(),
            person=request.user,
            may_found=founds,
        ),
        "first": first,
        "query": query,
        "archived": archived,
        "back": number - 1,
        "may_found": founds,
        "offers": offers_to(request.user) if first and isinstance(request.user, User) else [],
        "games": list_games() if first else [],
        "own_table": find_own_table(request.session) if first else None,
        "clubs": clubs_of(shown.filter(archived_at=None))[:CLUBS] if first else [],
        "further": number + 1 if len(found) > CHAMPIONSHIPS_PER_PAGE else None,
    }
    response = render(request, "pages/home.html", context)
    response.headers["Cache-Control"] = "private, no-cache" if request.user.is_authenticated else "no-cache"
    patch_vary_headers(response, ["HX-Request"])
    return response


def _running_part(request: HttpRequest, shown: QuerySet[Championship]) -> HttpResponse:
    """Render the polled part with the running championships. For anonymous visitors this process caches it
    for a second, and the edge cache for another second.
    """
    listed = _annotate_for_list(shown, archived=False)

    def make() -> str:
        page = build_home_page(
            running=_running(listed), coming=[], over=[], now=timezone.now(), person=request.user
        )
        return render_to_string("parts/home_now.html", {"page": page})

    if request.user.is_authenticated:
        body = make()
    else:
        running = shown.filter(status=Championship.Status.RUNNING, archived_at=None).order_by("pk")
        mark = repr((list(running.values_list("pk", "public_names", "someone_unnamed")), int(time())))
        body = get_or_make_fragment("what is on", (ANYBODY,), mark, make, str)
    digest = hashlib.blake2b(body.encode(), digest_size=15).hexdigest()
    etag = quote_etag(digest)
    made = HttpResponse(body, headers={"ETag": etag, "Cache-Control": "private, no-cache"})
    patch_vary_headers(made, ["HX-Request", "Cookie", "Accept-Language"])
    response = get_conditional_response(request, etag=etag, response=made) or made
    if not request.user.is_authenticated:
        response.headers[SHARED] = f"- all {digest}"
    return response


def _visible_championships(request: HttpRequest) -> QuerySet[Championship]:
    if not request.user.is_authenticated:
        return Championship.objects.filter(public=True)
    return Championship.objects.filter(
        Q(public=True)
        | Q(pk__in=Official.objects.filter(user=request.user.pk).values("championship"))
        | Q(pk__in=Entry.objects.filter(user=request.user.pk).values("championship"))
    )


def _annotate_for_list(shown: QuerySet[Championship], *, archived: bool) -> QuerySet[Championship]:
    """Annotate the championships with the data for `build_home_page`."""
    people = Q(entries__bot=False) & ~Q(entries__status=Entry.Status.WITHDRAWN)
    return (
        shown.filter(archived_at__isnull=not archived)
        .annotate(people=Count(refer_to_person("entries__"), filter=people, distinct=True))
        .prefetch_related(Prefetch("rounds", Round.objects.order_by("number")))
    )


def _running(listed: QuerySet[Championship]) -> list[Championship]:
    return list(with_regulations(listed.filter(status=Championship.Status.RUNNING)))
