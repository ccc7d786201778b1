"""/clubs/<slug>/: The public page of a club, its calendar, and its pictures."""

from collections.abc import Sequence
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.presenters.clubs.club_images import show_images
from frontend.presenters.clubs.club_page import load_club_page
from frontend.sharing.calendar_file import CalendarEvent
from frontend.sharing.club_calendar import list_club_events, write_club_calendar
from frontend.views.championship_context import mark_uncacheable
from frontend.views.numbers import parse_bounded
from tournaments.clubs import images, rolls
from tournaments.clubs.public import public_clubs
from tournaments.models import Club

CALENDAR_TYPE: Final = "text/calendar; charset=utf-8"
PICTURE_LIFETIME_SECONDS: Final = 365 * 24 * 3600


def find_club(request: HttpRequest, club_slug: str) -> tuple[Club, bool]:
    """Return the club, and whether the reader keeps its roll. Raises Http404 for an unknown club, and for one
    without a public page unless the reader keeps its roll.
    """
    club = Club.objects.filter(slug=club_slug).first()
    keeper = rolls.is_keeper(request.user, club)
    if club is None or not (keeper or public_clubs().filter(pk=club.pk).exists()):
        raise Http404(_("There is no such club."))
    return club, keeper


@require_safe
def club_page(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Render next evenings, series, titles and past championships of a club. `?page=2`: earlier
    championships.
    """
    club, keeper = find_club(request, club_slug)
    page = parse_bounded(request.GET.get("page"), least=1, most=1000, default=1)
    context = {
        "club": club,
        "keeper": keeper,
        "page": load_club_page(club, request.user, timezone.now(), page=page),
        "images": show_images(club.slug, club.pictures),
        "first": page == 1,
        "back": page - 1,
        "calendar": request.build_absolute_uri("calendar.ics").partition("://")[2],
    }
    response = render(request, "pages/club.html", context)
    if request.user.is_authenticated:
        return mark_uncacheable(response)
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def club_calendar(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Return the club's public events since a year ago as a calendar for subscription."""
    club, _keeper = find_club(request, club_slug)
    now = timezone.now()
    events = list_club_events(club, now, request.build_absolute_uri)
    return calendar_response(request, events, club.name, club.slug, shared=True)


def calendar_response(
    request: HttpRequest, events: Sequence[CalendarEvent], name: str, slug: str, *, shared: bool
) -> HttpResponse:
    """Return a calendar file, or 304 if the client has it already. `shared`: shared caches may store it."""
    body, etag = write_club_calendar(events, name, timezone.now())
    known = parse_etags(request.headers.get("If-None-Match", ""))
    response = HttpResponseNotModified() if etag in known else HttpResponse(body, CALENDAR_TYPE)
    if response.status_code != 304:
        response.headers["Content-Disposition"] = f'inline; filename="{slug}.ics"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache" if shared else "private, no-cache"
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@require_safe
def club_image(request: HttpRequest, club_slug: str, digest: str) -> HttpResponse:
    """Return a picture of the club. Its URL contains its digest, so its content never changes."""
    image = images.image_bytes(club_slug, digest)
    if image is None:
        raise Http404(_("There is no such picture."))
    data, kind = image
    response = HttpResponse(data, content_type=f"image/{kind}")
    response.headers["Cache-Control"] = f"public, max-age={PICTURE_LIFETIME_SECONDS}, immutable"
    response.headers["Content-Disposition"] = "inline"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
