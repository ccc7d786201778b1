"""Sign-in with a password and, if the account has one, a second factor; and sign-out."""

from typing import Any

import structlog
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse

from frontend import devices, sign_in_attempts
from frontend.forms.sign_in import SignInForm
from frontend.presenters.words.refusals import too_many_passwords
from games.messaging import rate_limit
from tournaments.mails import sending

log = structlog.get_logger(__name__)


class SignIn(LoginView):
    template_name = "pages/sign_in.html"
    form_class = SignInForm
    redirect_authenticated_user = True
    next_page = "home"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Add the other ways to sign in, and whether to warn of plain http, where browsers cannot protect the
        session's cookie.
        """
        mails = sending.has_mail_server()
        return super().get_context_data(**more) | {
            "plain_http": not settings.TLS,
            "mails": mails,
            "open_id": settings.OPEN_ID.name,
        }

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Limit the attempts (`sign_in_attempts`), then sign in. After too many, respond with 429."""
        name = request.POST.get("username", "")
        counted, wait = sign_in_attempts.count_sign_in(request, name)
        if wait:
            log.warning("sign_in_locked", address=rate_limit.address_of(request))
            context = self.get_context_data(form=SignInForm(request), refusal=too_many_passwords(wait))
            return self.render_to_response(context, status=429, headers={"Retry-After": str(wait)})
        response = super().post(request, *args, **kwargs)
        if response.status_code != 302:
            log.warning("sign_in_failed", address=rate_limit.address_of(request))
            return response
        sign_in_attempts.forget_count(counted)
        if request.user.is_authenticated:
            devices.record_device(request, response, name)
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, or continue with the second factor if the account has one."""
        user = form.get_user()
        login = Login(user=user, redirect_url=self.get_success_url())
        response: HttpResponse = perform_password_login(self.request, {"username": user.username}, login)
        return response


class SecondFactor(AuthenticateView):  # type: ignore[misc]  # allauth ships no types
    """The second step of a sign-in, with a code or a passkey."""

    template_name = "account/second_factor.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Remove the form for a passkey from the context if the account has no passkey."""
        context: dict[str, Any] = super().get_context_data(**more)
        own = Authenticator.objects.filter(user=self.stage.login.user, type=Authenticator.Type.WEBAUTHN)
        return context if own.exists() else {**context, "webauthn_form": None}

    def form_valid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        if self.request.user.is_authenticated:
            devices.record_device(self.request, response, self.request.user.get_username())
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        log.warning("second_factor_failed", user=self.stage.login.user.pk)
        response: HttpResponse = super().form_invalid(form)
        return response


class SignOut(LogoutView):
    next_page = "home"
