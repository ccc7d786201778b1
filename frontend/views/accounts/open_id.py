"""Sign-in at the installation's OpenID Connect provider: the redirect to the provider, the return from it,
and links between accounts and identities.

Without a provider in the settings, none of these pages exists and no module with network access is imported.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine import Refused
from frontend.accounts.proof import reauthentication_required
from frontend.presenters.words.refusals import show_refusal, too_many_tries
from frontend.views.championship_context import mark_uncacheable
from games.messaging import rate_limit
from games.models import User

STARTS: Final = rate_limit.Budget("open-id", most=300, seconds=600)
"""Budget of sign-ins begun from one address, from which a whole hall may come. Each one stores a row of a
session.
"""
View = Callable[..., HttpResponse]


def with_provider(view: View) -> View:
    """Decorate a view that exists only if a provider is configured; without one it raises 404."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.OPEN_ID.issuer:
            raise Http404(_("There is no such page."))
        return mark_uncacheable(view(request, *args, **kwargs))

    return wrapped


@with_provider
@require_POST
def open_id_start(request: HttpRequest) -> HttpResponse:
    """Begin a sign-in. `next`: the page shown afterwards; `invitation`: token of an invitation that creates
    an account.
    """
    from frontend.accounts import open_id

    if request.user.is_authenticated:
        return redirect("home")
    return _redirect_to_provider(
        request, open_id.SIGN_IN, "sign_in", invitation=request.POST.get("invitation", "")[:100]
    )


@login_required
@with_provider
@require_POST
def open_id_confirm(request: HttpRequest) -> HttpResponse:
    """Begin a new sign-in at the provider that confirms the person, in place of the password."""
    from frontend.accounts import open_id

    return _redirect_to_provider(request, open_id.CONFIRM, "account")


@login_required
@with_provider
@require_POST
@reauthentication_required
def open_id_link(request: HttpRequest) -> HttpResponse:
    """Begin to link the account with an identity at the provider."""
    from frontend.accounts import open_id

    return _redirect_to_provider(request, open_id.LINK, "account")


@login_required
@with_provider
@require_POST
@reauthentication_required
def open_id_unlink(request: HttpRequest) -> HttpResponse:
    """Remove the link between the account and its identity at the provider."""
    from frontend.accounts import open_id

    try:
        open_id.unlink_identity(cast(User, request.user))
    except Refused as error:
        show_refusal(request, error)
    else:
        messages.success(request, _("The link is removed."))
    return redirect("account")


@with_provider
@require_safe
def open_id_back(request: HttpRequest) -> HttpResponse:
    """Handle the return from the provider. The URL contains the provider's response."""
    from frontend.accounts import open_id

    return open_id.finish_at_provider(request)


def _redirect_to_provider(
    request: HttpRequest, purpose: str, otherwise: str, *, invitation: str = ""
) -> HttpResponse:
    """Return a page that leads the browser to the provider, because the policy `form-action` forbids to
    redirect a form to another site.
    """
    from frontend.accounts import open_id

    if wait := STARTS.spend(rate_limit.address_of(request)):
        refusal = too_many_tries(wait)
        context = {"refusal": refusal, "name": settings.OPEN_ID.name}
        response = render(request, "pages/to_provider.html", context, status=429)
        response.headers["Retry-After"] = str(wait)
        return response
    after = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(after, {request.get_host()}, require_https=request.is_secure()):
        after = ""
    try:
        link = open_id.start_at_provider(request, purpose, next_url=after, invitation=invitation)
    except Refused as error:
        show_refusal(request, error)
        return redirect(otherwise)
    context = {"link": link, "name": settings.OPEN_ID.name}
    response = render(request, "pages/to_provider.html", context)
    response.headers["Refresh"] = f"0; url={link}"
    return response
