"""Sentences on a game's events, for prints and pages without scripts. src/watching/commentary.ts writes the
same sentences, without those of `_additional_sentences`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine import Event
from engine import events as ev
from frontend.card_names import card_name
from frontend.presenters.words.contract_names import contract_name
from frontend.presenters.words.figures import format_figure
from frontend.presenters.words.script_sentences import LOG, TABLE
from frontend.presenters.words.vocabulary import word


@dataclass(frozen=True, slots=True)
class EventNarrator:
    """Writes sentences about a game. `names`: by seat; `sides`: the names of the sides; `deck`: the key of
    the deck whose words name cards.

    `by_card`: in this game a card sets the contract; the sentences then do not say that a player chose it.
    """

    names: Sequence[str]
    sides: Sequence[str]
    deck: str
    by_card: bool = False

    def name(self, seat: int | None) -> str:
        """Return the name at a seat, "nobody" for None."""
        return str(TABLE["nobody"]) if seat is None else self.names[seat]

    def cards(self, codes: Sequence[str | None]) -> str:
        """Return cards by name, separated by commas."""
        unknown = str(TABLE["card.unknown"])
        return ", ".join(unknown if code is None else card_name(code, self.deck) for code in codes)

    def contract(self, contract: str | None, slot: str | None = None) -> str:
        """Return a contract in words ("open" for None), after the name of its slot on the sheet unless the
        words contain it. Without a contract, return the slot's name.
        """
        if contract is None and slot is not None:
            return str(TABLE.get(f"slot.{slot}", "")) or contract_name(slot, self.deck)
        named = contract_name(contract, self.deck)
        through = str(TABLE.get(f"slot.{slot}", ""))
        return f"{through}: {named}" if through and through not in named else named

    def about(self, ruling: ev.RulingMade) -> str:
        """Return the deal, trick and player that a ruling names, separated by commas."""
        sentences = [
            str(LOG["log.ruling_deal"]).format(deal=ruling.deal) if ruling.deal is not None else "",
            str(LOG["log.ruling_trick"]).format(trick=ruling.trick) if ruling.trick is not None else "",
            self.name(ruling.against) if ruling.against is not None else "",
        ]
        return ", ".join(filter(None, sentences))

    def sentence(self, event: Event) -> str:
        """Return the event as one or more sentences; empty for events without commentary."""
        key, values = self._sentence_key(event), self._sentence_values(event)
        text = LOG.get(key)
        sentences = [] if text is None else [str(text).format(**values)]
        return " ".join([*sentences, *self._additional_sentences(event)])

    def _sentence_key(self, event: Event) -> str:
        tag = str(event.__struct_config__.tag)
        match event:
            case ev.InfractionFound():
                return f"infraction.{event.code}"
            case ev.ContractSet() if self.by_card or event.seat is None:
                return "log.contract_by_card"
            case ev.MeldsScored(side=None):
                return "log.melds_open"
            case ev.ContractSet(contract=None):
                return "log.contract_set"
            case ev.ContractSet(slot=str()) if self.contract(event.contract, event.slot) != self.contract(
                event.contract
            ):
                return "log.contract_slot"
            case ev.PredictionMade(points=None):
                return "log.prediction_sealed"
            case ev.TrickTaken(points=None):
                return "log.trick_taken_unknown"
            case ev.ResultEntered(reason=str()):
                return "log.result_by_office"
            case ev.ResultCorrected(deals=int()):
                return "log.totals_corrected"
            case ev.ResultEntered(deals=int()):
                return "log.totals_entered"
            case ev.ResultConfirmed(by=str()):
                return f"log.confirmed_{event.by}"
            case ev.RulingMade() if self.about(event):
                return "log.ruling_about"
            case ev.OutClaimed():
                return "log.out_right" if event.right else "log.out_wrong"
            case ev.GameEnded(winners=[side]) if self.sides[side] in self.names:
                return "log.game_won"
            case ev.TalonDealt() if not any(event.open):
                return ""
            case ev.DiscardsCounted(points=None):
                return ""
        return f"log.{tag}"

    def _sentence_values(self, event: Any) -> dict[str, Any]:
        values: dict[str, Any] = {name: getattr(event, name) for name in event.__struct_fields__}
        values["name"] = self.name(values.get("seat", values.get("dealer")))
        if isinstance(event, ev.ResultEntered) and event.seat is None:
            values["name"] = str(TABLE["desk"])
        values["count"] = values.get("size")
        values["number"] = values.get("ruling")
        values["cards"] = self.cards(values.get("open") or [])
        values["slot"] = word(TABLE, f"slot.{values.get('slot')}")
        for name in ("contract", "suit"):
            values[name] = contract_name(values.get(name), self.deck)
        if isinstance(event, ev.ContractSet) and event.contract is None:
            values["contract"] = self.contract(None, event.slot)
        if isinstance(values.get("points"), int):
            values["points"] = format_figure(values["points"])
        for name in ("card", "six"):
            values[name] = self.cards([values.get(name)])
        for name in ("scores", "totals"):
            values[name] = join_points_in_sentence(values.get(name))
        if values.get("side") is not None:
            values["side"] = self.sides[values["side"]]
        values["winners"] = ", ".join(self.sides[side] for side in values.get("winners") or ())
        if isinstance(event, ev.RulingMade):
            values["about"] = self.about(event)
        if isinstance(event, ev.MeldsDeclared):
            values["points"] = " + ".join(str(meld.points) for meld in event.declared)
        if isinstance(event, ev.PredictionsRevealed):
            told = zip(self.names, event.points, strict=True)
            values["predictions"] = ", ".join(
                f"{name} {'–' if points is None else points}" for name, points in told
            )
        return values

    def _additional_sentences(self, event: Event) -> list[str]:
        """Return additional sentences for print: cards that a screen draws, details of rulings, payments."""
        match event:
            case ev.MeldsDeclared(melds=melds) if melds:
                return [self._list_cards(" + ".join(map(self.cards, melds)))]
            case ev.MeldsShown(melds=shown_melds):
                return [self._list_cards(" + ".join(map(self.cards, shown_melds)))]
            case ev.MeldsScored(shown=shown) if shown:
                return [self._list_cards(" + ".join(self.cards(meld.cards) for meld in shown))]
            case ev.CardsDiscarded(cards=cards) | ev.TalonTaken(cards=cards) if cards:
                return [self._list_cards(self.cards(cards))]
            case ev.ExtraExchanged(given=given, taken=taken) if given and taken:
                told = {"given": self.cards(given), "taken": self.cards(taken)}
                return [_("Given: {given}; received: {taken}.").format(**told)]
            case ev.TalonDealt(closed=closed) if closed:
                return [_("Face down: {cards}.").format(cards=self.cards(closed))]
            case ev.RulingMade():
                return self._describe_ruling(event)
            case ev.GameEnded(payments=payments) | ev.ResultCorrected(payments=payments) if payments:
                return [
                    self._describe_payment(side, owed, len(payments)) for side, owed in enumerate(payments)
                ]
        return []

    def _list_cards(self, cards: str) -> str:
        return _("Cards: {cards}.").format(cards=cards)

    def _describe_ruling(self, event: ev.RulingMade) -> list[str]:
        article = [_("Article {article}.").format(article=event.article)] if event.article else []
        scores = (
            []
            if event.scores is None
            else [str(LOG["log.ruling_scores"]).format(scores=join_points_in_sentence(event.scores))]
        )
        return article + scores

    def _describe_payment(self, side: int, owed: int, parts: int) -> str:
        amount = f"{abs(owed) / parts:.2f}".removesuffix(".00")
        key = "slate.even" if owed == 0 else "slate.pays" if owed > 0 else "slate.receives"
        paid = str(TABLE[key]).format(amount=amount)
        return str(LOG["log.payments"]).format(name=self.sides[side], paid=paid)


def join_points(points: Sequence[int | None] | None, between: str = " : ") -> str:
    """Join the points of the sides: "97 : 60", with a minus sign for negative points, "–" for None; "" for
    none.
    """
    return between.join(map(format_figure, points or ()))


def join_points_in_sentence(points: Sequence[int | None] | None) -> str:
    """Join the points as "97–60", with the language's dash; as `join_points` if any is negative or None."""
    plain = all(p is not None and p >= 0 for p in points or ())
    return join_points(points, str(LOG["log.between"])) if plain else join_points(points)
