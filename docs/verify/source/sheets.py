"""Results of sheets, and their confirmations."""

from __future__ import annotations

from .cards import DEAL_POINTS, PUUR_POINTS, STOECK_POINTS
from .deal_scores import Deal
from .event_chain import effective_events
from .report import FAILING, Unusable
from .winners import Winners


class SheetResults(Winners):
    """The results of a game whose cards were not recorded."""

    def _result_entered(self, event, body, where):
        if body["deal"] != len(self.scores_written) + 1 or self.over:
            self.add_fault(where, "deal %r does not come next on the sheet" % body["deal"])
        self.write_result(event, body, where)
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)

    def _result_corrected(self, event, body, where):
        before = self.deals.get(body["deal"])
        if before is None or body["replaces"] != before.seq:
            self.add_fault(where, "it replaces what was not written for deal %r" % body["deal"])
        self.write_result(event, body, where)
        if self.game is None or self.game["score"] != "sticks":
            if body.get("rescored"):
                self.add_fault(where, "a correction changes deals that do not depend on it")
        else:
            self.rescore_later_deals(body, where)
        self.check_totals(body["totals"], self.compute_totals(body["totals"], where), where)
        if body.get("reason") is not None:
            self.touched.append(event)
        if self.over and body.get("winners") is not None:
            self.winners = body["winners"]
            if self.game is not None and body["winners"] not in self.list_sheet_winners():
                self.add_fault(
                    where,
                    "sides %r have won by these totals instead of %r"
                    % (self.list_sheet_winners()[0], body["winners"]),
                )
            self.check_payments(body, where)

    def rescore_later_deals(self, body, where):
        """Score later deals again, if other ties stand before them."""
        told = {one["deal"]: one["scores"] for one in body.get("rescored") or ()}
        for number in [n for n in sorted(self.scores_written) if n > body["deal"]]:
            deal = self.deals[number]
            deal.ties = self.compute_ties_before(number)
            self.scores_written[number] = self.scores_recorded[number] = self.score_deal(deal, deal.ties)[0]
            if told.get(number, self.scores_written[number]) != self.scores_written[number]:
                self.add_fault(
                    where, "deal %d counts %r after the correction" % (number, self.scores_written[number])
                )

    def write_result(self, event, body, where):
        """Read a result of a sheet, and check its scores."""
        deal = Deal(body["deal"], self.seats, self.sides)
        deal.cards, deal.seq = list(body["card_points"]), event["seq"]
        for name in ("contract", "slot", "chooser", "dealer"):
            setattr(deal, name, body.get(name))
        later = [self.deals[n] for n in self.scores_written if n > body["deal"]]
        if body.get("bid") is not None and not any(one.bids for one in later):
            self.declarer, self.bid = body["chooser"], body["bid"]
        deal.bids = body.get("bid") is not None
        deal.declarer = body["chooser"] if deal.bids else self.declarer
        deal.bid = body["bid"] if deal.bids else self.bid
        deal.predictions = list(body.get("predictions") or deal.predictions)
        self.check_missing_points(body, deal, where)
        deal.trick_sides = {side for side, own in enumerate(deal.cards) if own} | set(
            body.get("took_trick") or ()
        )
        deal.sweep, deal.sweeps = body.get("sweep"), list(body.get("sweeps") or deal.sweeps)
        if body.get("stoeck") is not None:
            deal.bonuses[body["stoeck"]] += body.get("stoeck_points") or STOECK_POINTS
        for values, worth in (
            (body.get("melds"), 1),
            (body.get("sweeps"), self.options.get("sweep_bonus", 0)),
            (body.get("stoecks"), STOECK_POINTS),
        ):
            for side, count in enumerate(values or ()):
                deal.bonuses[side] += count * worth
        if deal.sweep is not None:
            deal.bonus = self.options.get("sweep_bonus", 0)
            deal.bonuses[deal.sweep] += deal.bonus
        if self.game is not None:
            self.check_sheet(body, deal, where)
        self.score_deals()
        before = [n for n in sorted(self.scores_written) if n < deal.number]
        deal.ties = self.compute_ties_before(deal.number) if before else ()
        try:
            if self.game is not None:
                wanted = body["scores"] if self.is_total_unchecked() else self.score_deal(deal, deal.ties)[0]
                if body.get("by_hand") or body["scores"] != wanted:
                    told = "deal %d counts %r instead of %r: its card points with its own bonuses"
                    self.add_fault(where, told % (deal.number, wanted, body["scores"]))
        except FAILING as error:
            self.unproven.append(where + "what deal %d counts (%s)" % (deal.number, error))
            deal.is_known = False
        self.deals[deal.number], self.scores_written[deal.number] = deal, list(body["scores"])
        self.scores_recorded[deal.number] = list(body["scores"])

    def check_missing_points(self, body, deal, where):
        """Check card points that a sheet leaves out: those of sides that did not choose."""
        unsaid = {side for side, own in enumerate(deal.cards) if own is None}
        if not unsaid:
            return
        chooser = None if deal.chooser is None else self.get_side(deal.chooser)
        if self.game is not None and (self.game["score"] != "chooser" or self.sides < 3 or chooser in unsaid):
            self.add_fault(where, "the card points of deal %d are missing" % deal.number)
        deal.cards = [own or 0 for own in deal.cards]

    def is_total_unchecked(self):
        """Whether a line of totals cannot be checked, because each side has points of its own."""
        return self.started.get("hand_in") == "totals" and self.game["score"] == "predicted"

    def compute_ties_before(self, number):
        """Return the ties before a deal."""
        if self.game is None or self.game["score"] != "sticks":
            return ()
        kept = {n: self.scores_written.pop(n) for n in list(self.scores_written) if n >= number}
        self.score_deals()
        self.scores_written.update(kept)
        return self.ties

    def check_sheet(self, body, deal, where):
        """Check that the figures of a result are possible together."""
        whole, deals = self.rules.get("deal_points", DEAL_POINTS), 1
        if whole == "puur":
            whole = DEAL_POINTS - PUUR_POINTS + self.options["puur_value"]
        if self.started.get("hand_in") == "totals":
            deals = self.options["deals"]
            where += "the totals "
            if body.get("deals") != deals or body["deal"] != 1:
                self.add_fault(where, "are not of the whole round")
            if max(sum(deal.sweeps), sum(body.get("stoecks") or ())) > deals:
                self.add_fault(where, "hold more sweeps or Stöck than there were deals")
            if self.is_total_unchecked():
                least, most = (
                    -self.options["exact_bonus"],
                    DEAL_POINTS + STOECK_POINTS * bool(self.options["stoeck"]),
                )
                if any(body["card_points"]) or self.options["dealer_incentive"]:
                    self.add_fault(where, "hold card points that no total tells")
                if any(not least * deals <= points <= most * deals for points in body["scores"]):
                    self.add_fault(where, "are more or less than so many deals can give")
                return
            if sum(body["card_points"]) != whole * deals:
                self.add_fault(where, "do not add up to the points of the cards")
            if sum(body["scores"]) != whole * deals + sum(deal.bonuses):
                self.add_fault(where, "do not add up with their sweeps and Stöck")
            if any(own < count * whole for own, count in zip(deal.cards, deal.sweeps)):
                self.add_fault(where, "hold a sweep without its card points")
            return
        total = sum(own or 0 for own in body["card_points"])
        if None in body["card_points"]:
            if total > whole or deal.sweep is not None:
                self.add_fault(where, "the card points of who chose in deal %d are %d" % (deal.number, total))
        elif (total != whole) if self.rules.get("all_counted") else total > whole:
            self.add_fault(where, "the card points of deal %d are %d together" % (deal.number, total))
        if deal.sweep is not None and None not in body["card_points"] and deal.cards[deal.sweep] != total:
            self.add_fault(where, "a sweep without all card points")
        if any(body.get(name) is not None for name in ("deals", "sweeps", "stoecks")):
            self.add_fault(where, "totals on a sheet of deals")
        worth = body.get("stoeck_points")
        if worth is not None and (abs(worth) != STOECK_POINTS or self.game["score"] != "predicted"):
            self.add_fault(where, "a Stöck of %r points" % worth)
        slot, of_slots = deal.slot or deal.contract, self.rules.get("deals") == "slots"
        if (
            of_slots
            and deal.chooser is not None
            and slot in self.list_played_slots(self.get_side(deal.chooser), deal.number)
        ):
            self.add_fault(where, "the slot %r was played twice" % slot)
        for name in ("melds", "stoeck"):
            if body.get(name) is not None and not self.options.get(name):
                self.add_fault(where, "%s do not count in this game" % name)

    def list_played_slots(self, side, besides=None):
        """Return the slots that a side has played in deals that count."""
        counting = [self.deals[number] for number in sorted(self.scores_written) if number != besides]
        return [
            deal.slot or deal.contract
            for deal in counting
            if deal.chooser is not None
            and self.get_side(deal.chooser) == side
            and not self.is_annulled(deal.number)
        ]


