"""The file of a series: its stream, its published tables, and the files of its events."""

from __future__ import annotations

import io
import re

from .canonical import parse_json, serialize_json, sha256
from .checkpoints import check_checkpoints, encode_checkpoint, order_events
from .clocks import _subtract_tolerance
from .event_chain import read_streams
from .event_schemas import check_events
from .export_file import Export
from .qualifications import TicketFinder
from .ranking_order import CountingRules
from .report import FAILING, Report, Unusable
from .season_tables import RankedEvent, compute_season, compute_team_season, parse_exact_number
from .series_log import WITHDRAWN, SeriesLog
from .witnesses import check_witness

SERIES_FORMAT = "puur/series/1"


class SeriesFile(Export):
    """The exported zip of a series."""

    format = SERIES_FORMAT
    names = re.compile(
        r"streams/[0-9a-f]{32}\.jsonl|events/[A-Za-z0-9_-]{1,32}\.zip|(series|names)\.json|checkpoints\.jsonl"
        r"|manifest\.(json|sig)"
    )
    owner = "series"
    manifest_fields = ("format", "series", "slug", "exported_at", "key", "files")
    stream_kinds = ("series",)
    tables_file = "series.json"


class VerifiedEvent:
    """The verified file of a championship: its stream, and its published rankings by version."""

    def __init__(self, export, own):
        self.own = own
        self.published = [event for event in own if event["type"] == "standings_published"]
        self.snapshots = {row["version"]: row for row in export.rows("standingssnapshot")}
        self.entries = {row["number"]: row for row in export.rows("entry")}
        self.keys = {}  # of each checkpoint, by its hash
        for line in export.read_lines("checkpoints.jsonl"):
            body = str(line["body"]).encode()
            self.keys[sha256(encode_checkpoint(body)).hex()] = parse_json(body).get("key")
        self.names = {}
        if "names.json" in export.infos:
            lines = export.read_lines("names.json")
            by_key = lines[0].get("entry", {}) if lines else {}
            for row in self.entries.values():
                name = by_key.get(str(row["pk"]), {}).get("name")
                if name:
                    self.names[row["player_ref"]] = name

    def rank(self, key, version, weight, persons):
        """Return the ranking of a version as an event that counts. Raise Unusable if it does not fit."""
        event = next((one for one in self.published if one["body"]["version"] == version), None)
        snapshot = self.snapshots.get(version)
        if event is None or snapshot is None:
            raise Unusable("the ranking %r of %s is not in its file" % (version, key))
        regulations = [one["body"] for one in self.own if one["type"] == "regulations_set"][-1]["regulations"]
        counting = CountingRules(regulations, event["body"].get("counting_version", 1))
        rows, ranked = [], {}
        for row in snapshot["rows"]:
            numbers = row.get("members") or [row["key"]]
            for number in numbers if any(one["counts"] for one in row["rounds"]) else ():
                entry = self.entries[number]["player_ref"]
                if entry in ranked:
                    continue  # in another pair of an open heat: the best row of a person counts
                if entry not in persons:
                    raise Unusable("number %d of %s belongs to nobody" % (number, key))
                person = persons[entry]
                if person in ranked.values():
                    raise Unusable("%s is ranked twice in %s" % (person, key))
                ranked[entry] = person
                line = ("line", row["key"]) if len(numbers) > 1 else ("person", person)
                rows.append((row["place"], person, parse_exact_number(row["total"]), line))
        if ranked.keys() != persons.keys():
            raise Unusable("results of %s are given to entries that it does not rank" % key)
        return RankedEvent(key, counting.total_direction, weight, rows)

    def list_teams_before(self, moment):
        """Return the team of each entry as it was recorded before a moment."""
        found = {}
        for event in self.own:
            if event["recorded_at"] >= moment:
                continue
            if event["type"] == "team_joined":
                found.update(dict.fromkeys(event["body"]["players"], event["body"]["team"]))
            elif event["type"] == "team_left":
                for player in event["body"]["players"]:
                    found.pop(player, None)
        return found

    def find_version_before(self, moment):
        """Return the version published last before a moment, None before the championship was over."""
        early = [one for one in self.published if one["recorded_at"] < moment]
        return early[-1]["body"]["version"] if early else None

    def is_over_before(self, moment):
        """Whether the championship was over before a moment."""
        return any(one["type"] == "championship_finished" and one["recorded_at"] < moment for one in self.own)


