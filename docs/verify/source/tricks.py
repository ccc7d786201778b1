"""Play of cards: hands, turns, tricks, melds, and the order of events in a deal."""

from __future__ import annotations

from .cards import CONTRACTS, DECK, SUITS, TRUMP_ORDER, compute_card_points, compute_meld_points
from .event_chain import effective_events
from .event_schemas import KNOWN_EVENTS
from .report import Unusable
from .variants import find_variant

TAKEN_CARDS = {"talon_taken": "cards", "extra_exchanged": "taken"}
"""Events by which a seat takes cards: the secret part that has them."""
GIVEN_CARDS = {"cards_discarded": "cards", "extra_exchanged": "given"}
"""Events by which a seat gives cards away: the secret part that has them."""
HAND_CHANGES = (*TAKEN_CARDS, *GIVEN_CARDS, "turned_taken")
ONCE_A_DEAL = (
    "contract_set",
    "auction_won",
    "auction_failed",
    "talon_taken",
    "cards_discarded",
    "deal_conceded",
)
"""Events that occur at most once in a deal."""
ONCE_A_SEAT = (
    *ONCE_A_DEAL,
    "prediction_made",
    "extra_exchanged",
    "extra_kept",
    "turned_taken",
    "deal_accepted",
)
"""Events that occur at most once in a deal, or once for each seat."""
BEFORE_FIRST_CARD = (*ONCE_A_SEAT, "bid_made", "bid_deferred", "bid_passed", "pushed")
"""Events that come before the first card."""
EARLY_ENDS = ("deal_conceded", "deal_stopped", "ruling_made", "out_claimed")
"""Events that end a deal before its last trick. Other checks decide whether they are allowed."""


def check_play(stream, started):
    """Check the cards of a dealt game. Return the number of deals. Raise Unusable."""
    seats, hands, played, trick, lead, number = started["seats"], {}, set(), [], None, 0
    extra, excused, said = {}, False, set()
    exchanged, contract, tricks, whole, deals = False, None, 0, 0, 0
    game = find_variant(started)
    for at, event in enumerate(stream.events):
        kind, body, parts = event["type"], event["body"], event["parts"]
        where = "deal %d, event %d: " % (number, event["seq"])
        if game is not None and kind in BEFORE_FIRST_CARD:
            once = kind, None if kind in ONCE_A_DEAL else body.get("seat")
            if kind in ONCE_A_SEAT and once in said:
                raise Unusable(where + "%s came twice" % kind)
            said.add(once)
            if played and not (kind == "contract_set" and game.get("late_trumps")):
                raise Unusable(where + "%s came after the first card" % kind)
        if kind == "deal_started":
            number, hands, played, trick, lead, tricks = body["deal"], {}, set(), [], None, 0
            extra, excused, said = {}, False, set()
            exchanged, contract, whole, deals = False, None, 0, deals + 1
        elif kind in ("hand_dealt", "table_dealt", "hand_taken_up"):
            names = [name for name in ("cards", "closed") if name in event.get("commitments", {})]
            if any(name not in parts for name in names):
                exchanged = True  # still closed: the hand is unknown
            cards = [card for name in names for card in parts.get(name, [])] + body.get("open", [])
            if (
                kind == "hand_taken_up"
                and not exchanged
                and sorted(cards) != sorted(hands.get(body["seat"], []))
            ):
                raise Unusable(where + "another hand was taken up than was dealt")
            if kind != "hand_taken_up":
                if body["seat"] == 0:
                    whole += body["size"] * (2 if kind == "table_dealt" else 1)
                hands.setdefault(body["seat"], []).extend(cards)
        elif kind in HAND_CHANGES:
            known = event.get("commitments", {}).keys() <= parts.keys()
            exchanged = exchanged or not known  # still closed, as above
            if not exchanged:
                change_hand(where, hands, extra, event)
        elif kind == "melds_scored" and game is not None:
            for meld in body["shown"]:
                held = exchanged or set(meld["cards"]) <= set(hands.get(meld["seat"], []))
                if not held or meld["points"] != compute_meld_points(meld["cards"]):
                    raise Unusable(where + "seat %d showed a meld that it did not have" % meld["seat"])
            if body["points"] not in (None, sum(meld["points"] for meld in body["shown"])):
                raise Unusable(where + "melds count other points than were shown")
        elif kind == "stoeck_declared":
            pair = {"DHSC"[SUITS.index(contract)] + rank for rank in "KQ"} if contract in SUITS else set()
            if game is not None and (
                not pair or (not exchanged and not pair <= set(hands.get(body["seat"], [])))
            ):
                raise Unusable(where + "seat %d declared a Stöck that it did not have" % body["seat"])
        elif kind == "extra_dealt":
            extra[body["seat"]] = list(parts.get("cards", []))
        elif kind == "talon_dealt":
            extra["talon"] = [*body["open"], *parts.get("closed", [])]
        elif kind == "trump_turned":
            extra["turned"] = [body["card"]]
        elif kind == "contract_set":
            contract = body["contract"]
            if game is None and (played or contract not in CONTRACTS):
                contract = None  # its effect on tricks is unknown
        elif kind == "card_played":
            seat, card = body["seat"], body["card"]
            if card not in DECK or card in played or (not exchanged and card not in hands.get(seat, [])):
                raise Unusable(where + "seat %d played %s, which it did not have" % (seat, card))
            due = lead if not trick else (trick[-1][0] + 1) % seats
            if len(trick) == seats or (due is not None and seat != due):
                raise Unusable(where + "seat %d played out of turn" % seat)
            played.add(card)
            trick.append((seat, card))
        elif kind == "trick_taken":
            tricks += 1
            if len(trick) != seats:
                raise Unusable(where + "a trick was taken that was not full")
            check_trick(where, game or {}, contract, trick, body, tricks == whole, tricks, whole)
            trick, lead = [], body["seat"]
        elif kind in EARLY_ENDS:
            excused = True
        elif kind == "deal_scored":
            if len(trick) == seats and not is_won_by_bonus(stream.events, at):
                raise Unusable(where + "a trick was not taken")
            if game is not None and tricks < whole and not (excused or is_won_by_target(started, stream, at)):
                raise Unusable(where + "it was scored after %d tricks of %d" % (tricks, whole))
    return deals


