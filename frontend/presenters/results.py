"""The sentences of the results grid's script."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

RESULTS: Final[Mapping[str, str | Promise]] = {
    "results.saving": _("being saved …"),
    "results.kept": _("No connection: kept here, it goes when there is one again."),
    "results.too_much": _("{off} too much: together {sum} instead of {expected}."),
    "results.too_little": _("{off} too little: together {sum} instead of {expected}."),
    "results.likely": _("{instead} instead of {written}?"),
    "results.of_sweeps": _("Sweep {points}: {side}"),
    "results.of_stoecks": _("Stöck {points}: {side}"),
    "results.of_melds": _("Melds {points}: {side}"),
    "results.more": _("Other ways …"),
    "results.bare": _("nothing beside the cards"),
    "results.share": _("Share the difference: {scores}"),
    "results.scorer": _("Written by {side}: {scores}"),
    "results.done": _("done"),
    "results.stored": _("Stored: {stored}. Typed here and not stored: {typed}."),
    "results.again": _("typed once: type the same numbers again"),
    "results.waits": _("to be confirmed"),
    "results.progress": _("{done} of {all}"),
    "results.numbers": _("Type the points of a side."),
    "results.bounds": _("In so many deals a person has {least} to {most} points."),
    "results.unlikely": _("{name}: {points} points would be {each} a deal. Enter again if it is so."),
    "results.other_people": _("Other people sit here now than this line names."),
    "results.load": _("Load the page again"),
    "results.too_many": _("A side has {most} points at most."),
}