def verify_series(file, event_files, verify_event, witness=None, keys=()):
    """Verify the file of a series, and the files of its events, in it and beside it.

    verify_event: verifies the file of a championship, and returns the report, the export and its stream.
    """
    report = Report()
    export = SeriesFile(file, report)
    export.check_manifest(keys)
    streams = read_streams(export)
    found = check_checkpoints(export, streams, keys)
    if witness is not None:
        check_witness(report, witness, found, export.championship)
    own = streams.get(export.championship)
    if own is None or len(streams) > 1:
        raise Unusable("the stream of the series is not in it, or another one is")
    check_events(streams, report)
    order_events(streams, found)
    inside = sorted(name for name in export.infos if name.startswith("events/"))
    files = [(name, io.BytesIO(export.read_file(name))) for name in inside]
    files += [(str(getattr(one, "name", one)), one) for one in event_files]
    events = {}
    for name, one in files:
        told, event_export, stream = verify_event(one, None, keys)
        events[event_export.championship] = VerifiedEvent(event_export, stream.events)
        report.differences += ["%s, %s" % (name, line) for line in told.differences]
        report.notes += ["%s, %s" % (name, line) for line in told.notes]
        report.unproven += ["%s, %s" % (name, line) for line in told.unproven]
        report.checked.append("%s is the file of a championship: %d checks" % (name, len(told.checked)))
    check_series_log(export, own.events, events)
    return report


def check_series_log(export, own, events):
    """Follow the stream, and compute each published table and qualification again."""
    report, log = export.report, SeriesLog(export.report)
    snapshots = {row["version"]: row for row in export.rows("snapshots")}
    if len(snapshots) < len(export.rows("snapshots")):
        report.add_difference("series.json", "it contains a table twice")
    tables = []
    for event in own:
        where = "series, event %d" % event["seq"]
        try:
            log.apply(event)
            if event["type"] == "table_published":
                tables.append(event["body"]["version"])
                where = "table %r" % (event["body"]["version"],)
                check_season(export, log, event, snapshots, events)
            elif event["type"] == "team_table_published":
                where = "table %r of teams" % (event["body"]["version"],)
                check_team_season(export, log, event, snapshots, events)
            elif event["type"] == "qualification_published":
                where = "qualification %r" % (event["body"]["version"],)
                check_tickets(export, log, event, snapshots, events)
        except FAILING as error:
            told = error if isinstance(error, Unusable) else "it cannot be followed: %r" % (error,)
            report.add_difference(where, told)
    if sorted(snapshots) != sorted(tables):
        report.add_difference("series.json", "its tables are not those of the stream")
    check_parts(report, own, snapshots)
    note_names(report, log, events)
    report.checked.append("%d published tables follow from the rankings of the events" % len(tables))
    report.unproven.append(
        "who is the same person in several events is the word of the club's roll; the report names what was "
        "matched anew, and people of one name who count as several"
    )


def rank_events(log, events):
    """Return the events that count by the last table. Raise Unusable if one does not fit."""
    counted = []
    for key, said in sorted(log.rankings.items()):
        state, version = log.events.get(key), said["version"]
        if state is None or state["state"] in WITHDRAWN:
            raise Unusable("%s counts, and is withdrawn or no event of the series" % key)
        if state["championship"] != said["championship"]:
            raise Unusable("%s counts with the ranking of another championship" % key)
        event = events.get(said["championship"])
        if event is None:
            other = ", which another installation has" if "seal" in said else ""
            raise Unusable(
                "the file of %s is missing: championship %s%s" % (key, said["championship"], other)
            )
        if "seal" in said and event.keys.get(said["seal"], "") != said.get("key"):
            raise Unusable("the file of %s has another history, or key, than the one that counted" % key)
        published = next((one for one in event.published if one["body"]["version"] == version), None)
        if published is None or published["body"]["digest"] != said["digest"]:
            raise Unusable("the ranking of %s is not the one that its championship published" % key)
        weight = parse_exact_number(state["weight"])
        counted.append(event.rank(key, version, weight, log.persons.get(key, {})))
    return counted


