"""/c/<slug>/end/: Close, archive, restore or delete a championship, on a page that explains each of these
actions.
"""

from typing import cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine import Refused
from frontend.accounts.proof import reauthentication_required
from frontend.presenters.money.loose_ends import list_loose_ends
from frontend.presenters.words.refusals import describe_refusal, refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page
from games.models import User
from tournaments.archive import copies
from tournaments.models import Championship, Round
from tournaments.services.championships import archiving
from tournaments.services.series import publishing


@require_safe
@championship_page("edit")
def championship_end(page: PageContext) -> HttpResponse:
    return _end_page(page)


def _end_page(page: PageContext, refusal: dict[str, str] | None = None, typed: str = "") -> HttpResponse:
    championship = page.championship
    rounds = list(championship.rounds.order_by("number"))
    closed = [r for r in rounds if r.status == Round.Status.CLOSED]
    holds = archiving.load_contents(championship)
    running = championship.status == Championship.Status.RUNNING
    context = {
        "holds": holds,
        "loose_ends": list_loose_ends(championship) if running and not holds.on else (),
        "rounds": rounds,
        "closed": len(closed),
        "finished": championship.status == Championship.Status.FINISHED,
        "kept_series": publishing.list_kept_series(championship, cast(User, page.request.user))
        if running
        else (),
        "may_close": running and not holds.on and len(closed) == len(rounds),
        "may_close_early": running and not holds.on and 0 < len(closed) < len(rounds),
        "may_copy": copies.is_finished(championship) and copies.is_publicly_visible(championship),
        "may_delete": not holds.drawn and not holds.bookings,
        "refusal": refusal,
        "typed": typed,
    }
    return page.render("pages/championship_end.html", context, status=400 if refusal else 200)


@require_POST
@reauthentication_required
@championship_page("edit")
def championship_archive(page: PageContext) -> HttpResponse:
    """Archive the championship; with `out` restore it from the archive."""
    out = "out" in page.request.POST
    with refusals_as_messages(page.request):
        (archiving.unarchive if out else archiving.archive)(page.championship, actor=page.actor)
        messages.success(
            page.request,
            _("The championship is restored from the archive, unchanged.")
            if out
            else _("The championship is archived. Its address stays, and everything can be read."),
        )
        return redirect("championship", page.championship.slug)
    return redirect("championship_end", page.championship.slug)


@require_POST
@reauthentication_required
@championship_page("edit")
def championship_delete(page: PageContext) -> HttpResponse:
    """Delete the championship. `name`: its name, which must be typed as confirmation if it has entries."""
    typed = page.request.POST.get("name", "").strip()[:200]
    name = page.championship.name
    try:
        archiving.delete(page.championship, actor=page.actor, name=typed)
    except Refused as error:
        return _end_page(page, describe_refusal(error), typed)
    messages.success(page.request, _("%(name)s is deleted.") % {"name": name})
    return redirect("home")
