"""The state of a series that follows from its stream, and the events that lead from one state to another.

A service changes rows. The difference between the state of the stream and the state of the rows is appended
to the stream. Series older than streams, and changes outside services, are recorded in the same way.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from tournaments.events import TournamentEvent
from tournaments.series import events as told
from tournaments.series.document import SeriesRules

WITHDRAWN = ("cancelled", "void")


def write_decimal(weight: Decimal) -> str:
    """Return a weight in the form of the stream: `2`, `1.5`."""
    text = f"{Decimal(weight):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class EventState(msgspec.Struct, frozen=True):
    """An event of a series, as its stream has it.

    championship: id of the championship's stream, None for a planned event; weight: a decimal number.
    """

    championship: str | None
    weight: str
    state: str


class SeriesState(msgspec.Struct, frozen=True):
    """The state of a series that follows from the events of its stream.

    events: by key, in order. wild_cards: reason by person. persons: person by event and entry, as matched for
    the last table. teams, categories: team or category by event and entry, empty for an entry without one.
    rankings: the rankings that the last table counts, by event. published: number of the last version.
    """

    rules: dict[str, Any] | None = None
    rules_version: int = 0
    events: dict[str, EventState] = {}
    holders: tuple[str, ...] = ()
    wild_cards: dict[str, str] = {}
    declined: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    persons: dict[str, dict[str, str]] = {}
    teams: dict[str, dict[str, str]] = {}
    categories: dict[str, dict[str, str]] = {}
    rankings: dict[str, dict[str, str | int]] = {}
    published: int = 0


def fold_series(events: Iterable[tuple[str, Mapping[str, Any]]]) -> SeriesState:
    """Return the state after these events. Each event is given as type and body."""
    found = SeriesState()
    for type_, body in events:
        found = _apply(found, type_, body)
    return found


def _apply(state: SeriesState, type_: str, body: Mapping[str, Any]) -> SeriesState:
    match type_:
        case "rules_set":
            return replace(state, rules=body["rules"], rules_version=body["version"])
        case "event_added":
            made = EventState(body["championship"], body["weight"], body["state"])
            return replace(state, events={**state.events, body["event"]: made})
        case "event_removed":
            kept = {key: one for key, one in state.events.items() if key != body["event"]}
            return replace(state, events=kept)
        case "event_played_as" | "event_state_changed" | "event_weight_changed":
            changed = {name: body[name] for name in ("championship", "state", "weight") if name in body}
            one = replace(state.events[body["event"]], **changed)
            return replace(state, events={**state.events, body["event"]: one})
        case "events_ordered":
            return replace(state, events={key: state.events[key] for key in body["events"]})
        case "holders_named":
            return replace(state, holders=tuple(body["persons"]))
        case "persons_matched":
            return replace(state, persons={**state.persons, body["event"]: dict(body["persons"])})
        case "teams_matched":
            return replace(state, teams={**state.teams, body["event"]: dict(body["teams"])})
        case "categories_stated":
            stated = dict(body["categories"])
            return replace(state, categories={**state.categories, body["event"]: stated})
        case "table_published":
            return replace(state, rankings=dict(body["rankings"]), published=body["version"])
        case _:
            return _apply_ticket(state, type_, body)


def _apply_ticket(state: SeriesState, type_: str, body: Mapping[str, Any]) -> SeriesState:
    person = body.get("person")
    match type_:
        case "wild_card_given":
            return replace(state, wild_cards={**state.wild_cards, body["person"]: body["reason"]})
        case "wild_card_taken_back":
            kept = {one: reason for one, reason in state.wild_cards.items() if one != person}
            return replace(state, wild_cards=kept)
        case "ticket_declined":
            return replace(state, declined=(*state.declined, body["person"]))
        case "declining_undone":
            return replace(state, declined=tuple(one for one in state.declined if one != person))
        case "ticket_accepted":
            return replace(state, accepted=(*state.accepted, body["person"]))
        case "accepting_undone":
            return replace(state, accepted=tuple(one for one in state.accepted if one != person))
    return state


def list_changes(before: SeriesState, after: SeriesState, reason: str = "") -> list[TournamentEvent]:
    """Return the events that lead from the state `before` to `after`. Published tables are not compared."""
    given = reason or UNSET
    found: list[TournamentEvent] = []
    if after.rules is not None and not _is_same(before.rules, after.rules):
        version = before.rules_version + 1
        found.append(told.SeriesRulesSet(version=version, rules=after.rules, reason=given))
    found += _list_event_changes(before, after, given)
    found += _list_ticket_changes(before, after)
    for event, persons in after.persons.items():
        if persons != (old := before.persons.get(event, {})):
            changed = given if is_matched_anew(old, persons) else UNSET
            found.append(told.PersonsMatched(event=event, persons=persons, reason=changed))
    for event, teams in after.teams.items():
        if teams != (old := before.teams.get(event, {})):
            changed = given if is_matched_anew(old, teams) else UNSET
            found.append(told.TeamsMatched(event=event, teams=teams, reason=changed))
    for event, categories in after.categories.items():
        if categories != (old := before.categories.get(event, {})):
            changed = given if is_matched_anew(old, categories) else UNSET
            found.append(told.CategoriesStated(event=event, categories=categories, reason=changed))
    return found


def _is_same(before: dict[str, Any] | None, after: dict[str, Any]) -> bool:
    """Return whether two rules have the same meaning. A later version may write defaults that were
    left out.
    """
    if before is None:
        return False
    return msgspec.convert(before, SeriesRules) == msgspec.convert(after, SeriesRules)


def _list_event_changes(
    before: SeriesState, after: SeriesState, reason: told.Reason
) -> Iterator[TournamentEvent]:
    for key in before.events:
        if key not in after.events:
            yield told.SeriesEventRemoved(event=key, reason=reason)
    order = [key for key in before.events if key in after.events]
    for key, one in after.events.items():
        old = before.events.get(key)
        if old is None:
            order.append(key)
            yield told.SeriesEventAdded(
                event=key,
                championship=one.championship,
                weight=one.weight,
                state=one.state,
                reason=reason,
            )
            continue
        if one.championship != old.championship:
            yield told.SeriesEventPlayed(event=key, championship=one.championship, reason=reason)
        if one.state != old.state:
            yield told.SeriesEventStated(event=key, state=one.state, reason=reason)
        if one.weight != old.weight:
            yield told.SeriesEventWeighed(event=key, weight=one.weight, reason=reason)
    if order != list(after.events):
        yield told.SeriesEventsOrdered(events=tuple(after.events), reason=reason)


def _list_ticket_changes(before: SeriesState, after: SeriesState) -> Iterator[TournamentEvent]:
    if after.holders != before.holders:
        yield told.HoldersNamed(persons=after.holders)
    for person, reason in before.wild_cards.items():
        if after.wild_cards.get(person) != reason:
            yield told.WildCardTakenBack(person=person)
    for person, reason in after.wild_cards.items():
        if before.wild_cards.get(person) != reason:
            yield told.WildCardGiven(person=person, reason=reason)
    for person in before.declined:
        if person not in after.declined:
            yield told.DecliningUndone(person=person)
    for person in after.declined:
        if person not in before.declined:
            yield told.TicketDeclined(person=person)
    for person in before.accepted:
        if person not in after.accepted:
            yield told.AcceptingUndone(person=person)
    for person in after.accepted:
        if person not in before.accepted:
            yield told.TicketAccepted(person=person)


def is_matched_anew(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Return whether `after` matches an entry of `before` to another person, team or category. Entries that
    `after` lacks do not count.
    """
    return any(after.get(entry, person) != person for entry, person in before.items())


