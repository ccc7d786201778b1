"""/: what is on now, what comes, what is over."""

from django.db.models import Count, Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from frontend.presenters.home import evenings
from frontend.presenters.rules import games
from frontend.views.championship_context import for_a_part
from frontend.views.numbers import whole
from games.models import User
from tournaments.models import Championship, Entry, Official, Round
from tournaments.services.championships import may_found

SHOWN = 30
"""Of those that are over; the rest is a page further."""
LONGEST_QUERY = 40


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The same page for everybody; private championships only for those who take part. `?page=2`: the next of
    those that are over; `?q=`: only those called so; `?archived=1`: those that are archived.
    """
    now = timezone.now()
    shown = Championship.objects.all()
    if request.user.is_authenticated:
        shown = shown.filter(
            Q(public=True)
            | Q(pk__in=Official.objects.filter(user=request.user.pk).values("championship"))
            | Q(pk__in=Entry.objects.filter(user=request.user.pk).values("championship"))
        )
    else:
        shown = shown.filter(public=True)
    archived = request.GET.get("archived") == "1"
    listed = (
        shown.filter(archived_at__isnull=not archived)
        .annotate(people=Count("entries", filter=~Q(entries__status=Entry.Status.WITHDRAWN), distinct=True))
        .prefetch_related(Prefetch("rounds", Round.objects.order_by("number")))
    )
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    number = whole(request.GET.get("page"), least=1, most=1000, default=1)
    founds = isinstance(request.user, User) and may_found(request.user)
    part, first = for_a_part(request), number == 1 and not query and not archived
    finished = Q() if archived else Q(status=Championship.Status.FINISHED)
    sought = Q(name__icontains=query) if query else finished
    over = listed.filter(sought).order_by("-starts_at", "-pk")
    found = list(over[SHOWN * (number - 1) : SHOWN * number + 1]) if not part else []
    now_on = listed.filter(status=Championship.Status.RUNNING)
    coming = listed.filter(status=Championship.Status.DRAFT).order_by("starts_at", "pk")
    page = evenings(
        running=list(now_on) if first else [],
        coming=list(coming) if first and not part else [],
        over=found[:SHOWN],
        now=now,
        person=request.user,
        may_found=founds,
    )
    if part:
        response = render(request, "parts/home_now.html", {"page": page})
    else:
        context = {
            "page": page,
            "first": first,
            "query": query,
            "archived": archived,
            "back": number - 1,
            "may_found": founds,
            "games": games() if first else [],
            "further": number + 1 if len(found) > SHOWN else None,
        }
        response = render(request, "pages/home.html", context)
    patch_vary_headers(response, ["HX-Request"])
    response.headers["Cache-Control"] = "private, no-cache" if request.user.is_authenticated else "no-cache"
    return response