def is_won_by_target(started, stream, at):
    """Whether the deal scored here ends a game that is played to a target."""
    target = find_variant(started).get("target")
    follows_end = any(event["type"] == "game_ended" for event in stream.events[at + 1 : at + 2])
    return follows_end and (target == "bid" or (target == "both" and bool(started["options"]["target"])))


def change_hand(where, hands, extra, event):
    """Exchange cards of a seat. Raise Unusable if it lacks a given card, or if a taken card does not lie
    there."""
    kind, body, parts = event["type"], event["body"], event["parts"]
    seat, hand = body["seat"], hands.setdefault(body["seat"], [])
    given = [body["six"]] if kind == "turned_taken" else parts.get(GIVEN_CARDS.get(kind), [])
    taken = [body["card"]] if kind == "turned_taken" else parts.get(TAKEN_CARDS.get(kind), [])
    there = extra.get({"talon_taken": "talon", "turned_taken": "turned"}.get(kind, seat), [])
    held = [card for own in hands.values() for card in own]
    if len(set(given)) < len(given) or not set(given) <= set(hand):
        raise Unusable(where + "seat %d gave cards away that it did not have" % seat)
    if not set(taken) <= set(there) or set(taken) & set(held) or len(set(taken)) < len(taken):
        raise Unusable(where + "seat %d took cards that were not there" % seat)
    hand[:] = [card for card in hand if card not in given] + list(taken)


