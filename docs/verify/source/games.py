"""Every game: cards, scores, sheets."""

from __future__ import annotations

from .event_chain import start_body
from .report import UNREADABLE, Unusable
from .score_book import check_scores
from .sheets import check_breaks, check_confirmations
from .tricks import check_event_types, check_play, check_written_tricks
from .variants import find_variant


def check_games(streams, report):
    """Check every game: its cards, scores, confirmations and event types."""
    deals, unknown = 0, set()
    for stream in streams.values():
        started = start_body(stream)
        if stream.kind != "game":
            continue
        checks = [
            lambda stream=stream: check_scores(stream, report),
            lambda stream=stream: check_breaks(stream),
        ]
        if started.get("mode") == "sheet":
            agreed = started.get("confirmation", "paper")
            checks.append(lambda stream=stream, agreed=agreed: check_confirmations(stream, agreed))
        try:
            if not started or any(event["type"] == "game_started" for event in stream.events[1:]):
                checks = []
                raise Unusable("it does not begin once, with game_started")
            if find_variant(started) is None:
                unknown.add(str(started["variant"]))
            else:
                checks.append(lambda stream=stream, started=started: check_event_types(stream, started))
            if started["mode"] == "dealt":
                deals += check_play(stream, started)
            elif started["mode"] == "transcribed":
                checks.append(lambda stream=stream, started=started: check_written_tricks(stream, started))
        except Unusable as error:
            report.add_difference("game %s" % stream.id, error)
        except UNREADABLE as error:
            report.add_difference("game %s" % stream.id, "it cannot be followed: %r" % (error,))
        for check in checks:
            try:
                check()
            except Unusable as error:
                report.add_difference("game %s" % stream.id, error)
            except UNREADABLE as error:
                report.add_difference("game %s" % stream.id, "it cannot be followed: %r" % (error,))
    report.checked.append("%d deals were played with the cards that were dealt" % deals)
    for variant in sorted(unknown):
        told = "cards and chance were verified; the scoring of the game %r is not known to this verifier"
        report.unproven.append(told % variant)
