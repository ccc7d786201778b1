"""Sign-in at an OpenID Connect provider through django-allauth. It exists only if `settings.OPEN_ID` names a
provider.

In addition to allauth's checks, the signature, nonce and issuer of each ID token are verified. A link
stores only the provider's id of the person; a mail address never links an identity to an account. A person
links an identity while signed in, or creates an account with it by an invitation.
"""

import re
import secrets
import time
from typing import Any, Final

import jwt
import structlog
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers import registry
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from requests import RequestException

from engine import Refused
from frontend.accounts.proof import PROVED_AT
from frontend.presenters.words.refusals import show_refusal
from games.models import User
from tournaments.accounts import invitations
from tournaments.errors import TournamentError

PROVIDER: Final = "openid_connect"
SIGN_IN, LINK, CONFIRM = "login", "connect", "confirm"
"""The purposes for which a browser is sent to the provider."""
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Accepted signature algorithms. All use a public key, so a token signed with a shared secret or not at all
is refused.
"""
LEEWAY_SECONDS: Final = 30
CONFIG_SECONDS: Final = 300
"""Seconds for which a process uses the provider's description before it reads the description again."""
CLAIMS: Final = "open_id_claims"
MAX_NAME: Final = 40

log = structlog.get_logger(__name__)
_configs: dict[str, tuple[float, dict[str, Any]]] = {}


class ProviderAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth ships no types
    """The requests to the provider, for its description, its keys and the token."""

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:
        """Return the URL to which the provider sends the browser back; it is registered at the provider."""
        path = reverse("open_id_back")
        return f"{settings.ORIGIN}{path}" if settings.ORIGIN else request.build_absolute_uri(path)

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's description, cached. Raises RequestException or ValueError if it cannot be read,
        OAuth2Error if it names another issuer or lacks a URL.
        """
        issuer = settings.OPEN_ID.issuer
        read_at, found = _configs.get(issuer, (float("-inf"), {}))
        if time.monotonic() - read_at < CONFIG_SECONDS:
            return found
        found = dict(super().openid_config)
        needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        if str(found.get("issuer", "")).rstrip("/") != issuer.rstrip("/"):
            raise OAuth2Error(f"the provider calls itself {found.get('issuer')!r}")
        if missing := [name for name in needed if not isinstance(found.get(name), str)]:
            raise OAuth2Error(f"the provider's description lacks {', '.join(missing)}")
        _configs[issuer] = time.monotonic(), found
        return found

    def _decode_id_token(self, app: Any, id_token: str) -> dict[str, Any]:
        """Verify an ID token and return its claims. Raises OAuth2Error if the token is not valid.

        allauth trusts the TLS connection to the provider instead of the signature. The signature also
        protects if TLS ends at a proxy.
        """
        try:
            algorithm = jwt.get_unverified_header(id_token).get("alg")
            if algorithm not in ALGORITHMS:
                raise OAuth2Error(f"the token is signed with {algorithm!r}")
            claims: dict[str, Any] = jwt.decode(
                id_token,
                self._find_key(jwt.get_unverified_header(id_token).get("kid")),
                algorithms=[algorithm],
                audience=app.client_id,
                issuer=self.openid_config["issuer"],
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iat", "sub", "nonce"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError, KeyError) as error:
            raise OAuth2Error(f"the token is not valid: {error}") from error
        audience = claims["aud"]
        if isinstance(audience, list) and len(audience) > 1 and claims.get("azp") != app.client_id:
            raise OAuth2Error("the token is for several programs")
        setattr(self.request, CLAIMS, claims)
        return claims

    def _find_key(self, key_id: str | None) -> Any:
        with get_adapter().get_requests_session() as session:
            response = session.get(self.openid_config["jwks_uri"])
            response.raise_for_status()
            keys = jwt.PyJWKSet.from_dict(response.json()).keys
        usable = [key for key in keys if key.public_key_use in (None, "sig")]
        found = [key for key in usable if key.key_id == key_id] if key_id is not None else usable
        if len(found) != 1:
            raise OAuth2Error("the provider has no such key")
        return found[0].key

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **kwargs: Any) -> SocialLogin:
        """Return the verified identity. Raises OAuth2Error if the provider has sent no valid ID token."""
        if not isinstance(kwargs["response"].get("id_token"), str):
            raise OAuth2Error("the provider sends no ID token")
        return super().complete_login(request, app, token, **kwargs)


class OpenIdProvider(OpenIDConnectProvider):  # type: ignore[misc]  # allauth ships no types
    oauth2_adapter_class = ProviderAdapter

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return nothing, so that the link stores no further data."""
        return {}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[Any]:
        """Return no address, because the provider may not have confirmed it."""
        return []


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """The handler of a person's return from the provider."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Sign in, link an account, or confirm who the person is, as the request demands.

        Raises OAuth2Error if the token answers another request, and ImmediateHttpResponse unless a sign-in
        continues.
        """
        state, claims = sociallogin.state, getattr(request, CLAIMS, {})
        if not state.get("nonce") or claims.get("nonce") != state["nonce"]:
            raise OAuth2Error("the token answers another request")
        purpose = state.get("process")
        try:
            if purpose == LINK:
                _link(request, sociallogin)
            elif purpose == CONFIRM:
                _confirm(request, sociallogin, claims)
            else:
                _find_or_make_account(request, sociallogin, claims)
        except Refused as error:
            show_refusal(request, error)
            raise ImmediateHttpResponse(redirect("sign_in" if purpose == SIGN_IN else "account")) from error
        if purpose != SIGN_IN:
            raise ImmediateHttpResponse(redirect(state.get("next") or "account"))

    def on_authentication_error(self, request: HttpRequest, provider: Any, **more: Any) -> None:
        """Raise ImmediateHttpResponse, which redirects to the sign-in or account page with an error."""
        log.warning("open_id_failed", error=str(more.get("error")), reason=repr(more.get("exception"))[:300])
        show_refusal(request, sign_in_failed_error())
        raise ImmediateHttpResponse(redirect("account" if request.user.is_authenticated else "sign_in"))


