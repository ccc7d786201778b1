"""Scores of deals, and totals."""

from __future__ import annotations

from .cards import CONTRACTS, DEAL_POINTS, DIRECTIONS, PUUR_POINTS, compute_card_points
from .report import FAILING, Unusable
from .variants import find_variant

FIXING_RULINGS = ("annul_deal", "short_hand", "score_change")
"""Rulings that fix the score of a deal."""
MOVING_RULINGS = ("award_from_trick", "card_powerless")
"""Rulings that move points of a deal. This program does not derive how many."""
SLOT_FACTORS = dict(
    zip(
        (
            "diamonds",
            "hearts",
            "spades",
            "clubs",
            "obenabe",
            "undenufe",
            "joker7",
            "joker8",
            "slalom",
            "guschti",
        ),
        range(1, 11),
    )
)
SACK_POINTS = APPLE_POINTS = 20
APPLES_TO_LOSE = 3
SCORING_FACTS = ("contract", "slot", "chooser", "dealer", "declarer", "bid", "predictions", "conceded")
"""Facts that decide the score of a deal, beside its points."""


class Deal:
    """One deal: its tricks, and the points beside its cards."""

    def __init__(self, number, seats, sides):
        self.number = number
        self.contract = self.slot = self.chooser = self.dealer = self.conceded = None
        self.declarer = self.bid = None
        self.bids = False  # whether its line of the sheet has a bid
        self.tricks = []  # (seat, points)
        self.table_cards, self.trick_cards = [], []  # cards on the table, cards of each trick
        self.point_events = []  # (side, points) in the order of counting
        self.size = 0
        self.stoeck, self.melds, self.discards = [], (None, 0), None
        self.predictions = [None] * seats
        self.pushes, self.bids_made, self.own_predictions = 0, [], {}
        self.discarded_cards = None  # those of the declarer
        self.stopped_by = None  # the seat that stopped the deal
        self.cards, self.bonuses = [0] * sides, [0] * sides
        self.trick_sides = set()
        self.sweep, self.sweeps = None, [0] * sides
        self.bonus = 0  # of the sweep, included in the bonuses
        self.ties = ()  # ties before the deal
        self.is_known = True  # whether all its scoring facts are known
        self.seq = None  # the event that recorded it


