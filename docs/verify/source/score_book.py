"""A whole game, recounted from its events."""

from __future__ import annotations

from .cards import DEAL_POINTS, STOECK_POINTS, compute_card_points
from .deal_scores import FIXING_RULINGS, SLOT_FACTORS, Deal, fill_unknown, list_contracts
from .event_chain import END_OF_RECORD, effective_events, start_body
from .report import FAILING, Unusable
from .sweeps import Sweeps


class ScoreBook(Sweeps):
    """A game, recounted from its events: scores of deals, rulings, totals, winners, sweeps."""

    def follow(self, events):
        """Follow the events of a game after its first."""
        for event in events:
            act = getattr(self, "_" + event["type"], None)
            if act is not None:
                try:
                    act(event, event["body"], "event %d: " % event["seq"])
                except Unusable as error:
                    self.faults.append("event %d: %s" % (event["seq"], error))
        return self

    def _deal_started(self, event, body, where):
        self.current_deal = Deal(body["deal"], self.seats, self.sides)
        self.current_deal.dealer, self.current_deal.declarer, self.current_deal.bid = (
            body["dealer"],
            self.declarer,
            self.bid,
        )

    def _hand_dealt(self, event, body, where):
        if self.current_deal is not None and body["seat"] == 0:
            self.current_deal.size = body["size"] if not self.current_deal.size else self.current_deal.size

    def _table_dealt(self, event, body, where):
        if self.current_deal is not None and body["seat"] == 0:
            self.current_deal.size += 2 * body["size"]

    def _bid_made(self, event, body, where):
        if self.current_deal is not None:
            self.current_deal.bids_made.append((body["seat"], body["points"]))

    def _auction_won(self, event, body, where):
        if self.game is not None and self.current_deal.bids_made[-1:] != [(body["seat"], body["points"])]:
            self.add_fault(where, "an auction was won by another bid than the last")
        self.declarer, self.bid = body["seat"], body["points"]
        if self.current_deal is not None:
            self.current_deal.declarer, self.current_deal.bid = body["seat"], body["points"]

    def _pushed(self, event, body, where):
        if self.current_deal is not None:
            self.current_deal.pushes += 1

    def _contract_set(self, event, body, where):
        if self.current_deal is None:
            return
        if self.rules.get("deals") == "slots":
            self.check_slot(body, where)
        if self.mode == "transcribed" and (self.current_deal.tricks or self.current_deal.point_events):
            self.current_deal.is_known = False  # earlier tricks also count by it
        self.current_deal.contract, self.current_deal.chooser = body["contract"], body.get("seat")
        self.current_deal.slot = body.get("slot")

    def check_slot(self, body, where):
        """Check that a contract fits its slot, and that the right side chose an unused slot."""
        contract, slot, seat = body["contract"], body.get("slot") or body["contract"], body.get("seat")
        if slot not in SLOT_FACTORS or (contract is not None and contract not in list_contracts(slot)):
            self.add_fault(where, "%r is not played in the slot %r" % (contract, slot))
        if self.mode != "dealt":
            return
        first = (self.current_deal.dealer + 1) % self.seats
        turns = [(first + turn) % self.seats for turn in range(self.seats)]
        turns = [one for one in turns if len(self.list_played_slots(self.get_side(one))) < len(SLOT_FACTORS)]
        if not turns or seat != turns[self.current_deal.pushes % len(turns)]:
            self.add_fault(where, "seat %r chose out of turn" % (seat,))
        elif slot in self.list_played_slots(self.get_side(seat)):
            self.add_fault(where, "the slot %r was played twice" % slot)

    def _prediction_made(self, event, body, where):
        points = event["parts"].get("points", body.get("points"))
        self.current_deal.predictions[body["seat"]] = points
        if points is not None:
            self.current_deal.own_predictions[body["seat"]] = points

    def _predictions_revealed(self, event, body, where):
        if any(body["points"][seat] != points for seat, points in self.current_deal.own_predictions.items()):
            self.add_fault(where, "other predictions are revealed than were made")
        self.current_deal.predictions = list(body["points"])

    def _cards_discarded(self, event, body, where):
        self.current_deal.discarded_cards = event["parts"].get("cards", body.get("cards"))

    def _deal_stopped(self, event, body, where):
        self.current_deal.stopped_by = body["seat"]

    def _deal_conceded(self, event, body, where):
        self.current_deal.conceded = body["points"]
        if body["points"] not in (DEAL_POINTS, DEAL_POINTS + STOECK_POINTS):
            self.add_fault(where, "a deal of %d points was given away" % body["points"])

    def _discards_counted(self, event, body, where):
        self.current_deal.discards = body["seat"], body["points"]
        self.current_deal.point_events.append((self.get_side(body["seat"]), body["points"]))

    def _stoeck_declared(self, event, body, where):
        if not body.get("counts", True):
            return
        signed = self.game is not None and self.game["score"] == "predicted"
        if (
            body["points"] not in ((STOECK_POINTS, -STOECK_POINTS) if signed else (STOECK_POINTS,))
            or self.current_deal.stoeck
        ):
            self.add_fault(where, "a Stöck of %r points" % body["points"])
        if self.game is not None and not self.options.get("stoeck"):
            self.add_fault(where, "Stöck does not count in this game")
        self.current_deal.stoeck.append((body["seat"], body["points"]))
        self.current_deal.point_events.append((self.get_side(body["seat"]), body["points"]))

    def _melds_scored(self, event, body, where):
        if self.game is not None and not self.options.get("melds"):
            self.add_fault(where, "melds do not count in this game")
        if body["points"] is None:
            self.current_deal.is_known = False
        self.current_deal.melds = body["side"], body["points"]
        self.current_deal.point_events.append((body["side"], body["points"]))

    def _card_played(self, event, body, where):
        self.current_deal.table_cards.append(body["card"])

    def _trick_taken(self, event, body, where):
        self.current_deal.tricks.append((body["seat"], body["points"]))
        self.current_deal.trick_cards.append(self.current_deal.table_cards)
        self.current_deal.table_cards = []
        if body["seat"] is None or body["points"] is None:
            self.current_deal.is_known = self.game is not None and self.rules.get("late_trumps", False)
            return
        side = self.get_side(body["seat"])
        points = body["points"]
        takers = {None if seat is None else self.get_side(seat) for seat, _ in self.current_deal.tricks}
        if len(self.current_deal.tricks) == self.current_deal.size and len(takers) == 1:
            points += self.options.get("sweep_bonus", 0)
        self.current_deal.point_events.append((side, points))

    def _out_claimed(self, event, body, where):
        side = self.get_side(body["seat"])
        if self.game is not None and not (
            self.list_targets() and self.options.get("claim_out") == "required"
        ):
            self.add_fault(where, "the end was claimed in a game that ends automatically")
        goals = [] if self.game is None else self.list_targets()
        if (
            goals
            and self.current_deal is not None
            and self.current_deal.is_known
            and not self.list_rulings_on(self.current_deal.number)
        ):
            right = self.compute_running_totals()[-1][side] >= goals[side]
            if right != body["right"]:
                self.add_fault(where, "a claim was %s" % ("right" if right else "wrong"))
        self.claim = [side] if body["right"] else [one for one in range(self.sides) if one != side]

    def compute_running_totals(self):
        """Return the totals after each event that counted in the present deal."""
        totals = list(self.totals)
        if self.current_deal is None or self.current_deal.number in self.scores_written:
            return [totals]
        factor, found = self.get_factor(self.current_deal), [list(totals)]
        if self.current_deal.conceded is not None:
            return [found[0], [totals[0], totals[1] + self.current_deal.conceded]]
        for side, points in self.current_deal.point_events:
            if side is not None:
                totals[side] += factor * (points or 0)
            found.append(list(totals))
        return found

    def _deal_scored(self, event, body, where):
        deal, scores = self.current_deal, body["scores"]
        if deal is None or deal.number != body["deal"] or deal.number in self.scores_written:
            self.add_fault(where, "deal %r was scored without being played" % body["deal"])
            deal = self.current_deal = Deal(body["deal"], self.seats, self.sides)
            deal.is_known = False
        self.score_deals()
        deal.ties, deal.seq, before = self.ties, event["seq"], self.compute_running_totals()
        deal.is_known = deal.is_known and None not in scores
        rulings = self.list_rulings_on(deal.number)
        self.deals[deal.number], self.scores_written[deal.number] = (
            deal,
            None if rulings else fill_unknown(scores),
        )
        self.scores_recorded[deal.number] = fill_unknown(scores)
        try:
            if self.game is None:
                raise Unusable("its scoring is not known")
            self.count_cards(deal)
            self.check_ends(deal, where)
            if not deal.is_known:
                raise Unusable("not all of it is known")
            cards = [0, DEAL_POINTS] if deal.conceded is not None else deal.cards
            if deal.ties is None:
                raise Unusable("ties after a ruling are not known")
            wanted, ties = self.score_deal(deal, deal.ties)
            if rulings:
                self.scores_written[deal.number], cards = wanted, None
                self.ruled_cards[deal.number] = (
                    [r["ruling"] for r in rulings],
                    fill_unknown(body["card_points"]),
                )
            if rulings and rulings[-1]["kind"] in FIXING_RULINGS:
                wanted = self.score_by_ruling(deal, rulings[-1])
            elif rulings:
                raise Unusable("a ruling moves its points")
            if cards is not None and body["card_points"] != cards:
                self.add_fault(
                    where,
                    "deal %d has %r card points instead of %r" % (deal.number, cards, body["card_points"]),
                )
            if scores != wanted:
                self.add_fault(where, "deal %d counts %r instead of %r" % (deal.number, wanted, scores))
            told = body.get("ties")
            if cards is not None and told is not None and [tuple(tie) for tie in told] != list(ties):
                self.add_fault(where, "other ties are remembered than there were")
        except FAILING as error:
            deal.is_known = deal.is_known and bool(rulings)
            if self.game is not None:
                self.unproven.append(where + "what deal %d counts (%s)" % (deal.number, error))
        if rulings:
            self.scores_ruled[deal.number] = [r["ruling"] for r in rulings], fill_unknown(scores)
        self.running_totals = before
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)

    def check_ends(self, deal, where):
        """Check the points of discarded cards, and that the side that stopped a deal was sure of it."""
        if (
            deal.discards is not None
            and deal.discarded_cards
            and None not in deal.discarded_cards
            and deal.contract
        ):
            worth = sum(compute_card_points(card, deal.contract) for card in deal.discarded_cards)
            if deal.discards != (deal.declarer, worth):
                self.add_fault(where, "the discards count %d instead of %r" % (worth, deal.discards[1]))
        if deal.stopped_by is not None and deal.is_known and deal.bid is not None:
            taken = deal.cards[deal.declarer]
            left = taken + DEAL_POINTS - sum(deal.cards)
            if not (taken >= deal.bid if deal.stopped_by == deal.declarer else left < deal.bid):
                self.add_fault(where, "deal %d was stopped before the bid was decided" % deal.number)

    def _game_ended(self, event, body, where):
        self.check_totals(body["totals"], list(self.totals), where)
        if self.over:
            self.add_fault(where, "it ended twice")
        self.over, self.winners = True, body["winners"]
        if self.game is None:
            return
        possible = self.list_end_winners()
        if not possible and self.current_deal is not None and self.list_rulings_on(self.current_deal.number):
            possible = [None]
        if not possible:
            self.add_fault(where, "it ended although no rule ends it there")
        elif possible == [None]:
            self.unproven.append(where + "which side had won first")
            if self.list_sides_at_target() and not set(body["winners"]) <= set(self.list_sides_at_target()):
                self.add_fault(where, "a side has won that has not reached its points")
        elif body["winners"] not in possible:
            self.add_fault(
                where, "sides %r have won by the totals instead of %r" % (possible[0], body["winners"])
            )
        self.check_payments(body, where)


def read_score_book(stream, moment=END_OF_RECORD):
    """Return the score book of a game with its events up to a moment."""
    events = effective_events(stream, moment)
    kept = stream.score_books.get(len(events))
    if kept is None:
        kept = stream.score_books[len(events)] = ScoreBook(start_body(stream)).follow(events[1:])
    return kept


def check_scores(stream, report):
    """Report faults and underivable figures of a game."""
    book, where = read_score_book(stream), "game %s" % stream.id
    for fault in book.faults:
        report.add_difference(where, fault)
    for figure in book.unproven:
        report.unproven.append(
            "%s, %s is not derived here; python -m engine audit does that" % (where, figure)
        )
    if book.game is not None and book.find_sweeps()[1]:
        report.unproven.append(
            "%s: who took every trick of a deal since a ruling is not derived here" % where
        )
