"""Melds, Stöck and the order of counting, as Schieber, Bieter and (by option) Coiffeur have them."""

from abc import abstractmethod
from typing import Any

from .common import (
    RANKS,
    UNDERTRUMP,
    Base,
    Command,
    Event,
    Illegal,
    Spec,
    first_direction,
    in_deck_order,
    is_int,
    legal_cards,
    rank_of,
    suit_of,
    trump_of,
    value,
)

# options of the three games; the defaults of melds, stoeck and sweep_bonus differ in Coiffeur
MELD_SPEC: Spec = {
    "melds": (True, "bool", None),
    "stoeck": (True, "bool", None),
    "sweep_bonus": (100, "int", (0, 1000)),
    "low_quads": (True, "bool", None),
    "meld_tie": ("puur", "one_of", ["puur", "trump"]),
    "undertrump": ("only-trumps", "one_of", UNDERTRUMP),
}

MELD_CHOICES: dict[str, list[Any]] = {
    "melds": [True, False],
    "stoeck": [True, False],
    "sweep_bonus": [0, 50, 100],
    "low_quads": [True, False],
    "meld_tie": ["trump"],
    "undertrump": UNDERTRUMP,
}

FOUR_OF_A_KIND = {"9": 150, "J": 200}
SEQUENCE = {3: 20, 4: 50, 5: 100, 6: 150, 7: 200, 8: 250, 9: 300}


def is_quads(meld: list[str]) -> bool:
    return len(set(meld)) == 4 and len(meld) == 4 and len({rank_of(card) for card in meld}) == 1


def is_sequence(meld: list[str]) -> bool:
    if len(meld) < 3 or len(set(meld)) != len(meld):
        return False
    if len({suit_of(card) for card in meld}) != 1:
        return False
    places = sorted(RANKS.index(rank_of(card)) for card in meld)
    return places == list(range(places[0], places[0] + len(places)))


def meld_points(meld: list[str]) -> int:
    if is_quads(meld):
        return FOUR_OF_A_KIND.get(rank_of(meld[0]), 100)
    return SEQUENCE[len(meld)]


def why_not_melds(melds: Any, hand: list[str], low_quads: bool) -> str | None:
    """Why a hand may not declare these melds together, or None."""
    if not isinstance(melds, list):
        return "melds is a list of lists of cards"
    in_sequences: list[str] = []
    in_quads: list[str] = []
    for meld in melds:
        if not isinstance(meld, list) or not all(isinstance(card, str) for card in meld):
            return "a meld is a list of cards"
        if any(card not in hand for card in meld):
            return f"{meld} is not in the hand"
        if is_quads(meld):
            if not low_quads and rank_of(meld[0]) in ["6", "7", "8"]:
                return f"{meld}: fours of a kind count from the nine up"
            if any(card in in_quads for card in meld):
                return f"{meld} is declared twice"
            in_quads += meld
        elif is_sequence(meld):
            if any(card in in_sequences for card in meld):
                return f"{meld} overlaps another sequence"
            in_sequences += meld
        else:
            return f"{meld} is no meld"
    return None


def meld_rank(meld: list[str], contract: str | None, meld_tie: str) -> tuple[int, int, int, int]:
    """Greater is better: points, cards, top (or bottom) card, Puur (or trump). Equal: who declared first."""
    places = [RANKS.index(rank_of(card)) for card in meld]
    edge = -min(places) if first_direction(contract) == "undenufe" else max(places)
    trump = trump_of(contract)
    special = 0
    if trump is not None and is_sequence(meld):
        if meld_tie == "trump":
            special = 1 if suit_of(meld[0]) == trump else 0
        else:
            special = 1 if trump + "J" in meld else 0
    return (meld_points(meld), len(meld), edge, special)


