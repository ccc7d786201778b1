"""The address for phones that is printed. An official chooses it, and tests it with a phone.

Loopback and wildcard addresses (localhost, 127.0.0.1, 0.0.0.0) are never used.
"""

import ipaddress
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http.request import validate_host
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.ids import new_id
from games.monitoring.network import addresses_of_this_machine
from tournaments.errors import TournamentError
from tournaments.models import Championship, PhoneAddress
from tournaments.permissions import Actor
from tournaments.services import locks

MAX_ADDRESS_LENGTH: Final = 120


def find_printed_address(championship: Championship, asked: str) -> str | None:
    """Return the address to print: the first that is not local to this machine, None if all are.

    These are tried in order: the chosen address, the address of the installation, the address of the request
    (`asked`).
    """
    chosen = PhoneAddress.objects.filter(championship=championship).values_list("address", flat=True).first()
    for address in (chosen, settings.ORIGIN, asked):
        if address and not is_local_only(address):
            return address.rstrip("/")
    return None


def list_addresses(asked: str) -> list[str]:
    """List the private addresses of this machine under which the platform answers, with the
    port of `asked`.
    """
    port = urlsplit(asked).port
    tail = "" if port is None else f":{port}"
    return [
        f"http://{address}{tail}"
        for address in addresses_of_this_machine()
        if ipaddress.ip_address(address).is_private and validate_host(address, settings.ALLOWED_HOSTS)
    ]


def choose_address(championship: Championship, text: str, *, actor: Actor) -> PhoneAddress | None:
    """Set the address for phones of this championship, still untested, and return its row. An empty text
    removes the address.

    Raises TournamentError `phones/no_address`, `phones/only_here`, `phones/not_answered`.
    """
    locks.require_official_unlocked(championship, actor, "enter")
    if not text.strip():
        PhoneAddress.objects.filter(championship=championship).delete()
        return None
    address = _normalise_address(text)
    found, _made = PhoneAddress.objects.update_or_create(
        championship=championship, defaults={"address": address, "nonce": new_id(), "checked_at": None}
    )
    return found


def record_phone(row: PhoneAddress, asked: str, source: str) -> None:
    """Record that a phone has opened the test page.

    `asked`: the address that the phone requested; `source`: the network address of the phone. Raises
    TournamentError `phones/this_machine`, `phones/other_address`.
    """
    if _is_this_machine(source):
        raise TournamentError(
            "phones/this_machine", _("This is the machine itself. Open the page on a phone in the hall.")
        )
    if urlsplit(asked).netloc != urlsplit(row.address).netloc:
        sentence = _("The phone used %(asked)s, but the printed address is %(address)s.")
        asked = urlsplit(asked).netloc
        raise TournamentError("phones/other_address", sentence, asked=asked, address=row.address)
    PhoneAddress.objects.filter(pk=row.pk).update(checked_at=timezone.now())


def is_local_only(address: str) -> bool:
    """Return whether the address can be reached from this machine only."""
    name = (urlsplit(address).hostname or "").lower()
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        return name in {"", "localhost"} or name.endswith(".localhost")
    return found.is_loopback or found.is_unspecified


def _is_this_machine(source: str) -> bool:
    try:
        found = ipaddress.ip_address(source)
    except ValueError:
        return True
    return found.is_loopback or source in addresses_of_this_machine()


def _normalise_address(text: str) -> str:
    """Return the address with only scheme, host and port."""
    text = text.strip().rstrip("/")
    parts = _split_address(text if "://" in text else f"http://{text}")
    if parts is None or len(text) > MAX_ADDRESS_LENGTH:
        raise TournamentError(
            "phones/no_address", _("This is not an address. An example: http://192.168.1.20:8000")
        )
    whole = f"{parts.scheme}://{parts.netloc.lower()}"
    if is_local_only(whole):
        raise TournamentError(
            "phones/only_here", _("Only this machine itself can use that address; phones cannot.")
        )
    if not validate_host(parts.hostname or "", settings.ALLOWED_HOSTS):
        sentence = _(
            "Puur does not answer at %(host)s. Start it with: python3 manage.py serve --host 0.0.0.0"
        )
        raise TournamentError("phones/not_answered", sentence, host=parts.hostname)
    return whole


def _split_address(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    plain = not (parts.path or parts.query or parts.fragment or parts.username or parts.password)
    good = parts.scheme in {"http", "https"} and parts.hostname and port != 0
    clean = all(sign.isalnum() or sign in ".-:[]" for sign in parts.netloc)
    return parts if plain and good and clean else None
