"""Seeds and draws, and the opening of rounds."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec

from tests.verify.cheats.forging import again, cheat, drop, lose, move
from tests.verify.record import Record
from tournaments import pairing

# --- rounds and their seeds


cheat(
    "D1",
    "it was closed without revealing its seed",
    lambda r: drop(r.round(1), "seed_revealed"),
    browser="not_revealed",
)
cheat(
    "D2",
    "the revealed seed does not match its commitment",
    lambda r: r.first(r.round(1), "seed_revealed").body.update(seed="ab" * 32),
    browser="seed",
)
cheat(
    "D3",
    "chance was added after cards had been dealt",
    lambda r: r.insert(r.round(1), 6, "entropy_added", {"entropy": "liked"}),
    browser="late_entropy",
)
cheat(
    "D4",
    "chance was added after cards had been dealt",
    lambda r: move(r.round(1), "entropy_added", 4),
    forgery="the hall's numbers moved behind the deal",
    browser="late_entropy",
)
cheat(
    "D5",
    "there is a new seed although the one before was never revealed",
    lambda r: r.round(1).insert(1, r.round(2)[0].copy()),
    browser="seed_renewed",
)
cheat(
    "D6",
    "an event precedes the commitment to the seed",
    lambda r: move(r.round(1), "seed_committed", 2),
    browser="no_seed",
)
cheat(
    "D7", "a seed was revealed twice", lambda r: again(r.round(1), "seed_revealed"), browser="revealed_twice"
)
cheat(
    "D8",
    "its seed is of another kind than that of a round",
    lambda r: r.first(r.round(1), "seed_committed").body.update(algorithm="mine/1"),
    browser="other_chance",
)
cheat(
    "D9",
    "two of them have one seed",
    lambda r: one_seed(r),
    forgery="one seed for two rounds",
    browser="one_seed",
)
cheat(
    "D10",
    "draw 1 did not use the seed of the round",
    lambda r: r.first(r.round(1), "seats_drawn").body.update(seed="ab" * 32),
    browser="draw_seed",
)
cheat(
    "D11",
    "draw 1 has no seed",
    lambda r: r.first(r.round(1), "seats_drawn").body.update(seed=""),
    browser="draw_no_seed",
)
cheat(
    "D12",
    "draw 1 does not seat each player once",
    lambda r: r.first(r.round(1), "seats_drawn").body["players"].pop(),
)
cheat(
    "D13",
    "was made while another one was valid",
    lambda r: again(r.round(1), "seats_drawn", 3),
    browser="draw_stands",
)
cheat(
    "D14",
    "a draw was undone that did not exist",
    lambda r: r.first(r.round(2), "draw_undone").body.update(draw=2),
)
cheat("D15", "the seats do not follow from its seed", lambda r: friends(r), forgery="friends at one table")
cheat("D16", "it did not start from the rounds before it", lambda r: no_past(r))
cheat("D17", "made by hand in the hall", lambda r: by_hand(r), found="note")
cheat(
    "D18",
    "only the seed was checked",
    lambda r: [e.body.update(algorithm="99") for e in r.round(1) if e.type == "seats_drawn"],
    forgery="an unknown version of the search",
    found="note",
)
cheat(
    "D19",
    "a swap of chairs names a person who did not sit there",
    lambda r: r.first(r.round(1), "seats_exchanged").body["players"].reverse(),
)
cheat(
    "D20",
    "chairs were swapped before anybody sat",
    lambda r: move(r.round(1), "seats_exchanged", 1),
)
cheat(
    "D21",
    "a seed was used after it was public",
    lambda r: from_public(r),
    forgery="a new draw from the public seed",
    browser="seed_public",
)
cheat(
    "D22",
    "a seed was used after it was public",
    lambda r: again(r.round(1), "forehand_drawn"),
    forgery="forehand from the public seed",
    browser="seed_public",
)
cheat(
    "D23",
    "a seed was used after it was public",
    lambda r: again(r.round(1), "round_opened"),
    forgery="tables from the public seed",
    browser="seed_public",
)
cheat("D24", "it was closed without being open", lambda r: again(r.round(1), "round_closed"))
cheat(
    "D25",
    "it was opened again without being closed",
    lambda r: r.insert(r.round(2), 8, "round_reopened", {"reason": ""}),
)
cheat(
    "D26",
    "not lowercase hex",
    lambda r: r.first(r.round(1), "seed_revealed").body.update(seed="xyz"),
    browser="not_hex",
)
cheat(
    "D27",
    "bytes instead of 32",
    lambda r: r.first(r.round(1), "seed_revealed").body.update(seed="abcd"),
    browser="not_hex",
)


cheat(
    "D28",
    "a chair was taken that was not free",
    lambda r: r.first(r.round(2), "chair_taken").body.update(instead="00" * 16),
    forgery="the chair of a person who did not sit there",
)
cheat(
    "D29",
    "a chair was taken that was not free",
    lambda r: after_the_results(r),
    forgery="the chair and result of a person who has played",
)
cheat(
    "D30",
    "a person sits on two chairs",
    lambda r: r.first(r.round(2), "chair_taken").body.update(
        player=[e for e in r.round(2) if e.type == "seats_drawn"][-1].body["tables"][0][0]
    ),
)
cheat(
    "D31",
    "a substitute replaces a person who did not sit there, or sits twice",
    lambda r: r.first(r.round(2), "substitute_named").body.update(seat=1),
)
cheat(
    "D32",
    "the substitutes are not those of the log",
    lambda r: r.tables["substitute"][0].update(deal=2),
    forgery="a substitute from another deal on",
)
cheat(
    "D33",
    "a person who was never entered sat down",
    lambda r: r.first(r.round(2), "substitute_named").body.update(player="00" * 16),
)
cheat(
    "D34",
    "the byes are not those of the draw",
    lambda r: r.first(r.round(2), "chair_taken").body.update(sits_out=False),
    forgery="a bye for a person who was sent away",
)


cheat(
    "D35",
    "it refused a bye to a player who was not leading",
    lambda r: kept_in(r),
    forgery="a friend who, like a leader, gets no bye",
)


cheat(
    "D36",
    "its players are not in the order of their numbers",
    lambda r: draw_anew(r, players=lambda players: players[3:] + players[:3]),
)
cheat(
    "D37",
    "it looked ahead over another number of rounds than planned",
    lambda r: draw_anew(r, rounds=7),
)
cheat(
    "D38",
    "its tables are not those of the regulations",
    lambda r: draw_anew(r, format="solo"),
)
cheat(
    "D39",
    "it preferred some players for a bye",
    lambda r: draw_anew(r, sit_out_first=[3, 2]),
)
cheat(
    "D40",
    "its fixed pairs are not those of the log",
    lambda r: draw_anew(r, fixed_pairs=[[0, 5]]),
)
cheat(
    "D41",
    "wishes of the director (1)",
    lambda r: draw_anew(r, never_meet=[[0, 1]]),
    forgery="an invented wish",
    found="unproven",
)
cheat(
    "D42",
    "by the first search",
    lambda r: by_the_first_search(r),
    forgery="a draw by the first search, which allowed more choices",
    found="unproven",
)
cheat(
    "D43",
    "the seats do not follow from its seed",
    lambda r: seat_together(r),
    forgery="two together whom the draw could keep apart",
)


def draw_anew(
    record: Record,
    *,
    players: Callable[[list[str]], list[str]] = list,
    algorithm: str = pairing.VERSION,
    **changed: Any,
) -> None:
    """Repeat the undone draw of round 2 from its true seed with a changed problem; its tables and the seats
    of its games follow."""
    body = record.first(record.round(2), "seats_drawn").body
    before, body["players"] = body["players"], players(body["players"])
    at = {place: body["players"].index(player) for place, player in enumerate(before)}
    problem = {**body["problem"], **changed}
    for one in problem["past"]:
        one["tables"] = [[at[place] for place in table] for table in one["tables"]]
        one["byes"] = sorted(at[place] for place in one["byes"])
    seed = bytes.fromhex(body["seed"])
    asked = replace(msgspec.convert({**problem, "seed": b""}, pairing.PairingProblem), seed=seed)
    drawn = pairing.draw(asked, algorithm).rounds[0]
    tables = [[body["players"][place] for place in table] for table in drawn.tables]
    body.update(algorithm=algorithm, problem=problem, tables=tables)
    games = record.first(record.round(2), "round_opened").body["games"]
    for game, people in zip(games, tables, strict=True):
        for seat in record.rows("seat", game=game):
            seat["player_ref"] = people[seat["number"]]


def seat_together(record: Record) -> None:
    """Add to the undone draw the wish to keep two people apart who sit together in it."""
    body = record.first(record.round(2), "seats_drawn").body
    number = {player: place for place, player in enumerate(body["players"])}
    one, other = sorted(number[player] for player in body["tables"][0][:2])
    body.update(algorithm=pairing.AVOIDING_VERSION, problem={**body["problem"], "avoid_meet": [[one, other]]})


def by_the_first_search(record: Record) -> None:
    draw_anew(record, algorithm="1")
    problem = record.first(record.round(2), "seats_drawn").body["problem"]
    del problem["threes"], problem["sit_out_last"]


def kept_in(record: Record) -> None:
    """Refuse a bye to a person who does not lead, although that is only foreseen for leaders."""
    drawn = [e for e in record.round(2) if e.type == "seats_drawn"][-1].body
    led = {row["key"] for row in record.tables["standingssnapshot"][-1]["rows"] if row["place"] == 1}
    numbers = {row["player_ref"]: row["number"] for row in record.tables["entry"]}
    drawn["problem"]["sit_out_last"] = [
        next(at for at, player in enumerate(drawn["players"]) if numbers[player] not in led)
    ]


def after_the_results(record: Record) -> None:
    """After the results, give the chair, and so the result, of a player to a person who has not played."""
    body = record.first(record.round(2), "chair_taken").body
    last = max(event.envelope["recorded_at"] for events in record.streams.values() for event in events)
    seats = [e for e in record.round(2) if e.type == "seats_drawn"][-1].body["tables"][0]
    body.update(table=1, seat=0, instead=seats[0])
    record.first(record.round(2), "chair_taken").envelope["recorded_at"] = last


def one_seed(record: Record) -> None:
    """The third round commits to the number of the first."""
    record.streams[record.round_id(3)][0] = record.round(1)[0].copy()


def friends(record: Record) -> None:
    tables = [e for e in record.round(2) if e.type == "seats_drawn"][-1].body["tables"]
    tables[1][0], tables[2][0] = tables[2][0], tables[1][0]
    record.sit_as_drawn()


def no_past(record: Record) -> None:
    [e for e in record.round(2) if e.type == "seats_drawn"][-1].body["problem"]["past"] = []


def by_hand(record: Record) -> None:
    [e for e in record.round(2) if e.type == "seats_drawn"][-1].body.update(algorithm="by hand", seed="")


def from_public(record: Record) -> None:
    """The first round once more, from the seed that everybody has read by now."""
    events = record.round(1)
    again = [
        event.copy() for event in events if event.type in ("seats_drawn", "forehand_drawn", "round_opened")
    ]
    reopened = record.insert(events, len(events), "round_reopened", {"reason": "oops"})
    undone = record.insert(events, len(events), "draw_undone", {"draw": 1, "reason": ""})
    assert (reopened.type, undone.type) == ("round_reopened", "draw_undone")
    again[0].body["draw"] = 2
    for event in again[1:]:
        if event.type == "forehand_drawn":
            event.body["number"] += 10_000
    events += again


# --- opening a round


cheat(
    "O1",
    "it was opened with other tables than were drawn",
    lambda r: r.first(r.round(1), "round_opened").body["modes"].pop(),
    browser="other_tables",
)
cheat(
    "O2",
    "whether forehand of table",
    lambda r: fixed_deck(r),
    forgery="no record of mode and forehand, so that no deck is repeated",
    browser="forehand_lots",
)
cheat(
    "O3",
    "was not played as the round says",
    lambda r: r.first(r.round(1), "round_opened").body["modes"].__setitem__(0, "sheet"),
    forgery="a dealt table listed as a sheet",
    browser="other_mode",
)
cheat(
    "O4",
    "was dealt the cards of another one",
    lambda r: r.first(r.round(1), "forehand_drawn").body.update(number=7),
    forgery="a table with the decks of another one",
    browser="other_cards",
)
cheat(
    "O5",
    "forehand of table 1 was not drawn from the seed",
    lambda r: r.first(r.round(1), "forehand_drawn").body["cards"][0].reverse(),
    forgery="forehand other than by the cards",
    browser="forehand",
)
cheat(
    "O6",
    "forehand of table 1 was drawn twice",
    lambda r: again(r.round(1), "forehand_drawn", 5),
    browser="forehand_twice",
)
cheat("O7", "is missing", lambda r: lose_game(r), forgery="a missing game", browser="game_gone")
cheat("O8", "it belongs to no round", lambda r: hidden_game(r), forgery="a game removed after play")
cheat(
    "O9",
    "two of them have one game",
    lambda r: (
        [e for e in r.round(2) if e.type == "round_opened"][-1].body["games"].__setitem__(1, r.games(1)[2])
    ),
    forgery="a game counted twice",
)
cheat("O10", "it was not played by the regulations", lambda r: start(r, deals=2))
cheat(
    "O11",
    "it was played by other rules than the first game",
    lambda r: start(r, sweep_bonus=0),
)
cheat(
    "O12",
    "it does not list the rounds that exist",
    lambda r: second_stream(r),
    forgery="a second stream of a round",
)


cheat(
    "O13",
    "players swapped chairs at table 1 when it was opened",
    lambda r: change_chairs(r),
    forgery="two players swap hands at the opening",
    browser="chairs_lots",
)


cheat(
    "O14",
    "players swapped chairs at table 1 when it was opened",
    lambda r: change_chairs(r, dated="2026-11-20T18:00:00.000000Z"),
    forgery="O13, dated to a day when it was allowed",
    browser="chairs_lots",
)


def change_chairs(record: Record, dated: str = "") -> None:
    """Let two players swap chairs at the opening, although the seed is dated after the day on which that
    ended. `dated`: the date of the game's first event.
    """
    record.first(record.round(1), "forehand_drawn").body["exchanged"] = True
    record.first(record.round(1), "seed_committed").envelope["recorded_at"] = "2026-12-24T18:00:00.000000Z"
    if dated:
        record.first(record.game(1), "game_started").envelope["recorded_at"] = dated


def fixed_deck(record: Record) -> None:
    """Remove a mode and the draw for forehand, so that no verifier would deal that deck again."""
    record.first(record.round(1), "round_opened").body["modes"].pop(0)
    drop(record.round(1), "forehand_drawn")


def lose_game(record: Record) -> None:
    game = record.games(1)[0]
    lose(record, game)
    for table in ("game", "seat"):
        record.tables[table] = [row for row in record.tables[table] if row.get("id", row.get("game")) != game]


def hidden_game(record: Record) -> None:
    """A table that was played and then taken out of the round: its game stays, and nobody counts it."""
    lost = record.games(1)[3]
    for name in ("games", "modes"):
        record.first(record.round(1), "round_opened").body[name].pop()
    assert lost in record.streams


def start(record: Record, **options: Any) -> None:
    """Other options in the last game of the first round."""
    game = record.games(1)[3]
    record.first(record.streams[game], "game_started").body["options"].update(options)
    next(record.rows("game", id=game))["options"].update(options)


def second_stream(record: Record) -> None:
    """Another stream for the first round, with another draw, not listed."""
    record.streams["cd" * 16] = [event.copy() for event in record.round(1)]
    record.kinds["cd" * 16] = "round"