def check_written_tricks(stream, started):
    """Check takers and points of tricks that were recorded card by card. Raise Unusable.

    Tricks with unknown cards or an unknown contract are not checked.
    """
    game, seats = find_variant(started), started["seats"]
    number, trick, contract, tricks, whole = 0, [], None, 0, 0
    for event in effective_events(stream):
        kind, body = event["type"], event["body"]
        where = "deal %d, event %d: " % (number, event["seq"])
        if kind == "deal_started":
            number, trick, contract, tricks, whole = body["deal"], [], None, 0, 0
        elif kind in ("hand_dealt", "table_dealt") and body["seat"] == 0:
            whole += body["size"] * (2 if kind == "table_dealt" else 1)
        elif kind == "contract_set":
            contract = body["contract"] if game is not None or body["contract"] in CONTRACTS else None
        elif kind == "card_played":
            trick.append((body["seat"], body["card"]))
        elif kind == "trick_taken":
            tricks += 1
            cards = [card for _, card in trick]
            if len(trick) == seats and set(cards) <= set(DECK) and None not in (body["seat"], body["points"]):
                check_trick(where, game or {}, contract, trick, body, tricks == whole, tricks, whole)
            trick = []


def is_won_by_bonus(events, at):
    """Whether melds or Stöck end the game, before the present trick is taken."""
    around = [event["type"] for event in events[at - 1 : at + 2]]
    return around[0] in ("melds_scored", "stoeck_declared") and around[2:] == ["game_ended"]


def check_trick(where, game, contract, trick, body, last, number, whole):
    """Check the taker and the points of a trick, if the contract is known. Raise Unusable."""
    named = contract is not None
    if game.get("late_trumps"):
        contract = contract or "obenabe"
    if contract is None:
        return
    plain = [(DECK.index(card) // 9, DECK.index(card) % 9) for _, card in trick]
    led = plain[0][0]
    if contract in SUITS:
        trump, up = SUITS.index(contract), True
    else:
        trump, up = None, contract.endswith("obenabe")
        half = (whole + 1) // 2
        if (contract.startswith("slalom") and number % 2 == 0) or (
            contract.startswith("guschti") and number > half
        ):
            up = not up

    def strength(card):
        suit, rank = card
        if suit == trump:
            return 100 + TRUMP_ORDER[rank]
        return (rank if up else 8 - rank) if suit == led else -1

    best = max(range(len(trick)), key=lambda at: strength(plain[at]))
    if body["seat"] != trick[best][0]:
        raise Unusable(where + "seat %r took a trick of seat %d" % (body["seat"], trick[best][0]))
    if not game.get("counted"):
        return
    points = (5 if last else 0) + sum(compute_card_points(card, contract) for _, card in trick)
    if body["points"] != (points if named else None):
        raise Unusable(where + "a trick of %d points counts %r" % (points, body["points"]))


SHEET_EVENTS = ("result_entered", "result_corrected", "result_confirmed")
COMMON_EVENTS = ("game_started", "game_ended", "ruling_made", "deal_annulled", "game_closed", "game_resumed")
CARD_EVENTS = ("deal_started", "hand_dealt", "card_played", "trick_taken", "deal_scored", "infraction_found")


def check_event_types(stream, started):
    """Check that the events belong to the mode and variant of the game. Raise Unusable.

    Only events recorded card by card can be taken back.
    """
    mode, game, last = started["mode"], find_variant(started), 0
    sides = game.get("sides") or (2 if game.get("partners") and started["seats"] == 4 else started["seats"])
    if started["sides"] != sides:
        raise Unusable("it has %r sides instead of %d" % (started["sides"], sides))
    allowed = {
        *COMMON_EVENTS,
        *(SHEET_EVENTS if mode == "sheet" else (*CARD_EVENTS, "suit_barred", *game["events"].split())),
    }
    if mode == "transcribed":
        allowed.add("taken_back")
    for event in stream.events:
        where = "event %d: " % event["seq"]
        if event["type"] not in allowed and event["type"] in KNOWN_EVENTS["game"]:
            raise Unusable(where + "%s does not come in this game" % event["type"])
        if event["type"] in ("deal_started", "ruling_made", "deal_annulled", "game_closed", "game_resumed"):
            last = event["seq"] + (event["type"] != "deal_started")
        elif event["type"] == "taken_back" and not last <= event["body"]["to"] < event["seq"]:
            raise Unusable(where + "an event was taken back that cannot be taken back")
