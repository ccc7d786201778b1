"""Proof that the person at a signed-in browser owns the account: they recently entered the password or signed
in at the linked provider. Appointing officials, opening hands and more require it.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.forms.sign_in import PasswordAgainForm
from frontend.presenters.words.refusals import too_many_passwords
from frontend.sign_in_attempts import OLD_PASSWORD
from games.models import User

FIELD: Final = "password_again"
"""Name of the field for the password, which is added to the fields of the form that needs the proof."""
PROVED_AT: Final = "open_id_proved_at"
"""Key in the session of the time when the person signed in at the provider to confirm who they are."""


def is_reauthenticated(request: HttpRequest) -> bool:
    """Return whether the person has confirmed who they are in the last `settings.PASSWORD_AGAIN_AFTER`
    seconds (None: always True).
    """
    if settings.PASSWORD_AGAIN_AFTER is None:
        return True
    records = get_authentication_records(request, request.user)
    given = [record["at"] for record in records if record.get("method") == "password"]
    given += [request.session.get(PROVED_AT, 0.0)]
    latest: float = max(given)
    return time.time() - latest < settings.PASSWORD_AGAIN_AFTER


def record_reauthentication(request: HttpRequest) -> None:
    """Record in the session that the person has just typed the password."""
    record_authentication(request, request.user, method="password", reauthenticated=True)


def reauthentication_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view whose forms need a proof. If a signed-in person sends a form without a proof, a page
    asks for the password and then sends it again.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = request.user
        if request.method != "POST" or not isinstance(user, User) or is_reauthenticated(request):
            return view(request, *args, **kwargs)
        form = PasswordAgainForm(request.POST if FIELD in request.POST else None, user=user)
        if FIELD in request.POST and form.is_valid():
            record_reauthentication(request)
            return view(request, *args, **kwargs)
        return ask_password(request, form)

    return wrapped


def find_linked_provider_name(user: Any) -> str:
    """Return the name of the provider at which this person can confirm who they are; "" if there is none."""
    if not settings.OPEN_ID.issuer:
        return ""
    linked = SocialAccount.objects.filter(user=user.pk, provider=settings.OPEN_ID.provider_id)
    return settings.OPEN_ID.name if linked.exists() else ""


def ask_password(request: HttpRequest, form: PasswordAgainForm) -> HttpResponse:
    """Return the page that asks for the password and contains the fields of the submitted form."""
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in (FIELD, "csrfmiddlewaretoken")
        for value in values
    ]
    wait = OLD_PASSWORD.wait(request.user.pk)
    context = {
        "form": form,
        "sent": sent,
        "next": request.META.get("HTTP_REFERER", ""),
        "open_id": find_linked_provider_name(request.user),
        "refusal": too_many_passwords(wait) if wait else None,
    }
    status = 429 if wait else 403
    response = render(request, "account/reauthenticate.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    if wait:
        response.headers["Retry-After"] = str(wait)
    return response