def sign_in_failed_error() -> TournamentError:
    """Return the error for a failed sign-in at the provider. The log has the reason."""
    return TournamentError(
        "open_id/failed",
        _("%(name)s has not signed you in: try again, or sign in with your password."),
        name=settings.OPEN_ID.name,
    )


def start_at_provider(request: HttpRequest, purpose: str, *, next_url: str = "", invitation: str = "") -> str:
    """Return the URL at the provider that the browser must open. `purpose`: SIGN_IN, LINK or CONFIRM.

    Raises TournamentError `open_id/failed` if the provider cannot be reached.
    """
    provider = get_adapter().get_provider(request, provider=PROVIDER)
    nonce = secrets.token_urlsafe(24)
    wanted = {"nonce": nonce}
    if purpose == CONFIRM:
        wanted |= {"prompt": "login", "max_age": "0"}
    user = request.user.pk if request.user.is_authenticated else None
    state = {"nonce": nonce, "invitation": invitation, "account": user}
    try:
        response: HttpResponse = provider.redirect(
            request, purpose, next_url or None, auth_params=wanted, **state
        )
    except (RequestException, OAuth2Error, ValueError, KeyError) as error:
        log.warning("open_id_failed", reason=repr(error)[:300])
        raise sign_in_failed_error() from error
    return str(response["Location"])


def find_configuration_error() -> str:
    """Read the provider's description anew, and return what is wrong with it; "" if nothing is."""
    _configs.clear()
    try:
        _ = ProviderAdapter(HttpRequest(), settings.OPEN_ID.provider_id).openid_config
    except (RequestException, OAuth2Error, ValueError, AttributeError) as error:
        return str(error)[:200] or type(error).__name__
    return ""


def finish_at_provider(request: HttpRequest) -> HttpResponse:
    """Return the response to a browser that the provider has sent back."""
    adapter = ProviderAdapter(request, settings.OPEN_ID.provider_id)
    response: HttpResponse = OAuth2CallbackView.adapter_view(adapter)(request)
    return response


