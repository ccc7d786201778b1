"""/c/<slug>/calendar.ics: A calendar file of the championship and its rounds."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from frontend.sharing.calendar_file import render_calendar
from frontend.views.championship_context import PageContext, championship_page
from tournaments.services.table_access.phone_address import find_printed_address


@require_safe
@championship_page()
def calendar_file(page: PageContext) -> HttpResponse:
    """Return the calendar file. Raises 404 as long as no date is set."""
    championship = page.championship
    rounds = list(championship.rounds.order_by("number"))
    if championship.starts_at is None and not any(one.opens_at for one in rounds):
        raise Http404(_("There is no such page."))
    reached = find_printed_address(championship, page.request.build_absolute_uri("/"))
    address = f"{reached}{reverse('championship', args=[championship.slug])}" if reached else ""
    body = render_calendar(championship, rounds, address, timezone.now())
    response = HttpResponse(body, "text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{championship.slug}.ics"'
    response.headers["Cache-Control"] = "no-cache" if championship.public else "private, no-cache"
    return response
