"""Dealt tables and sheets."""

from typing import Any

from tests.verify.cheats.forging import again, cheat, drop
from tests.verify.record import Record

# --- cards


cheat(
    "G1",
    "not every seat was dealt one hand",
    lambda r: r.insert(r.game(1), 2, "deal_stopped", {"seat": 0}),
    forgery="an event between the deal and its hands",
    browser="hands",
)
cheat(
    "G2",
    "not every seat was dealt one hand",
    lambda r: drop(r.game(1), "hand_dealt"),
    forgery="a missing hand",
    browser="hands",
)
cheat(
    "G3",
    "deal 1 was not dealt from the seed",
    lambda r: two_cards(r),
    forgery="two hands swap cards",
    browser="deck",
)
cheat(
    "G4",
    "cards were dealt without a commitment",
    lambda r: commit_to_nothing(r),
    browser="hand_open",
)
cheat(
    "G5",
    "a hand has another size than its event says",
    lambda r: r.first(r.game(1), "hand_dealt").hide(
        "cards", r.first(r.game(1), "hand_dealt").secret("cards")[:8]
    ),
    browser="hand_size",
)
cheat(
    "G6",
    "cards were dealt during play",
    lambda r: r.game(1).append(r.first(r.game(1), "hand_dealt").copy()),
    browser="laid_elsewhere",
)
cheat(
    "G7",
    "secrets are closed though the seed is revealed",
    lambda r: r.first(r.game(1), "hand_dealt").parts.clear(),
    browser="closed_game",
)
cheat(
    "G8",
    "dealt instead of seat",
    lambda r: deal_by_the_next(r),
    forgery="another dealer, for other hands",
    browser="dealer",
)
cheat(
    "G9",
    "does not come next",
    lambda r: r.first(r.game(1), "deal_started").body.update(deal=2),
    forgery="a skipped deck",
    browser="deal_next",
)
cheat("G10", "another hand was taken up than was dealt", lambda r: take_up(r))
cheat(
    "G11",
    "which it did not have",
    lambda r: again(r.game(1), "card_played", r.place(r.game(1), "trick_taken") + 1),
    forgery="a card played twice, or from another hand",
)
cheat("G12", "played out of turn", lambda r: play_elsewhere(r))
cheat("G13", "a trick was taken that was not full", lambda r: drop(r.game(1), "card_played"))
cheat(
    "G14",
    "took a trick of seat",
    lambda r: r.first(r.game(1), "trick_taken").body.update(
        seat=(r.first(r.game(1), "trick_taken").body["seat"] + 1) % 4
    ),
    forgery="a wrong taker of a trick",
)
cheat(
    "G15",
    "points counts",
    lambda r: r.first(r.game(1), "trick_taken").body.update(points=99),
    forgery="more points in a trick",
)
cheat("G16", "a trick was not taken", lambda r: last_trick(r))
cheat(
    "G17",
    "the totals are",
    lambda r: r.first(r.game(1), "deal_scored").body["totals"].__setitem__(0, 500),
    forgery="wrong totals of a deal or game",
)
cheat(
    "G18",
    "it does not begin once, with game_started",
    lambda r: again(r.game(1), "game_started"),
)
cheat("G19", "was dealt from a seed that was public", lambda r: late_deal(r), browser="deal_public")
cheat(
    "G20",
    "python -m engine audit",
    lambda r: revoked(r),
    forgery="an illegal card in a trick that it does not take",
    found="unproven",
)
cheat(
    "G21",
    "no such event is known: deck_chosen",
    lambda r: r.insert(r.game(1), 2, "deck_chosen", {}),
)
cheat(
    "G22",
    "a ruling starts from other totals than there were",
    lambda r: rule(r, totals_before=[1, 1]),
)
cheat(
    "G23",
    "the totals are",
    lambda r: rule(r, totals=[400, 0]),
    forgery="a ruling that moves more than it says",
)
cheat(
    "G24",
    "the secret part 'cards' does not match its commitment",
    lambda r: r.first(r.game(1), "hand_dealt").parts["cards"].update(nonce="ab" * 32),
    browser="secret",
)


def two_cards(record: Record) -> None:
    """Two cards exchanged between two hands, which are committed to so."""
    one, other = [event for event in record.game(1) if event.type == "hand_dealt"][:2]
    a, b = one.secret("cards"), other.secret("cards")
    a[0], b[0] = b[0], a[0]
    one.hide("cards", a)
    other.hide("cards", b)


