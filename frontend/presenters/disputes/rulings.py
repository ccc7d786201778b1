"""The possible rulings on a dispute, each with the scores before and after it, and the rulings already
made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, get_args

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import Event, IllegalCommand
from engine import ruling as rulings
from engine.commands import Choice, RulingKind
from engine.events import RulingMade
from engine.ruling import Outcome
from frontend.presenters.names.playing_teams import load_teams_by_number
from frontend.presenters.standings.place_changes import PlaceChange, list_place_changes
from frontend.presenters.tables.commentary import join_points
from frontend.presenters.words.refusals import refusal_sentence
from frontend.presenters.words.vocabulary import OBJECTED_LATE, RULING_NOTES, RULINGS, WRONG_SUMS, word
from games import game_state
from tournaments.models import Dispute
from tournaments.regulations import Regulations
from tournaments.services.referee import remedy_checks, ruling_impact
from tournaments.services.referee import rulings as services
from tournaments.services.referee.remedy_checks import Check
from tournaments.services.referee.remedy_proposals import Proposal
from tournaments.services.referee.ruling_impact import HypotheticalRuling

BY_WORD: Final = "word"
"""Key of the settlement without a ruling: an answer that changes no points."""
UPHOLD: Final = "uphold"
"""Key of the rejection of an appeal: the ruling remains in force."""


def _by_remedy(details: Mapping[RulingKind, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return remedy → its details. A kind with a choice of the opponents is one remedy for each choice
    (`kind/choice`), with the opponent who chose (`chosen_by`) as a detail.
    """
    found: dict[str, tuple[str, ...]] = {}
    for kind, names in details.items():
        chosen = "choice" in rulings.REQUIRED_FIELDS[kind]
        keys = [f"{kind}/{choice}" for choice in get_args(Choice)] if chosen else [kind]
        found |= dict.fromkeys(keys, tuple("chosen_by" if name == "choice" else name for name in names))
    return found


NEEDS: Final = _by_remedy(rulings.REQUIRED_FIELDS)
"""Remedy → its required details, named as the fields of a ruling in the engine."""
OPTIONAL: Final = _by_remedy(rulings.OPTIONAL_FIELDS)
MISSING: Final[dict[str, str | Promise]] = {
    "deal": gettext_lazy("Choose the deal."),
    "chosen_by": gettext_lazy("Choose which opponent has chosen."),
    "trick": gettext_lazy("Choose the first trick concerned."),
    "against": gettext_lazy("Choose the player concerned."),
    "scores": gettext_lazy("Enter the new score of each side."),
    "points": gettext_lazy("Enter the number of points."),
    "suit": gettext_lazy("Choose the suit."),
}


ANNULLING: Final = frozenset({"annul_deal", "short_hand/annul"})
"""Remedies by which the deal counts for nobody."""
NOT_AGAIN: Final[dict[str, str | Promise]] = {
    "game_over": gettext_lazy("The deal cannot be played again: the game is over."),
    "broken_off": gettext_lazy("The deal cannot be played again: the game was finished early."),
    "round_closed": gettext_lazy("The deal cannot be played again: the round is closed."),
    "championship_closed": gettext_lazy("The deal cannot be played again: the championship is closed."),
}
FLAWS: Final[dict[str, str | Promise]] = {
    "not_again": gettext_lazy(
        "Everybody at the table loses the points of the deal, also people who did nothing wrong."
    ),
    "rewards_table": gettext_lazy(
        "It improves the total of the whole table, also of the person who broke the rule: a "
        "penalty fits better."
    ),
    "rewards_offender": gettext_lazy(
        "It improves the total of the player concerned: a penalty or a score set by hand fits better."
    ),
}