def unlink_identity(user: User) -> None:
    """Unlink the account from its identity. Raises TournamentError `open_id/only_way` if the account has no
    password.
    """
    if not user.has_usable_password():
        raise TournamentError("open_id/only_way", _("Without a password you could no longer sign in."))
    SocialAccount.objects.filter(user=user, provider=settings.OPEN_ID.provider_id).delete()
    log.warning("open_id_unlinked", user=user.pk)


def _require_same_person(request: HttpRequest, sociallogin: SocialLogin) -> User:
    """Return the signed-in account. Raises TournamentError `open_id/failed` if the request was begun by
    another account.
    """
    if not isinstance(request.user, User) or request.user.pk != sociallogin.state.get("account"):
        raise sign_in_failed_error()
    return request.user


def _link(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Link the identity to the signed-in account, in place of an identity linked before."""
    user = _require_same_person(request, sociallogin)
    found = sociallogin.account
    try:
        with transaction.atomic():
            own = SocialAccount.objects.filter(user=user, provider=found.provider)
            own.exclude(uid=found.uid).delete()
            linked, _new = SocialAccount.objects.get_or_create(
                provider=found.provider, uid=found.uid, defaults={"user": user}
            )
            if linked.user_id != user.pk:
                raise IntegrityError
    except IntegrityError:
        raise TournamentError(
            "open_id/taken", _("Another account here is linked to this identity.")
        ) from None
    log.warning("open_id_linked", user=user.pk)


def _confirm(request: HttpRequest, sociallogin: SocialLogin, claims: dict[str, Any]) -> None:
    """Record that the person has just signed in at the provider. The claim `auth_time` proves this; the
    return from the provider alone does not.

    If the provider sends no `auth_time`, nothing is confirmed. A person without a password then needs a link
    for a new password from an owner of the installation.
    """
    user = _require_same_person(request, sociallogin)
    auth_time = claims.get("auth_time")
    signed_in_at = float(auth_time) if isinstance(auth_time, int) else 0.0
    fresh = time.time() - signed_in_at < (settings.PASSWORD_AGAIN_AFTER or 0)
    if sociallogin.user != user or not fresh:
        log.warning(
            "open_id_not_fresh", user=user.pk, auth_time=auth_time, same_person=sociallogin.user == user
        )
        raise TournamentError(
            "open_id/not_fresh",
            _(
                "%(name)s does not confirm that you have just signed in there. Try again, or ask an owner of"
                " this installation for a link for a new password."
            ),
            name=settings.OPEN_ID.name,
        )
    request.session[PROVED_AT] = min(signed_in_at, time.time())


def _find_or_make_account(request: HttpRequest, sociallogin: SocialLogin, claims: dict[str, Any]) -> None:
    """Let the linked account sign in. Without one, create the account by the invitation of the request."""
    if sociallogin.is_existing:
        if not sociallogin.user.is_active:
            raise TournamentError("open_id/locked", _("This account is locked."))
        return
    token = sociallogin.state.get("invitation") or ""
    invitation = invitations.find_invitation(token) if token else None
    if invitation is None:
        raise TournamentError(
            "open_id/not_linked",
            _("No account here is linked to it. Sign in with your password, then link your account."),
        )
    with transaction.atomic():
        user = User(username=_find_free_name(claims), first_name=str(claims.get("name") or "")[:MAX_NAME])
        user.set_unusable_password()
        user.save()
        SocialAccount.objects.create(
            user=user, provider=sociallogin.account.provider, uid=sociallogin.account.uid
        )
        invitations.accept(invitation, user)
    sociallogin.user = user
    log.warning("open_id_account_made", user=user.pk)


def _find_free_name(claims: dict[str, Any]) -> str:
    """Return a free user name, like the one that the person has at the provider."""
    given = str(claims.get("preferred_username") or claims.get("name") or "").partition("@")[0]
    wanted = re.sub(r"[^\w.+-]+", ".", given).strip(".")[: MAX_NAME - 6] or "person"
    wanted = User.normalize_username(wanted)
    alike = User.objects.filter(username__istartswith=wanted).values_list("username", flat=True)
    taken = {name.lower() for name in alike}
    numbered = (f"{wanted}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (wanted, *numbered) if name.lower() not in taken)


registry.register(OpenIdProvider)