def find_code_of_change(
    before: SeriesState, changes: Iterable[TournamentEvent], counted: Iterable[str]
) -> str | None:
    """Return the error code of the first change that needs a reason; None if no change does.

    counted: keys of the events that counted before; without any, no change needs a reason.
    """
    keys = list(counted)
    if not keys:
        return None
    for one in changes:
        if isinstance(one, told.SeriesRulesSet):
            return "series/rules_after_seal"
        if isinstance(one, told.SeriesEventWeighed):
            return "series/weight_after_seal"
        if isinstance(one, told.SeriesEventsOrdered):
            if [key for key in one.events if key in keys] != [key for key in before.events if key in keys]:
                return "series/rules_after_seal"
        elif isinstance(one, told.PersonsMatched):
            if is_matched_anew(before.persons.get(one.event, {}), one.persons):
                return "series/persons_after_seal"
        elif isinstance(one, told.TeamsMatched):
            if is_matched_anew(before.teams.get(one.event, {}), one.teams):
                return "series/teams_after_seal"
        elif isinstance(one, told.CategoriesStated):
            if is_matched_anew(before.categories.get(one.event, {}), one.categories):
                return "series/categories_after_seal"
        elif isinstance(one, (told.SeriesEventRemoved, told.SeriesEventPlayed)):
            if one.event in keys:
                return "series/withdrawn_after_counting"
        elif isinstance(one, told.SeriesEventStated) and one.state in WITHDRAWN and one.event in keys:
            return "series/withdrawn_after_counting"
    return None
