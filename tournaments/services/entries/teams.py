"""Teams: forming, naming, joining, leaving and merging them.

In some championships members are drawn and ranked alone, beside a ranking of teams; a person who has played
changes teams only with a reason, which is recorded. In others teams play against each other and are ranked; a
person who has played stays in the team.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.appending import record
from tournaments.errors import TournamentError
from tournaments.events import TeamDissolved, TeamFormed, TeamJoined, TeamLeft
from tournaments.models import Bye, Championship, Entry, Seating, Team
from tournaments.names import clean, join_names
from tournaments.names.spelling import MAX_CLUB_LENGTH, fold
from tournaments.permissions import Actor, require
from tournaments.services import locks
from tournaments.services.current_regulations import load_regulations
from tournaments.services.entries.pairs import FORMAT, PARTNERS, PLAYED_STATUSES
from tournaments.services.people.team_members import find_team_rules, has_teams
from tournaments.standings.teams import MOST_MEMBERS

Reason = str | msgspec.UnsetType


class ShortTeam(NamedTuple):
    """A team with too few members present. `missing`: the number of members that it still needs."""

    team: Team
    missing: int


def load_teams(championship: Championship) -> dict[Team, list[Entry]]:
    """Load every team with its members who have not withdrawn, both ordered by number. Two queries."""
    members: dict[int, list[Entry]] = {}
    for entry in _counted(championship).filter(team__isnull=False).order_by("number"):
        members.setdefault(entry.team_id or 0, []).append(entry)
    return {team: members.get(team.pk, []) for team in championship.teams.order_by("number")}


def list_teamless(championship: Championship) -> list[Entry]:
    """List the people without a team who have not withdrawn, by number. One query."""
    return list(_counted(championship).filter(team=None).order_by("number"))


def list_short(championship: Championship) -> list[ShortTeam]:
    """List the teams with too few members present, by number. Teams without people are left out.

    A team needs as many members as count for its result, or, if teams play against each other, as play in a
    round.
    """
    rules, regulations = find_team_rules(championship), load_regulations(championship)
    if rules is None and not regulations.plays_in_teams:
        return []
    needed = regulations.members_of_entrant if rules is None else rules.best
    each = 1 if rules is None else _people_in_member(championship)
    entered = ~Q(members__status=Entry.Status.WITHDRAWN) & Q(members__merged_into=None)
    here = Count("members", filter=Q(members__status=Entry.Status.ARRIVED))
    found = championship.teams.annotate(entered=Count("members", filter=entered), here=here)
    return [
        ShortTeam(team, needed - team.here // each)
        for team in found.filter(entered__gt=0).order_by("number")
        if team.here // each < needed
    ]


def require_complete(championship: Championship) -> None:
    """Raise TournamentError `teams/short` if teams have too few members present to be ranked."""
    rules = find_team_rules(championship)
    if rules is None or rules.short == "ranked" or not (short := list_short(championship)):
        return
    raise TournamentError(
        "teams/short",
        ngettext_lazy(
            "Fewer members are here than count, so the team would have no place: %(names)s.",
            "Fewer members are here than count, so these teams would have no place: %(names)s.",
            "count",
        ),
        names=join_names([f"{one.team.name} (−{one.missing})" for one in short]),
        count=len(short),
    )


def join(
    championship: Championship, entries: Collection[Entry], name: str, *, actor: Actor, reason: str = ""
) -> Team | None:
    """Put people into the team of this name, which is created if it does not exist. Return the team.

    An empty name removes the people from their teams; the result is None. Fixed partners move together.
    Raises TournamentError `teams/none` without teams in the championship, `teams/full`, `teams/played`
    without a reason after play, `teams/plays_for`, `teams/elsewhere` for people of another championship,
    `teams/house`, `names/…`.
    """
    return join_several(championship, {name: entries}, actor=actor, reason=reason)[-1]


def join_several(
    championship: Championship, wanted: Mapping[str, Collection[Entry]], *, actor: Actor, reason: str = ""
) -> list[Team | None]:
    """Put people into teams by name (`wanted`: name → people), all or none. Raises what `join` raises."""
    with locks.for_official(championship, actor, "enter") as (locked, ref):
        if not has_teams(locked):
            raise TournamentError("teams/none", _("The regulations of this championship have no teams."))
        return [_join(locked, entries, name, ref, reason) for name, entries in wanted.items()]


def rename(team: Team, name: str, *, actor: Actor) -> Team:
    """Give a team another name. Raises TournamentError `teams/name_taken`, `names/…`."""
    with locks.for_official(team.championship, actor, "enter") as (locked, _ref):
        wanted = clean(name, longest=MAX_CLUB_LENGTH, field="team", needed=True)
        other = find_team(locked, wanted)
        if other is not None and other.pk != team.pk:
            raise TournamentError(
                "teams/name_taken",
                _("There is already a team %(name)s: put both together if they are the same."),
                name=other.name,
            )
        team.name = wanted
        team.save(update_fields=["name"])
    return team


def merge(team: Team, other: Team, *, actor: Actor, reason: str = "") -> Team:
    """Move the members of the team `other` into `team`; remove `other` unless a ranking is published.

    Raises what `join` raises, and TournamentError `teams/oneself`.
    """
    ref = require(actor, "enter", team.championship)
    if team.pk == other.pk or team.championship_id != other.championship_id:
        raise TournamentError("teams/oneself", _("Choose another team of this championship."))
    with locks.locked_for(team.championship, actor, "enter") as locked:
        _join(locked, list(other.members.order_by("number")), team.name, ref, reason)
    return team


def form_from_clubs(championship: Championship, *, actor: Actor) -> int:
    """Put people with a club but no team into the team of the club; return their number.

    Fixed partners join the team of the first partner's club or, if the first has none, of the other's. Raises
    what `join` raises.
    """
    with locks.for_official(championship, actor, "enter") as (locked, _ref):
        in_pairs = load_regulations(locked).play.format == FORMAT
        together: dict[int | str, list[Entry]] = {}
        for entry in list_teamless(locked):
            pair = entry.entrant_id if in_pairs else None
            together.setdefault(pair or entry.player_ref, []).append(entry)
        wanted: dict[str, list[Entry]] = {}
        names: dict[str, str] = {}
        for people in together.values():
            if club := next((one.club for one in people if one.club), ""):
                wanted.setdefault(names.setdefault(fold(club), club), []).extend(people)
        join_several(locked, wanted, actor=actor)
    return sum(map(len, wanted.values()))


def find_team(championship: Championship, name: str) -> Team | None:
    """Return the team of this name, None if there is none. Upper case and accents do not matter."""
    wanted = fold(name)
    return next((team for team in championship.teams.order_by("number") if fold(team.name) == wanted), None)


def get_team(championship: Championship, name: str) -> Team:
    """Return the team of this name. Raises TournamentError `teams/unknown`."""
    team = find_team(championship, name)
    if team is None:
        raise TournamentError("teams/unknown", _("There is no team %(name)s."), name=name[:MAX_CLUB_LENGTH])
    return team


def _join(
    championship: Championship, entries: Collection[Entry], name: str, ref: str, reason: str
) -> Team | None:
    wanted = clean(name, longest=MAX_CLUB_LENGTH, field="team")
    people = _with_partners(championship, entries)
    team = find_team(championship, wanted) if wanted else None
    is_new = bool(wanted) and team is None
    moving = [entry for entry in people if is_new or entry.team_id != (None if team is None else team.pk)]
    if not moving:
        return team
    why = _require_reason(championship, moving, reason)
    left = {entry.team_id for entry in moving if entry.team_id is not None}
    if not wanted:
        Entry.objects.filter(pk__in=[entry.pk for entry in moving]).update(team=None)
        event = TeamLeft(players=tuple(entry.player_ref for entry in moving), reason=why)
        record(championship.stream_id, event, actor=ref)
        _remove_empty(championship, left, ref)
        return None
    team = team or _form(championship, wanted, moving, ref)
    _refuse_full(championship, team, moving)
    Entry.objects.filter(pk__in=[entry.pk for entry in moving]).update(team=team)
    joined = TeamJoined(team=team.ref, players=tuple(entry.player_ref for entry in moving), reason=why)
    record(championship.stream_id, joined, actor=ref)
    _remove_empty(championship, left, ref)
    return team


def _form(championship: Championship, name: str, founders: Iterable[Entry], ref: str) -> Team:
    """Create a team. If teams are drawn, its number is that of its first member whose
    number no team has yet.
    """
    number: int = 1 + (championship.teams.aggregate(last=Max("number"))["last"] or 0)
    if load_regulations(championship).plays_in_teams:
        taken = set(championship.teams.values_list("number", flat=True))
        last: int = championship.entries.aggregate(last=Max("number"))["last"] or 0
        free = (entry.number for entry in founders if entry.number not in taken)
        number = next(free, max(number, last + 1))
    team = Team.objects.create(championship=championship, number=number, name=name)
    record(championship.stream_id, TeamFormed(team=team.ref, number=team.number), actor=ref)
    return team


def _with_partners(championship: Championship, entries: Collection[Entry]) -> list[Entry]:
    """Reload the people by number. If pairs stay together, their partners are included, since a pair has one
    team.

    Raises TournamentError `teams/elsewhere`, `teams/house`.
    """
    found = Q(pk__in=[entry.pk for entry in entries])
    if load_regulations(championship).play.format == FORMAT:
        found |= Q(entrant__in=[entry.entrant_id for entry in entries if entry.entrant_id is not None])
    people = list(championship.entries.filter(found).order_by("number"))
    if not {entry.pk for entry in entries} <= {entry.pk for entry in people}:
        raise TournamentError("teams/elsewhere", _("Members of a team play in one championship."))
    for entry in people:
        if entry.house:
            raise TournamentError(
                "teams/house", _("%(name)s plays for the house, which has no team."), name=entry.name
            )
    return people


def _require_reason(championship: Championship, moving: Iterable[Entry], reason: str) -> Reason:
    """Return the reason to record, unset if nobody of `moving` has played. Raises TournamentError
    `teams/played`.

    Raises `teams/plays_for` if a member has played for a team that is drawn: the results belong to that team.
    """
    of_people: dict[str, Any] = {
        "entry__in": list(moving),
        "round__status__in": PLAYED_STATUSES,
    }
    played = (
        Seating.objects.filter(**of_people).select_related("entry").first()
        or Bye.objects.filter(**of_people).select_related("entry").first()
    )
    if played is None:
        return msgspec.UNSET
    if load_regulations(championship).plays_in_teams and played.entry.team_id is not None:
        raise TournamentError(
            "teams/plays_for",
            _("%(name)s has played for a team and stays in it; withdraw a person who leaves."),
            name=played.entry.name,
        )
    if not reason.strip():
        raise TournamentError(
            "teams/played",
            _("%(name)s has played: give the reason for another team. It stays on record."),
            name=played.entry.name,
        )
    return reason.strip()


def _refuse_full(championship: Championship, team: Team, moving: Collection[Entry]) -> None:
    rules = find_team_rules(championship)
    most = rules.size * _people_in_member(championship) if rules is not None else MOST_MEMBERS
    there = _counted(championship).filter(Q(team=team) | Q(pk__in=[entry.pk for entry in moving]))
    if there.count() > most:
        raise TournamentError(
            "teams/full",
            _("%(team)s would have more than %(most)s people."),
            team=team.name,
            most=most,
        )


def _remove_empty(championship: Championship, teams: Collection[int], ref: str) -> None:
    """Remove those of the teams that have no members any more. Nothing is removed once a ranking is
    published.
    """
    if championship.snapshots.exists():
        return
    for team in Team.objects.filter(pk__in=teams, members=None).order_by("number"):
        record(championship.stream_id, TeamDissolved(team=team.ref), actor=ref)
        team.delete()


def _people_in_member(championship: Championship) -> int:
    """Return how many people count as one member of a team: two if pairs stay together, otherwise one."""
    return PARTNERS if load_regulations(championship).play.format == FORMAT else 1


def _counted(championship: Championship) -> Any:
    """Return the entries that can be members: not withdrawn, not of the house, not entered twice."""
    return championship.entries.exclude(status=Entry.Status.WITHDRAWN).filter(house=False, merged_into=None)
