"""What a draw by hand says of itself: its repeats, and the comparison with the draw by the regulations."""

from __future__ import annotations

import collections
import itertools

from .encounters import list_team_players, plays_in_teams
from .entries import list_merged_at, list_pairs_at
from .regulations import get_pairing, read_regulations_at


def check_hand_draw(export, where, drawn, played, own, moment):
    """Count the repeats of a draw by hand again. played: (tables, byes) of the rounds before.

    What the draw by the regulations would have been is in no event: it is bounded, and named as unproven.
    """
    report, cost = export.report, drawn["cost"]
    report.notes.append("%s: made by hand in the hall, nothing to draw again" % where)
    if not cost:
        return  # before 0.3, or it could not be compared
    house = {row["player_ref"] for row in export.rows("entry") if row["house"]}
    seated = {player for table in drawn["tables"] for player in table}
    if house & set(drawn["players"]) - seated:
        report.unproven.append("%s: what it repeats, since players of the house had no seat" % where)
        return
    regulations = read_regulations_at(own, moment)
    groups = []
    if plays_in_teams(regulations):
        groups = [players for _, players in list_team_players(own, moment).items()]
    elif regulations["play"]["format"] == "fixed_pairs":
        groups = [players for _, players in list_pairs_at(own, moment)]
    field = set(drawn["players"])
    name = {other: kept for other, kept in list_merged_at(own, moment).items() if kept in field}
    name.update(zip(field, field))
    in_pairs = regulations["play"]["format"] != "solo"
    if get_pairing(regulations)[0] == "drawn":
        past = [
            ([[name.get(p) for p in t] for t in tables], [name.get(p) for p in byes])
            for tables, byes in played
        ]
        here = drawn["tables"], [player for player in drawn["players"] if player not in seated]
        fixed = {frozenset(field.intersection(players)) for players in groups}
        counted = count_cost([*past, here], field, in_pairs, fixed)
        least = count_cost(past, field, in_pairs, fixed)["meeting_repeats"]
    else:
        name.update((player, players[0]) for players in groups for player in players)
        before = [[name.get(player) for player in table] for tables, _ in played for table in tables]
        now = [[name[player] for player in table] for table in drawn["tables"]]
        counted, least = count_again(before, now, in_pairs), 0
    other = sorted(what for what, number in counted.items() if cost.get(what) != number)
    if other:
        report.add_difference(where, "it does not repeat what it says: %s" % ", ".join(other))
    for note in cost.get("notes", []):
        alike, tables, repeats = note["alike"], note["tables"], note["own"]
        if (tables, note["here"]) != (len(drawn["tables"]), counted["meeting_repeats"]):
            report.add_difference(
                where, "its comparison with the draw by the regulations is not of its tables"
            )
        elif not 0 <= alike <= tables or repeats < least or (alike == tables and repeats != note["here"]):
            report.add_difference(where, "its comparison with the draw by the regulations cannot be right")
        told = "%s: that the draw by the regulations had %s of its %s tables, and %s repeated meetings"
        report.unproven.append(told % (where, alike, tables, repeats))


def list_meetings(table, in_pairs):
    """Return the pairs of partners at a table, and of opponents, without people who are not there now."""
    seats = [(table[0], table[2]), (table[1], table[3])] if in_pairs and len(table) == 4 else []
    partners = {frozenset(pair) for pair in seats if None not in pair and pair[0] != pair[1]}
    met = {frozenset(p) for p in itertools.combinations(table, 2) if None not in p and p[0] != p[1]}
    return partners, met - partners


def count_cost(rounds, field, in_pairs, fixed):
    """Return what repeats over all rounds of (tables, byes), as a draw by lot records it."""
    names = ("partner_repeats", "opponent_repeats", "meeting_repeats", "seat_repeats", "table_repeats")
    counts = {name: collections.Counter() for name in names}
    rested = collections.Counter(dict.fromkeys(field, 0))
    for tables, byes in rounds:
        rested.update(player for player in byes if player in field)
        for number, table in enumerate(tables):
            partners, opponents = list_meetings(table, in_pairs)
            counts["partner_repeats"].update(partners - fixed)
            counts["opponent_repeats"].update(opponents - fixed)
            counts["meeting_repeats"].update((partners | opponents) - fixed)
            counts["seat_repeats"].update((p, at) for at, p in enumerate(table) if p is not None)
            counts["table_repeats"].update((p, number) for p in table if p is not None)
    found = {name: sum(n - 1 for n in of.values()) for name, of in counts.items()}
    return dict(found, bye_spread=max(rested.values()) - min(rested.values()))


def count_again(before, now, in_pairs):
    """Return how many partners and opponents of these tables were that before, as a system records it."""
    known, here = [set(), set()], [set(), set()]
    for found, tables in ((known, before), (here, now)):
        for table in tables:
            for kind, pairs in zip(found, list_meetings(table, in_pairs)):
                kind.update(pairs)
    partner, opponent = (len(mine & theirs) for mine, theirs in zip(here, known))
    return {
        "partner_repeats": partner,
        "opponent_repeats": opponent,
        "meeting_repeats": partner + opponent,
    }
