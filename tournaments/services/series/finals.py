"""Creating the championship of a final from the qualification of a series."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments import regulations
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Championship, ClubSeries, Entry, Person
from tournaments.names.public_names import FULL
from tournaments.pairing.systems import DRAWN
from tournaments.presets import PRESETS
from tournaments.series.qualification import ACCEPTED, Ticket, find_partners
from tournaments.services.championships import championships
from tournaments.services.current_regulations import load_regulations, with_regulations
from tournaments.services.entries import entries, pairs
from tournaments.services.series.loading import STRICTNESS, LoadedSeries, SeriesPerson, load_series
from tournaments.services.series.publishing import publish_held
from tournaments.services.series.stream import changing
from tournaments.services.series.tickets import accept_all

PARTNERS: Final = 2


def make_final(
    series: ClubSeries,
    *,
    actor: User,
    name: str,
    place: str = "",
    starts_at: datetime | None = None,
    like: Championship | None = None,
    preset: str = "",
    language: str = "en",
) -> Championship:
    """Create the championship of the final in the club, and enter the qualified persons of the roll.

    The qualification is published as it is now. The acceptance of the tickets of the entered persons is
    recorded (`accept_all`).

    `like`: a championship whose regulations and language are copied; None: the regulations are those of
    `preset`. If the championship is deleted, the final can be made again; the published qualification and the
    acceptances stay. Raises NotAllowed `clubs/not_keeper`, TournamentError
    `series/no_final`, `series/event_taken`, `series/final_made`, `series/nobody_qualified`, SeriesError, and
    what `championships.found_championship` and `publish_held` raise.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor) as locked_series:
        loaded = load_series(locked_series)
        event, qualification = loaded.final, loaded.qualification
        if event is None or qualification is None:
            raise TournamentError("series/no_final", _("Nobody qualifies by the rules of this series."))
        if event.pk in loaded.outside:
            raise TournamentError(
                "series/event_taken",
                _("“%(name)s” has already been played: choose another one."),
                name=event.name,
            )
        if event.championship is not None:
            raise TournamentError(
                "series/final_made", _("The final already exists: %(name)s."), name=event.championship.name
            )
        if not qualification.qualified:
            raise TournamentError("series/nobody_qualified", _("Nobody has qualified yet."))
        sources = loaded.championships
        rules = None if like is None else load_regulations(like)
        new_championship = championships.found_championship(
            actor=actor,
            name=name,
            place=place,
            starts_at=starts_at,
            language=language if like is None else like.language,
            public=all([one.public for one in sources] + [one.public for one in loaded.outside.values()]),
            public_names=max(
                [one.public_names for one in sources] + [one.names for one in loaded.outside.values()],
                key=STRICTNESS.index,
                default=FULL,
            ),
            preset=preset if rules is None else rules.preset,
            changes=None if rules is None else regulations.encode(rules),
            club=series.club,
        )
        drawn = list_entrants(loaded, qualification.qualified)
        entered = _enter(new_championship, drawn, loaded.persons, actor)
        event.championship, event.entrants = new_championship, drawn
        event.save(update_fields=["championship", "entrants"])
        publish_held(locked_series, loaded, actor=actor)
        accept_all(locked_series, loaded, entered)
    return new_championship


def propose_regulations(events: Sequence[Championship]) -> tuple[list[Championship], Championship | str]:
    """Return the events whose regulations a final may get, and the proposal: one of these events, or a
    preset.

    The regulations of an open heat do not fit a final. If all events are open heats, the proposal is a preset
    that draws its rounds, with the same game and partners if there is one. The proposed event is the first of
    the list. One query.
    """
    found = with_regulations(Championship.objects.filter(pk__in=[one.pk for one in events])).in_bulk()
    like = [one for one in events if not load_regulations(found[one.pk]).has_queue]
    if like or not events:
        return like, like[0] if like else next(iter(PRESETS))
    play = load_regulations(found[events[0].pk]).play
    drawn = [rules for rules in PRESETS.values() if rules.pairing_system == DRAWN]
    similar = (play.variant, play.format)
    best = max(drawn, key=lambda one: (one.play == play, (one.play.variant, one.play.format) == similar))
    return [], best.preset


