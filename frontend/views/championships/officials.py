"""/c/<slug>/officials/: Directors, referees and people of the desk of a championship, and offices offered to
others.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from frontend.accounts.proof import reauthentication_required
from frontend.forms.accounts import AppointForm, InvitationForm
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import PageContext, championship_page, refuse
from tournaments.accounts import invitations
from tournaments.models import Official
from tournaments.services.championships import officials


@require_safe
@championship_page("appoint")
def official_list(page: PageContext) -> HttpResponse:
    return _officials_page(page)


@require_POST
@reauthentication_required
@championship_page("appoint")
def official_appoint(page: PageContext) -> HttpResponse:
    """Offer an office to an account with the typed name. Its person accepts the offer on the home page."""
    form = AppointForm(page.request.POST, asker=page.actor)
    if not form.is_valid():
        return _officials_page(page, appoint=form, status=400)
    with refusals_as_messages(page.request):
        user, role = form.cleaned_data["user"], form.cleaned_data["role"]
        made = invitations.offer_office(page.championship, role, actor=page.actor, user=user).invitation
        words = {"name": user.get_username(), "office": made.get_role_display()}
        sentence = _("%(name)s is invited to be %(office)s, and can accept on the first page.")
        messages.success(page.request, sentence % words)
    return redirect("officials", page.championship.slug)


@require_POST
@reauthentication_required
@championship_page("appoint")
def official_dismiss(page: PageContext, official_id: int) -> HttpResponse:
    found = page.championship.officials.filter(pk=official_id).select_related("user").first()
    if found is not None:
        with refusals_as_messages(page.request):
            officials.dismiss(page.championship, found.user, found.role, actor=page.actor)
            messages.success(page.request, _("The office is given up."))
    return redirect("officials", page.championship.slug)


@require_POST
@championship_page()
def official_resign(page: PageContext) -> HttpResponse:
    """Give up all of one's offices."""
    if not page.roles.offices:
        return refuse(page)
    with refusals_as_messages(page.request):
        officials.resign(page.championship, actor=page.actor)
        messages.success(page.request, _("The office is given up."))
        return redirect("home")
    return redirect("championship", page.championship.slug)


def _officials_page(page: PageContext, *, status: int = 200, **more: Any) -> HttpResponse:
    found = page.championship.officials.select_related("user").order_by("role", "pk")
    context = {
        "officials": list(found),
        "appoint": AppointForm(asker=page.actor),
        "invite": InvitationForm(),
        "offers": list(
            invitations.open_invitations(page.championship).exclude(role="").select_related("user")
        ),
        "roles_of_office": Official.Role.choices,
    }
    return page.render("pages/officials.html", context | more, status=status)
