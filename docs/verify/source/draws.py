"""Draws of seats, repeated from their seeds."""

from __future__ import annotations

import functools

from .canonical import parse_hex
from .chairs import redraw_seats
from .draw_problem import SEARCH_VERSIONS, DrawProblem
from .entries import list_merged_at, list_pairs_at
from .hand_draws import check_hand_draw
from .regulations import get_pairing, read_regulations_at
from .report import Unusable
from .system_documents import check_system_draw, is_by_system
from .system_queue import check_queue_draws
from .teams import APART, list_team_mates


def count_wishes(drawn):
    """Return the number of the director's wishes in a draw."""
    kinds = (*APART, *(["fixed_pairs"] if drawn["algorithm"] == "1" else []))
    return sum(len(drawn["problem"].get(kind, [])) for kind in kinds)


def check_draw(report, where, drawn, played, revealed, one_of):
    """Repeat one draw from its seed and the rounds before. Report how far it could be repeated."""
    if drawn["algorithm"] not in SEARCH_VERSIONS:
        told = "%s: only the seed was checked; manage.py verify-deals draws seats of search %s again"
        report.notes.append(told % (where, drawn["algorithm"]))
        return
    players, told = drawn["players"], drawn["problem"]
    at = {player: place for place, player in enumerate(players)}
    known = {**{other: at[kept] for other, kept in one_of.items() if kept in at}, **at}
    past = [
        {
            "tables": [[known.get(player, -1) for player in table] for table in before["tables"]],
            "byes": sorted(known.get(player, -1) for player in before["sit_out"]),
        }
        for before in played
    ]
    if told["past"] != past or told["players"] != len(at) or len(at) != len(players):
        report.add_difference(where, "it did not start from the rounds before it")
        return
    tables, out = redraw_seats(DrawProblem(told, parse_hex(drawn["seed"], 32), drawn["algorithm"]))
    again = [[players[p] for p in table] for table in tables], [players[p] for p in out]
    if again != (drawn["tables"], drawn["sit_out"]):
        report.add_difference(where, "the seats do not follow from its seed")
        return
    later = "" if revealed else "; that its seed is the round's shows when that is revealed"
    told = "%s: the seats were drawn again (%d players, %d wishes of the director)%s"
    told %= (where, len(players), count_wishes(drawn), later)
    if drawn["draw"] > 1:
        report.notes.append(told + "; %d draws were undone before it" % (drawn["draw"] - 1))
    else:
        report.checked.append(told)


LOOK_AHEAD_LIMIT = 320
"""The number of players times rounds up to which a draw looks ahead over all later rounds."""


def check_start(export, where, drawn, number, own, moment):
    """Check the input of a draw, beside its seed and the rounds before: it could decide the seats."""
    told, players = drawn["problem"], drawn["players"]
    differs = functools.partial(export.report.add_difference, where)
    regulations = read_regulations_at(own, moment)
    play, left = regulations["play"], regulations["rounds"] - number + 1
    if get_pairing(regulations)[0] != "drawn":
        differs("its pairing system or options are not those of the regulations")
    numbers = {e["body"]["player"]: e["body"]["number"] for e in own if e["type"] == "entry_added"}
    order = [numbers[player] for player in players]
    if order != sorted(order):
        differs("its players are not in the order of their numbers")
    if told["rounds"] != (max(1, left) if len(players) * left <= LOOK_AHEAD_LIMIT else 1):
        differs("it looked ahead over another number of rounds than planned")
    kind = "solo" if play["format"] == "solo" else "pairs"
    threes = {0, -len(players) % 4} if play["seats"] == 4 and play["format"] != "fixed_pairs" else {0}
    if (told["format"], told["table_size"]) != (kind, play["seats"]) or told.get("threes", 0) not in threes:
        differs("its tables are not those of the regulations")
    if drawn["algorithm"] == "1":  # pairs were wishes then; latecomers had the first bye
        told = "%s: by the first search: its pairs, and the order of the first byes, are in no event"
        export.report.unproven.append(told % where)
        return
    if told["sit_out_first"]:
        differs("it preferred some players for a bye")
    for kind, mates in list_team_mates(own, moment, regulations).items():
        kept = {frozenset(players[place] for place in pair) for pair in told.get(kind, [])}
        if {pair for pair in mates if pair <= set(players)} - kept:
            differs("it did not keep the members of a team apart")
    at = {player: place for place, player in enumerate(players)}
    pairs = []
    if play["format"] == "fixed_pairs":
        there = (sorted(at[p] for p in members if p in at) for _, members in list_pairs_at(own, moment))
        pairs = sorted(pair for pair in there if len(pair) == 2)
    if told["fixed_pairs"] != pairs:
        differs("its fixed pairs are not those of the log")


