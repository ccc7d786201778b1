"""The two adapters of django-allauth: there is no public sign-up, and the secrets of second factors are
encrypted with the data key.
"""

import base64
from collections.abc import Generator
from typing import Any, Final

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import localize
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.accounts.proof import is_reauthenticated
from frontend.presenters.tables.codes import render_qr_code
from games import encryption
from games.messaging import rate_limit
from tournaments.accounts import resets

log = structlog.get_logger(__name__)

PLACE: Final = b"second factor"
"""Context to which the encryption binds the secrets. Ciphertext copied from another column cannot be
decrypted as a secret.
"""
SECRETS: Final = ("secret", "seed")
"""Keys of the encrypted values in `Authenticator.data`: the secret of an app, and the seed of recovery
codes.
"""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        return rate_limit.client_address(request) or rate_limit.UNKNOWN_NETWORK

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Sign in and return the response. Show a message for each link for a new password that the person
        does not know of.
        """
        response: HttpResponse = super().post_login(request, user, **more)
        for reset in resets.take_unseen_resets(user):
            maker = reset.made_by
            words = {
                "name": "?" if maker is None else maker.display_name,
                "when": localize(localtime(reset.made_at)),
            }
            if reset.by_mail:
                sentence = (
                    _("Your password was changed with a link that was mailed to you on %(when)s.")
                    if reset.used_at
                    else _(
                        "On %(when)s somebody requested a link for a new password, which was mailed to you."
                    )
                )
                messages.warning(request, sentence % words)
                continue
            sentence = (
                _("%(name)s made a link on %(when)s, and your password was changed with it.")
                if reset.used_at
                else _("%(name)s made a link on %(when)s with which your password can be changed.")
            )
            messages.warning(request, sentence % words)
        log.info("signed_in", user=user.pk)
        return response

    def get_login_stages(self) -> list[str]:
        return [*super().get_login_stages(), "frontend.accounts.setting_up.SetUpStage"]

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, str]]:
        """Return one page for everybody. It asks for the password, or leads to the linked provider."""
        return [{"id": "reauthenticate", "description": "", "url": reverse("account_reauthenticate")}]

    def is_reauthentication_required(self, *, app: str, **_more: Any) -> bool:
        """Return whether the person must prove again that they own the account (`is_reauthenticated`)."""
        return not is_reauthenticated(context.request)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    error_messages: Final = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("This code is wrong, or was already used."),
    }

    def build_totp_svg(self, url: str) -> str:
        return render_qr_code(url)

    def get_totp_issuer(self) -> str:
        return f"Puur {context.request.get_host()}"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": context.request.get_host().partition(":")[0], "name": "Puur"}

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        return _("Passkey %(n)d") % {
            "n": Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        }

    def encrypt(self, text: str) -> str:
        """Encrypt a secret. Return "id of the data key:ciphertext in Base64"."""
        ring = encryption.keys_in_use()
        closed = ring.encrypt(text.encode(), PLACE)
        return f"{ring.newest}:{base64.b64encode(closed).decode()}"

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt the secret of a second factor.

        Raises DataKeyError `data/key_missing` if the data key is missing, and DecryptionError if the
        ciphertext was changed.
        """
        key, _colon, closed = encrypted_text.partition(":")
        return encryption.keys_in_use().decrypt(key, base64.b64decode(closed), PLACE).decode()


def reencrypt_secrets() -> Generator[int, None, None]:
    """Encrypt the secrets of second factors again with the newest data key. Yields the number of
    reencrypted secrets of each factor.

    Secrets that cannot be decrypted stay unchanged; their owners cannot sign in with them.
    """
    adapter = SecondFactorAdapter()
    for pk in Authenticator.objects.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            row = Authenticator.objects.select_for_update().filter(pk=pk).first()
            done = 0 if row is None else _reencrypt(adapter, row)
        yield done


def _reencrypt(adapter: SecondFactorAdapter, row: Authenticator) -> int:
    newest, done = encryption.keys_in_use().newest, 0
    for name in SECRETS:
        closed = row.data.get(name, "")
        if not closed or closed.partition(":")[0] == newest:
            continue
        try:
            row.data[name] = adapter.encrypt(adapter.decrypt(closed))
        except (encryption.DecryptionError, encryption.DataKeyError):
            continue
        done += 1
    if done:
        row.save(update_fields=["data"])
    return done
