"""The championship of a final, created from the qualification of a series."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from games.models import User
from tournaments import regulations
from tournaments.clubs import rolls
from tournaments.errors import TournamentError
from tournaments.models import Championship, ClubSeries, Person
from tournaments.names.public import FULL
from tournaments.services import championships
from tournaments.services.current_regulations import regulations_of
from tournaments.services.entries import entries
from tournaments.services.series.loading import STRICTNESS, load_series
from tournaments.services.series.publishing import publish_held
from tournaments.services.series.stream import changing
from tournaments.services.series.tickets import accept_all


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
    """Create the championship of the final in the club, with the qualified persons of the roll entered.

    The qualification is published as it stands, and those who are entered have accepted their tickets.

    `like`: a championship whose regulations it gets; else those of `preset`. Deleting the championship undoes
    it. Raises NotAllowed `clubs/not_keeper`, TournamentError `series/no_final`, `series/final_made`,
    `series/nobody_qualified`, SeriesError, and what `championships.found_championship` raises.
    """
    rolls.require_keeper(actor, series.club)
    with changing(series, actor=actor) as held:
        loaded = load_series(held)
        event, found = loaded.final, loaded.qualification
        if event is None or found is None:
            raise TournamentError("series/no_final", _("Nobody qualifies by the rules of this series."))
        if event.championship is not None:
            raise TournamentError(
                "series/final_made", _("The final is made already: %(name)s."), name=event.championship.name
            )
        persons = [loaded.persons[ticket.ref].person for ticket in found.qualified]
        if not found.qualified:
            raise TournamentError("series/nobody_qualified", _("Nobody has qualified yet."))
        sources = loaded.championships
        rules = None if like is None else regulations_of(like)
        made = championships.found_championship(
            actor=actor,
            name=name,
            place=place,
            starts_at=starts_at,
            language=language if like is None else like.language,
            public=all(one.public for one in sources),
            public_names=max((one.public_names for one in sources), key=STRICTNESS.index, default=FULL),
            preset=preset if rules is None else rules.preset,
            changes=None if rules is None else regulations.encode(rules),
            club=series.club,
        )
        on_roll = Person.objects.filter(pk__in=[pk for pk in persons if pk is not None])
        entries.enter_persons(made, on_roll, actor=actor)
        event.championship = made
        event.save(update_fields=["championship"])
        publish_held(held, loaded, actor=actor)
        accept_all(held, loaded)
    return made
