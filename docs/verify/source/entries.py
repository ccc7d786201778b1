"""Pairs and merged entries."""

from __future__ import annotations

import functools


def list_pairs_at(own, moment):
    """Return the pairs at a moment, with number and players, in the order of their forming."""
    found = {}
    for event in own:
        body = event["body"]
        if event["at"] > moment:
            continue
        if event["type"] == "entrant_formed":
            found[body["entrant"]] = body["number"], list(body["players"])
        elif event["type"] == "entrant_joined" and body["entrant"] in found:
            found[body["entrant"]][1].append(body["player"])
        elif event["type"] == "entrant_parted":
            found.pop(body["entrant"], None)
    return list(found.values())


def list_merged_at(own, moment):
    """Return the merged entries at a moment: second reference → the one that counts."""
    found = {}
    for event in own:
        if event["at"] > moment:
            continue
        if event["type"] == "entries_merged":
            found[event["body"]["other"]] = event["body"]["player"]
        elif event["type"] == "entries_parted":
            found.pop(event["body"]["other"], None)
    return found


def check_merged_entries(export, rounds, own, players_by_pk):
    """Check merged entries: both were entered, never sat in the same round, and match the rows."""
    differs, entered, one_of = functools.partial(export.report.add_difference, "championship"), set(), {}
    for event in own:
        kind, body = event["type"], event["body"]
        if kind == "entry_added":
            entered.add(body["player"])
        elif kind == "entries_merged":
            both = {body["player"], body["other"]}
            if len(both) < 2 or not both <= entered or both & {*one_of, *one_of.values()}:
                differs("two entries were merged that must not be merged")
            one_of[body["other"]] = body["player"]
            for one in rounds:
                sat = list_seated_at(one, event["at"])
                if both <= sat:
                    differs("two entries were merged that both played in %s" % one.where)
        elif kind == "entries_parted" and one_of.pop(body["other"], None) != body["player"]:
            differs("two entries were separated that were not merged")
    told = {}
    for row in export.rows("entry"):
        if row.get("merged_into") is not None:
            told[row["player_ref"]] = players_by_pk.get(row["merged_into"])
    if told != one_of:
        export.report.add_difference("championship.json", "the merged entries are not those of the log")


def list_pair_starts_at(own, moment):
    """Return the starts of pairs: number → players, and number → that of the first start of the same two."""
    persons, members, key_of = list_persons_at(own, moment), {}, {}
    for number, players in sorted(list_pairs_at(own, moment)):
        members[number] = players
        key_of[number] = frozenset(persons[player] for player in players)
    first = {}
    for number in sorted(members):
        first.setdefault(key_of[number], number)
    return members, {number: first[people] for number, people in key_of.items()}


def list_persons_at(own, moment):
    """Return the person of each start at a moment: the first entry, or the one that counts for it."""
    above = {}
    for event in own:
        if event["type"] == "entry_added":
            above[event["body"]["player"]] = event["body"].get("start_of")
    above.update(list_merged_at(own, moment))
    found = {}
    for player in above:
        person = player
        for _ in above:
            if above.get(person) is None:
                break
            person = above[person]
        found[player] = person
    return found


def check_starts(export, own, players_by_pk):
    """Check further starts: of a first entry that was there before, and equal to the rows."""
    first, told = set(), {}
    for event in own:
        if event["type"] == "entry_added":
            player, start_of = event["body"]["player"], event["body"].get("start_of")
            if start_of is None:
                first.add(player)
                continue
            told[player] = start_of
            if start_of not in first:
                export.report.add_difference("championship", "a start is of somebody who was not entered")
    rows = {
        row["player_ref"]: players_by_pk.get(row["start_of"])
        for row in export.rows("entry")
        if row.get("start_of") is not None
    }
    if rows != told:
        export.report.add_difference("championship.json", "the starts of people are not those of the log")


def list_tables_at(one, moment, before=False):
    """Return table → players by seat, of a round at a moment; `before`: without what happened at it."""
    seats = {}
    for event in one.stream.events:
        kind, body = event["type"], event["body"]
        if event["at"] > moment or (before and event["at"] == moment):
            continue
        if kind == "seats_drawn":
            seats = {(t, s): p for t, table in enumerate(body["tables"], 1) for s, p in enumerate(table)}
        elif kind == "tables_drawn":
            for t, table in enumerate(body["tables"], body["first"]):
                seats.update({(t, s): p for s, p in enumerate(table)})
        elif kind == "table_taken_back":
            seats = {chair: p for chair, p in seats.items() if chair[0] != body["table"]}
        elif kind == "draw_undone":
            seats = {}
        elif kind == "chair_taken":
            seats[body["table"], body["seat"]] = body["player"]
        elif kind == "seats_exchanged":
            seats.update(zip(zip(body["tables"], body["seats"]), body["players"]))
    tables = {}
    for table, seat in sorted(seats):
        tables.setdefault(table, []).append(seats[table, seat])
    return tables


