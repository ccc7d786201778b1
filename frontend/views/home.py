"""/: what is on now, what comes, what is over."""

from django.db.models import Count, Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from frontend.presenters.home import evenings
from frontend.views.frame import for_a_part
from tournaments.models import Championship, Entry, Official, Round

SHOWN = 30
"""Of those that are over; the rest is a page further."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The same page for everybody; private championships only for those who take part."""
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
    listed = shown.annotate(
        people=Count("entries", filter=~Q(entries__status=Entry.Status.WITHDRAWN), distinct=True)
    ).prefetch_related(Prefetch("rounds", Round.objects.order_by("number")))
    over = listed.filter(status=Championship.Status.FINISHED).order_by("-starts_at", "-pk")
    page = evenings(
        running=list(listed.filter(status=Championship.Status.RUNNING)),
        coming=list(listed.filter(status=Championship.Status.DRAFT).order_by("starts_at", "pk")),
        over=list(over[:SHOWN]),
        now=now,
        person=request.user,
    )
    template = "parts/home_now.html" if for_a_part(request) else "pages/home.html"
    response = render(request, template, {"page": page})
    patch_vary_headers(response, ["HX-Request"])
    return response
