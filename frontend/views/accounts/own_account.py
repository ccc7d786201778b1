"""/account/: A person's own account: password, second factors, and signed-in sessions."""

from typing import Any, cast

import structlog
from allauth.account.views import ReauthenticateView
from allauth.mfa import app_settings as second_factors
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from frontend.accounts.activity import record_request_session
from frontend.accounts.proof import find_linked_provider_name, record_reauthentication
from frontend.forms.mail_address import AddressForm
from frontend.presenters.accounts.browsers import describe_browser
from frontend.presenters.words.refusals import too_many_passwords
from frontend.sign_in_attempts import OLD_PASSWORD
from frontend.views.championship_context import mark_uncacheable
from games.models import User
from games.rights.sessions import hash_session_key
from tournaments.accounts import mails, resets, signed_in
from tournaments.mails import sending

log = structlog.get_logger(__name__)


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Render the person's account page."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    factors = list(Authenticator.objects.filter(user=request.user).order_by("pk"))
    here = hash_session_key(request.session.session_key or "")
    context = {
        "app": next((one for one in factors if one.type == Authenticator.Type.TOTP), None),
        "passkeys": [one for one in factors if one.type == Authenticator.Type.WEBAUTHN],
        "codes_left": sum(
            len(one.wrap().get_unused_codes())
            for one in factors
            if one.type == Authenticator.Type.RECOVERY_CODES
        ),
        "may_passkey": may_passkey(request),
        "open_id": settings.OPEN_ID.name,
        "open_id_linked": bool(find_linked_provider_name(request.user)),
        "mails": sending.has_mail_server(),
        "address": mails.find_confirmed_address(request.user),
        "unconfirmed": mails.find_unconfirmed_address(request.user),
        "address_form": AddressForm(),
        "sessions": [
            {"row": one, "browser": describe_browser(one.browser), "here": one.pk == here}
            for one in signed_in.list_sessions(request.user)
        ],
    }
    return mark_uncacheable(render(request, "account/account.html", context))


def may_passkey(request: HttpRequest) -> bool:
    """Return whether passkeys are enabled and work: the server uses https, or is localhost."""
    host = request.get_host().partition(":")[0]
    return "webauthn" in second_factors.SUPPORTED_TYPES and (settings.TLS or host == "localhost")


@require_POST
@login_required
def session_end(request: HttpRequest, row: str) -> HttpResponse:
    """Sign out the session with the key `row`. It may be that of the request."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    if signed_in.end_session(request.user, row):
        messages.success(request, _("That browser is signed out."))
    return redirect("account")


@require_POST
@login_required
def sessions_end(request: HttpRequest) -> HttpResponse:
    """Sign out all sessions of the account except the one of the request."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    signed_in.end_sessions(request.user, but=request.session.session_key)
    log.info("sessions_ended", user=request.user.pk)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("account")


class ChangePassword(SuccessMessageMixin, PasswordChangeView):  # type: ignore[type-arg]  # only the stubs know the mixin's form parameter
    """Change the password, and end all other sessions of the account."""

    template_name = "pages/password.html"
    success_url = reverse_lazy("home")
    success_message = gettext_lazy("The new password is valid now.")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Limit the attempts, so that nobody can guess the password on a phone that was found unlocked."""
        wait = OLD_PASSWORD.spend(request.user.pk)
        if wait:
            # A form with data would tell whether the password is right.
            empty = self.form_class(cast(User, request.user))
            context = self.get_context_data(form=empty, refusal=too_many_passwords(wait))
            return self.render_to_response(context, status=429, headers={"Retry-After": str(wait)})
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        OLD_PASSWORD.forget(self.request.user.pk)
        assert isinstance(self.request.user, User)  # noqa: S101 - the view requires a sign-in
        response = super().form_valid(form)
        signed_in.end_sessions(self.request.user, but=self.request.session.session_key)
        resets.end_mailed(self.request.user)
        record_request_session(self.request)
        record_reauthentication(self.request)
        log.info("password_changed", user=self.request.user.pk)
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        if "old_password" not in form.errors:
            OLD_PASSWORD.spend(self.request.user.pk, count=-1)
        return super().form_invalid(form)


class PasswordAgain(ReauthenticateView):  # type: ignore[misc]  # allauth ships no types
    """Ask for the password again, before pages that need a proof."""

    template_name = "account/reauthenticate.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        wait = OLD_PASSWORD.wait(self.request.user.pk)
        refusal = too_many_passwords(wait) if wait else None
        open_id = find_linked_provider_name(self.request.user)
        after = self.request.GET.get("next", "")
        return {**super().get_context_data(**more), "refusal": refusal, "open_id": open_id, "next": after}