def list_entrants(loaded: LoadedSeries, tickets: Iterable[Ticket]) -> list[list[str]]:
    """Return the references of the qualified persons by entrant, in the order of qualification.

    Partners are one entrant: the partners of a ranking row or, for persons qualified by the table, persons
    who were partners in all their events.
    """
    document = loaded.document
    partners = find_partners(document.of_sources.held)
    lines: dict[tuple[str, str], str] = {}
    order: dict[str, int] = {}
    for event in document.events:
        for row in event.ranking:
            order.setdefault(row.ref, len(order))
            if row.line:
                lines[event.key, row.ref] = row.line
    drawn: dict[tuple[str | None, str], list[str]] = {}
    for ticket in tickets:
        if ticket.event is None and ticket.place is not None:
            line = partners.get(ticket.ref)
        else:
            line = lines.get((ticket.event or "", ticket.ref))
        key = (None, ticket.ref) if line is None else (ticket.event, line)
        drawn.setdefault(key, []).append(ticket.ref)
    return [sorted(refs, key=lambda ref: order.get(ref, 0)) for refs in drawn.values()]


def _enter(
    championship: Championship,
    drawn: Sequence[Sequence[str]],
    persons: Mapping[str, SeriesPerson],
    actor: User,
) -> frozenset[int]:
    """Enter the qualified persons who are on the roll and not archived; return their ids on the roll.

    Their start ranks follow the qualification; partners become pairs.
    """
    ranks = {
        person: rank
        for rank, refs in enumerate(drawn, 1)
        for ref in refs
        if (person := persons[ref].person) is not None
    }
    by_person = {
        entry.person_id: entry
        for entry in entries.enter_persons(championship, Person.objects.filter(pk__in=ranks), actor=actor)
        if entry.person_id is not None
    }
    for person, entry in by_person.items():
        entry.start_rank = ranks[person]
    Entry.objects.bulk_update(by_person.values(), ["start_rank"], batch_size=500)
    if not pairs.has_fixed_pairs(championship):
        return frozenset(by_person)
    couples = []
    for refs in drawn:
        there = [by_person[pk] for ref in refs if (pk := persons[ref].person) in by_person]
        if len(there) == PARTNERS:
            couples.append((there[0], there[1]))
    pairs.pair_up(championship, couples, actor=actor)
    return frozenset(by_person)


@dataclass(frozen=True, slots=True)
class FinalChange:
    """An entrant whose qualification for a final has changed since the final was made.

    refs: of its persons; before, now: start rank then and now, None if not qualified.
    """

    refs: tuple[str, ...]
    before: int | None
    now: int | None


def compare_final(loaded: LoadedSeries) -> list[FinalChange]:
    """Return the differences between the final and a final made from the present rankings. Empty if no final
    was made.

    Raises SeriesError.
    """
    event, qualification = loaded.final, loaded.qualification
    if event is None or qualification is None or event.championship is None or not event.entrants:
        return []
    before = {frozenset(refs): (rank, refs) for rank, refs in enumerate(event.entrants, 1)}
    by_rule = [one for one in qualification.qualified if one.why != ACCEPTED]
    now = {frozenset(refs): (rank, refs) for rank, refs in enumerate(list_entrants(loaded, by_rule), 1)}
    changes = []
    for who in [*now, *(who for who in before if who not in now)]:
        (was, _refs), (is_now, _refs) = before.get(who, (None, [])), now.get(who, (None, []))
        if was != is_now:
            changes.append(FinalChange(tuple(now.get(who, before.get(who, (0, [])))[1]), was, is_now))
    return changes
