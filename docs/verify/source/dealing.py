"""Dealing: random numbers of a round, decks, hands and forehand."""

from __future__ import annotations

import hmac

from .canonical import encode_fields, sha256
from .cards import DECK
from .event_chain import start_body
from .variants import find_variant


class RoundRandomness:
    """The random numbers of a round, from its seed and the entropy added from outside."""

    def __init__(self, seed, entropy):
        self.seed = seed
        self.mixed = sha256(encode_fields(*(text.encode() for text in entropy)))

    def draw_bytes(self, purpose, number, deal):
        """Yield the random bytes of one purpose, table and deal."""
        context = encode_fields(
            b"puur/draw/1", purpose.encode(), self.mixed, number.to_bytes(8, "big"), deal.to_bytes(8, "big")
        )
        block = 0
        while True:
            yield from hmac.new(
                self.seed, context + encode_fields(block.to_bytes(8, "big")), "sha256"
            ).digest()
            block += 1

    def shuffle_packs(self, purpose, number, deal=0):
        """Yield shuffled packs."""
        stream = self.draw_bytes(purpose, number, deal)
        while True:
            pack = list(DECK)
            for i in range(35, 0, -1):
                limit = 256 - 256 % (i + 1)
                j = next(byte for byte in stream if byte < limit) % (i + 1)
                pack[i], pack[j] = pack[j], pack[i]
            yield pack

    def shuffle_pack(self, purpose, number, deal):
        """Return the first shuffled pack."""
        return next(self.shuffle_packs(purpose, number, deal))

    def draw_forehand(self, number, seats, partners):
        """Return the drawn cards by seat, the forehand, and whether its opponents change chairs."""
        drawing, rounds, packs = list(range(seats)), [], self.shuffle_packs("forehand", number)
        while len(drawing) > 1:
            ranks = self.draw_cards(drawing, seats, rounds, packs)
            drawing = [seat for seat in drawing if ranks[seat] == min(ranks.values())]
        [forehand] = drawing
        if not partners or seats != 4:
            return rounds, forehand, None
        opponents = [(forehand - 1) % seats, (forehand + 1) % seats]
        shared = [row for row in rounds if all(row[seat] is not None for seat in opponents)]
        before, after = (DECK.index(shared[-1][seat]) % 9 for seat in opponents)
        while before == after:
            ranks = self.draw_cards(opponents, seats, rounds, packs)
            before, after = (ranks[seat] for seat in opponents)
        return rounds, forehand, after > before

    def draw_cards(self, drawing, seats, rounds, packs):
        """Add one round of drawn cards to the rounds. Return the ranks by seat."""
        cards = dict(zip(drawing, next(packs)))
        rounds.append([cards.get(seat) for seat in range(seats)])
        return {seat: DECK.index(card) % 9 for seat, card in cards.items()}


def is_forehand_from_seed(body, seats, seed):
    """Whether the cards drawn for forehand, and their result, follow from the seed."""
    cards = [list(row) for row in body["cards"]]
    partners = body["exchanged"] is not None
    rounds, forehand, exchanged = RoundRandomness(seed, body["entropy"]).draw_forehand(
        body["number"], seats, partners
    )
    return (cards, body["dealer"], body["exchanged"]) == (rounds, (forehand - 1) % seats, exchanged)


LAYOUT_EVENTS = ("table_dealt", "extra_dealt", "talon_dealt", "trump_turned")
"""Events that lay out cards after the hands."""


def read_deals(stream, opened, report):
    """Yield each deal of a dealt game: cards by seat, the talon, the turned card.

    Report events that stand in the wrong place.
    """
    where, started = "game %s" % stream.id, start_body(stream)
    seats, events, before = started["seats"], stream.events, None
    annulled, rulings, auction = set(), {}, False
    for at, event in enumerate(events):
        kind, body = event["type"], event["body"]
        auction = auction or kind == "auction_won"
        if kind == "deal_annulled":
            annulled.add(body["deal"])
        elif kind == "ruling_made":
            rulings.pop(body.get("replaces"), None)
            rulings[body["ruling"]] = body
        elif kind in ("hand_dealt", *LAYOUT_EVENTS) and (before is None or at >= before["end"]):
            report.add_difference(where, "event %d: cards were dealt during play" % event["seq"])
        elif kind == "deal_started":
            deal = _read_deal(stream, at, seats)
            if isinstance(deal, str):
                report.add_difference(where, deal)
                return
            number = body["deal"]
            if before is None:
                due = [find_first_dealer(deal, started, opened)]
                if find_variant(started) is None and opened.forehand is None:
                    due = [body["dealer"]]
            else:
                deal["first"], due = (body["dealer"] + 1) % seats, [(before["dealer"] + 1) % seats]
                ruled = [one for one in rulings.values() if one.get("deal") == before["deal"]]
                game = find_variant(started)
                if before["deal"] in annulled or (
                    game is not None and game.get("again_without_bid") and not auction
                ):
                    due = [before["dealer"]]
                elif game is None:
                    due.append(before["dealer"])
                elif any("annul" in (one["kind"][:5], one.get("choice")) for one in ruled):
                    due.append(before["dealer"])  # the engine decides whether it is still in force
            if number != (1 if before is None else before["deal"] + 1) or "place" in body:
                report.add_difference(where, "deal %r does not come next" % number)
            if body["dealer"] not in due:
                told = "deal %d: seat %d dealt instead of seat %d"
                report.add_difference(where, told % (number, body["dealer"], due[0]))
            before, auction = deal, False
            yield deal