def list_cancelled(log):
    """Return the keys of the cancelled events."""
    return [key for key, state in log.events.items() if state["state"] == "cancelled"]


def check_season(export, log, event, snapshots, events):
    """Compute a published table again. Raise Unusable if it differs."""
    snapshot = snapshots.get(log.published)
    if snapshot is None:
        raise Unusable("is missing in series.json")
    if sha256(serialize_json(snapshot["table"])).hex() != event["body"]["digest"]:
        raise Unusable("is not the one in the stream")
    if (log.rules or {}).get("teams") is not None and snapshot.get("teams") is None:
        if log.teams:
            raise Unusable("its table of teams is missing")
        export.report.unproven.append("table %d: its table of teams was not published" % log.published)
    check_left_out(export.report, log, event, events)
    counted = rank_events(log, events)
    rows = compute_season(log.rules, counted, list(log.events), len(list_cancelled(log)))
    if rows != snapshot["table"]:
        raise Unusable("does not follow from its rankings: %s" % describe_rows(snapshot["table"], rows))


def check_parts(report, own, snapshots):
    """Check that a version has a table of teams, and a qualification, if the stream says so and only then."""
    kinds = {"team_table_published": "teams", "qualification_published": "qualification"}
    for kind, part in kinds.items():
        told = {event["body"]["version"] for event in own if event["type"] == kind}
        for version, snapshot in snapshots.items():
            if (snapshot.get(part) is not None) != (version in told):
                report.add_difference("series.json", "the %s of version %d are not in both" % (part, version))


def check_team_season(export, log, event, snapshots, events):
    """Compute a published table of teams again. Raise Unusable if it differs."""
    snapshot = snapshots.get(event["body"]["version"])
    if snapshot is None or event["body"]["version"] != log.published:
        raise Unusable("has no table of persons")
    if sha256(serialize_json(snapshot["teams"])).hex() != event["body"]["digest"]:
        raise Unusable("is not the one in the stream")
    counted, team_of = rank_events(log, events), {}
    for key in log.events:
        if key not in log.rankings:
            continue
        check_members(log, key, events[log.rankings[key]["championship"]], event["recorded_at"])
        for entry, team in log.teams[key].items():
            if team:
                team_of[log.persons[key][entry]] = team
    rows = compute_team_season(log.rules, counted, list(log.events), len(list_cancelled(log)), team_of)
    if rows != snapshot["teams"]:
        raise Unusable("does not follow from its rankings: %s" % describe_rows(snapshot["teams"], rows))
    told = (
        "table %d: which teams of several evenings are one is the word of the club, which goes by their names"
    )
    if log.published == max(snapshots):
        export.report.unproven.append(told % log.published)


def check_members(log, key, found, moment):
    """Check that people of an event count for the team of its file. Raise Unusable.

    A team of several events has one reference; no two teams of an event have the same one.
    """
    told = log.teams.get(key)
    if told is None or told.keys() != log.persons.get(key, {}).keys():
        raise Unusable("the teams of %s are not stated for each of its people" % key)
    states = found.list_teams_before(_subtract_tolerance(moment, 1)), found.list_teams_before(moment)
    for entry, team in sorted(told.items()):
        if not any(bool(team) == (entry in state) for state in states):
            person = log.persons[key][entry]
            raise Unusable("%s counts for another team than in the file of %s" % (person, key))
    for state in states:
        pairs = {(state[entry], team) for entry, team in told.items() if team and entry in state}
        if len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}):
            return
    raise Unusable("people of one team of %s count for several, or those of several for one" % key)