class DealScores:
    """The scores of the deals of a game, and its totals.

    faults: statements of the log that do not follow; unproven: figures that this program cannot derive.
    The scores of an unknown variant are taken from the log.
    """

    def __init__(self, started):
        self.started, self.game = started, find_variant(started)
        self.rules = self.game or {}
        self.options, self.mode = started["options"], started["mode"]
        self.seats, self.sides = started["seats"], started["sides"]
        self.totals, self.winners = [0] * self.sides, []
        self.deals = {}  # number → Deal
        self.scores_written = {}  # number → scores, None if they follow from the rulings
        self.scores_ruled = {}  # number → the rulings and the scores that they state
        self.scores_recorded = {}  # number → the scores in the event that closed the deal
        self.rulings, self.replaced_rulings = {}, set()
        self.current_deal = None  # the deal in play
        self.declarer = self.bid = None
        self.over = False
        self.ruled_cards = {}  # deal → its card points with the rulings of these numbers
        self.running_totals = []  # the totals in the course of the last deal
        self.claim = None
        self.faults, self.unproven, self.touched = [], [], []

    def get_side(self, seat):
        """Return the side of a seat."""
        if self.sides == self.seats:
            return seat
        if self.seats == 3:
            return int(seat != self.declarer)
        return seat % 2

    def get_factor(self, deal):
        """Return the factor of the points of a deal."""
        kind = self.rules.get("factors")
        if kind == "contract":
            return self.options["multipliers"].get(deal.contract, 1)
        return SLOT_FACTORS.get(deal.slot or deal.contract, 1) if kind == "slot" else 1

    def list_targets(self):
        """Return the points that end the game, by side; an empty list without a target."""
        kind = self.rules.get("target")
        if kind == "bid":
            return [self.bid or 10**9, self.options["opponents_target"]]
        return [self.options["target"]] * 2 if kind == "both" and self.options["target"] else []

    def get_deal_limit(self):
        """Return the number of deals after which the game is over, or None."""
        if self.started.get("hand_in") == "totals":
            return 1
        count = self.rules.get("deals")
        return 10 * self.sides if count == "slots" else self.options["deals"] if count == "option" else None

    def list_leaders(self, totals):
        """Return the leading sides."""
        better = -1 if self.rules.get("fewest") else 1
        best = max(better * total for total in totals)
        return [side for side, total in enumerate(totals) if better * total == best]

    def score_deal(self, deal, ties):
        """Return the scores of a deal and the ties after it. Raise Unusable if a fact is unknown."""
        kind, cards = self.game["score"], deal.cards
        if deal.conceded is not None:
            return [0, deal.conceded], ()
        factor = self.get_factor(deal)
        points = [factor * (own + more) for own, more in zip(cards, deal.bonuses)]
        if kind == "sum":
            return points, ()
        if kind == "chooser":
            if deal.chooser is None:
                raise Unusable("nobody chose")
            return [n if side == self.get_side(deal.chooser) else 0 for side, n in enumerate(points)], ()
        if kind == "predicted":
            return self.score_predicted(deal, points), ()
        if kind == "apples":
            one, other = cards
            apples = [own <= APPLE_POINTS for own in cards]
            return [(one > other) - apples[0], (other > one) - apples[1]], ()
        if kind == "bid":
            won = cards[deal.declarer] >= deal.bid
            winner = deal.declarer if won else 1 - deal.declarer
            sack = cards[1 - winner] + DEAL_POINTS - sum(cards) <= SACK_POINTS
            return [1 if side == winner else -int(sack) for side in (0, 1)], ()
        return score_sticks(cards, ties)

    def score_predicted(self, deal, points):
        """Return how far each seat is off its prediction."""
        if None in deal.predictions:
            raise Unusable("a prediction is not known")
        scores = []
        for seat, (said, taken) in enumerate(zip(deal.predictions, points)):
            off = abs(said - taken)
            if off == 0 and (said or seat in deal.trick_sides):
                off -= self.options["exact_bonus"]
            if self.options["dealer_incentive"] and seat == deal.dealer:
                off -= abs(DEAL_POINTS - sum(deal.predictions)) // self.options["dealer_incentive"]
            scores.append(off)
        return scores

    def count_cards(self, deal):
        """Count the card points and bonuses of a deal that was played card by card."""
        tricks = deal.tricks
        if self.rules.get("late_trumps"):  # tricks before the choice of trumps also count by them
            contract, last = deal.contract or "obenabe", deal.size - 1
            tricks = [
                (
                    seat,
                    sum(compute_card_points(card, contract) for card in deal.trick_cards[at])
                    + 5 * (at == last),
                )
                for at, (seat, _) in enumerate(deal.tricks)
            ]
        for seat, points in tricks:
            if seat is None or points is None:
                raise Unusable("a trick is not known")
            deal.cards[self.get_side(seat)] += points
            deal.trick_sides.add(self.get_side(seat))
        if deal.discards is not None:
            if deal.discards[1] is None:
                raise Unusable("the discards are not known")
            deal.cards[self.get_side(deal.discards[0])] += deal.discards[1]
        for seat, points in deal.stoeck:
            deal.bonuses[self.get_side(seat)] += points
        if deal.melds[0] is not None:
            deal.bonuses[deal.melds[0]] += deal.melds[1] or 0
        if len(deal.trick_sides) == 1:
            [deal.sweep] = deal.trick_sides
            deal.bonus = self.options.get("sweep_bonus", 0) if len(deal.tricks) == deal.size else 0
            deal.bonuses[deal.sweep] += deal.bonus

    def score_as_played(self, deal):
        """Return the scores of a deal that a ruling ended, as far as it was played, or None."""
        try:
            self.score_deals()
            deal.ties = self.ties
            self.count_cards(deal)
            if deal.is_known and self.game is not None:
                return self.score_deal(deal, deal.ties)[0]
        except FAILING:
            pass
        deal.is_known = False
        return None

    def score_by_ruling(self, deal, ruling):
        """Return the scores of a deal by a ruling that fixes them."""
        if ruling["kind"] == "score_change":
            return list(ruling["scores"])
        if ruling["kind"] == "annul_deal" or ruling.get("choice") == "annul":
            return [0] * self.sides
        return self.score_deal(self.redistribute_points(deal, ruling), deal.ties)[0]

    def redistribute_points(self, deal, ruling):
        """Return a deal with its points given to the others, because a seat had wrong cards."""
        against, side = ruling["against"], self.get_side(ruling["against"])
        after = [self.get_side((against + turn) % self.seats) for turn in range(1, self.seats)]
        to = [one for one in dict.fromkeys(after) if one != side]
        to = to if ruling.get("to") is None else [ruling["to"]]
        whole = self.rules.get("deal_points", DEAL_POINTS)
        whole = DEAL_POINTS - PUUR_POINTS + self.options["puur_value"] if whole == "puur" else whole
        each, more = divmod(whole, len(to))
        found = Deal(deal.number, self.seats, self.sides)
        for name in SCORING_FACTS:
            setattr(found, name, getattr(deal, name))
        for place, one in enumerate(to):
            found.cards[one] = each + (place < more)
            found.trick_sides.add(one)
        return found

    def list_rulings_on(self, number):
        """Return the rulings in force that concern the points of a deal."""
        return [
            r
            for r in self.rulings.values()
            if r.get("deal") == number and r["kind"] in FIXING_RULINGS + MOVING_RULINGS
        ]

    def score_deals(self):
        """Return the present scores of each deal; None if this program cannot derive them."""
        found, ties = {}, ()
        sticks = self.game is not None and self.game["score"] == "sticks"
        for number in sorted(self.scores_written):
            deal, scores = self.deals[number], self.scores_written[number]
            rulings, after = self.list_rulings_on(number), ()
            if scores is None and not rulings:
                scores = self.read_ruled_scores(number, rulings)
            cards = self.compute_ruled_cards(number) if sticks else None
            if sticks and (cards is None or ties is None):
                scores, after = scores if ties is not None and ties == deal.ties else None, None
            elif sticks:
                again, after = score_sticks(cards, ties)
                scores = scores if ties == deal.ties or scores is None else again
            if rulings and rulings[-1]["kind"] in FIXING_RULINGS:
                try:
                    scores = self.score_by_ruling(deal, rulings[-1])
                except FAILING:
                    scores = self.read_ruled_scores(number, rulings)
                if is_annulling(rulings[-1]):
                    after = ties
            elif rulings:
                scores = self.read_ruled_scores(number, rulings)
            found[number], ties = scores, after
        self.ties = ties
        return found

    def read_ruled_scores(self, number, rulings):
        """Return the scores that the rulings state, or None."""
        numbers, scores = self.scores_ruled.get(number, (None, None))
        return scores if numbers == [ruling["ruling"] for ruling in rulings] else None

    def sum_penalties(self):
        """Return the points of all penalties, by side."""
        found, better = [0] * self.sides, -1 if self.game is not None and self.rules.get("fewest") else 1
        for ruling in self.rulings.values():
            if ruling["kind"] == "penalty":
                found[self.get_side(ruling["against"])] -= better * ruling["points"]
        return found

    def compute_totals(self, told, where):
        """Return the totals of deals and penalties. One unknown deal gets the remaining points."""
        counted, totals = self.score_deals(), self.sum_penalties()
        unknown = [number for number, scores in counted.items() if scores is None]
        for scores in counted.values():
            totals = [a + (b or 0) for a, b in zip(totals, scores or ())] if scores else totals
        if len(unknown) == 1:
            [number] = unknown
            left = [a - b for a, b in zip(told, totals)]
            self.scores_ruled[number] = [r["ruling"] for r in self.list_rulings_on(number)], left
            self.unproven.append(where + "what deal %d counts again since a ruling was replaced" % number)
            return list(told)
        if unknown:
            self.unproven.append(where + "the totals, after rulings that were replaced")
            return list(told)
        return totals

    def add_fault(self, where, what):
        """Add a fault."""
        self.faults.append(where + what)

    def check_totals(self, told, wanted, where):
        """Compare the totals of an event with the derived ones, and continue with the stated ones."""
        if told != wanted:
            self.add_fault(where, "the totals are %r and should be %r" % (told, wanted))
        self.totals = list(told)

    def is_annulled(self, number):
        """Whether the last fixing ruling annuls a deal, unless a later ruling replaces it."""
        for ruling in reversed(self.list_rulings_on(number)):
            if ruling["kind"] in FIXING_RULINGS:
                return is_annulling(ruling)
            if not ruling.get("after"):
                return False
        return False

    def list_counting_deals(self):
        """Return the deals that are not annulled."""
        return [n for n in sorted(self.scores_written) if not self.is_annulled(n)]

    def compute_ruled_cards(self, number):
        """Return the card points of a deal with its rulings, or None."""
        deal, rulings = self.deals[number], self.list_rulings_on(number)
        if not rulings:
            return deal.cards if deal.is_known else None
        if rulings[-1]["kind"] == "short_hand" and rulings[-1].get("choice") != "annul":
            return self.redistribute_points(deal, rulings[-1]).cards
        if rulings[-1]["kind"] in FIXING_RULINGS:
            return deal.cards if deal.is_known else None
        numbers, cards = self.ruled_cards.get(number, (None, None))
        return cards if numbers == [ruling["ruling"] for ruling in rulings] else None