def commit_to_nothing(record: Record) -> None:
    dealt = record.first(record.game(1), "hand_dealt")
    del dealt.envelope["commitments"]
    dealt.parts.clear()


def deal_by_the_next(record: Record) -> None:
    started = record.first(record.game(1), "deal_started").body
    started["dealer"] = (started["dealer"] + 1) % 4
    turn_hands(record)


def turn_hands(record: Record) -> None:
    """The hands in the order in which they come after another dealer."""
    events = record.game(1)
    at = record.place(events, "hand_dealt")
    events.insert(at + 3, events.pop(at))


def take_up(record: Record) -> None:
    event = record.first(record.game(1), "hand_taken_up")
    cards = event.secret("cards")
    event.hide("cards", [next(f"D{rank}" for rank in "6789" if f"D{rank}" not in cards), *cards[1:]])


def play_elsewhere(record: Record) -> None:
    events = record.game(1)
    at = record.place(events, "card_played")
    events[at + 1], events[at + 2] = events[at + 2], events[at + 1]


def last_trick(record: Record) -> None:
    """The last trick was laid, and nobody took it."""
    events = record.game(1)
    del events[max(place for place, event in enumerate(events) if event.type == "trick_taken")]


def late_deal(record: Record) -> None:
    for event in record.game(1):
        event.envelope["recorded_at"] = "2099-01-01T00:00:00.000000Z"


def revoked(record: Record) -> None:
    """A seat that had to follow suit plays another card that counts nothing, and the first one later."""
    for game in (record.game(1), record.game(2)):
        trump = record.first(game, "contract_set").body["contract"][0].upper()
        tricks, lying = [], []
        for event in game:
            if event.type == "card_played":
                lying.append(event)
            elif event.type == "trick_taken":
                tricks.append((event.body["seat"], lying))
                lying = []
        plain = [
            (lying[0].body["card"][0], event)
            for taker, lying in tricks
            for event in lying[1:]
            if event.body["seat"] != taker
            and event.body["card"][1:] in "79"
            and event.body["card"][0] != trump
        ]
        for led, one in plain:
            for other_led, other in plain:
                a, b = one.body["card"], other.body["card"]
                same_seat = one is not other and one.body["seat"] == other.body["seat"]
                if same_seat and a[0] == led and b[0] != led and a[0] != other_led:
                    one.body["card"], other.body["card"] = b, a
                    return


def rule(record: Record, **changed: Any) -> None:
    """A ruling about the first deal that moves points."""
    game = record.game(1)
    scored = record.first(game, "deal_scored").body
    body = {
        "ruling": 1, "kind": "score_change", "reason": "x", "deal": 1,
        "scores": scored["scores"], "scores_before": scored["scores"],
        "totals": scored["totals"], "totals_before": scored["totals"],
    }  # fmt: skip
    record.insert(game, len(game), "ruling_made", {**body, **changed})


# --- sheets


cheat("P1", "was never signed", lambda r: drop(r.game(3), "result_confirmed"))
cheat(
    "P2",
    "was signed by the side that wrote it",
    lambda r: r.first(r.game(3), "result_confirmed").body.update(side=0),
)
cheat(
    "P3",
    "the totals are",
    lambda r: r.first(r.game(3), "result_entered").body["totals"].__setitem__(1, 900),
    forgery="wrong totals",
)
cheat(
    "P4",
    "points in round 1 instead of",
    lambda r: better_sheet(r),
    forgery="a sheet changed after the ranking",
)
cheat("P5", "a finished game was corrected without a reason", lambda r: correct(r, winners=[0]))
cheat("P6", "a correction does not state the new winners", lambda r: correct(r, reason="x"))
cheat(
    "P7",
    "a game was resumed that was not broken off",
    lambda r: r.insert(r.game(3), len(r.game(3)), "game_resumed", {"reason": "x"}),
)
cheat("P8", "the game continued after its end", lambda r: again(r.game(3), "result_confirmed"))


def better_sheet(record: Record) -> None:
    """Another result on a sheet, after the ranking was published."""
    for event in record.game(3):
        if "totals" in event.body:
            event.body["totals"] = [157, 0]
        if "scores" in event.body:
            event.body["scores"] = event.body["card_points"] = [157, 0]


def correct(record: Record, **said: Any) -> None:
    """The result of a sheet that is over, written once more."""
    entered = record.first(record.game(3), "result_entered")
    again(record.game(3), "result_entered", replaces=1, **said)
    record.game(3)[-1].envelope["type"] = "result_corrected"
    assert entered.body["totals"] == record.game(3)[-1].body["totals"]
