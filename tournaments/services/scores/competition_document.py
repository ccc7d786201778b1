"""A championship as the document for its pairing system: entrants, past rounds and results, but no names."""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from games import store
from tournaments.competition import (
    Award,
    Competition,
    CountingRules,
    EntrantRecord,
    OnceCredit,
    PlayedRound,
    PlayedTable,
    write_number,
)
from tournaments.models import Bye, Championship, Entry, Round, Seating
from tournaments.pairing.systems import get_system
from tournaments.regulations import Regulations
from tournaments.services.people.separation import join_meetings, list_separated
from tournaments.services.scores import results, stored_credits
from tournaments.standings import Averages, Figure

Refs = Mapping[int, str]
"""Reference in the document (of an entrant or a person) by the primary key of an entry."""


def load_competition(
    championship: int, earlier: list[Round], regulations: Regulations, seed: str = ""
) -> tuple[Competition, list[Entry]]:
    """Load the document for the draw after the rounds `earlier`, and the entries of its persons.

    The person "0007" is the entry at index 7. Persons are the entries, without the house, that are present or
    had a seat or bye, and members of teams who have not withdrawn. A merged entry is the same person as the
    entry it was merged into.
    """
    number = len(earlier) + 1
    entries = _load_entries(championship, earlier, regulations)
    person = {entry.pk: f"{index:04}" for index, entry in enumerate(entries)}
    units = _group(entries, regulations)
    if regulations.play.format == "fixed_pairs":
        for members in units.values():  # a person who left a pair counts as the one who joined it
            person |= {left.pk: person[members[1].pk] for left in members[2:]}
    merged = list(Entry.objects.filter(merged_into__in=list(person)))
    person |= {one.pk: person[one.merged_into_id] for one in merged if one.merged_into_id is not None}
    ref_of = {entry.pk: ref for ref, members in units.items() for entry in members}
    past = _load_past(earlier, regulations, person, ref_of)
    rounds_of = _list_rounds(past)
    entrants = tuple(
        _describe_entrant(ref, members, person, number, rounds_of, regulations)
        for ref, members in units.items()
    )
    excused: dict[str, set[int]] = {}
    for entry in (*entries, *merged):
        ref = ref_of.get(entry.merged_into_id or entry.pk)
        if ref is not None:
            excused.setdefault(ref, set()).update(entry.excused_rounds)
    if "bracket" not in get_system(regulations.pairing_system).abilities:  # there they wait, or are out
        past = _add_absences(past, entrants, rounds_of, excused)
    pairing = regulations.pairing
    return (
        Competition(
            system=regulations.pairing_system,
            options={} if pairing is msgspec.UNSET else pairing.options,
            size=regulations.play.seats,
            rounds=regulations.rounds,
            seed=seed,
            plan_seed=_find_plan_seed(earlier),
            entrants=entrants,
            past=past,
            counting=_describe_counting(regulations),
            direction=_find_direction(regulations),
            apart=join_meetings(list_separated(championship, regulations), ref_of),
            partners=regulations.play.format != "solo",
            broken_off=_describe_broken_off(regulations),
        ),
        entries,
    )


def load_next_ranks(championship: Championship, regulations: Regulations) -> dict[int, int]:
    """Return number of the entry → start rank on the next evening, according to the closed rounds.

    Empty before a round is closed, and for a system that does not use results of an earlier evening.
    """
    system = get_system(regulations.pairing_system)
    closed = list(championship.rounds.filter(status=Round.Status.CLOSED).order_by("number"))
    if system.order_after is None or not closed:
        return {}
    competition, entries = load_competition(championship.pk, closed, regulations)
    order = system.order_after(competition, msgspec.convert(competition.options, system.options))
    ranks = {ref: rank for rank, ref in enumerate(order, 1)}
    return {
        entry.number: ranks[ref]
        for ref, members in _group(entries, regulations).items()
        for entry in members
        if ref in ranks
    }


def list_earlier(round_: Round) -> list[Round]:
    """List the rounds of the championship before this round."""
    earlier = Round.objects.filter(championship=round_.championship_id, number__lt=round_.number)
    return list(earlier.order_by("number"))


def _find_plan_seed(earlier: Iterable[Round]) -> str:
    """Return the seed of the first draw in force that was not made by hand; empty if there is none."""
    for one in earlier:
        drawn = [event for event in store.read(one.stream_id, parts=False) if event.type == "seats_drawn"]
        if drawn and drawn[-1].body["seed"]:
            return str(drawn[-1].body["seed"])
    return ""


