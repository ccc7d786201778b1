"""/status/phones/: The owner of an installation on a laptop opens a network address for the phones of the
hall, and closes it again.
"""

import ipaddress
import logging
import sys
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from deploy import network_listener
from deploy.limits import proxied
from engine import Refused
from frontend.accounts.proof import reauthentication_required
from frontend.presenters.tables.codes import render_qr_code
from frontend.presenters.words.refusals import refusal_sentence, show_refusal
from games.monitoring.network import addresses_of_this_machine
from tournaments.errors import TournamentError

log = logging.getLogger(__name__)


def owners_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view for owners of the installation. Other accounts get 404."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        if not getattr(request.user, "is_superuser", False):
            raise Http404(_("This page is not public."))
        return view(request)

    return wrapped


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@owners_only
@reauthentication_required
def let_phones_in(request: HttpRequest) -> HttpResponse:
    """Show the address for phones. POST `open` (an address of this machine) opens it, `close` closes it."""
    listener = network_listener.current
    try:
        if request.method == "POST" and listener is not None and "close" in request.POST:
            listener.close()
        elif request.method == "POST":
            open_listener(find_listener(), request.POST.get("open", ""))
        elif listener is None or not listener.address:
            find_listener()
    except Refused as error:
        if request.method == "POST":
            show_refusal(request, error)
            return redirect("phones")
        refusal = {"sentence": refusal_sentence(error), "code": error.code}
        return render(request, "deploy/phones.html", {"refusal": refusal})
    if request.method == "POST":
        return redirect("phones")
    link = f"http://{listener.address}/" if listener is not None and listener.address else ""
    context = {
        "link": link,
        "port": link.rpartition(":")[2].rstrip("/"),
        "picture": render_qr_code(link) if link else "",
        "addresses": list_private_addresses(),
        "system": sys.platform,
    }
    return render(request, "deploy/phones.html", context)


def find_listener() -> network_listener.NetworkListener:
    """Return the listener of this process if it can be opened.

    Raises TournamentError `phones/behind_proxy` if the site has a public address or a proxy, and
    `phones/no_button` if this process has no listener.
    """
    here = proxied.LOOPBACK | {"unix"}
    through_proxy = any(seen.peer in here for seen in proxied.last_forwarded.values())
    if settings.ORIGIN or settings.TRUSTED_PROXIES or through_proxy:
        raise TournamentError(
            "phones/behind_proxy",
            _("This installation is behind a proxy: phones open the proxy's address."),
        )
    if network_listener.current is None:
        raise TournamentError(
            "phones/no_button",
            _("The button exists only where serve or demo was started for this machine alone."),
        )
    return network_listener.current


def list_private_addresses() -> list[str]:
    """Return the private IPv4 addresses of this machine."""
    return [one for one in addresses_of_this_machine() if ipaddress.ip_address(one).is_private]


def open_listener(listener: network_listener.NetworkListener, host: str) -> None:
    """Open an address of this machine. Raises TournamentError `phones/no_network` if it is not a private
    address of this machine, and `phones/cannot_listen` if the socket cannot be opened.
    """
    if host not in list_private_addresses():
        raise TournamentError(
            "phones/no_network", _("This machine has no such address: join the network of the hall first.")
        )
    try:
        listener.open(host)
    except OSError as error:
        log.warning("phones were not let in: %s", error)
        raise TournamentError(
            "phones/cannot_listen", _("Puur cannot listen at this address: %(reason)s"), reason=error
        ) from None
    log.warning("phones are let in at %s", listener.address)
