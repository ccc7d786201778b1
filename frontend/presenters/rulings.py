"""What a referee can do about a dispute, each with the scores before and after; and what became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import Event, IllegalCommand
from engine.events import RulingMade
from frontend.presenters.vocabulary import RULING_NOTES, RULINGS, word
from tournaments.models import Dispute
from tournaments.services import disputes

BY_WORD: Final = "word"
"""Settled without a ruling: an answer, no points."""

NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "award_from_trick": ("deal", "trick", "against"),
    "card_powerless": ("deal", "trick", "against"),
    "annul_deal": ("deal",),
    "short_hand/points": ("deal", "against"),
    "short_hand/annul": ("deal", "against"),
    "score_change": ("deal", "scores"),
    "penalty": ("against", "points"),
    "bar_suit": ("against", "suit"),
    "warning": (),
}
"""Remedy → the fields it takes, as the engine's `rule` names them."""
OPTIONAL: Final[dict[str, tuple[str, ...]]] = {
    "annul_deal": ("trick",),
    "penalty": ("deal", "trick"),
    "bar_suit": ("deal", "trick"),
    "warning": ("deal", "trick", "against"),
}
MISSING: Final[dict[str, str | Promise]] = {
    "deal": gettext_lazy("Say which deal."),
    "trick": gettext_lazy("Say from which trick on."),
    "against": gettext_lazy("Say which player it concerns."),
    "scores": gettext_lazy("Write the new score of each side."),
    "points": gettext_lazy("Write how many points."),
    "suit": gettext_lazy("Say which suit."),
}
REASONS: Final[dict[str, str | Promise]] = {
    "rule/no_such_deal": gettext_lazy("This deal has not been played at this table."),
    "rule/no_such_trick": gettext_lazy("This trick has not been played in that deal."),
    "rule/no_such_seat": gettext_lazy("There is no such seat."),
    "rule/no_deal_running": gettext_lazy("Only while the deal is played."),
    "rule/deal_not_scored": gettext_lazy("The deal has no score yet."),
    "rule/wrong_sides": gettext_lazy("Each side needs a score."),
    "rule/needs_two_sides": gettext_lazy("Everyone plays alone here: set the score by hand."),
    "rule/tricks_unknown": gettext_lazy("A score sheet knows no tricks: set the score by hand."),
    "rule/cards_unknown": gettext_lazy("Not all cards of that trick are known."),
    "rule/points_not_positive": gettext_lazy("A penalty takes off points: write a number above nought."),
    "rule/nothing_to_replace": gettext_lazy("The ruling has been replaced already."),
}


@dataclass(frozen=True, slots=True)
class Change:
    """Points per side, joined: "97 : 60"."""

    before: str
    after: str

    @property
    def moves(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Remedy:
    """`reason`: why it is not possible, or not yet."""

    key: str
    label: str
    note: str
    article: str
    proposed: bool
    deal: Change | None
    totals: Change | None
    reason: str


@dataclass(frozen=True, slots=True)
class Ruled:
    number: int
    label: str
    deal: int | None
    trick: int | None
    article: str
    text: str
    change: Change | None
    totals: Change | None
    seq: int
    replaced: bool


def fields_of(key: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The ruling as the service takes it: kind, and of the given fields those that the kind knows."""
    kind, _slash, choice = key.partition("/")
    names = (*NEEDS.get(key, ()), *OPTIONAL.get(key, ()))
    fields: dict[str, Any] = {"kind": kind, **{n: given[n] for n in names if given.get(n) is not None}}
    return {**fields, "choice": choice} if choice else fields


def remedies(dispute: Dispute, given: Mapping[str, Any], articles: Mapping[str, str]) -> list[Remedy]:
    """All there are, those that the regulations foresee first. `articles`: kind → article."""
    found = [_remedy(dispute, key, given, articles) for key in NEEDS]
    return sorted(found, key=lambda remedy: (not remedy.proposed, bool(remedy.reason)))


def _remedy(dispute: Dispute, key: str, given: Mapping[str, Any], articles: Mapping[str, str]) -> Remedy:
    kind = key.partition("/")[0]
    reason, deal, totals = "", None, None
    missing = [name for name in NEEDS[key] if given.get(name) is None]
    if missing:
        reason = str(MISSING[missing[0]])
    else:
        try:
            outcome = disputes.preview(dispute, fields_of(key, given))
        except IllegalCommand as error:
            reason = reason_of(error)
        else:
            if outcome.scores_before is not None or outcome.scores_after is not None:
                deal = change(outcome.scores_before, outcome.scores_after)
            totals = change(outcome.totals_before, outcome.totals_after)
    return Remedy(
        key=key,
        label=_label(key),
        note=word(RULING_NOTES, kind),
        article=articles.get(kind, ""),
        proposed=kind in articles,
        deal=deal,
        totals=totals,
        reason=reason,
    )


def _label(key: str) -> str:
    if key == "short_hand/points":
        return _("A card is missing: the points to the opponents")
    if key == "short_hand/annul":
        return _("A card is missing: the deal is annulled")
    return word(RULINGS, key)


def reason_of(error: IllegalCommand) -> str:
    known = REASONS.get(error.code)
    return str(known) if known is not None else error.detail


def change(before: Sequence[int | None] | None, after: Sequence[int | None] | None) -> Change:
    return Change(_joined(before), _joined(after))


def _joined(points: Sequence[int | None] | None) -> str:
    return " : ".join("–" if p is None else str(p) for p in points or ()) or "–"


def rulings_of(events: Sequence[Event]) -> list[Ruled]:
    """Every ruling in the log of a game, the oldest first."""
    made = [event for event in events if isinstance(event, RulingMade)]
    gone = {event.replaces for event in made}
    return [
        Ruled(
            number=event.ruling,
            label=_label(f"{event.kind}/{event.choice}" if event.choice else event.kind),
            deal=event.deal,
            trick=event.trick,
            article=event.article or "",
            text=event.reason,
            change=change(event.scores_before, event.scores) if event.scores is not None else None,
            totals=change(event.totals_before, event.totals),
            seq=event.seq,
            replaced=event.ruling in gone,
        )
        for event in made
    ]
