"""Decisions on tickets of a series: naming title holders, giving wild cards, declining and
accepting tickets.
"""

from collections.abc import Container
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import ClubSeries, Entry, Person, SeriesTicket
from tournaments.names import clean
from tournaments.series.qualification import ACCEPTED
from tournaments.services.series.loading import LoadedSeries, is_from_elsewhere, load_series
from tournaments.services.series.stream import MAX_REASON, changing

Kind = SeriesTicket.Kind
MAX_NAMED: Final = 200
"""Largest number of title holders and wild cards of a series together."""


def name_holder(series: ClubSeries, person: Person, *, actor: User) -> None:
    """Name a person of the roll as a holder of the title.

    Raises TournamentError `series/not_on_roll`, `series/too_many_named`.
    """
    _add_person(series, person, Kind.HOLDER, "", actor)


def give_wild_card(series: ClubSeries, person: Person, *, reason: str, actor: User) -> None:
    """Give a wild card to a person of the roll.

    Raises TournamentError `series/wild_card_reason`, `series/not_on_roll`, `series/too_many_named`.
    """
    reason = clean(reason, longest=MAX_REASON, field="reason")
    if not reason:
        raise TournamentError(
            "series/wild_card_reason",
            _("A wild card needs a reason, which everybody can read."),
            field="reason",
        )
    _add_person(series, person, Kind.WILD_CARD, reason, actor)


def _add_person(series: ClubSeries, person: Person, kind: Kind, reason: str, actor: User) -> None:
    rolls.require_keeper(actor, series.club)
    if person.club_id != series.club_id or person.erased_at is not None:
        raise TournamentError(
            "series/not_on_roll", _("Choose somebody on the roll of %(club)s."), club=series.club.name
        )
    with changing(series, actor=actor) as locked_series:
        if locked_series.tickets.filter(kind__in=(Kind.HOLDER, Kind.WILD_CARD)).count() >= MAX_NAMED:
            raise TournamentError(
                "series/too_many_named",
                _("At most %(most)s people hold the title or have a wild card."),
                most=MAX_NAMED,
            )
        locked_series.tickets.update_or_create(kind=kind, person=person, defaults={"reason": reason})


def undo_ticket(series: ClubSeries, kind: str, ref: str, *, actor: User) -> None:
    """Take back a decision on a ticket, if there is one. `kind`: of `SeriesTicket.Kind`; `ref`: of the
    person.

    Raises TournamentError `series/ticket_passed_on` if another person has accepted the ticket since it was
    declined.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor) as locked_series:
        before = load_series(locked_series)
        matching = [ticket for ticket in before.tickets if (ticket.kind, ticket.ref) == (kind, ref)]
        for ticket in matching:
            ticket.delete()
        if matching and kind == Kind.DECLINED:
            _require_room(before, load_series(locked_series))


def _require_room(before: LoadedSeries, after: LoadedSeries) -> None:
    """Raise TournamentError if a person who has accepted a ticket would keep it only by the acceptance."""
    now, then = _list_beside(after), _list_beside(before)
    for ref in now - then:
        raise TournamentError(
            "series/ticket_passed_on",
            _("%(name)s has accepted this ticket: undo that first."),
            name=after.persons[ref].names.running,
        )


def _list_beside(loaded: LoadedSeries) -> set[str]:
    """Return the references of the persons who have a ticket only because they have accepted one."""
    qualification = loaded.qualification
    return (
        set()
        if qualification is None
        else {ticket.ref for ticket in qualification.qualified if ticket.why == ACCEPTED}
    )


def decline(series: ClubSeries, ref: str, *, actor: User) -> None:
    """Record that a person declines the ticket. The next person on the waiting list gets one.

    An earlier acceptance is removed. Raises TournamentError `series/no_ticket`, `series/in_the_final`,
    `series/ticket_elsewhere`.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor) as locked_series:
        loaded = load_series(locked_series)
        _require_ticket(loaded, ref)
        _require_not_entered(loaded, ref)
        for ticket in loaded.tickets:
            if (ticket.kind, ticket.ref) == (Kind.ACCEPTED, ref):
                ticket.delete()
        _say(locked_series, loaded, Kind.DECLINED, ref)


def accept_ticket(series: ClubSeries, ref: str, *, actor: User) -> None:
    """Record that a person accepts the ticket. Later corrections of rankings do not take it away.

    Raises TournamentError `series/no_ticket`, `series/ticket_elsewhere`.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor) as locked_series:
        loaded = load_series(locked_series)
        _require_ticket(loaded, ref)
        _say(locked_series, loaded, Kind.ACCEPTED, ref)


def accept_all(locked_series: ClubSeries, loaded: LoadedSeries, entered: Container[int | None]) -> None:
    """Record, in a locked series, that the qualified persons who are entered in the final accept their
    tickets.

    `entered`: ids of the persons entered, on the club's roll.
    """
    for ticket in loaded.qualification.qualified if loaded.qualification is not None else ():
        if loaded.persons[ticket.ref].person in entered:
            _say(locked_series, loaded, Kind.ACCEPTED, ticket.ref)


def _require_ticket(loaded: LoadedSeries, ref: str) -> None:
    qualification = loaded.qualification
    if qualification is None or ref not in {ticket.ref for ticket in qualification.qualified}:
        raise TournamentError(
            "series/no_ticket", _("This person has no ticket: check the list as it is now.")
        )


def _require_not_entered(loaded: LoadedSeries, ref: str) -> None:
    championship = None if loaded.final is None else loaded.final.championship
    person = loaded.persons[ref].person
    if championship is None or person is None:
        return
    if championship.entries.filter(person=person).exclude(status=Entry.Status.WITHDRAWN).exists():
        raise TournamentError(
            "series/in_the_final",
            _("%(name)s is entered in %(final)s: withdraw the entry there first."),
            name=loaded.persons[ref].names.running,
            final=championship.name,
        )


def _say(locked_series: ClubSeries, loaded: LoadedSeries, kind: Kind, ref: str) -> None:
    person = loaded.persons[ref].person
    if person is not None:
        locked_series.tickets.get_or_create(kind=kind, person_id=person)
    elif not is_from_elsewhere(ref):
        locked_series.tickets.get_or_create(kind=kind, entry_id=int(ref[1:]))
    else:
        raise TournamentError(
            "series/ticket_elsewhere",
            _("%(name)s is not on the roll: first match them to a person, at the file of that event."),
            name=loaded.persons[ref].names.running,
        )
