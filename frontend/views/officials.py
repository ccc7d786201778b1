"""/c/<slug>/officials/: Directors, referees and desk people of a championship, and new accounts for them."""

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine import Refused
from frontend.forms.people import AccountForm, AppointForm
from frontend.presenters.refusals import show_refusal
from frontend.views.championship_context import PageContext, championship_page, refuse
from games.models import User
from tournaments.models import Official
from tournaments.services import championships


@require_safe
@championship_page("appoint")
def officials(frame: PageContext) -> HttpResponse:
    return _officials_page(frame)


@require_POST
@championship_page("appoint")
def official_appoint(frame: PageContext) -> HttpResponse:
    form = AppointForm(frame.request.POST, asker=frame.actor)
    if not form.is_valid():
        return _officials_page(frame, appoint=form, status=400)
    try:
        made = championships.appoint(
            frame.championship, form.cleaned_data["user"], form.cleaned_data["role"], actor=frame.actor
        )
    except Refused as error:
        show_refusal(frame.request, error)
    else:
        words = {"name": made.user.get_username(), "office": made.get_role_display()}
        messages.success(frame.request, _("%(name)s is %(office)s now.") % words)
    return redirect("officials", frame.championship.slug)


@require_POST
@championship_page("appoint")
def official_dismiss(frame: PageContext, official_id: int) -> HttpResponse:
    found = frame.championship.officials.filter(pk=official_id).select_related("user").first()
    if found is not None:
        try:
            championships.dismiss(frame.championship, found.user, found.role, actor=frame.actor)
        except Refused as error:
            show_refusal(frame.request, error)
        else:
            messages.success(frame.request, _("The office is given up."))
    return redirect("officials", frame.championship.slug)


@require_POST
@championship_page()
def official_resign(frame: PageContext) -> HttpResponse:
    """Resign from one's own office."""
    if not frame.roles.offices:
        return refuse(frame)
    try:
        championships.resign(frame.championship, actor=frame.actor)
    except Refused as error:
        show_refusal(frame.request, error)
        return redirect("championship", frame.championship.slug)
    messages.success(frame.request, _("The office is given up."))
    return redirect("home")


@require_POST
@championship_page("appoint")
def account_new(frame: PageContext) -> HttpResponse:
    """Create an account, for operators only. The password appears in this response and nowhere else."""
    if not getattr(frame.request.user, "is_superuser", False):
        return refuse(frame)
    form = AccountForm(frame.request.POST)
    if not form.is_valid():
        return _officials_page(frame, account=form, status=400)
    password = secrets.token_urlsafe(9)
    made = User.objects.create_user(
        form.cleaned_data["username"],
        password=password,
        first_name=form.cleaned_data["name"],
        may_found=form.cleaned_data["may_found"],
    )
    response = _officials_page(frame, made={"username": made.get_username(), "password": password})
    response.headers["Cache-Control"] = "no-store"
    return response


def _officials_page(frame: PageContext, *, status: int = 200, **more: Any) -> HttpResponse:
    found = frame.championship.officials.select_related("user").order_by("role", "pk")
    context = {
        "officials": list(found),
        "appoint": AppointForm(asker=frame.actor),
        "account": AccountForm(),
        "may_make_accounts": getattr(frame.request.user, "is_superuser", False),
        "roles_of_office": Official.Role.choices,
    }
    return frame.page("pages/officials.html", context | more, status=status)
