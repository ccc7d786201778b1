"""Signing in and out with a password, and changing it; throttling is what the backends are for."""

from typing import Any, Final

from axes.helpers import get_cool_off
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend import devices
from games import budgets
from games.budgets import Budget

ON_DEVICE: Final = Budget("sign-in-device", most=8, seconds=900)
"""Wrong passwords on a browser where the name has signed in before: the hall's guesses do not count there."""
FROM_ADDRESS: Final = Budget("sign-in-address", most=150, seconds=900)
"""Wrong passwords from one address for any names: a hall of 400 may mistype, a list may not be tried."""
OLD_PASSWORD: Final = Budget("old-password", most=8, seconds=900)


def known_device(request: HttpRequest | None, credentials: dict[str, Any] | None = None) -> bool:
    """Whether axes leaves this try to us: the name has signed in here before."""
    return request is not None and bool(devices.of(request, str((credentials or {}).get("username") or "")))


class SignIn(LoginView):
    template_name = "pages/sign_in.html"
    redirect_authenticated_user = True
    next_page = "home"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Tries are counted by name and address (axes), or by name and device, and by address alone."""
        name = request.POST.get("username", "")
        address, device = budgets.address_of(request), devices.of(request, name)
        wait = ON_DEVICE.wait(device) if device else FROM_ADDRESS.wait(address)
        if wait:
            return refused(request, wait)
        response = super().post(request, *args, **kwargs)
        if request.user.is_authenticated:
            ON_DEVICE.forget(device)
            devices.remember(request, response, name)
        elif device:
            ON_DEVICE.spend(device)
        else:
            FROM_ADDRESS.spend(address)
        return response


class SignOut(LogoutView):
    next_page = "home"


class ChangePassword(SuccessMessageMixin, PasswordChangeView):  # type: ignore[type-arg] # the mixin's form
    """Whoever is signed in elsewhere with the old password is out there."""

    template_name = "pages/password.html"
    success_url = reverse_lazy("home")
    success_message = gettext_lazy("The new password holds from now on.")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Whoever finds a phone unlocked may not try passwords on it without end."""
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
    """What axes answers after too many wrong passwords: the form again, and how long to wait."""
    cool_off = get_cool_off(request)
    return refused(request, int(cool_off.total_seconds()) if cool_off else 0)


def refused(request: HttpRequest, seconds: int) -> HttpResponse:
    """The form again, and how long to wait."""
    context = {
        "form": AuthenticationForm(request),
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