@dataclass(frozen=True, slots=True)
class PointsChange:
    """The points of the sides before and after a ruling, each joined to a text: "97 : 60"."""

    before: str
    after: str

    @property
    def moves(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """A possible ruling. `note`: explains it; `article`: the article of the regulations that prescribes it;
    `proposed`: the regulations prescribe it; `deal`, `totals`: the change of the points of the deal and of
    the game; `reason`: why the ruling is not possible, or not yet.
    """

    key: str
    label: str
    note: str
    article: str
    proposed: bool
    deal: PointsChange | None
    totals: PointsChange | None
    reason: str
    shifts: tuple[PlaceChange, ...] = ()
    """People whose place or total in the ranking the ruling would change."""
    warning: str = ""
    """Why the ruling would not have its usual effect; else empty."""
    instead: bool = False
    """Whether it is proposed in place of the remedy of the regulations."""
    asks_first: bool = False
    """Whether several sides would reach their targets, so that the referee must name the first one."""


@dataclass(frozen=True, slots=True)
class Ruled:
    number: int
    label: str
    deal: int | None
    trick: int | None
    article: str
    text: str
    change: PointsChange | None
    totals: PointsChange | None
    seq: int
    replaced: bool
    against: str
    """The name of the player whom the ruling concerns; empty if it names none."""
    to: str
    """The side that gets the points; empty if the ruling names none."""


FIRST_MISSING: Final = "rule/first_missing"


def list_ruling_fields(key: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ruling as the service takes it: its kind, and those of the given fields that belong to this
    kind. It never contains the first side at the target (`first`); `build_ruling` adds that.
    """
    kind, _slash, choice = key.partition("/")
    names = (*NEEDS[key], *OPTIONAL[key])
    known = {n: given[n] for n in names if n not in ("chosen_by", "first") and given.get(n) is not None}
    fields: dict[str, Any] = {"kind": kind, **known}
    return {**fields, "choice": choice} if choice else fields


def build_ruling(dispute: Dispute, key: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ruling as the service takes it. It contains `first`, the side that was first at its target,
    only if several sides reach theirs.
    """
    ruling = list_ruling_fields(key, given)
    tried = _try_remedy(dispute, key, given)
    return {**ruling, "first": given.get("first")} if tried.asks_first else ruling


def list_remedies(
    dispute: Dispute,
    given: Mapping[str, Any],
    articles: Mapping[str, str],
    people: Mapping[int, str],
    *,
    lowest_wins: bool,
) -> list[RulingChoice]:
    """Return all remedies in this order: those that replace the regulations' remedy because it is impossible
    or has the opposite effect, the regulations' remedy, other possible ones, impossible ones. `given`: the
    form's values; `articles`: kind → article; `people`: entry's number → name, of the table; `lowest_wins`:
    low totals win.
    """
    tried = {key: _try_remedy(dispute, key, given) for key in NEEDS}
    outcomes = {key: one.outcome for key, one in tried.items() if one.outcome is not None}
    supposed = [HypotheticalRuling(given.get("deal"), outcome) for outcome in outcomes.values()]
    shifts = dict(zip(outcomes, ruling_impact.compute_shifts(dispute, supposed), strict=True))
    state = game_state.load_snapshot(str(dispute.table.game_id)).state
    not_again = remedy_checks.find_replay_obstacle(dispute, state)
    checks = {
        key: remedy_checks.check_remedy(
            state,
            outcome,
            annuls=key in ANNULLING,
            not_again=not_again,
            against=given.get("against"),
            lowest_wins=lowest_wins,
        )
        for key, outcome in outcomes.items()
    }
    instead: list[str] = []
    for key, one in tried.items():
        if key.partition("/")[0] not in articles:
            continue
        if checks.get(key) is not None:
            instead += remedy_checks.INSTEAD_OF_FLAWED
        instead += remedy_checks.INSTEAD_OF_IMPOSSIBLE.get(one.code, ())
    teams = load_teams_by_number(dispute.table.round.championship)
    found = [
        _make_choice(
            key,
            one,
            articles,
            list_place_changes([one for one in shifts.get(key, ()) if one.moves], people, teams),
            checks.get(key),
            key in instead,
        )
        for key, one in tried.items()
    ]
    return sorted(found, key=lambda remedy: _sort_key(remedy, instead))


def _sort_key(remedy: RulingChoice, instead: Sequence[str]) -> tuple[bool, bool, int, bool]:
    """Return the sort key of a remedy. `instead`: keys of the remedies that replace the regulations', best
    first.
    """
    flawed = bool(remedy.warning) or (bool(instead) and bool(remedy.reason) and not remedy.instead)
    order = instead.index(remedy.key) if remedy.instead else len(instead)
    return not (remedy.proposed or remedy.instead), flawed, order, bool(remedy.reason)


class TriedRemedy(NamedTuple):
    """The effect of a ruling that was computed without storing it.

    `outcome`: None if the ruling is refused, or if details other than `chosen_by` are missing. `reason`: a
    sentence on the refusal or on missing details; `code`: of the refusal. `asks_first`: several sides reach
    their targets, and the referee must name the first.
    """

    outcome: Outcome | None
    reason: str
    code: str = ""
    asks_first: bool = False


def _try_remedy(dispute: Dispute, key: str, given: Mapping[str, Any]) -> TriedRemedy:
    """Compute the effect of a ruling, also if only the opponent who chose is missing from its details."""
    missing = [name for name in NEEDS[key] if given.get(name) is None]
    if missing and missing != ["chosen_by"]:
        return TriedRemedy(None, str(MISSING[missing[0]]))
    ruling, asks_first = list_ruling_fields(key, given), False
    try:
        try:
            outcome = services.preview(dispute, ruling)
        except IllegalCommand as error:
            asks_first = error.code == FIRST_MISSING
            if not asks_first or given.get("first") is None:
                raise
            outcome = services.preview(dispute, {**ruling, "first": given["first"]})
    except IllegalCommand as error:
        return TriedRemedy(None, refusal_sentence(error), error.code, asks_first)
    return TriedRemedy(outcome, "".join(str(MISSING[name]) for name in missing), "", asks_first)


def _make_choice(
    key: str,
    tried: TriedRemedy,
    articles: Mapping[str, str],
    shifts: tuple[PlaceChange, ...],
    check: Check | None,
    instead: bool,
) -> RulingChoice:
    kind = key.partition("/")[0]
    deal = totals = None
    outcome = tried.outcome
    if outcome is not None:
        if outcome.scores_before is not None or outcome.scores_after is not None:
            deal = compare_points(outcome.scores_before, outcome.scores_after)
        totals = compare_points(outcome.totals_before, outcome.totals_after)
    return RulingChoice(
        key=key,
        label=_label(key),
        note=word(RULING_NOTES, kind),
        article=articles.get(kind, ""),
        proposed=kind in articles,
        deal=deal,
        totals=totals,
        reason=tried.reason,
        shifts=shifts,
        warning="" if check is None else describe_warning(check),
        instead=instead and kind not in articles,
        asks_first=tried.asks_first,
    )


def describe_warning(check: Check) -> str:
    """Describe why a remedy does not have its usual effect at this table."""
    sentences = [] if check.why is None else [str(NOT_AGAIN[check.why])]
    return " ".join([*sentences, str(FLAWS[check.flaw])])


def _label(key: str) -> str:
    if key == "short_hand/points":
        return _("A card is missing: the points to the opponents")
    if key == "short_hand/annul":
        return _("A card is missing: the deal is annulled")
    return word(RULINGS, key)


def describe_proposal_reason(
    proposal: Proposal | None,
    incident: str,
    given: Mapping[str, Any],
    regulations: Regulations,
    names: Sequence[str],
) -> str:
    """Describe how the regulations lead to the proposal; empty if that is obvious, or without a proposal."""
    if proposal is None:
        return ""
    if proposal.warned:
        sentence = (
            _("%(name)s was already warned for the same: %(points)d points off.")
            if regulations.play.format == "solo"
            else _(
                "%(name)s, or the partner at this table, was already warned for the same: %(points)d "
                "points off."
            )
        )
        return sentence % {"name": names[given["against"]], "points": proposal.remedy.points}
    if proposal.remedy.ruling == "warning" and proposal.remedy.points and given.get("against") is None:
        sentence = _(
            "Choose the person concerned: a person already warned for the same loses %(points)d points."
        )
        return sentence % {"points": proposal.remedy.points}
    if incident == "wrong_sum":
        return _sum_reason(proposal, given, regulations.wrong_sum)
    return word(OBJECTED_LATE, incident) if proposal.late and incident in OBJECTED_LATE else ""


def _sum_reason(proposal: Proposal, given: Mapping[str, Any], policy: str) -> str:
    sentence = _("A sheet that does not add up: %(policy)s.") % {"policy": word(WRONG_SUMS, policy)}
    if policy == "refuse":
        return sentence
    if given.get("written") is None:
        return f"{sentence} " + _("Enter the card points as they are on the sheet.")
    if proposal.figures.get("scores") is None:
        return f"{sentence} " + _("It does not settle this case: set the score by hand.")
    return sentence


def compare_points(before: Sequence[int | None] | None, after: Sequence[int | None] | None) -> PointsChange:
    return PointsChange(join_points(before) or "–", join_points(after) or "–")


def describe_rulings(events: Sequence[Event], names: Sequence[str], sides: Sequence[str]) -> list[Ruled]:
    """Return every ruling in a game's log, oldest first. `names`: of the players by seat; `sides`: names of
    the sides.
    """
    rulings = [event for event in events if isinstance(event, RulingMade)]
    gone = {event.replaces for event in rulings}
    return [
        Ruled(
            number=event.ruling,
            label=_label(f"{event.kind}/{event.choice}" if event.choice else event.kind),
            deal=event.deal,
            trick=event.trick,
            article=event.article or "",
            text=event.reason,
            change=compare_points(event.scores_before, event.scores) if event.scores is not None else None,
            totals=compare_points(event.totals_before, event.totals),
            seq=event.seq,
            replaced=event.ruling in gone,
            against="" if event.against is None else names[event.against],
            to="" if event.to is None else sides[event.to],
        )
        for event in rulings
    ]