class MeldGame(Base):
    """Trick play with melds, Stöck and sweep, counted event by event towards a target where there is one."""

    def clear_deal(self) -> None:
        super().clear_deal()
        self.declared: list[tuple[int, list[str]]] = []
        self.stoeck_counted = False

    # what a subclass fills in

    @abstractmethod
    def side_of(self, seat: int) -> int:
        """The side of a seat."""

    def multiplier(self) -> int:
        return 1

    def counts_for(self, side: int) -> bool:
        """May this side score at all in this deal?"""
        return True

    def automatic_target(self, side: int) -> int | None:
        """The total at which the game ends at once for this side, if there is one."""
        return None

    def after_last_trick(self) -> int | None:
        """Count what comes after the last trick; the side that has won by it, if any."""
        return None

    @abstractmethod
    def game_over_after_deal(self) -> list[int] | None:
        """The winners, if the game is over now that a deal has been scored."""

    # declarations

    def playable(self, seat: int) -> list[str]:
        on_table = [card for _, card in self.trick]
        return legal_cards(self.hands[seat], on_table, trump_of(self.contract), self.options["undertrump"])

    def check_melds(self, command: Command, seat: int) -> list[list[str]]:
        melds = command.get("melds")
        if melds is None or melds == []:
            return []
        if not self.options["melds"]:
            raise Illegal("play/melds", "no melds in this game")
        if self.played[seat]:
            raise Illegal("play/melds", "melds are declared with the first card of the deal")
        why = why_not_melds(melds, self.hands[seat], self.options["low_quads"])
        if why:
            raise Illegal("play/melds", why)
        return [list(meld) for meld in melds]

    def check_stoeck(self, command: Command, seat: int, card: str) -> bool:
        found = command.get("stoeck")
        if found is None or found is False:
            return False
        if found is not True or not self.options["stoeck"]:
            raise Illegal("play/stoeck", f"stoeck = {found!r} is not possible here")
        trump = trump_of(self.contract)
        if trump is None or card not in [trump + "K", trump + "Q"]:
            raise Illegal("play/stoeck", "the Stöck is declared with king or queen of trumps")
        other = trump + ("Q" if card == trump + "K" else "K")
        if other not in self.played[seat]:
            raise Illegal("play/stoeck", "the Stöck is declared with the second of its two cards")
        if self.stoeck_counted:
            raise Illegal("play/stoeck", "the Stöck has counted already")
        return True

    def declarable_stoeck(self, side: int) -> int | None:
        """The seat of this side that still holds a Stöck it can declare, now or later."""
        trump = trump_of(self.contract)
        if trump is None or not self.options["stoeck"] or self.stoeck_counted:
            return None
        for seat in range(self.seats):
            if self.side_of(seat) != side:
                continue
            in_hand = [card for card in [trump + "K", trump + "Q"] if card in self.hands[seat]]
            played = [card for card in [trump + "K", trump + "Q"] if card in self.played[seat]]
            if len(in_hand) + len(played) == 2 and in_hand:
                return seat
        return None

    # counting

    def total_now(self, side: int) -> int:
        return self.totals[side] + self.scores[side]

    def would_reach(self, side: int, points: int) -> bool:
        target = self.automatic_target(side)
        if target is None or not self.counts_for(side):
            return False
        return self.total_now(side) + points * self.multiplier() >= target

    def count(self, side: int, points: int) -> bool:
        """Count simple points for a side; True where that wins the game."""
        wins = self.would_reach(side, points)
        if self.counts_for(side):
            self.scores[side] += points * self.multiplier()
        return wins

    def stoeck_before(self, side: int, points: int) -> list[Event] | None:
        """The game's end, where these points would win for `side` but another side's Stöck goes first."""
        if not self.options.get("stoeck_priority") or not self.would_reach(side, points):
            return None
        for other in range(self.sides):
            holder = self.declarable_stoeck(other)
            if other != side and holder is not None and self.would_reach(other, 20):
                self.stoeck_counted = True
                self.count(other, 20)
                stoeck = {"type": "stoeck_declared", "seat": holder, "points": 20}
                return [stoeck, *self.end_within_deal(other)]
        return None

    def end_within_deal(self, winner: int) -> list[Event]:
        return [self.score_deal(), self.end_game([winner])]

    # play

    def do_play(self, command: Command) -> list[Event]:
        seat, card = self.check_card(command)
        melds = self.check_melds(command, seat)
        stoeck = self.check_stoeck(command, seat, card)

        events: list[Event] = []
        if melds:
            public = [{"points": meld_points(meld), "top": in_deck_order(meld)[-1]} for meld in melds]
            events.append({"type": "melds_declared", "seat": seat, "declared": public, "melds": melds})
            self.declared += [(seat, meld) for meld in melds]
        events.append(self.lay_card(seat, card))
        if stoeck:
            self.stoeck_counted = True
            events.append({"type": "stoeck_declared", "seat": seat, "points": 20})
            if self.count(self.side_of(seat), 20):
                return events + self.end_within_deal(self.side_of(seat))
        if not self.trick_is_complete():
            return events

        if not self.takers and self.declared:
            events += self.score_melds()
            if self.phase == "over":
                return events
        return events + self.score_trick()

    def score_melds(self) -> list[Event]:
        """The side with the best single meld scores all its melds, and first the Stöck they show."""
        best_seat = self.declared[0][0]
        best_rank = meld_rank(self.declared[0][1], self.contract, self.options["meld_tie"])
        for seat, meld in self.declared:
            rank = meld_rank(meld, self.contract, self.options["meld_tie"])
            if rank > best_rank:
                best_seat, best_rank = seat, rank
        side = self.side_of(best_seat)
        scored = [(seat, meld) for seat, meld in self.declared if self.side_of(seat) == side]

        events: list[Event] = []
        trump = trump_of(self.contract)
        if trump is not None and self.options["stoeck"]:
            for seat in range(self.seats):
                shown = [card for owner, meld in scored if owner == seat for card in meld]
                if trump + "K" in shown and trump + "Q" in shown:
                    self.stoeck_counted = True
                    events.append({"type": "stoeck_declared", "seat": seat, "points": 20})
                    if self.count(side, 20):
                        return events + self.end_within_deal(side)

        points = sum(meld_points(meld) for _, meld in scored)
        goes_first = self.stoeck_before(side, points)
        if goes_first is not None:
            return events + goes_first
        shown_melds = [{"seat": seat, "cards": in_deck_order(meld)} for seat, meld in scored]
        events.append({"type": "melds_scored", "side": side, "points": points, "shown": shown_melds})
        if self.count(side, points):
            events += self.end_within_deal(side)
        return events

    def score_trick(self) -> list[Event]:
        winner, cards = self.trick_result()
        side = self.side_of(winner)
        last = self.last_trick()
        points = sum(value(card, self.contract) for card in cards) + (5 if last else 0)
        sweep = last and all(self.side_of(taker) == side for taker in self.takers)
        bonus = self.options["sweep_bonus"] if sweep else 0

        goes_first = self.stoeck_before(side, points + bonus)
        if goes_first is not None:
            return goes_first
        events: list[Event] = [{"type": "trick_taken", "seat": winner, "points": points}]
        self.take_trick(winner)
        self.card_points[side] += points
        if self.count(side, points + bonus):
            return events + self.end_within_deal(side)
        if not last:
            return events
        winning_side = self.after_last_trick()
        if winning_side is not None:
            return events + self.end_within_deal(winning_side)
        events.append(self.score_deal())
        winners = self.game_over_after_deal()
        if winners is not None:
            events.append(self.end_game(winners))
        return events


def check_seat_card_list(found: Any, hand: list[str], number: int) -> list[str]:
    """Exactly `number` different cards of a hand."""
    good = isinstance(found, list) and len(found) == number and all(isinstance(card, str) for card in found)
    if not good or len(set(found)) != number or any(card not in hand for card in found):
        raise Illegal("game/cards", f"{number} different cards of the hand are needed, not {found!r}")
    return list(found)


def check_points(found: Any, step: int, low: int, high: int | None) -> int:
    """A whole number of points, a multiple of `step` within the bounds."""
    if not is_int(found) or found % step != 0 or found < low or (high is not None and found > high):
        limit = f"at most {high}" if high is not None else "without an upper bound"
        raise Illegal("game/points", f"{found!r}; multiples of {step} from {low}, {limit}")
    return int(found)