def list_contracts(slot):
    """Return the contracts that can be played in a slot."""
    if slot in ("joker7", "joker8"):
        return CONTRACTS
    return tuple(slot + "-" + way for way in DIRECTIONS) if slot in ("slalom", "guschti") else (slot,)


def fill_unknown(points):
    """Return points by side, with 0 for unknown ones."""
    return [one or 0 for one in points]


def is_annulling(ruling):
    """Whether a ruling annuls its deal."""
    return ruling["kind"] == "annul_deal" or (
        ruling["kind"] == "short_hand" and ruling.get("choice") == "annul"
    )


def score_sticks(points, ties):
    """Return the sticks of a deal, and the pairs of sides that tied for a place."""
    seats = range(len(points))
    scores, left, new = [0] * len(points), [], []
    odd = [s for s in seats if len({points[o] for o in seats if o != s}) == 1 and points[s - 1] != points[s]]
    if odd:
        scores[odd[0]] = 2
    else:
        for place in [min(points)] if max(points) >= 100 else [max(points), min(points)]:
            there = tuple(seat for seat in seats if points[seat] == place)
            if len(there) == 1:
                scores[there[0]] += 1
            elif len(there) == 2:
                new.append(there)
    paid = list(scores)
    for tie in ties:
        scoring = [seat for seat in tie if scores[seat]]
        if len(scoring) == 1:
            paid[scoring[0]] += 1
        else:
            left.append(tie)
    return paid, (*left, *new)