def name_entrant(number: int) -> str:
    """Return the ref of the entrant with this number. It does not change when other
    entrants come or leave.
    """
    return f"n{number:04}"


def is_ref(name: str) -> bool:
    """Return whether a name in the document is the ref of an entrant. Otherwise it is the ref of a person."""
    return name.startswith("n")


def number_of(ref: str) -> int:
    """Return the number of the entrant with this ref."""
    return int(ref.removeprefix("n"))


def _load_entries(championship: int, earlier: Iterable[Round], regulations: Regulations) -> list[Entry]:
    """Load the entries that are present or have had a seat or a bye, without players of the house.

    If teams are drawn, all members who have not withdrawn are loaded.
    """
    played = Seating.objects.filter(round__in=earlier).values_list("entry_id", flat=True)
    rested = Bye.objects.filter(round__in=earlier).values_list("entry_id", flat=True)
    known = {*played, *rested}
    listed = Entry.objects.filter(championship=championship, house=False, merged_into=None)
    return [
        entry
        for entry in listed.select_related("entrant", "team").order_by("number")
        if entry.status == Entry.Status.ARRIVED
        or entry.pk in known
        or (
            regulations.plays_in_teams
            and entry.team_id is not None
            and entry.status != Entry.Status.WITHDRAWN
        )
    ]


def _group(entries: list[Entry], regulations: Regulations) -> dict[str, list[Entry]]:
    """Group the entries into entrants, by ref. An entrant is a person, a pair or a team.

    Present members come first. Pairs and teams with too few members are left out.
    """
    size = regulations.members_of_entrant
    if size == 1:
        return {name_entrant(entry.number): [entry] for entry in entries}
    members: dict[int, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.status != Entry.Status.ARRIVED):
        group = entry.team if regulations.plays_in_teams else entry.entrant
        if group is not None:
            members.setdefault(group.number, []).append(entry)
    return {name_entrant(key): members[key] for key in sorted(members) if len(members[key]) >= size}


def _describe_entrant(
    ref: str,
    members: list[Entry],
    person: Refs,
    number: int,
    rounds_of: Mapping[str, list[int]],
    regulations: Regulations,
) -> EntrantRecord:
    """Describe an entrant. An entrant that is absent now has left after the last round in which it took part.

    The first present members of a team, by number, play; the others are its reserve.
    """
    size = regulations.members_of_entrant
    present, others = members[:size], members[size:]
    reserves: tuple[str, ...] = ()
    if regulations.plays_in_teams:
        present.sort(key=lambda entry: entry.number)
        reserves = tuple(sorted(person[entry.pk] for entry in others))
    ranked = members if regulations.plays_in_teams else present
    ranks = [entry.start_rank for entry in ranked if entry.start_rank is not None]
    persons = tuple(person[entry.pk] for entry in present)
    took_part = [one for name in (ref, *persons, *reserves) for one in rounds_of.get(name, ())]
    is_here = all(entry.status == Entry.Status.ARRIVED for entry in present)
    return EntrantRecord(
        ref=ref,
        members=persons,
        reserves=reserves,
        start_rank=min(ranks) if ranks else None,
        from_round=min(took_part, default=number),
        until_round=None if is_here else max(took_part, default=number - 1),
    )


def _list_rounds(past: Iterable[PlayedRound]) -> dict[str, list[int]]:
    """Return the rounds in which each person had a seat (by ref of the person), and each entrant a bye (by
    its ref).
    """
    found: dict[str, list[int]] = {}
    for one in past:
        for name in (*(person for table in one.tables for person in table.seats), *one.byes):
            found.setdefault(name, []).append(one.round)
    return found


def _add_absences(
    past: Iterable[PlayedRound],
    entrants: Iterable[EntrantRecord],
    rounds_of: Mapping[str, list[int]],
    excused: Mapping[str, Collection[int]],
) -> tuple[PlayedRound, ...]:
    """Return the past rounds with the entrants who missed each of them, with notice (`absent`) or without
    (`no_show`).
    """
    took_part = {
        one.ref: {
            number for name in (one.ref, *one.persons, *one.reserves) for number in rounds_of.get(name, ())
        }
        for one in entrants
    }
    found = []
    for one in past:
        missed = [
            entrant.ref
            for entrant in entrants
            if entrant.from_round <= one.round <= (entrant.until_round or one.round)
            and one.round not in took_part[entrant.ref]
        ]
        absent = tuple(sorted(ref for ref in missed if one.round in excused.get(ref, ())))
        no_show = tuple(sorted(set(missed) - set(absent)))
        found.append(replace(one, absent=absent, no_show=no_show) if one.tables else one)
    return tuple(found)