PLAY_EVENTS = ("deal_started", "card_played", "result_entered", "result_confirmed")
"""Events that a game has only while it is played."""


def check_breaks(stream):
    """Check that a closed game continues only after it is resumed. Raise Unusable.

    The correction of a finished game has a reason and its winners.
    """
    ended, broken = False, False
    for event in effective_events(stream):
        kind, body, where = event["type"], event["body"], "event %d: " % event["seq"]
        if kind == "game_resumed" and not broken:
            raise Unusable(where + "a game was resumed that was not broken off")
        if (ended or broken) and kind in ("game_closed", *PLAY_EVENTS):
            raise Unusable(where + "the game continued after its end")
        if kind == "result_corrected":
            if (ended or broken) and body.get("reason") is None:
                raise Unusable(where + "a finished game was corrected without a reason")
            if ended != (body.get("winners") is not None):
                raise Unusable(where + "a correction does not state the new winners")
        broken = kind == "game_closed" or (broken and kind != "game_resumed")
        ended = ended or kind == "game_ended"


SETTLING_RULINGS = ("annul_deal", "short_hand", "score_change")
"""Rulings that fix a deal of a sheet without a signature."""


def check_confirmations(stream, agreed):
    """Check that another side confirmed each deal of a finished sheet. Raise Unusable.

    The agreed substitute (a second typing of the same figures, paper, silence), or an official with a
    reason, also confirms.
    """
    waiting, ruled = {}, {}
    for event in effective_events(stream):
        kind, body = event["type"], event["body"]
        if kind == "ruling_made":
            ruled.pop(body.get("replaces"), None)
            if body.get("stands") and body["kind"] in SETTLING_RULINGS:
                ruled[body["ruling"]] = body["deal"]
        if kind in ("result_entered", "result_corrected"):
            by_office = body.get("reason") is not None
            if not by_office or (kind == "result_corrected" and body["deal"] in waiting):
                waiting[body["deal"]] = (body["side"], body["scores"])
        elif kind == "result_confirmed":
            side, scores = waiting.pop(body["deal"], (body["side"], None))
            where = "event %d: deal %d was " % (event["seq"], body["deal"])
            if body["side"] is not None and (side == body["side"] or body.get("by") is not None):
                raise Unusable(where + "signed by the side that wrote it")
            if body["side"] is None and (body.get("by") != agreed or scores is None):
                raise Unusable(where + "not confirmed in the agreed way")
            again = body.get("by") == "second_typing"
            if body.get("scores") != (scores if again else None):
                raise Unusable(where + "typed a second time with other figures")
        elif kind == "game_ended" and set(waiting) - set(ruled.values()):
            missing = min(set(waiting) - set(ruled.values()))
            raise Unusable("event %d: deal %d was never signed" % (event["seq"], missing))