def check_leaders(export, where, drawn, number, own, moment):
    """Check that a draw keeps from a bye exactly the leaders before the last round."""
    kept = {drawn["players"][place] for place in drawn["problem"].get("sit_out_last", [])}
    if drawn["algorithm"] == "1" and not kept:
        return
    regulations = read_regulations_at(own, moment)
    numbers = {row["player_ref"]: row["number"] for row in export.rows("entry")}
    here = {numbers.get(player) for player in drawn["players"]}
    led = {}
    for one in export.rows("standingssnapshot"):
        if one["after_round"] == number - 1:
            led[one["version"]] = {row["key"] for row in one["rows"] if row["place"] == 1} & here
    last = number == regulations["rounds"] > 1
    if kept:
        if not last or {numbers.get(player) for player in kept} not in led.values():
            export.report.add_difference(where, "it refused a bye to a player who was not leading")
        return
    told = [e for e in own if e["type"] == "standings_published" and e["at"] <= moment]
    latest = led.get(told[-1]["body"]["version"]) if told else None
    if last and latest and regulations["play"]["format"] != "fixed_pairs":
        export.report.add_difference(where, "it did not refuse a bye to the leaders")


def check_draws(export, rounds, own):
    """Repeat every draw of seats, also of rounds whose seed is still secret."""
    report, known, wishes = export.report, 0, 0
    by_system, system_wishes = 0, 0
    if report.differences:
        report.notes.append("seats are drawn again only where nothing else differs")
        return
    for number, one in enumerate(rounds, 1):
        for draw, period, _entropy in one.drawn_seats:
            where = "%s, draw %d" % (one.where, draw["draw"])
            try:
                told = [e for e in one.stream.events if e["type"] == "seats_drawn"]
                [moment] = [e["at"] for e in told if e["body"]["draw"] == draw["draw"]]
                if is_by_system(draw) and not draw["players"] and not draw["tables"]:
                    continue  # the opening of a session, which has tables from its queue only
                if is_by_system(draw):
                    by_system += 1
                    system_wishes += len(draw["problem"]["apart"])
                    check_system_draw(export, where, draw, number, rounds, own, moment)
                    continue
                if draw["algorithm"] in SEARCH_VERSIONS:
                    known, wishes = known + 1, wishes + count_wishes(draw)
                    check_start(export, where, draw, number, own, moment)
                    check_leaders(export, where, draw, number, own, moment)
                before = [seats for past in rounds[: number - 1] if (seats := past.list_seats_at(moment))]
                if draw["algorithm"] == "by hand":
                    check_hand_draw(export, where, draw, before, own, moment)
                    continue
                played = [{"tables": tables, "sit_out": byes} for tables, byes in before]
                check_draw(report, where, draw, played, period.seed is not None, list_merged_at(own, moment))
            except (Unusable, KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
                report.add_difference(where, "it cannot be followed: %r" % (error,))
    from_queue = check_queue_draws(export, rounds, own)
    if from_queue:
        told = (
            "who waited for a table, in which order, and whom the director keeps apart, in draws from queues"
        )
        told += " (%d), is the word of desk and director; which of the allowed tables their seeds give is not"
        told += " derived here: manage.py verify-deals or python -m tournaments.pairing next draws them again"
        report.unproven.append(told % from_queue)
    if known:
        told = "who had arrived for a draw (drawn again: %d), what was done with those left over, and"
        told += " wishes of the director (%d) are in no event"
        report.unproven.append(told % (known, wishes))
    if by_system:
        told = (
            "who had arrived, start ranks and wishes of the director (%d), in draws by a pairing system (%d),"
        )
        told += " stand in no event; which of the allowed rounds their seeds give is not derived here:"
        told += " manage.py verify-deals or python -m tournaments.pairing next draws them again"
        report.unproven.append(told % (system_wishes, by_system))
