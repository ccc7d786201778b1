"""/account/data/: The stored data of the account's person, to read, download and erase."""

from typing import cast

from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from frontend.accounts.proof import is_reauthenticated, reauthentication_required
from frontend.presenters.accounts.own_data import name_tables
from frontend.presenters.words.refusals import refusals_as_messages
from frontend.views.championship_context import mark_uncacheable
from games.models import User
from tournaments.accounts import mails
from tournaments.accounts import own_data as stored

MAX_SEATS = 40
"""Largest number of seats on the page, the newest ones; the file contains all."""


@require_safe
@login_required
def own_data(request: HttpRequest) -> HttpResponse:
    """Show the stored data. It needs a recent proof (`is_reauthenticated`), because the phone may have been
    found unlocked.
    """
    user = _require_reauthenticated(request)
    own_data = stored.list_own_data(user)
    context = {
        "found": own_data,
        "seats": own_data.seats[:MAX_SEATS],
        "more_seats": max(0, len(own_data.seats) - MAX_SEATS),
        "tables": name_tables(own_data.counts),
        "factors": Authenticator.objects.filter(user=user).order_by("pk"),
        "address": mails.find_confirmed_address(user),
    }
    return mark_uncacheable(render(request, "pages/own_data.html", context))


@require_safe
@login_required
def own_data_file(request: HttpRequest) -> HttpResponse:
    """Send the person's data as a JSON file, the same as `manage.py export-person` does."""
    user = _require_reauthenticated(request)
    if wait := stored.DOWNLOADS.spend(user.pk):
        response = HttpResponse(_("Too many files: try again later."), status=429, content_type="text/plain")
        response["Retry-After"] = str(wait)
        return mark_uncacheable(response)
    response = HttpResponse(stored.write_own_data(user), content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="puur-my-data.json"'
    return mark_uncacheable(response)


@require_POST
@reauthentication_required
@login_required
def own_data_named(request: HttpRequest) -> HttpResponse:
    """Give (POST `named`) or withdraw the person's consent to be named in public."""
    named = bool(request.POST.get("named"))
    stored.set_named(cast(User, request.user), named=named)
    messages.success(
        request,
        _("Your name is shown in public.") if named else _("The public now sees your number, not your name."),
    )
    return redirect("own_data")


@require_POST
@reauthentication_required
@login_required
def own_data_erase(request: HttpRequest) -> HttpResponse:
    """Erase the account's person. `name`: the name of the account, which must be typed as confirmation."""
    user = cast(User, request.user)
    if request.POST.get("name", "").strip() != user.get_username():
        messages.error(request, _("Type the name of your account to confirm."))
        return redirect("own_data")
    with refusals_as_messages(request):
        stored.erase_own_account(user)
        logout(request)
        messages.success(
            request, _("Your account is erased, and your name is removed from all championships here.")
        )
        return redirect("home")
    return redirect("own_data")


def _require_reauthenticated(request: HttpRequest) -> User:
    """Return the signed-in person. Raises ReauthenticationRequired if they must enter the password again; the
    middleware handles it.
    """
    if not is_reauthenticated(request):
        raise ReauthenticationRequired
    return cast(User, request.user)
