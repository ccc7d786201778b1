"""The second factor that an installation may demand of officials. They set it up before they are signed
in.
"""

from typing import Any, Final

from allauth.account.internal.decorators import login_stage_required
from allauth.account.stages import LoginStage
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, clear_totp_secret
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from frontend import devices
from frontend.forms.second_factor import ActivateAppForm
from games.models import User
from tournaments.accounts import signed_in

KEY: Final = "set_up_second_factor"


def lacks_second_factor(user: User) -> bool:
    """Return whether this installation demands a second factor of the account, and the account has none."""
    if not settings.SECOND_FACTOR_OF_OFFICIALS or not signed_in.is_official(user):
        return False
    return not Authenticator.objects.filter(user=user).exists()


class SetUpStage(LoginStage):  # type: ignore[misc]  # allauth ships no types
    """The stage of a sign-in in which an official without a second factor sets one up."""

    key = KEY
    urlname = "second_factor_set_up"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        if lacks_second_factor(self.login.user):
            return redirect(self.urlname), True
        return None, True


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_stage_required(stage=KEY, redirect_urlname="sign_in")  # type: ignore[untyped-decorator]  # allauth ships no types
def second_factor_set_up(request: HttpRequest) -> HttpResponse:
    """Show the form that sets up an app. Once it is valid, sign in and show recovery codes."""
    stage: Any = request._login_stage  # type: ignore[attr-defined]  # set by the decorator
    user = stage.login.user
    form = ActivateAppForm(request.POST if request.method == "POST" else None, user=user)
    if form.is_valid():
        with transaction.atomic():
            TOTP.activate(user, form.secret)
            RecoveryCodes.activate(user)
        clear_totp_secret(request)
        stage.exit()
        response = redirect("mfa_view_recovery_codes")
        devices.record_device(request, response, user.get_username())
        return response
    return render(request, "mfa/totp/activate_form.html", {"form": form, "demanded": True})
