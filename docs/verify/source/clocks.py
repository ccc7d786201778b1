"""Dates of events and checkpoints."""

from __future__ import annotations

import datetime


def check_dates(streams, found, report):
    """Note strange dates. Clocks may be wrong, so none is a difference."""
    for stream in streams.values():
        dated = [event["recorded_at"] for event in stream.events]
        back = next((seq for seq in range(1, len(dated)) if dated[seq] < dated[seq - 1]), None)
        if back is not None:
            told = (
                "%s %s, event %d is dated before the one before it: a clock was set back, or a date made up"
            )
            report.notes.append(told % (stream.kind, stream.id, back))
    made_at, before = "", {}
    for says in found.values():
        if says["made_at"] < made_at:
            report.notes.append("checkpoint %d is dated before the one before it" % says["number"])
        for name, seq in says["heads"].items():
            events = streams[name].events[before.get(name, -1) + 1 : seq + 1]
            dated = sorted(event["recorded_at"] for event in events)
            if dated and (
                (before and dated[0] < _subtract_tolerance(made_at))
                or _subtract_tolerance(dated[-1]) > says["made_at"]
            ):
                told = "checkpoint %d is the first to know of events of %s %s whose dates do not fit"
                report.notes.append(told % (says["number"], streams[name].kind, name))
                break
        made_at, before = says["made_at"], says["heads"]


def _subtract_tolerance(moment, minutes=10):
    """Return the date so many minutes before a moment."""
    at = datetime.datetime.strptime(moment, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime.timedelta(minutes=minutes)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