def list_seated_at(one, moment):
    """Return the players that had a seat in a round at a moment."""
    return {player for seated in list_tables_at(one, moment).values() for player in seated}


def check_pairs(export, rounds, own, players_by_pk):
    """Check pairs: of free entries, parted only before they played, and equal to the rows."""
    differs = functools.partial(export.report.add_difference, "championship")
    numbers, gone, pairs, rows = {}, set(), {}, {}
    for event in own:
        kind, body = event["type"], event["body"]
        taken = {player for members in pairs.values() for player in members}
        if kind == "entry_added":
            numbers[body["player"]] = body["number"]
        elif kind == "entry_withdrawn":
            gone.add(body["player"])
        elif kind == "entry_returned":
            gone.discard(body["player"])
            members = next((found for found in pairs.values() if body["player"] in found), [])
            if len(set(members) - gone) > 2:
                differs("a person joined a pair that had no free place")
        elif kind == "entrant_formed":
            members = list(body["players"])
            free = numbers.keys() - taken - gone
            if (
                body["entrant"] in pairs
                or len(set(members) & free) < max(2, len(members))
                or numbers[members[0]] != body["number"]
            ):
                differs("a pair was formed of people who were not free")
            pairs[body["entrant"]] = members
        elif kind == "entrant_joined":
            members, free = pairs.get(body["entrant"], []), numbers.keys() - taken - gone
            left = set(members) - gone
            if body["player"] not in free or len(left) != 1:
                differs("a person joined a pair that had no free place")
            elif any(_has_played(one, members, event["at"]) for one in rounds):
                told = "championship: number %r joined the pair %r, which had played"
                export.report.notes.append(told % (numbers[body["player"]], numbers[members[0]]))
                if not any(_has_played(one, left, event["at"]) for one in rounds):
                    differs("a pair continued although no member has played for it")
            members.append(body["player"])
        elif kind == "entrant_parted":
            members = pairs.pop(body["entrant"], None)
            if members is None or any(_has_played(one, members, event["at"]) for one in rounds):
                differs("a pair that had played was separated")
    for row in export.rows("entry"):
        if row.get("entrant") is not None:
            rows.setdefault(row["entrant"], []).append(players_by_pk[row["pk"]])
    told = [(row["ref"], row["number"], sorted(rows.pop(row["pk"], []))) for row in export.rows("entrant")]
    formed = {e["body"]["entrant"]: e["body"]["number"] for e in own if e["type"] == "entrant_formed"}
    if rows or sorted(told) != sorted((ref, formed[ref], sorted(pairs[ref])) for ref in pairs):
        export.report.add_difference("championship.json", "the pairs are not those of the log")


def check_excuses(export, rounds, own):
    """Check that absences were excused before their rounds were drawn."""
    differs, known = functools.partial(export.report.add_difference, "championship"), {}
    for event in own:
        if event["type"] != "absences_excused":
            continue
        told = set(event["body"]["rounds"])
        changed = told ^ known.get(event["body"]["player"], set())
        known[event["body"]["player"]] = told
        for one in (rounds[number - 1] for number in changed if 0 < number <= len(rounds)):
            turns = [
                e["type"]
                for e in one.stream.events
                if e["type"] in ("seats_drawn", "draw_undone") and e["at"] <= event["at"]
            ]
            if turns[-1:] == ["seats_drawn"]:
                differs("an absence was excused after its round was drawn")


def _has_played(one, members, moment):
    """Whether a member had a seat or a bye in a round that was opened before a moment."""
    seated, opened = set(), False
    for event in one.stream.events:
        if event["at"] > moment:
            continue
        if event["type"] == "seats_drawn":
            seated, opened = set(event["body"]["players"]), False
        elif event["type"] in ("round_opened", "draw_undone"):
            opened = event["type"] == "round_opened"
        elif event["type"] in ("tables_drawn", "table_taken_back"):
            seated = list_seated_at(one, event["at"])
    return opened and bool(seated & set(members))
