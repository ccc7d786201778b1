"""Checkpoints and time."""

import json

from tests.verify.cheats.forging import cheat, drop
from tests.verify.record import Record

# --- checkpoints, time


cheat("K1", "there is no checkpoint", lambda r: r.checkpoints.clear(), browser="not_sealed")
cheat(
    "K2",
    "it is checkpoint",
    lambda r: r.checkpoints.pop(1),
    forgery="a missing checkpoint",
    browser="other_place",
)
cheat(
    "K3",
    "it is not the record of the sheet",
    lambda r: roll_back(r),
    forgery="the last checkpoints missing, all sealed again",
    browser="not_my_sheet",
    found="paper",
)
cheat(
    "K4",
    "it is not the record of the sheet",
    lambda r: leave_out(r),
    forgery="a missing checkpoint, the others renumbered",
    browser="not_my_sheet",
    found="paper",
)
cheat("K5", "does not cover the stream", lambda r: None, browser="not_covered", hand="unsealed")
cheat(
    "K6",
    "is dated before the one before it",
    lambda r: r.round(1)[5].envelope.update(recorded_at="2020-01-01T00:00:00.000000Z"),
    forgery="dates of events that go backwards",
    found="note",
)
cheat(
    "K7",
    "is dated before the one before it",
    lambda r: date(r, -1, "2020-01-01T00:00:00.000000Z"),
    forgery="dates of checkpoints that go backwards",
    found="note",
)
cheat(
    "K8",
    "whose dates do not fit",
    lambda r: date_all(r),
    forgery="events dated far from their first seal",
    found="note",
)
cheat(
    "K9",
    "it is not the record of the sheet",
    lambda r: drop(r.round(2), "code_renewed"),
    forgery="any change of events that the sheet covers, all sealed again",
    browser="not_my_sheet",
    found="paper",
)


def date_all(record: Record) -> None:
    for at in range(3):
        date(record, at, f"2099-01-0{at + 1}T00:00:00.000000Z")


def date(record: Record, at: int, made_at: str) -> None:
    line = record.checkpoints[at]
    line["body"] = json.dumps({**json.loads(line["body"]), "made_at": made_at}, separators=(",", ":"))


def roll_back(record: Record) -> None:
    """The last checkpoint was never made."""
    record.checkpoints.pop()


def leave_out(record: Record) -> None:
    """One in the middle was never made, and those after it count on."""
    record.checkpoints.pop(1)
    for number, line in enumerate(record.checkpoints, 1):
        line["body"] = json.dumps({**json.loads(line["body"]), "number": number}, separators=(",", ":"))
