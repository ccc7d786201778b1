"""Signing in and out with a password, and changing it; throttling is what the backends are for."""

from typing import Any

from axes.helpers import get_cool_off
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


class SignIn(LoginView):
    template_name = "pages/sign_in.html"
    redirect_authenticated_user = True
    next_page = "home"


class SignOut(LogoutView):
    next_page = "home"


class ChangePassword(SuccessMessageMixin, PasswordChangeView):  # type: ignore[type-arg] # the mixin's form
    """Whoever is signed in elsewhere with the old password is out there."""

    template_name = "pages/password.html"
    success_url = reverse_lazy("home")
    success_message = gettext_lazy("The new password holds from now on.")


def locked_out(request: HttpRequest, original: HttpResponse | None, credentials: Any) -> HttpResponse:
    """What axes answers after too many wrong passwords: the form again, and how long to wait."""
    cool_off = get_cool_off(request)
    minutes = max(1, round(cool_off.total_seconds() / 60)) if cool_off else 0
    sentence = _("Too many wrong passwords for this name from here.")
    if minutes:
        wait = ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes) % {"n": minutes}
        sentence = f"{sentence} {wait}"
    context = {
        "form": AuthenticationForm(request),
        "next": request.POST.get("next", ""),
        "refusal": {"sentence": sentence, "code": "sign_in/locked"},
    }
    return render(request, "pages/sign_in.html", context, status=429)
