"""The stream of the championship, and its rankings."""

from typing import Any

from tests.verify.cheats.forging import again, cheat
from tests.verify.record import Record

# --- the stream of the championship


cheat(
    "C1",
    "regulations changed after they were frozen",
    lambda r: again(r.own, "regulations_set", version=2),
)
cheat(
    "C2",
    "regulations changed after they were frozen",
    lambda r: again(r.own, "regulations_frozen"),
    forgery="regulations frozen twice",
)
cheat(
    "C3",
    "a number or a player was entered twice",
    lambda r: again(r.own, "entry_added", number=17),
)
cheat("C4", "seats a person who was never entered", lambda r: forget_entry(r))
cheat(
    "C5",
    "no such event is known: prize_awarded",
    lambda r: r.insert(r.own, 3, "prize_awarded", {"to": 1}),
)
cheat(
    "C6",
    "standings_published has other fields than it may",
    lambda r: r.first(r.own, "standings_published").body.update(except_for=3),
)
cheat(
    "C7",
    "the rankings it published are not numbered one by one",
    lambda r: unpublish(r),
    forgery="a published ranking missing in the log",
)

cheat(
    "C8",
    "a pair was formed of people who were not free",
    lambda r: pair(r, "entrant_formed", number=1, players=[player(r, 0), 32 * "f"]),
)
cheat(
    "C9",
    "a person joined a pair that had no free place",
    lambda r: pair(r, "entrant_joined", player=player(r, 0)),
)
cheat("C10", "a pair that had played was separated", lambda r: part_after_playing(r))
cheat(
    "C11", "it has 2 rounds instead of 3", lambda r: give_up_a_round(r), forgery="a planned round disappears"
)


def player(record: Record, at: int) -> str:
    return str(record.tables["entry"][at]["player_ref"])


def pair(record: Record, type_: str, **body: Any) -> None:
    """Something about a pair, at the end of the stream."""
    record.insert(record.own, len(record.own), type_, {"entrant": 32 * "e", **body})


def part_after_playing(record: Record) -> None:
    """A pair as it might have been, and parted after the first round."""
    at = record.place(record.own, "regulations_frozen")
    body = {"entrant": 32 * "e", "number": 1, "players": [player(record, 0), player(record, 1)]}
    record.insert(record.own, at, "entrant_formed", body)
    pair(record, "entrant_parted")


def forget_entry(record: Record) -> None:
    del record.own[record.place(record.own, "entry_added")]
    record.tables["entry"].pop(0)


def give_up_a_round(record: Record) -> None:
    """Remove round 3, which was only planned, from the tables; its stream stays."""
    record.tables["round"] = [row for row in record.tables["round"] if row["number"] != 3]


def unpublish(record: Record) -> None:
    """As if the first ranking had been the second."""
    record.first(record.own, "standings_published").body["version"] = 2
    record.tables["standingssnapshot"][0]["version"] = 2


# --- rankings


def rank(record: Record, **changed: Any) -> None:
    """Something else in the first row of the ranking, and its digest in the log."""
    record.tables["standingssnapshot"][0]["rows"][0].update(changed)
    record.publish()


cheat(
    "S1",
    "points in round 1 instead of",
    lambda record: more_points(record),
    forgery="more points than at the tables",
)


def more_points(record: Record) -> None:
    row = record.tables["standingssnapshot"][0]["rows"][0]
    row["rounds"][0]["points"] += 1
    row["total"] += 1
    record.publish()


cheat("S2", "points in total instead of", lambda r: rank(r, total=9999), forgery="a wrong total")
cheat("S3", "has a wrong place", lambda r: rank(r, place=2))
cheat(
    "S4",
    "it does not contain each player once",
    lambda r: leave_out_the_last(r),
)
cheat(
    "S5",
    "is not the one in the log",
    lambda r: r.tables["standingssnapshot"][0].update(reason="correction"),
    forgery="another ranking than the digest in the log",
)
cheat("S6", "is missing", lambda r: r.tables.update(standingssnapshot=[]), forgery="a missing ranking")
cheat("S7", "sweeps in round 1 instead of", lambda r: swept(r), forgery="an invented sweep")
cheat("S8", "it is not of the rounds that were closed then", lambda r: after_round(r))
cheat("S9", "has a wrong place", lambda r: lots(r), forgery="lots that the places ignore")
cheat(
    "S10",
    "the wrong rounds count",
    lambda r: say_of_a_round(r, counts=False),
)
cheat(
    "S11",
    "the sealed number it counts from is not the one of the seed",
    lambda r: rank(r, off=3),
)
cheat(
    "S12",
    "did not play the rounds it says",
    lambda r: say_of_a_round(r, played=False),
)
cheat(
    "S13",
    "sitting out in round 1 was counted as",
    lambda r: count_anew(r),
    forgery="other points for a bye, after the round",
)


def count_anew(record: Record) -> None:
    events = record.round(1)
    closed = record.place(events, "round_closed")
    record.insert(events, closed + 1, "sitting_out_counted", {"points": 99})
    events[closed + 1].envelope["recorded_at"] = events[closed].envelope["recorded_at"]


cheat(
    "S14",
    "others are ranked with it than the log says",
    lambda r: rank(r, members=[1, 2]),
    forgery="other members of a row, or partners ranked singly",
)


def leave_out_the_last(record: Record) -> None:
    record.tables["standingssnapshot"][0]["rows"].pop()
    record.publish()


def say_of_a_round(record: Record, **said: bool) -> None:
    record.tables["standingssnapshot"][0]["rows"][0]["rounds"][0].update(said)
    record.publish()


def swept(record: Record) -> None:
    row = record.tables["standingssnapshot"][0]["rows"][0]
    row["rounds"][0]["sweeps"] = row["sweeps"] = 1
    record.publish()


def after_round(record: Record) -> None:
    record.tables["standingssnapshot"][0]["after_round"] = 2
    record.first(record.own, "standings_published").body["after_round"] = 2


def lots(record: Record) -> None:
    """Lots that are said to have been drawn before the ranking, which does not follow them."""
    rows = record.tables["standingssnapshot"][0]["rows"]
    refs = {row["number"]: row["player_ref"] for row in record.tables["entry"]}
    level = [row["key"] for row in rows if row["place"] == 1]
    values = {refs[key]: len(level) - at for at, key in enumerate(level)}
    record.insert(
        record.own,
        record.place(record.own, "standings_published"),
        "separator_recorded",
        {"kind": "lot", "values": values},
    )
