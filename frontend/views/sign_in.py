"""Sign-in and sign-out with a password, and password changes. The authentication backends do the
throttling.
"""

from typing import Any, Final

from axes.helpers import get_cool_off
from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend import devices
from frontend.forms.sign_in import SignInForm
from games.messaging import rate_limit
from games.messaging.rate_limit import Budget

ON_DEVICE: Final = Budget("sign-in-device", most=8, seconds=900)
"""Wrong passwords on a browser that has signed in with this name before; other guesses from the hall do not
count there.
"""
FROM_ADDRESS: Final = Budget("sign-in-address", most=150, seconds=900)
"""Wrong passwords from one address for any names, until it is suspected: 400 people of one hall may mistype.
"""
SUSPECTED_NAME: Final = Budget("sign-in-suspected-name", most=2, seconds=900)
SUSPECTED: Final = Budget("sign-in-suspected-address", most=20, seconds=10)
"""The budget of a suspected address: others behind it are not locked out, and a dictionary attack is slow."""
OLD_PASSWORD: Final = Budget("old-password", most=8, seconds=900)


def known_device(request: HttpRequest | None, credentials: dict[str, Any] | None = None) -> bool:
    """Return whether axes skips this attempt, because the name has signed in on this device before."""
    return request is not None and bool(
        devices.name_on_device_mark(request, str((credentials or {}).get("username") or ""))
    )


class SignIn(LoginView):
    template_name = "pages/sign_in.html"
    form_class = SignInForm
    redirect_authenticated_user = True
    next_page = "home"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Add a warning over plain http, where cookies are bound to no host."""
        return super().get_context_data(**more) | {"plain_http": not settings.TLS}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Count the attempt by name and device; on an unknown device by name and address (axes), and by
        address.
        """
        name = request.POST.get("username", "")
        tries = _attempt_budgets(request, name)
        if wait := max(budget.wait(*who) for budget, *who in tries):
            return refused(request, wait)
        response = super().post(request, *args, **kwargs)
        if request.user.is_authenticated:
            ON_DEVICE.forget(devices.name_on_device_mark(request, name))
            devices.remember(request, response, name)
        else:
            for budget, *who in tries:
                budget.spend(*who)
        return response


def _attempt_budgets(request: HttpRequest, name: str) -> list[tuple[Budget, *tuple[str, ...]]]:
    """Return the budgets that a wrong password for this name counts in, with their keys."""
    if device := devices.name_on_device_mark(request, name):
        return [(ON_DEVICE, device)]
    address = rate_limit.address_of(request)
    if not FROM_ADDRESS.wait(address):
        return [(FROM_ADDRESS, address)]
    return [(SUSPECTED_NAME, address, devices.name_mark(name)), (SUSPECTED, address)]


class SignOut(LogoutView):
    next_page = "home"


class ChangePassword(SuccessMessageMixin, PasswordChangeView):  # type: ignore[type-arg]  # only the stubs know the mixin's form parameter
    """Change the password. Sessions with the old password end."""

    template_name = "pages/password.html"
    success_url = reverse_lazy("home")
    success_message = gettext_lazy("The new password holds from now on.")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Limit the attempts, so that a found unlocked phone allows no password guessing."""
        wait = OLD_PASSWORD.wait(request.user.pk)
        if wait:
            context = self.get_context_data(refusal=_refusal(wait))
            return self.render_to_response(context, status=429, headers={"Retry-After": str(wait)})
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        OLD_PASSWORD.forget(self.request.user.pk)
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        if "old_password" in form.errors:
            OLD_PASSWORD.spend(self.request.user.pk)
        return super().form_invalid(form)


def locked_out(request: HttpRequest, original: HttpResponse | None, credentials: Any) -> HttpResponse:
    """Return axes' lockout response: the form with the waiting time."""
    cool_off = get_cool_off(request)
    return refused(request, int(cool_off.total_seconds()) if cool_off else 0)


def refused(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return the form with the waiting time."""
    context = {
        "form": SignInForm(request),
        "next": request.POST.get("next", ""),
        "refusal": _refusal(seconds),
    }
    response = render(request, "pages/sign_in.html", context, status=429)
    if seconds:
        response["Retry-After"] = str(seconds)
    return response


def _refusal(seconds: int) -> dict[str, str]:
    sentence = _("Too many wrong passwords for this name from here.")
    if seconds:
        minutes = max(1, round(seconds / 60))
        wait = ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes) % {"n": minutes}
        sentence = f"{sentence} {wait}"
    return {"sentence": sentence, "code": "sign_in/locked"}