def list_categories(export, log):
    """Return the categories of each person by event; one that is not in the stream is noted as unproven."""
    if log.rankings.keys() <= log.categories.keys():
        found = {}
        for key in log.rankings:
            stated, persons = log.categories[key], log.persons.get(key, {})
            if stated.keys() != persons.keys():
                raise Unusable("the categories of %s are not stated for each of its people" % key)
            found[key] = {persons[entry]: {said} for entry, said in stated.items() if said}
        told = "the category of a person is the word of the organiser; the report names each that was changed"
        if told not in export.report.unproven:
            export.report.unproven.append(told)
        return found
    if log.categories:
        raise Unusable("the categories of an event are not stated")
    told = "qualification %d: the categories of people are not sealed"
    export.report.unproven.append(told % log.published)
    unsealed = export.tables.get("categories", {})
    return {key: {person: set(said) for person, said in unsealed.items()} for key in log.rankings}


def describe_rows(told, found):
    """Return the first difference between two tables."""
    for one, other in zip(told, found):
        if one != other:
            strange = [ref for ref in one.get("members", ()) if ref not in other.get("members", ())]
            if strange and one.get("ref") == other["ref"]:
                return "%s counts %s among its members" % (one["ref"], strange[0])
            said = one.get("ref"), one.get("place"), one.get("total")
            return "it has %s at place %s with %s instead of %s at place %s with %s" % (
                *said,
                *(other[name] for name in ("ref", "place", "total")),
            )
    return "it has %d rows instead of %d" % (len(told), len(found))


def check_left_out(report, log, event, events):
    """Report an event that was over and does not count, or counts by an older ranking."""
    where, moment = "table %d" % log.published, _subtract_tolerance(event["recorded_at"], 1)
    for key, state in log.events.items():
        found = events.get(state["championship"])
        if state["state"] in WITHDRAWN or state["championship"] is None:
            continue
        if found is None:
            if key not in log.rankings:
                told = "the file of %s is missing, so that it is not known whether it was left out"
                report.unproven.append(where + ": " + told % key)
            continue
        version = found.find_version_before(moment)
        if key not in log.rankings:
            if version is not None and (state["state"] == "held" or found.is_over_before(moment)):
                report.add_difference(where, "%s was over, and was left out" % key)
        elif version is not None and log.rankings[key]["version"] < version:
            told = "%s counts by an older ranking than its last one" % key
            if "seal" in log.rankings[key]:  # nobody here had the newer file yet, perhaps
                report.notes.append("%s: %s: it was played on another installation" % (where, told))
            else:
                report.add_difference(where, told)


def check_tickets(export, log, event, snapshots, events):
    """Find the qualification again that was published with a table. Raise Unusable if it differs."""
    snapshot = snapshots.get(event["body"]["version"])
    if snapshot is None or event["body"]["version"] != log.published:
        raise Unusable("has no table")
    told = snapshot["qualification"]
    if sha256(serialize_json(told)).hex() != event["body"]["digest"]:
        raise Unusable("is not the one in the stream")
    rules = log.rules or {}
    if rules.get("qualify") is None:
        raise Unusable("nobody qualifies by the rules of that moment")
    asked = any(step.get("kind") == "category" for step in rules["qualify"].get("steps", ()))
    categories = list_categories(export, log) if asked else {}
    counted, cancelled = rank_events(log, events), list_cancelled(log)
    found = TicketFinder(rules, counted, list(log.events), cancelled, log.said, log.seed, categories)
    rights = found.write()
    if told != rights:
        raise Unusable("does not follow from its rankings: %s" % describe_tickets(told, rights))


def describe_tickets(told, found):
    """Return who has a ticket without a right to it, or the other way round."""
    mine, right = [[one["ref"] for one in both["qualified"]] for both in (told, found)]
    if strange := [person for person in mine if person not in right]:
        return "%s has a ticket and has not qualified" % strange[0]
    if missing := [person for person in right if person not in mine]:
        return "%s has qualified and has no ticket" % missing[0]
    return "its tickets have other reasons or another order"


def note_names(report, log, events):
    """Note people of one name who count as several persons: a person may have been split."""
    persons = {}
    for key, matched in log.persons.items():
        event = events.get((log.events.get(key) or {}).get("championship"))
        for entry, person in matched.items() if event is not None else ():
            if entry in event.names:
                persons.setdefault(event.names[entry], set()).add(person)
    for name, found in sorted(persons.items()):
        if len(found) > 1:
            told = "%s counts as %d persons: %s. Are they several people of one name?"
            report.notes.append(told % (name, len(found), ", ".join(sorted(found))))
