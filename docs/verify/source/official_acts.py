"""Acts of officials, and results after a seed was public."""

from __future__ import annotations

from .event_chain import effective_events


def describe_acts(stream):
    """Yield a text for each act of an official on a game."""
    for event in effective_events(stream):
        kind, body = event["type"], event["body"]
        if kind in ("game_closed", "game_resumed"):
            told = "broken off" if kind == "game_closed" else "resumed"
            yield "it was %s: %s" % (told, body["reason"] or "no reason")
        elif kind == "ruling_made":
            deal = "" if body.get("deal") is None else " on deal %d" % body["deal"]
            totals = " : ".join(str(points) for points in body["totals"])
            yield "ruling %d (%s)%s, totals %s: %s" % (
                body["ruling"],
                body["kind"],
                deal,
                totals,
                body["reason"] or "no reason",
            )
        elif kind in ("result_entered", "result_corrected") and body.get("reason") is not None:
            told = "corrected" if kind == "result_corrected" else "written"
            scores = " : ".join(str(points) for points in body["scores"])
            yield "deal %d was %s by an official, %s: %s" % (
                body["deal"],
                told,
                scores,
                body["reason"] or "no reason",
            )


def note_acts(export, streams, rounds, own):
    """Add a note for each act of an official on rounds, results and entries, with its reason."""
    notes, separated = export.report.notes, {}
    numbers = {row["player_ref"]: row["number"] for row in export.rows("entry")}
    for event in own:
        kind, body = event["type"], event["body"]
        if kind == "rounds_planned":
            notes.append("championship: %d rounds were to be played from then on" % body["rounds"])
        elif kind == "separator_recorded":
            again = [player for player in body["values"] if (body["kind"], player) in separated]
            if any(body["values"][player] != separated[body["kind"], player] for player in again):
                told = "championship: the %s of numbers that had one was recorded again: %s"
                notes.append(told % (body["kind"], ", ".join(str(numbers.get(player)) for player in again)))
            separated.update({(body["kind"], player): value for player, value in body["values"].items()})
        elif kind in ("entries_merged", "entries_parted"):
            told = "merged" if kind == "entries_merged" else "separated again"
            both = numbers.get(body["player"]), numbers.get(body["other"])
            reason = body.get("reason") or "no reason"
            notes.append("championship: numbers %r and %r were %s: %s" % (*both, told, reason))
    for one in rounds:
        notes.extend("%s: %s" % (one.where, what) for what in one.acts)
        for place, game in enumerate(one.games, 1):
            for what in describe_acts(streams[game]) if game in streams else ():
                notes.append("%s, table %d: %s" % (one.where, place, what))


NEW_RESULTS = ("deal_scored", "result_entered", "deal_started", "card_played")


def check_reveals(report, streams, rounds, own):
    """Check that no result is new after the seed of its round is public.

    It is a difference in the round whose seed draws the sealed number, otherwise a note.
    """
    sets = [event["body"]["regulations"] for event in own if event["type"] == "regulations_set"]
    sealed = sets[-1]["rounds"] if sets and sets[-1]["counting"]["what"] == "nearest" else None
    for number, one in enumerate(rounds, 1):
        for place, game in enumerate(one.games, 1):
            shown = one.opened_games[game].seed_period.revealed_at
            stream = streams.get(game)
            if shown is None or stream is None:
                continue
            late = [e for e in stream.events if e["at"] > shown and e["type"] in NEW_RESULTS]
            if late and number == sealed:
                told = "table %d: event %d: a result is new though the sealed number was public"
                one.add_difference(told % (place, late[0]["seq"]))
            elif late:
                told = "%s, table %d: event %d: results were entered after the seed of the round was public"
                report.notes.append(told % (one.where, place, late[0]["seq"]))