def find_first_dealer(deal, started, opened):
    """Return the seat that deals first. Set the seat that gets the first cards.

    That is seat 0 if a card decides the forehand.
    """
    seats, marker = started["seats"], started["options"].get("first_forehand")
    deal["first"] = (deal["dealer"] + 1) % seats
    if marker not in DECK:
        return opened.forehand["dealer"] if opened.forehand else seats - 1
    deal["first"] = 0
    holders = [seat for seat, share in enumerate(deal["shares"]) if marker in share["hand"]]
    return (holders[0] - 1) % seats if holders else deal["dealer"]


def _read_deal(stream, at, seats):
    """Return the deal that starts at an event, or its fault. Closed cards are left out."""
    events, body = stream.events, stream.events[at]["body"]
    shares = [{"hand": [], "extra": [], "open": [], "closed": []} for _ in range(seats)]
    deal = dict(body, shares=shares, talon=None, turned=None, closed=False)
    deal["at"], deal["dated"] = events[at]["at"], events[at]["recorded_at"]
    hands = events[at + 1 : at + 1 + seats]
    order = [(body["dealer"] + turn) % seats for turn in range(1, seats + 1)]
    if [(event["type"], event["body"].get("seat")) for event in hands] != [
        ("hand_dealt", seat) for seat in order
    ]:
        return "deal %d: not every seat was dealt one hand" % body["deal"]
    end = at + 1 + seats
    while end < len(events) and (
        events[end]["type"] in LAYOUT_EVENTS
        or (events[end]["type"] == "contract_set" and events[end - 1]["type"] == "trump_turned")
    ):
        end += 1
    for event in events[at + 1 : end]:
        kind, told, parts = event["type"], event["body"], event["parts"]
        secret = {
            "hand_dealt": "cards",
            "extra_dealt": "cards",
            "table_dealt": "closed",
            "talon_dealt": "closed",
        }
        name = secret.get(kind)
        if name is not None and name not in event.get("commitments", {}):
            return "deal %d: cards were dealt without a commitment" % body["deal"]
        deal["closed"] = deal["closed"] or (name is not None and name not in parts)
        cards = parts.get(name) or []
        if name in parts and len(cards) != told["size"]:
            return "deal %d: a hand has another size than its event says" % body["deal"]
        if kind == "hand_dealt":
            shares[told["seat"]]["hand"] += cards
        elif kind == "extra_dealt":
            shares[told["seat"]]["extra"] += cards
        elif kind == "table_dealt":
            shares[told["seat"]]["closed"] += cards
            shares[told["seat"]]["open"] += told["open"]
        elif kind == "talon_dealt":
            deal["talon"] = [*told["open"], *cards]
        elif kind == "trump_turned":
            deal["turned"] = told
    deal["end"] = end
    return deal


def is_dealt_from_seed(deal, started, chance, number):
    """Whether the deck of the seed, dealt three cards at a time, gives these hands."""
    deck, seats, options = (
        chance.shuffle_pack("deck", number, deal["deal"]),
        started["seats"],
        started["options"],
    )
    game, turned, talon = find_variant(started), deal["turned"], deal["talon"]
    if game is None:
        return is_unknown_dealt_from_deck(
            deal, deck, seats, chance.shuffle_pack("cut", number, deal["deal"])[0]
        )
    turns, size = game.get("turned"), game.get("share", 36 // seats)
    if turns == "last_or_talon" and talon is not None:
        size = options["first_hand"]
    shares, rest = deal_in_threes(deck, seats, size, deal["first"])
    piles = game.get("piles", (("hand", 0, 36),))
    for share, told in zip(shares, deal["shares"]):
        lying = {name: sorted(share[a:b]) for name, a, b in piles}
        if any(sorted(told[name]) != lying.get(name, []) for name in told):
            return False
    if talon is not None and (turns != "last_or_talon" or talon != rest[:6]):
        return False
    last = {"seat": deal["dealer"], "card": shares[deal["dealer"]][-1]}
    should = None
    if turns == "next":
        should = {"card": rest[0]}
    elif turns == "last_or_cut" and options["trump"] == "cut":
        should = {"card": chance.shuffle_pack("cut", number, deal["deal"])[0]}
    elif turns == "last_or_cut" or (turns == "last_or_talon" and talon is None):
        should = last
    return turned == should


def is_unknown_dealt_from_deck(deal, deck, seats, cut):
    """Whether a deck gives the hands of an unknown variant.

    Each seat has all cards of its share, in any piles. The talon and the turned card are left over.
    """
    told = [sorted(card for pile in share.values() for card in pile) for share in deal["shares"]]
    size = len(told[0])
    if not 0 < size * seats <= 36:
        return False
    for first in sorted({deal["first"], 0, (deal["dealer"] + 1) % seats}):
        shares, rest = deal_in_threes(deck, seats, size, first)
        shown = deal["turned"] or {"card": cut}
        if (
            [sorted(share) for share in shares] == told
            and set(deal["talon"] or ()) <= set(rest)
            and shown.get("card") in (cut, *rest, *(share[-1] for share in shares))
        ):
            return True
    return False


def deal_in_threes(deck, seats, size, first):
    """Deal three cards at a time. Return the shares by seat, and the cards left over."""
    shares, at = [[] for _ in range(seats)], 0
    while at < seats * size:
        for turn in range(seats):
            share = shares[(first + turn) % seats]
            packet = min(3, size - len(share))
            share += deck[at : at + packet]
            at += packet
    return shares, deck[at:]
