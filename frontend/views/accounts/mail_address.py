"""/account/address/: The mail address of an account, confirmed by a link. /sign-in/forgotten/: A link for a
new password by mail. Both pages exist only if a mail server is configured.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

import structlog
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from frontend import sign_in_attempts
from frontend.accounts.proof import reauthentication_required
from frontend.forms.mail_address import AddressForm, ForgottenPasswordForm
from frontend.presenters.words.refusals import refusals_as_messages, too_many_mails
from frontend.views.championship_context import mark_uncacheable
from games.messaging import rate_limit
from games.models import User
from tournaments.accounts import mails
from tournaments.mails import sending

log = structlog.get_logger(__name__)


def mail_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view that exists only if a mail server is configured; without one it raises 404."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not sending.has_mail_server():
            raise Http404(_("There is no such page."))
        return mark_uncacheable(view(request, *args, **kwargs))

    return wrapped


@require_http_methods(["GET", "HEAD", "POST"])
@mail_required
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Send a link for a new password. The response is the same for names without an account."""
    form = ForgottenPasswordForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        return render(request, "pages/forgotten_password.html", {"form": form}, status=status)
    if wait := sign_in_attempts.count_forgotten(request, form.cleaned_data["who"]):
        log.warning("forgotten_password_locked", address=rate_limit.address_of(request))
        context = {"form": form, "refusal": too_many_mails(wait)}
        response = render(request, "pages/forgotten_password.html", context, status=429)
        response["Retry-After"] = str(wait)
        return response
    mails.ask_reset(form.cleaned_data["who"])
    return render(request, "pages/forgotten_password.html", {"sent": True})


@require_POST
@reauthentication_required
@login_required
@mail_required
def address(request: HttpRequest) -> HttpResponse:
    """Set the account's mail address, and mail a link to confirm it if it is new; `remove`: delete the
    address.
    """
    user = cast(User, request.user)
    if "remove" in request.POST:
        mails.remove_address(user)
        messages.success(request, _("Puur no longer has your mail address."))
        return redirect("account")
    form = AddressForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This is not a mail address."))
        return redirect("account")
    with refusals_as_messages(request):
        sent = mails.state_address(user, form.cleaned_data["address"])
        sentence = _("A mail with a link is on its way: open the link to confirm the address.")
        messages.success(request, sentence if sent else _("The address is confirmed."))
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
@mail_required
def address_confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Confirm an address by the link in a mail. The person must press a button, because mail programs open
    links by themselves.
    """
    found = mails.find_unconfirmed(key)
    if found is None:
        return render(request, "pages/link_over.html", {"mailed": True}, status=404)
    if request.method == "POST":
        with refusals_as_messages(request):
            mails.confirm_address(found)
            messages.success(request, _("The address is confirmed."))
        return redirect("account")
    context = {"address": found.email, "account": found.user}
    return render(request, "pages/address_confirm.html", context)
