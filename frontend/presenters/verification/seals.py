"""A checkpoint for print: its time, the twelve words, and a QR code whose URL contains the same words."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from frontend.presenters.tables.codes import render_qr_code
from games.sealing import Checkpoint, in_words
from tournaments.models import Championship
from tournaments.services.table_access.phone_address import find_printed_address


@dataclass(frozen=True, slots=True)
class Sealed:
    """A checkpoint as pages show it. `events`: number of events that it signs; `words`: the twelve words of
    its hash; `root`: the Merkle root in hex.
    """

    number: int
    made_at: datetime
    events: int
    words: tuple[str, ...]
    root: str

    @property
    def anchor(self) -> str:
        return "-".join(self.words)


@dataclass(frozen=True, slots=True)
class PrintedSeal:
    """The seal printed below a ranking. `address`: URL of the checkpoint, empty if the sheet's readers cannot
    reach the site; `picture`: its QR code.
    """

    seal: Sealed
    address: str
    picture: SafeString


def checkpoint_file(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the content of a checkpoint's file, which verifiers accept as proof of what was published."""
    return {
        "number": checkpoint.says.number,
        "body": checkpoint.body.decode(),
        "signature": checkpoint.signature.hex(),
        "hash": checkpoint.hash.hex(),
        "words": " ".join(in_words(checkpoint.hash)),
    }


def build_sealed(checkpoint: Checkpoint) -> Sealed:
    says = checkpoint.says
    made_at = datetime.fromisoformat(says.made_at)
    return Sealed(says.number, made_at, says.events, in_words(checkpoint.hash), says.root)


def build_printed_seal(
    request: HttpRequest, championship: Championship, checkpoint: Checkpoint | None
) -> PrintedSeal | None:
    """Return the seal to print on a sheet of this championship; None without a checkpoint."""
    if checkpoint is None:
        return None
    seal = build_sealed(checkpoint)
    reached = find_printed_address(championship, request.build_absolute_uri("/"))
    if reached is None:  # The site has no address that readers of the sheet can reach.
        return PrintedSeal(seal, "", mark_safe(""))
    address = seal_address(reached, championship, seal)
    return PrintedSeal(seal, address, render_qr_code(address))


def seal_address(base: str, championship: Championship, seal: Sealed) -> str:
    """Return the URL of a seal with its words after the `#`. `base`: the platform's, without final slash."""
    page = base + reverse("checkpoints", args=[championship.slug])
    return f"{page}?at={seal.number}#{seal.anchor}"
