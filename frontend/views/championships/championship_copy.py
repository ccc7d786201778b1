"""/c/<slug>/again/: Create a copy of a championship for a new date."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from frontend.forms.championship import AgainForm
from frontend.presenters.regulations.regulations import list_highlights
from frontend.presenters.words.refusals import refusal_in
from frontend.views.championship_context import PageContext, championship_page
from tournaments.models import Official
from tournaments.services.championships import championship_copy
from tournaments.services.current_regulations import load_regulations


@require_http_methods(["GET", "HEAD", "POST"])
@championship_page("edit")
def championship_again(page: PageContext) -> HttpResponse:
    """Show the settings that are copied (GET), or create the copy (POST)."""
    old = page.championship
    posted = page.request.POST if page.request.method == "POST" else None
    starts = championship_copy.next_date(old)
    about = {
        "name": old.name,
        "place": old.place,
        "public": old.public,
        "public_names": old.public_names,
        "keep_days": old.keep_days,
        "starts_at": timezone.localtime(starts) if starts else None,
        "people": True,
    }
    form = AgainForm(posted, initial=about)
    context: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        with refusal_in(context):
            new_championship = championship_copy.duplicate_championship(
                old, actor=page.actor, **form.cleaned_data
            )
            messages.success(
                page.request, _("%(name)s is created once more.") % {"name": new_championship.name}
            )
            return redirect("championship", new_championship.slug)
    context |= {
        "lines": list_highlights(load_regulations(old)),
        "officials": _officials(old.officials.select_related("user")),
        "people": championship_copy.count_participants(old),
    }
    return page.render("pages/championship_copy.html", context, status=400 if form.is_bound else 200)


def _officials(offices: Iterable[Official]) -> list[str]:
    return [f"{one.user.display_name} ({one.get_role_display()})" for one in offices]