def _load_past(
    earlier: list[Round], regulations: Regulations, person: Refs, ref_of: Refs
) -> tuple[PlayedRound, ...]:
    """Load the earlier rounds. Closed rounds have the points of each seat. Players of the house are named
    "x1", …
    """
    closed = [round_ for round_ in earlier if round_.status == Round.Status.CLOSED]
    compares = regulations.counts_against_field
    found = {one.place: one for one in results.load_results(closed, regulations=regulations)}
    kind = "points" if compares else regulations.play.credit
    by_place: dict[tuple[int, int], list[int | None]] = {
        place: [_whole(one.credit(seat, kind)) for seat in range(len(one.entries))]
        for place, one in found.items()
    }
    seats: dict[tuple[int, int], list[str]] = {}
    helpers: dict[int, str] = {}
    for round_number, table, entry in (
        Seating.objects.filter(round__in=earlier)
        .order_by("round__number", "table__number", "seat")
        .values_list("round__number", "table__number", "entry_id")
    ):
        seats.setdefault((round_number, table), []).append(
            person.get(entry) or helpers.setdefault(entry, f"x{len(helpers) + 1}")
        )
    rested: dict[int, dict[str, int | str | None]] = {}
    for round_number, entry, points in Bye.objects.filter(round__in=earlier).values_list(
        "round__number", "entry_id", "points"
    ):
        if entry in ref_of:
            rested.setdefault(round_number, {})[ref_of[entry]] = points
    credits, refs = stored_credits.load_credits(closed, regulations), set(ref_of.values())
    return tuple(
        PlayedRound(
            round=one.number,
            tables=tuple(
                PlayedTable(
                    seats=tuple(seats[place]),
                    points=tuple(by_place.get(place, [None] * len(seats[place]))),
                    deals=found[place].by_deal if compares and place in found else (),
                    broken_off=place in found and found[place].is_replaced,
                )
                for place in sorted(seats)
                if place[0] == one.number
            ),
            byes=tuple(sorted(rested.get(one.number, ()))),
            given=_list_given(
                rested.get(one.number, {}), credits.get(one.number, {}), refs, regulations.kind_of_averages
            ),
        )
        for one in earlier
    )


def _list_given(
    rested: Mapping[str, int | str | None],
    credits: Mapping[int, Figure],
    refs: Collection[str],
    averages: Averages,
) -> dict[str, int | str]:
    """Return the points of byes, and of entrants who did not play the round to its end, by ref of the
    entrant.
    """
    write = write_number if averages == "exact" else int
    given = {ref: points for ref, points in rested.items() if points is not None}
    given |= {ref: write(points) for n, points in credits.items() if (ref := name_entrant(n)) in refs}
    return dict(sorted(given.items()))


def _whole(points: Figure | None) -> int | None:
    """Return the points of a table as an integer; they are always whole."""
    return None if points is None else int(points)


def _describe_counting(regulations: Regulations) -> CountingRules:
    counting = regulations.counting
    what = "sum" if counting.what == "nearest" else counting.what  # the number stays sealed to the end
    averaged = what == "average"
    return CountingRules(
        what=what,
        number=0 if averaged else counting.number,
        least_rounds=counting.number if averaged else 0,
        scale=() if counting.scale is msgspec.UNSET else counting.scale,
        tie_breaks=counting.tie_breaks,
        buchholz_unplayed=None if counting.buchholz_unplayed is msgspec.UNSET else counting.buchholz_unplayed,
        credit="field" if regulations.counts_against_field else "points",
    )


def _describe_broken_off(regulations: Regulations) -> OnceCredit | None:
    """Describe the credit for tables that are broken off; None without such a rule.

    The credits of past rounds are in `PlayedRound.given`.
    """
    rules = regulations.broken_off
    if rules is msgspec.UNSET:
        return None
    award: Award = rules.fixed if rules.points == "fixed" else "mean_of_round"
    return OnceCredit(points=award, most=rules.most)


def _find_direction(regulations: Regulations) -> Literal[1, -1]:
    """Return 1 if more points are better in the document, otherwise -1. If matches count,
    tables decide this.
    """
    directions = regulations.directions()
    direction = directions.table if regulations.counts_matches else directions.total
    return 1 if direction > 0 else -1
