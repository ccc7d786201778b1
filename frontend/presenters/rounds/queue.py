"""The queue of a session for its page: who waits and for how long, how many can be seated, and the newest
tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from frontend.presenters.money.prizes import format_francs
from frontend.presenters.tables.tables import seat_mark
from games.models import Game
from tournaments.models import Entry, Fee, Round, Seating
from tournaments.services.entries.pairs import pair_name
from tournaments.services.money.fees import find_fee
from tournaments.services.open_heat.seating import SeatingProposal
from tournaments.services.open_heat.starts import StartOffer
from tournaments.services.open_heat_queue import WaitingStart

SHOWN_WAITING = 60
SHOWN_TABLES = 12


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """A start in the queue. name: of the person, or of both members of a pair; since: when it was queued;
    minutes: waiting time in words, only at the desk, else empty; table: number of the table where one of its
    people still plays.
    """

    entry: Entry
    name: str
    club: str
    paid: bool
    since: datetime
    minutes: str
    table: int | None


@dataclass(frozen=True, slots=True)
class CalledTable:
    """A table that plays. people: entry's number, label of the chair and name of each person, in the order of
    play.
    """

    number: int
    game: str
    people: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class OfferLine:
    """A person found by a search. used: number of starts already used; label: of the button, empty without
    one; why: why there is no button; choose: the button chooses the first member of a pair; seen: number of
    starts used by the person, or by both partners, when the page was rendered.
    """

    person: Entry
    used: int
    label: str
    why: str
    choose: bool = False
    seen: int = 0


def waiting_lines(waiting: Sequence[WaitingStart], now: datetime | None) -> list[WaitingLine]:
    """Return lines for the first SHOWN_WAITING starts in the queue. `now`: None to hide waiting times."""
    lines = []
    for one in waiting[:SHOWN_WAITING]:
        passed = 0 if now is None else max(0, int((now - one.queued_at).total_seconds()) // 60)
        told = "" if now is None else ngettext("%(n)d minute", "%(n)d minutes", passed) % {"n": passed}
        lines.append(
            WaitingLine(
                one.entry,
                pair_name(one.entries),
                " / ".join(dict.fromkeys(entry.club for entry in one.entries if entry.club)),
                all(entry.paid for entry in one.entries),
                one.queued_at,
                told,
                one.table,
            )
        )
    return lines


def list_called_tables(round_: Round, *, chips: int, most: int = SHOWN_TABLES) -> list[CalledTable]:
    """Return the newest `most` tables in play. `chips`: chips at a full table, 0 for letters. Two queries."""
    playing = round_.tables.filter(game__isnull=False).exclude(game__status__in=Game.OVER)
    rows = playing.order_by("-number").values_list("pk", "number", "game_id")[:most]
    newest = {pk: (number, str(game)) for pk, number, game in rows}
    people: dict[int, list[tuple[int, str, str]]] = {pk: [] for pk in newest}
    for one in Seating.objects.filter(table__in=list(newest)).select_related("entry").order_by("seat"):
        mark = seat_mark(newest[one.table_id][0], one.seat, chips=chips)
        people[one.table_id].append((one.entry.number, mark, one.entry.name))
    return [CalledTable(number, game, tuple(people[pk])) for pk, (number, game) in newest.items()]


def seating_sentence(proposal: SeatingProposal) -> str:
    """Describe how many people the button for seating tables would seat, or how many starts wait if it can
    seat none.
    """
    waits = ngettext("%(n)d start waits.", "%(n)d starts wait.", proposal.waiting) % {"n": proposal.waiting}
    if proposal.tables:
        stays = ngettext("%(n)d waits on.", "%(n)d wait on.", proposal.remain) % {"n": proposal.remain}
        sits = ngettext("%(n)d person sits down.", "%(n)d people sit down.", proposal.people) % {
            "n": proposal.people
        }
        said = [sits, stays if proposal.remain else _("Nobody waits on.")]
    else:
        said = [waits]
    if proposal.held:
        said.append(
            ngettext(
                "%(n)d of them belongs to somebody who is playing, or waiting with an earlier start.",
                "%(n)d of them belong to people who are playing, or waiting with an earlier start.",
                proposal.held,
            )
            % {"n": proposal.held}
        )
    return " ".join(said)


def offer_lines(offers: Sequence[StartOffer], fees: Sequence[Fee]) -> list[OfferLine]:
    """Return the people found by a search, each with a button or why there is none."""
    lines = []
    for one in offers:
        label, why = "", ""
        if one.waits:
            why = _("on the waiting list")
        elif one.left:
            label = _("Add to the queue")
        elif one.may_more:
            fee = find_fee(one.person, fees)
            label = _("Sell start %(n)d") % {"n": one.used + 1}
            if fee is not None and fee.amount:
                label = f"{label} ({format_francs(fee.amount)})"
        else:
            why = _("has used all starts")
        lines.append(OfferLine(one.person, one.used, label, why, seen=one.used))
    return lines


def first_of_pair_lines(offers: Sequence[StartOffer]) -> list[OfferLine]:
    """Return the people found by a search, each with a button that chooses them as the first member of a
    pair, or why there is none.
    """
    lines = []
    for one in offers:
        why = ""
        if one.waits:
            why = _("on the waiting list")
        elif not (one.left or one.may_more or one.bought_with):
            why = _("has used all starts")
        lines.append(OfferLine(one.person, one.used, "" if why else _("Choose"), why, choose=not why))
    return lines


def partner_lines(chosen: StartOffer, offers: Sequence[StartOffer], fees: Sequence[Fee]) -> list[OfferLine]:
    """Return the people found by a search as possible partners of the chosen person, each with a button or
    why there is none.
    """
    lines = []
    for one in offers:
        both, label, why = (chosen, one), "", ""
        needs = [] if one.person.pk in chosen.bought_with else [each for each in both if not each.left]
        if one.waits:
            why = _("on the waiting list")
        elif all(each.may_more for each in needs):
            owed = [find_fee(each.person, fees) for each in needs]
            price = sum(fee.amount for fee in owed if fee is not None)
            label = _("Sell the start") if needs else _("Add to the queue")
            label = f"{label} ({format_francs(price)})" if price else label
        elif not one.left and not one.may_more:
            why = _("has used all starts")
        else:
            why = _("%(name)s has used all starts") % {"name": chosen.person.name}
        lines.append(OfferLine(one.person, one.used, label, why, seen=chosen.used + one.used))
    return lines
