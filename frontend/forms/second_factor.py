"""The forms of second factors. They extend those of allauth by a limit of wrong codes. At the sign-in, a
record that all processes share lets each code of an app be used only once.
"""

from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AuthenticateWebAuthnForm
from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from frontend import sign_in_attempts

LAST_CODES = 4
"""Number of an app's latest codes that cannot be used again. They cover the minute and a half for which a
code is valid.
"""


def _count(user_id: int) -> None:
    if wait := sign_in_attempts.count_code(user_id):
        raise forms.ValidationError(
            _("Too many wrong codes. Try again in %(minutes)d min."),
            code="sign_in/locked",
            params={"minutes": -(-wait // 60)},
        )


class CodeForm(AuthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """A code of the app, or a recovery code, at the sign-in."""

    code = forms.CharField(
        label=_("Code of the app, or a recovery code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
        ),
    )

    def clean_code(self) -> str:
        _count(self.user.pk)
        with transaction.atomic():
            # Two requests with one code wait for each other here.
            locked = Authenticator.objects.select_for_update().filter(user=self.user).order_by("pk")
            rows = {row.pk: row for row in locked}
            code = str(super().clean_code())
            row = rows[self.authenticator.pk]
            if row.type == Authenticator.Type.TOTP:
                self._use_once(row, normalize_user_code(code))
        sign_in_attempts.forget_codes(self.user.pk)
        return code

    def _use_once(self, row: Authenticator, code: str) -> None:
        used = row.data.get("used", [])
        if code in used:
            raise forms.ValidationError(_("This code is wrong, or was already used."))
        row.data["used"] = [*used, code][-LAST_CODES:]
        row.save(update_fields=["data"])


class KeyForm(AuthenticateWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """The response of a passkey at the sign-in."""

    def clean_credential(self) -> Any:
        _count(self.user.pk)
        found = super().clean_credential()
        sign_in_attempts.forget_codes(self.user.pk)
        return found


class ActivateAppForm(ActivateTOTPForm):  # type: ignore[misc]  # allauth ships no types
    """The first code of an app, which proves that the app was set up."""

    code = forms.CharField(
        label=_("Code that the app shows"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )

    def clean_code(self) -> str:
        _count(self.user.pk)
        code = str(super().clean_code())
        sign_in_attempts.forget_codes(self.user.pk)
        return code

    @property
    def picture(self) -> Any:
        """The QR code that the app scans, as SVG."""
        adapter = get_adapter()
        return adapter.build_totp_svg(adapter.build_totp_url(self.user, self.secret))
