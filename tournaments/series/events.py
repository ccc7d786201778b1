"""Events in the stream of a series. They contain references of persons, no names.

event, events: keys of the series' events. `reason`: the keeper's reason, required if a table already counts
what is changed.
"""

from typing import Any

from msgspec import UNSET, UnsetType

from tournaments.events import TournamentEvent

Reason = str | UnsetType


class SeriesStarted(TournamentEvent, frozen=True, kw_only=True, tag="series_started"):
    """The first event of a series. seed: the seed from which every lot of the series is drawn."""

    seed: str


class SeriesRulesSet(TournamentEvent, frozen=True, kw_only=True, tag="rules_set"):
    """A complete version of the rules, without the weights, which are recorded with the events."""

    version: int
    rules: dict[str, Any]
    reason: Reason = UNSET


class SeriesEventAdded(TournamentEvent, frozen=True, kw_only=True, tag="event_added"):
    """An event was added after the last one. championship: id of its stream, None while only planned. weight:
    a decimal number.
    """

    event: str
    championship: str | None
    weight: str
    state: str
    reason: Reason = UNSET


class SeriesEventRemoved(TournamentEvent, frozen=True, kw_only=True, tag="event_removed"):
    """An event was removed from the series. event: its key."""

    event: str
    reason: Reason = UNSET


class SeriesEventPlayed(TournamentEvent, frozen=True, kw_only=True, tag="event_played_as"):
    """A planned event got its championship, or lost it (None). championship: id of its stream."""

    event: str
    championship: str | None
    reason: Reason = UNSET


class SeriesEventStated(TournamentEvent, frozen=True, kw_only=True, tag="event_state_changed"):
    event: str
    state: str
    reason: Reason = UNSET


class SeriesEventWeighed(TournamentEvent, frozen=True, kw_only=True, tag="event_weight_changed"):
    event: str
    weight: str
    reason: Reason = UNSET


class SeriesEventsOrdered(TournamentEvent, frozen=True, kw_only=True, tag="events_ordered"):
    """All events got a new order, given by their keys."""

    events: tuple[str, ...]
    reason: Reason = UNSET


class HoldersNamed(TournamentEvent, frozen=True, kw_only=True, tag="holders_named"):
    """Holders of the title were named. They replace all holders named before."""

    persons: tuple[str, ...]


class WildCardGiven(TournamentEvent, frozen=True, kw_only=True, tag="wild_card_given"):
    person: str
    reason: str


class WildCardTakenBack(TournamentEvent, frozen=True, kw_only=True, tag="wild_card_taken_back"):
    person: str


class TicketDeclined(TournamentEvent, frozen=True, kw_only=True, tag="ticket_declined"):
    person: str


class DecliningUndone(TournamentEvent, frozen=True, kw_only=True, tag="declining_undone"):
    person: str


class TicketAccepted(TournamentEvent, frozen=True, kw_only=True, tag="ticket_accepted"):
    """The person accepts the ticket, and keeps it even after later corrections."""

    person: str


class AcceptingUndone(TournamentEvent, frozen=True, kw_only=True, tag="accepting_undone"):
    person: str


class PersonsMatched(TournamentEvent, frozen=True, kw_only=True, tag="persons_matched"):
    """The ranked entries of an event were matched to persons. persons: by the reference of the entry."""

    event: str
    persons: dict[str, str]
    reason: Reason = UNSET


class TeamsMatched(TournamentEvent, frozen=True, kw_only=True, tag="teams_matched"):
    """The ranked entries of an event were matched to teams. teams: by the reference of the entry; empty for
    an entry without a team.

    A team that takes part in several events has one reference: the one of its first event.
    """

    event: str
    teams: dict[str, str]
    reason: Reason = UNSET


class CategoriesStated(TournamentEvent, frozen=True, kw_only=True, tag="categories_stated"):
    """Categories of an event's ranked entries. categories: by the reference of the entry; empty for an entry
    without one.
    """

    event: str
    categories: dict[str, str]
    reason: Reason = UNSET


class TablePublished(TournamentEvent, frozen=True, kw_only=True, tag="table_published"):
    """A version of the table was published. digest: SHA-256 of the JSON of its rows (compact, keys sorted).

    rankings: the ranking of each event that counts, by key of the event, with `championship` (id of its
    stream), `version` and `digest`; for a championship of another installation also with the `key` that
    signed its file, and `seal`, the hash of its last checkpoint.
    """

    version: int
    digest: str
    rankings: dict[str, dict[str, str | int]]
    reason: Reason = UNSET


class QualificationPublished(TournamentEvent, frozen=True, kw_only=True, tag="qualification_published"):
    """The qualification was published with the table of this version. digest: SHA-256 of its JSON (compact,
    keys sorted).
    """

    version: int
    digest: str


class TeamTablePublished(TournamentEvent, frozen=True, kw_only=True, tag="team_table_published"):
    """The table of teams was published with the table of this version. digest: SHA-256 of its JSON (compact,
    keys sorted).
    """

    version: int
    digest: str


class SeriesDeleted(TournamentEvent, frozen=True, kw_only=True, tag="series_deleted"):
    """The series was deleted; its stream stays."""
