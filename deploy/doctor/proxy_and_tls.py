"""Checks of the connection between browsers and this installation: variables, proxy, TLS."""

import contextlib
import socket
import ssl
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext, ngettext

from deploy import environment
from deploy.doctor import proxies
from deploy.doctor.results import Diagnosis, Severity, fine

TIMEOUT_SECONDS: Final = 5
EXPIRES_SOON: Final = timedelta(days=14)
LOCAL_NAMES: Final = {"localhost", "127.0.0.1", "[::1]", "testserver"}


def check_variables() -> Diagnosis:
    """Check that no environment variable is unknown or misspelt."""
    misspelt = environment.find_misspelt()
    if not misspelt:
        return fine(gettext("All variables that begin with PUUR_ are known."))
    meant = [f"{name} ({likely}?)" if likely else name for name, likely in misspelt.items()]
    sentence = gettext("Puur does not know these variables: %(names)s.") % {"names": ", ".join(meant)}
    return Diagnosis(Severity.WARNING, sentence, gettext("docs/operators.md lists all variables."))


def check_proxy() -> Diagnosis:
    """Check which senders set X-Forwarded headers, whether these are trusted, and what the headers state."""
    trusted, stranger = proxies.load_last(trusted=True), proxies.load_last(trusted=False)
    if trusted is not None and settings.TLS and trusted.proto != "https":
        sentence = gettext("The proxy at %(peer)s does not announce https, so pages redirect for ever.")
        remedy = gettext("Let it send X-Forwarded-Proto: https.")
        return Diagnosis(Severity.ERROR, sentence % {"peer": trusted.peer}, remedy)
    if trusted is not None and trusted.hops == 0:
        sentence = gettext(
            "The proxy at %(peer)s does not pass on the addresses of its clients: all share one limit."
        )
        remedy = gettext("Let it send X-Forwarded-For with the address of its client.")
        return Diagnosis(Severity.WARNING, sentence % {"peer": trusted.peer}, remedy)
    if stranger is not None and trusted is None:
        sentence = gettext("%(peer)s sends X-Forwarded headers and is not trusted, so they are ignored.")
        remedy = gettext("If it is your proxy, add its address to PUUR_TRUSTED_PROXIES. If not, do nothing.")
        return Diagnosis(
            Severity.ERROR if settings.TLS else Severity.WARNING, sentence % {"peer": stranger.peer}, remedy
        )
    if trusted is not None:
        sentence = gettext("The proxy at %(peer)s is trusted and names its clients.")
        return fine(sentence % {"peer": trusted.peer})
    if settings.TLS:
        sentence = gettext("No request has come through a trusted proxy in the last days.")
        return Diagnosis(
            Severity.WARNING, sentence, gettext("Open a page of the site once, then look again.")
        )
    return fine(gettext("There is no proxy: browsers connect directly."))


def check_tls() -> Diagnosis:
    """Check the certificate as browsers see it, and that browsers insist on https (HSTS). Without TLS, warn
    unless only this machine opens the pages.
    """
    if not settings.TLS:
        if set(settings.ALLOWED_HOSTS) <= LOCAL_NAMES:
            return fine(gettext("Only this machine opens the pages: no encryption is needed."))
        sentence = gettext("Pages are not encrypted: anybody in the network can read passwords and hands.")
        remedy = gettext("For more than an evening among friends put a TLS proxy in front.")
        return Diagnosis(Severity.WARNING, sentence, remedy)
    parts = urlsplit(settings.ORIGIN)
    host, port = parts.hostname or "", parts.port or 443
    try:
        expires = _certificate_end(host, port)
    except ssl.SSLError as error:
        reason = getattr(error, "verify_message", "") or error.reason or ""
        sentence = gettext("Browsers refuse the certificate of %(host)s: %(reason)s")
        return Diagnosis(Severity.ERROR, sentence % {"host": host, "reason": reason}, _advise_renewal())
    except OSError:
        sentence = gettext("%(host)s, port %(port)d, does not answer from this machine.")
        remedy = gettext("Open the address from another network. If that works, everything is fine.")
        return Diagnosis(Severity.WARNING, sentence % {"host": host, "port": port}, remedy)
    left = expires - datetime.now(UTC)
    sentence = ngettext(
        "The certificate is valid for %(n)d more day.",
        "The certificate is valid for %(n)d more days.",
        left.days,
    ) % {"n": left.days}
    if left < EXPIRES_SOON:
        return Diagnosis(Severity.WARNING, sentence, _advise_renewal())
    if not settings.SECURE_HSTS_SECONDS:
        remedy = gettext("Remove PUUR_HSTS_SECONDS=0 once all works.")
        hsts = gettext("Browsers do not insist on https (HSTS is off).")
        return Diagnosis(Severity.WARNING, f"{sentence} {hsts}", remedy)
    return fine(sentence)


def _advise_renewal() -> str:
    return gettext(
        "Renew it (certbot renew), and find out in the proxy's log why that did not happen automatically."
    )


def _certificate_end(host: str, port: int) -> datetime:
    """Return when the certificate expires. Raises OSError (also as ssl.SSLError) if there is no
    connection.
    """
    context = ssl.create_default_context()
    with (
        contextlib.closing(socket.create_connection((host, port), timeout=TIMEOUT_SECONDS)) as plain,
        context.wrap_socket(plain, server_hostname=host) as secured,
    ):
        shown = secured.getpeercert() or {}
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown["notAfter"])), UTC)
